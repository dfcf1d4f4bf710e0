package settingsedit_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/claudewatch/claudewatch/internal/changes/textdiff"
	"github.com/claudewatch/claudewatch/internal/config"
	"github.com/claudewatch/claudewatch/internal/settingsedit"
	"github.com/claudewatch/claudewatch/policy"
	"github.com/google/go-cmp/cmp"
)

// generator writes settings the way that people do, each in a way of their own.
// Every comment in them is another one.
type generator struct {
	*rand.Rand
	newline  string
	comments int
	anchors  []string // of lists that came before
}

var (
	someSets  = []string{"watch-git", "watch-aws", "guard-main", "require-plan", "watch-dotnet", "mine"}
	someRules = []string{"watch-git/git commit", "watch-git/git push --force", "watch-files/rm -r", "mine/it's, so: there", "watch-bash/eval"}
	actions   = []policy.Action{policy.Block, policy.Ask, policy.Off}
)

func pick[T any](g *generator, from ...T) T { return from[g.IntN(len(from))] }

func (g *generator) one(n int) bool { return g.IntN(n) == 0 }

// some returns a few of the names in random order.
func (g *generator) some(names []string) []string {
	chosen := slices.Clone(names)
	g.Shuffle(len(chosen), func(i, j int) { chosen[i], chosen[j] = chosen[j], chosen[i] })
	return chosen[:g.IntN(len(chosen)+1)]
}

func (g *generator) comment() string {
	g.comments++
	return fmt.Sprintf("# c%d%s", g.comments, pick(g, "", " why: [x], {y}", " 'quoted", " — ünïcode 好", " - item", "\t tab"))
}

// end is what may stand at the end of a line, before its line break.
func (g *generator) end() string {
	switch g.IntN(4) {
	case 0:
		return pick(g, " ", "   ", "\t") + g.comment()
	case 1:
		return pick(g, "", " ", "  ", "\t")
	}
	return ""
}

// between is what may stand between two lines.
func (g *generator) between(margin string) string {
	switch g.IntN(6) {
	case 0:
		return margin + g.comment() + g.newline
	case 1:
		return pick(g, "", "  ") + g.newline
	case 2:
		return g.comment() + g.newline
	}
	return ""
}

func (g *generator) scalar(text string) string {
	special := strings.ContainsAny(text, ":,'")
	switch g.IntN(3) {
	case 0:
		return `"` + text + `"`
	case 1:
		return "'" + strings.ReplaceAll(text, "'", "''") + "'"
	}
	if special {
		return `"` + text + `"`
	}
	return text
}

// list writes a list of names as the value of a key.
func (g *generator) list(margin string, names []string) string {
	anchor := ""
	if g.one(8) && len(names) > 0 {
		anchor = fmt.Sprintf("l%d", len(g.anchors))
		g.anchors = append(g.anchors, anchor)
		anchor = " &" + anchor
	} else if len(g.anchors) > 0 && g.one(3) {
		return " *" + pick(g, g.anchors...) + g.end() + g.newline
	}
	switch {
	case len(names) == 0:
		return pick(g, "", " ~", " []", " [ ]", " null") + g.end() + g.newline
	case len(names) == 1 && g.one(3):
		return anchor + " " + g.scalar(names[0]) + g.end() + g.newline
	case g.one(2):
		return anchor + g.brackets(margin, names)
	}
	var b strings.Builder
	b.WriteString(anchor + g.end() + g.newline)
	inner := margin + pick(g, "", "  ", " ", "    ")
	dash := pick(g, "- ", "-   ")
	for _, n := range names {
		b.WriteString(g.between(inner) + inner + dash + g.scalar(n) + g.end() + g.newline)
	}
	return b.String()
}

