package doctor

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/claudewatch/claudewatch/internal/install"
)

// installed says where the hooks of claudewatch are.
func installed(_ context.Context, m *Machine) []Finding {
	all := m.installations()
	var findings []Finding
	for _, p := range all.problems {
		findings = append(findings, Finding{
			Status: Fail, Message: p.String(),
			Remedy: "Claude Code ignores a settings file that it cannot read, and its hooks with it: mend the file",
		})
	}
	var where []*place
	for _, h := range all.own {
		if !slices.Contains(where, h.place) {
			where = append(where, h.place)
		}
	}
	if len(where) == 0 {
		var looked []string
		for _, f := range m.files() {
			looked = append(looked, f.path)
		}
		return append(findings, Finding{
			Status: Fail, Message: "no hook of claudewatch is installed: looked in " + strings.Join(looked, ", ") + " and for a plugin",
			Remedy: "claudewatch install",
		})
	}
	for _, p := range where {
		name := string(p.scope) + " settings"
		if p.plugin != "" {
			name = "the plugin " + p.plugin
		}
		findings = append(findings, Finding{Status: OK, Message: name + ": " + p.path})
	}
	return append(findings, twice(all)...)
}

// twice says which events run claudewatch more than once: Claude Code runs identical
// commands once.
func twice(all *installations) []Finding {
	var events, details []string
	for _, e := range install.Events {
		commands := map[string]bool{}
		for _, h := range all.own {
			if h.Event == e.Name && h.kind == install.Plain {
				commands[strings.ReplaceAll(h.String(), "${CLAUDE_PLUGIN_ROOT}", h.place.root)] = true
			}
		}
		if len(commands) > 1 {
			events = append(events, e.Name)
		}
	}
	if len(events) == 0 {
		return nil
	}
	for _, h := range all.distinct() {
		details = append(details, fmt.Sprintf("%s: %s", h.place.path, h))
	}
	return []Finding{{
		Status: Warn, Message: "claudewatch runs more than once for " + strings.Join(events, ", ") + ": each call is judged, logged and recorded as often",
		Remedy: "take one out: claudewatch uninstall, with --user, --project or --local, or claude plugin uninstall", Details: details,
	}}
}

// switchedOff says what keeps the hooks from being run.
func switchedOff(_ context.Context, m *Machine) []Finding {
	all := m.installations()
	var findings []Finding
	for _, p := range all.places {
		if p.settings.DisableAllHooks {
			findings = append(findings, Finding{
				Status: Fail, Message: "disableAllHooks is set in " + p.path + ": no hook runs", Remedy: "take disableAllHooks out of that file",
			})
		}
		if p.scope == install.Managed && p.settings.ManagedHooksOnly && !slices.ContainsFunc(all.own, func(h *hook) bool { return h.place.scope == install.Managed }) {
			findings = append(findings, Finding{
				Status: Fail, Message: "allowManagedHooksOnly is set in " + p.path + ", and the hooks of claudewatch are not in managed settings: they do not run",
				Remedy: "as an administrator: claudewatch install --managed",
			})
		}
	}
	if len(findings) == 0 {
		findings = []Finding{{Status: OK, Message: "no settings switch hooks off"}}
	}
	return findings
}

// events says whether every event runs claudewatch, and for every tool.
func events(_ context.Context, m *Machine) []Finding {
	all := m.installations()
	if len(all.own) == 0 {
		return nil
	}
	var missing, narrow, some []string
	for _, e := range install.Events {
		there, full := false, false
		for _, h := range all.own {
			if h.Event != e.Name {
				continue
			}
			there = true
			full = full || !e.OfTools || install.MatchesAll(h.Matcher)
			if sets := h.command().Sets(); len(sets) > 0 {
				some = append(some, fmt.Sprintf("%s: only %s: %s", e.Name, strings.Join(sets, ", "), h))
			}
		}
		switch {
		case !there:
			missing = append(missing, e.Name)
		case !full:
			narrow = append(narrow, e.Name)
		}
	}
	var findings []Finding
	add := func(events []string, message, remedy string) {
		if len(events) == 0 {
			return
		}
		status := Warn
		if slices.Contains(events, preToolUse) {
			status = Fail
		}
		findings = append(findings, Finding{Status: status, Message: fmt.Sprintf(message, strings.Join(events, ", ")), Remedy: remedy})
	}
	if slices.Contains(missing, preToolUse) {
		add(missing, "%s: claudewatch is not run, so that no call is judged and not every change is recorded", all.own[0].place.remedy())
	} else {
		add(missing, "%s: claudewatch is not run, so that not every change is recorded", all.own[0].place.remedy())
	}
	add(narrow, "%s: claudewatch is run for some tools only, by the matcher", all.own[0].remedy())
	if len(findings) == 0 {
		findings = append(findings, Finding{Status: OK, Message: fmt.Sprintf("all %d events run claudewatch, for every tool", len(install.Events)), Details: some})
	}
	return findings
}

