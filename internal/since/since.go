// Package since reads points in the past as people write them: 2h, 3d, 2026-11-30.
package since

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// layouts are the dates and times that are understood; without a zone they are local.
var layouts = []string{time.RFC3339Nano, "2006-01-02T15:04:05", "2006-01-02T15:04", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02", "15:04:05", "15:04"}

// Parse returns the time that text means at now: a span before it, such as 90s, 30m,
// 2h30m, 3d or 1w, a date, a time of the day of now, or both. A day of a span has 24
// hours.
func Parse(text string, now time.Time) (time.Time, error) {
	text = strings.TrimSpace(text)
	if span, ok := parseSpan(text); ok {
		return now.Add(-span), nil
	}
	for _, layout := range layouts {
		t, err := time.ParseInLocation(layout, text, now.Location())
		if err != nil {
			continue
		}
		if t.Year() == 0 { // a time of the day
			t = time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location())
		}
		if t.After(now) {
			break
		}
		return t, nil
	}
	return time.Time{}, fmt.Errorf("'%s' is no time in the past; write for example 2h, 3d, 2026-11-30 or '2026-11-30 14:00'", text)
}

// maxSpan keeps sums of units from overflowing: more than a century is for ever.
const maxSpan = 100 * 365 * 24 * time.Hour

var units = map[string]time.Duration{
	"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour, "w": 7 * 24 * time.Hour,
}

// parseSpan reads one or more numbers with units, as 1d12h.
func parseSpan(text string) (time.Duration, bool) {
	if !regexp.MustCompile(`^(\d+(\.\d+)?[smhdw])+$`).MatchString(text) {
		return 0, false
	}
	var span time.Duration
	for _, part := range regexp.MustCompile(`([\d.]+)([smhdw])`).FindAllStringSubmatch(text, -1) {
		n, err := strconv.ParseFloat(part[1], 64)
		if err != nil {
			return 0, false
		}
		if n*float64(units[part[2]]) >= float64(maxSpan-span) {
			return maxSpan, true
		}
		span += time.Duration(n * float64(units[part[2]]))
	}
	return span, true
}
