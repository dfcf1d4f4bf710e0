package policy

import "testing"

const mutable = `name: own
rules:
  block:
    - {name: force, pattern: '--force', reason: r}
  ask:
    - {name: push, pattern: push, reason: r}
    - {name: main, pattern: main, reason: r}
`

func TestAMutedAskIsNoGround(t *testing.T) {
	for name, c := range map[string]struct {
		command string
		muted   []string
		actions map[string]Action
		want    Verdict
		count   int
	}{
		"nothing is muted":               {"push", nil, nil, AskVerdict, 0},
		"the only ask is muted":          {"push", []string{"own/push"}, nil, None, 1},
		"another ask stays":              {"push main", []string{"own/push"}, nil, AskVerdict, 1},
		"both are muted":                 {"push main", []string{"own/push", "own/main"}, nil, None, 2},
		"a compound command":             {"make && push", []string{"own/push"}, nil, None, 1},
		"a block is not muted":           {"push --force", []string{"own/push", "own/force"}, nil, Deny, 1},
		"an ask that was made a block":   {"push", []string{"own/push"}, map[string]Action{"push": Block}, Deny, 0},
		"a block that was made an ask":   {"x --force", []string{"own/force"}, map[string]Action{"force": Ask}, None, 1},
		"a rule of another set":          {"push", []string{"other/push"}, nil, AskVerdict, 0},
		"a rule that is not even needed": {"ls", []string{"own/push"}, nil, None, 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := Compile([]File{{Path: "own.yml", Source: []byte(mutable)}}, Options{
				Action: func(_, rule string) Action { return c.actions[rule] },
			})
			outcome := p.Evaluate(bash(c.command), EvaluateOptions{Trace: true})
			outcome.Mute(func(set, rule string) bool {
				for _, m := range c.muted {
					if m == set+"/"+rule {
						return true
					}
				}
				return false
			})
			d := Decide(outcome, Deny)
			if d.Verdict != c.want || len(d.Muted) != c.count {
				t.Errorf("%s with %d muted, want %s with %d", d.Verdict, len(d.Muted), c.want, c.count)
			}
			traced := 0
			for _, rule := range outcome.Trace {
				if rule.Muted {
					traced++
				}
			}
			if traced != c.count {
				t.Errorf("%d rules are muted in the trace, want %d", traced, c.count)
			}
		})
	}
}