// timeouts says whether the hooks are given the time that they may need.
func timeouts(_ context.Context, m *Machine) []Finding {
	return ofHooks(m, "every hook has the time that it may need", func(h *hook) (Status, string, string) {
		if h.Timeout > 0 && h.Timeout < install.Timeout {
			return Warn, fmt.Sprintf("after %v seconds Claude Code ends the hook, and lets the call through or leaves its changes unrecorded; a large project may take thirty", h.Timeout), h.remedy()
		}
		return OK, "", ""
	})
}

// onFailure says what becomes of a call when its hook fails.
func onFailure(_ context.Context, m *Machine) []Finding {
	return ofHooks(m, "a hook that fails before a call blocks it (Claude Code 2.1.295 and newer)", func(h *hook) (Status, string, string) {
		switch {
		case h.Event != preToolUse:
			return OK, "", ""
		case h.Async:
			return Fail, `Claude Code does not wait for an "async" hook: it cannot stop a call`, `take "async" out of the hook in ` + h.place.path
		case h.If != "":
			return Warn, fmt.Sprintf("runs only if %s", h.If), `take "if" out of the hook in ` + h.place.path
		case h.OnFailure == "":
			return Warn, `"onFailure": "block" is missing: when the program is gone or fails, every call passes`, h.remedy()
		case h.OnFailure != install.OnFailure:
			return Warn, fmt.Sprintf(`"onFailure" is %q: when the program is gone or fails, calls may pass`, h.OnFailure), `set it to "block" in ` + h.place.path
		}
		return OK, "", ""
	})
}

// ofHooks judges each hook of claudewatch; what is the same for several is one finding.
func ofHooks(m *Machine, fine string, judge func(*hook) (status Status, message, remedy string)) []Finding {
	all := m.installations()
	if len(all.own) == 0 {
		return nil
	}
	var findings []Finding
	for _, h := range all.own {
		status, message, remedy := judge(h)
		if status == OK {
			continue
		}
		detail := fmt.Sprintf("%s: %s", h.Event, h.place.path)
		at := slices.IndexFunc(findings, func(f Finding) bool { return f.Message == message && f.Remedy == remedy })
		if at < 0 {
			findings = append(findings, Finding{Status: status, Message: message, Remedy: remedy, Details: []string{detail}})
		} else {
			findings[at].Details = append(findings[at].Details, detail)
		}
	}
	if len(findings) == 0 {
		findings = []Finding{{Status: OK, Message: fine}}
	}
	return findings
}

// otherHooks names the hooks of others that answer the same calls. What they answer
// cannot be known without running them; the strictest answer counts.
func otherHooks(_ context.Context, m *Machine) []Finding {
	var details []string
	for _, h := range m.installations().others {
		if h.Event != preToolUse && h.Event != "PermissionRequest" {
			continue
		}
		what := h.String()
		if h.Type != "command" {
			what = "a hook of type " + h.Type
		}
		matcher := h.Matcher
		if matcher == "" {
			matcher = "*"
		}
		details = append(details, fmt.Sprintf("%s %s: %s (%s)", h.Event, matcher, what, h.place.path))
	}
	if len(details) == 0 {
		return []Finding{{Status: OK, Message: "no hook of somebody else answers the same calls"}}
	}
	return []Finding{{
		Status: OK, Details: details,
		Message: fmt.Sprintf("%d of others answer the same calls: what they say is not known here; one that answers a question in your place would show as calls that are never asked about", len(details)),
	}}
}