func (g *generator) brackets(margin string, items []string) string {
	var b strings.Builder
	blank := pick(g, "", " ")
	b.WriteString(" [" + blank)
	lines := g.one(2)
	own := lines && g.one(2) // each item on a line of its own
	for i, n := range items {
		if own || lines && g.one(2) {
			b.WriteString(g.end() + g.newline + g.between(margin+"  ") + margin + "  ")
		}
		b.WriteString(g.scalar(n))
		if i < len(items)-1 || g.one(4) {
			b.WriteString("," + pick(g, "", " "))
		}
	}
	if own {
		b.WriteString(g.end() + g.newline + margin + " ")
	}
	b.WriteString(blank + "]" + g.end() + g.newline)
	return b.String()
}

// mapping writes rules as the value of a key.
func (g *generator) mapping(margin string, rules []string) string {
	value := func() string {
		return pick(g, "block", "ask", "off", "OFF", `"off"`, "'ask'")
	}
	if len(rules) == 0 {
		return pick(g, "", " {}", " ~") + g.end() + g.newline
	}
	var b strings.Builder
	if g.one(3) {
		b.WriteString(" {")
		for i, r := range rules {
			if i > 0 {
				b.WriteString("," + pick(g, " ", "  ", g.end()+g.newline+margin+"   "))
			}
			b.WriteString(g.scalar(r) + ": " + value())
		}
		b.WriteString("}" + g.end() + g.newline)
		return b.String()
	}
	b.WriteString(g.end() + g.newline)
	inner := margin + pick(g, "  ", " ", "    ")
	for _, r := range rules {
		b.WriteString(g.between(inner) + inner + g.scalar(r) + ":" + pick(g, " ", "   ", "\t") + value() + g.end() + g.newline)
	}
	return b.String()
}

// settings writes a whole file.
func (g *generator) settings() string {
	g.newline = pick(g, "\n", "\n", "\n", "\r\n")
	margin := pick(g, "", "", "", "  ")
	var b strings.Builder
	b.WriteString(pick(g, "", "", "", "\ufeff"))
	b.WriteString(g.between(""))
	b.WriteString(pick(g, "", "", "---"+g.end()+g.newline))
	keys := g.some([]string{"enable", "disable", "rules", "log", "wrappers", "changes", "deny_exit"})
	for _, key := range keys {
		b.WriteString(g.between(margin) + margin + pick(g, key, key, `"`+key+`"`) + pick(g, ":", ":", " :"))
		switch key {
		case "enable", "disable":
			b.WriteString(g.list(margin, g.some(someSets)))
		case "rules":
			b.WriteString(g.mapping(margin, g.some(someRules)))
		case "log":
			b.WriteString(pick(g, " on", " \"~/log [1].jsonl\"", " off") + g.end() + g.newline)
		case "wrappers":
			b.WriteString(pick(g, " {rtk: 0}"+g.end()+g.newline, g.end()+g.newline+margin+"  rtk: 0"+g.end()+g.newline))
		case "changes":
			b.WriteString(pick(g, " {roots: [a, 'b']}", "\n"+margin+"  roots: # r"+"\n"+margin+"  - a\n"+margin+"  exclude: {add: [x]}", " ") + g.newline)
		case "deny_exit":
			b.WriteString(" 2" + g.end() + g.newline)
		}
	}
	b.WriteString(g.between(margin) + g.between(""))
	text := b.String()
	if g.one(5) {
		text = strings.TrimSuffix(text, g.newline)
	}
	return text
}

// state is what settings say about sets and rules.
type state struct {
	Enable, Disable []string
	Rules           map[string]policy.Action
	Rest            [3]any
	Changes         string
	Problems        int
}

func stateOf(content string) state {
	s := config.ParseSettings(path, []byte(content))
	got := state{Rules: map[string]policy.Action{}, Rest: [3]any{s.Log, s.DenyExit, fmt.Sprint(s.Wrappers)}, Problems: len(s.Diagnostics)}
	for _, n := range s.Enable {
		got.Enable = append(got.Enable, n.Name)
	}
	for _, n := range s.Disable {
		got.Disable = append(got.Disable, n.Name)
	}
	for _, r := range s.Rules {
		got.Rules[r.Set+"/"+r.Rule] = r.Action
	}
	if s.Changes != nil {
		got.Changes = s.Changes.ShortTag()
		for _, n := range s.Changes.Content {
			got.Changes += " " + n.Value
		}
	}
	slices.Sort(got.Enable)
	slices.Sort(got.Disable)
	return got
}

