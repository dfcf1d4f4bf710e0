package policy

// Mute takes the ask rules out of Asks that muted names, in Muted and in the trace they
// stay. A rule that blocks is not asked about: whoever muted a rule that asked has not
// muted the block that it is now.
func (o *Outcome) Mute(muted func(set, rule string) bool) {
	var asks []Match
	for _, m := range o.Asks {
		if !muted(m.Set, m.Rule) {
			asks = append(asks, m)
			continue
		}
		o.Muted = append(o.Muted, m)
		for i := range o.Trace {
			if t := &o.Trace[i]; t.Set == m.Set && t.Rule == m.Rule && t.Action == Ask {
				t.Muted = true
			}
		}
	}
	o.Asks = asks
}
