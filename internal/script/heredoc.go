package script

import "strings"

// heredoc is a here-document whose text begins after the current line.
type heredoc struct {
	index  int   // of its token
	start  int32 // where that begins
	end    string
	indent bool // the ending line may be indented
	raw    bool // no escapes and no code
}

// heredocQueue holds the here-documents begun in a line, whose texts follow it in
// their order: the way of Ruby and Perl.
type heredocQueue struct{ pending []heredoc }

// begin emits the token that stands for a here-document, a command between
// backticks, and queues the document.
func (q *heredocQueue) begin(s *scanner, start int, quote byte, h heredoc) {
	t := token{kind: text}
	if quote == '`' {
		t.kind = command
	}
	s.emit(start, t)
	h.index, h.start = len(s.tokens)-1, int32(start)
	q.pending = append(q.pending, h)
}

// readPending reads the texts of the queued documents at the start of the line after
// them; content reads one step of a text, with its code or without.
func (q *heredocQueue) readPending(s *scanner, content contentReader) {
	pending := q.pending
	q.pending = nil
	for _, h := range pending {
		var b literalBuilder
		for !s.done() {
			if s.atLineStart() && s.atHeredocEnd(h) {
				s.skipLine()
				s.advance(1)
				break
			}
			content(&b, 0, !h.raw)
		}
		if h.index < len(s.tokens) && s.tokens[h.index].start == h.start { // not of code in a string
			s.tokens[h.index].literal = b.literal()
		}
	}
	s.newline, s.spaced = true, true
}

// atHeredocEnd reports that this line ends a here-document.
func (s *scanner) atHeredocEnd(h heredoc) bool {
	rest := s.source[s.at:]
	if h.indent {
		rest = strings.TrimLeft(rest, " \t")
	}
	rest, ok := strings.CutPrefix(rest, h.end)
	return ok && (rest == "" || rest[0] == '\n' || rest[0] == '\r')
}