// randomEdit returns an edit and what it does to a state.
func (g *generator) randomEdit() (settingsedit.Edit, func(*state)) {
	set, rule, action := pick(g, someSets...), pick(g, someRules...), pick(g, actions...)
	put := func(list *[]string) {
		if !slices.Contains(*list, set) {
			*list = append(*list, set)
			slices.Sort(*list)
		}
	}
	take := func(list *[]string) {
		*list = slices.DeleteFunc(*list, func(name string) bool { return name == set })
		if len(*list) == 0 {
			*list = nil
		}
	}
	switch g.IntN(6) {
	case 0:
		return settingsedit.AddEnable(set), func(s *state) { put(&s.Enable) }
	case 1:
		return settingsedit.AddDisable(set), func(s *state) { put(&s.Disable) }
	case 2:
		return settingsedit.TakeEnable(set), func(s *state) { take(&s.Enable) }
	case 3:
		return settingsedit.TakeDisable(set), func(s *state) { take(&s.Disable) }
	case 4:
		return settingsedit.TakeRule(rule), func(s *state) { delete(s.Rules, rule) }
	}
	return settingsedit.SetRule(rule, action, false), func(s *state) { s.Rules[rule] = action }
}

// commentsOf returns the comments of a text that generator wrote.
func commentsOf(content string) []string {
	var found []string
	for _, word := range strings.FieldsFunc(content, func(r rune) bool { return r == ' ' || r == '\n' || r == '\r' || r == '\t' }) {
		if len(word) > 1 && word[0] == 'c' && word[1] >= '0' && word[1] <= '9' {
			found = append(found, word)
		}
	}
	return found
}

// maxTouched is how many lines one edit takes out or changes at most: the lines of a
// key and of its entries that name the set, and a line that gets a comma.
const maxTouched = 3

func TestAnEditChangesWhatItIsAboutAndNothingElse(t *testing.T) {
	for seed := range uint64(2_000) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 1))}
		before := g.settings()
		edit, change := g.randomEdit()
		want := stateOf(before)
		change(&want)
		after, err := settingsedit.Apply(path, []byte(before), edit)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, before)
		}
		if diff := cmp.Diff(want, stateOf(string(after))); diff != "" {
			t.Fatalf("seed %d: %s\nbefore:\n%s\nafter:\n%s", seed, diff, before, after)
		}
		if diff := cmp.Diff(commentsOf(before), commentsOf(string(after))); diff != "" {
			t.Fatalf("seed %d: comments: %s\nbefore:\n%s\nafter:\n%s", seed, diff, before, after)
		}
		if _, additions, deletions := textdiff.Compare([]byte(before), after); additions > maxTouched || deletions > maxTouched {
			t.Fatalf("seed %d: %d lines added, %d taken out\nbefore:\n%s\nafter:\n%s", seed, additions, deletions, before, after)
		}
		if again, err := settingsedit.Apply(path, after, edit); err != nil || string(again) != string(after) {
			t.Fatalf("seed %d: again: %v\nbefore:\n%s\nafter:\n%s", seed, err, after, again)
		}
	}
}

func FuzzAnEditNeverBreaksAFile(f *testing.F) {
	for _, seed := range []string{"enable: [a, watch-git]\n", "rules:\n  watch-git/git commit: off # x\n", "enable: &x\r\n- a\r\ndisable: *x", "{enable: a}", "? enable\n: - mine"} {
		f.Add(seed, uint64(1))
	}
	f.Fuzz(func(t *testing.T, before string, seed uint64) {
		g := &generator{Rand: rand.New(rand.NewPCG(seed, 2))}
		edit, change := g.randomEdit()
		after, err := settingsedit.Apply(path, []byte(before), edit)
		if err != nil {
			return
		}
		want := stateOf(before)
		change(&want)
		got := stateOf(string(after))
		got.Problems = want.Problems // an entry may be taken out that was one
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s\nbefore: %q\nafter: %q", diff, before, after)
		}
	})
}
