package prompt

import (
	"bytes"
	"io"
	"unicode"
	"unicode/utf8"

	"github.com/claudewatch/claudewatch/internal/lazyregexp"
)

// The keys that edit a line. Those of a shell are control characters, others have
// numbers that no character has.
const (
	keyStart      = 'A' - '@'
	keyLeft       = 'B' - '@'
	keyInterrupt  = 'C' - '@'
	keyEnd        = 'D' - '@' // of all lines; in a line it deletes to the right
	keyLineEnd    = 'E' - '@'
	keyRight      = 'F' - '@'
	keyDeleteRest = 'K' - '@'
	keyRedraw     = 'L' - '@'
	keyNext       = 'N' - '@'
	keyPrevious   = 'P' - '@'
	keySearch     = 'R' - '@'
	keyExchange   = 'T' - '@'
	keyDeleteLine = 'U' - '@' // what is before the cursor
	keyDeleteWord = 'W' - '@'
	keyInsertBack = 'Y' - '@' // what was deleted last
	keyBackspace  = 0x7f
	keyDelete     = -1
	keyWordLeft   = -2
	keyWordRight  = -3
)

// keys are those that a person presses at a terminal. What is no key, half of a
// character for one, is passed over.
type keys struct {
	terminal io.Reader
	pressed  []rune
	held     []byte // the beginning of a key, whose rest is still to be read
}

// next returns the next key, and waits for it.
func (k *keys) next() (rune, error) {
	for len(k.pressed) == 0 {
		buffer := make([]byte, 4096)
		n, err := k.terminal.Read(buffer)
		if n == 0 && err != nil {
			return 0, err
		}
		k.pressed, k.held = decodeKeys(append(k.held, buffer[:n]...))
	}
	key := k.pressed[0]
	k.pressed = k.pressed[1:]
	return key, nil
}

// sequence is a key that a terminal sends as several bytes, sequenceStart the beginning
// of one: see ECMA-48, 5.4, and in xterm's ctlseqs "SS3" and "meta".
var (
	sequence      = lazyregexp.New(`^\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[ -NP-Z\\-\x7f])`)
	sequenceStart = lazyregexp.New(`^\x1b(?:O|\[[0-?]*[ -/]*)?$`)
)

// decodeKeys returns the keys in what a terminal has sent, and the beginning of one that
// is still to come.
func decodeKeys(sent []byte) (pressed []rune, held []byte) {
	for len(sent) > 0 {
		if sent[0] == '\x1b' {
			switch found := sequence().Find(sent); {
			case found != nil:
				if key := keyOf(string(found)); key != 0 {
					pressed = append(pressed, key)
				}
				sent = sent[len(found):]
			case sequenceStart().Match(sent):
				return pressed, bytes.Clone(sent)
			default:
				sent = sent[1:]
			}
			continue
		}
		if !utf8.FullRune(sent) {
			return pressed, bytes.Clone(sent)
		}
		r, size := utf8.DecodeRune(sent)
		if r != utf8.RuneError {
			pressed = append(pressed, r)
		}
		sent = sent[size:]
	}
	return pressed, nil
}

// keyOf returns the key that terminals send as a sequence, 0 for one without a meaning.
func keyOf(sequence string) rune {
	switch sequence {
	case "\x1b[A", "\x1bOA":
		return keyPrevious
	case "\x1b[B", "\x1bOB":
		return keyNext
	case "\x1b[C", "\x1bOC":
		return keyRight
	case "\x1b[D", "\x1bOD":
		return keyLeft
	case "\x1b[H", "\x1bOH", "\x1b[1~", "\x1b[7~":
		return keyStart
	case "\x1b[F", "\x1bOF", "\x1b[4~", "\x1b[8~":
		return keyLineEnd
	case "\x1b[3~":
		return keyDelete
	case "\x1bb", "\x1b[1;3D", "\x1b[1;5D":
		return keyWordLeft
	case "\x1bf", "\x1b[1;3C", "\x1b[1;5C":
		return keyWordRight
	case "\x1b\x7f":
		return keyDeleteWord
	}
	return 0
}

// width returns how many columns a terminal gives a character: two for those of East
// Asia and the pictures, see https://www.unicode.org/reports/tr11/, and none for what is
// written over the one before it.
func width(r rune) int {
	switch {
	case r < 0x300:
		return 1
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return 0
	case r >= 0x1100 && r <= 0x115f, r >= 0x2e80 && r <= 0xa4cf && r != 0x303f, r >= 0xac00 && r <= 0xd7a3, r >= 0xf900 && r <= 0xfaff,
		r >= 0xfe30 && r <= 0xfe6f, r >= 0xff01 && r <= 0xff60, r >= 0xffe0 && r <= 0xffe6, r >= 0x1f300 && r <= 0x1f64f,
		r >= 0x1f900 && r <= 0x1f9ff, r >= 0x20000 && r <= 0x3fffd:
		return 2
	}
	return 1
}
