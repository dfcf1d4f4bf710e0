package shell

import (
	"path"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// patternOf returns the pattern that a word is, as schema.Target.Pattern has it; ""
// for another word.
func (w *walk) patternOf(dir string, f field) string {
	pattern := w.writtenPattern(dir, f)
	if !w.dotglob || pattern == "" {
		return pattern
	}
	segments := strings.Split(pattern, "/")
	for i, s := range segments {
		segments[i] = withDot(s)
	}
	return strings.Join(segments, "/")
}

// withDot returns a segment of a pattern that matches hidden names as well, which are
// else those alone that a point is written for.
func withDot(segment string) string {
	end := 1
	switch {
	case segment == "" || segment == "**" || len(segment) > 1 && segment[1] == '(':
		return segment
	case segment[0] == '*':
		return "?(.)" + segment
	case segment[0] == '[':
		_, behind, _ := strings.Cut(segment[min(2, len(segment)):], "]")
		end = len(segment) - len(behind)
	case segment[0] != '?':
		return segment
	}
	return "@(.|" + segment[:end] + ")" + segment[end:]
}

// setsDotglob reports whether shopt or setopt with these options makes patterns match
// hidden names. It holds from there on: a text that takes it back is rare.
func setsDotglob(program string, options []field) bool {
	on := program == "setopt"
	for _, f := range options {
		switch {
		case strings.HasPrefix(f.text, "-"):
			on = on || strings.Contains(f.text, "s")
		case on && slices.Contains([]string{"dotglob", "globdots", "glob_dots"}, strings.ToLower(f.text)):
			return true
		}
	}
	return false
}

// writtenPattern is patternOf without regard to the options of the shell.
func (w *walk) writtenPattern(dir string, f field) string {
	name := f.path
	if !f.known && strings.Contains(f.pattern, anyDepth) {
		return "" // of find
	}
	if !f.known && f.pattern != "" {
		if pattern := join(dir, f.pattern); pattern != "" {
			return pattern
		}
		return relativePattern(f.pattern)
	}
	if !f.known {
		if name = w.endOf(f.word); name == "" {
			return ""
		}
		return relativePattern(name)
	}
	if !f.located {
		name = f.text
	}
	// What find puts in the place of {} is no pattern of the shell.
	if globIn(name, f) < 0 || strings.Contains(name, anyDepth) {
		return ""
	}
	if !f.located {
		return relativePattern(name)
	}
	if pattern := join(dir, name); pattern != "" {
		return pattern
	}
	return relativePattern(name)
}

func relativePattern(name string) string { return strings.TrimLeft(path.Clean(name), "/") }

// endOf returns the segments of a word behind the last part that the text does not
// tell, when there is a pattern in them; else "".
func (w *walk) endOf(word *syntax.Word) string {
	if word == nil || !hasOpenGlob(word.Parts) {
		return ""
	}
	var end []string
	for i := len(word.Parts) - 1; i >= 0; i-- {
		text, ok := w.constant(word.Parts[i])
		if !ok {
			break
		}
		end = append(end, text)
	}
	slices.Reverse(end)
	_, name, _ := strings.Cut(strings.Join(end, ""), "/")
	if !strings.ContainsAny(name, "*?[(") {
		return ""
	}
	return name
}

// constant returns a part of a word in which nothing is expanded but patterns.
func (w *walk) constant(part syntax.WordPart) (string, bool) {
	quoted, ok := part.(*syntax.DblQuoted)
	if !ok {
		return w.constantPart(part, false)
	}
	text := ""
	for _, inner := range quoted.Parts {
		piece, ok := w.constantPart(inner, true)
		if !ok {
			return "", false
		}
		text += piece
	}
	return text, true
}

func (w *walk) constantPart(part syntax.WordPart, quoted bool) (string, bool) {
	switch part.(type) {
	case *syntax.Lit, *syntax.SglQuoted, *syntax.ExtGlob:
		v, known := w.part(part, nil, quoted)
		return v.text, known
	}
	return "", false
}

// matchedBy returns the pattern that parts with variables are, whose values match
// patterns; "" for others.
func (w *walk) matchedBy(parts []syntax.WordPart, env *environment) string {
	pattern, found := "", false
	for _, part := range parts {
		text, ok := w.constant(part)
		if !ok {
			switch part := part.(type) {
			case *syntax.ParamExp:
				if isBashParameter(part) && isPlainExpansion(part) && part.Param != nil {
					text = env.follow(part.Param.Value).pattern
				}
			case *syntax.DblQuoted:
				text = w.matchedBy(part.Parts, env)
			case *syntax.CmdSubst:
				text = w.foundOne(part.Stmts, env)
			}
			if text == "" {
				return ""
			}
			if pattern != "" && strings.HasSuffix(text, anyDepth) {
				text = anyDepth[1:] // the place counts from what stands in front
			}
			found = true
		}
		pattern += text
	}
	if !found {
		return ""
	}
	return pattern
}
