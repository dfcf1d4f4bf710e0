package since_test

import (
	"strings"
	"testing"
	"time"

	"github.com/claudewatch/claudewatch/internal/since"
)

var now = time.Date(2026, 11, 30, 14, 30, 0, 0, time.FixedZone("CET", 3600))

func TestTimesInThePast(t *testing.T) {
	for text, want := range map[string]string{
		"2h": "2026-11-30T12:30:00+01:00", " 90s ": "2026-11-30T14:28:30+01:00", "1h30m": "2026-11-30T13:00:00+01:00", "1.5h": "2026-11-30T13:00:00+01:00",
		"3d": "2026-11-27T14:30:00+01:00", "1w": "2026-11-23T14:30:00+01:00", "1d12h": "2026-11-29T02:30:00+01:00", "0s": "2026-11-30T14:30:00+01:00",
		"2026-11-02": "2026-11-02T00:00:00+01:00", "2026-11-02 08:15": "2026-11-02T08:15:00+01:00", "2026-11-02T08:15:00Z": "2026-11-02T08:15:00Z",
		"08:15": "2026-11-30T08:15:00+01:00",
	} {
		got, err := since.Parse(text, now)
		if err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%q: %s, %v, want %s", text, got.Format(time.RFC3339), err, want)
		}
	}
}

func TestWhatIsNoTimeIsSaid(t *testing.T) {
	for _, text := range []string{"", "2", "h", "-2h", "2y", "2 h", "yesterday", "2026-13-01", "1h-2m", "2026-12-01", "2026-11-30 14:31", "14:31", "2026-11-30T14:00:00Z"} {
		if got, err := since.Parse(text, now); err == nil || !strings.Contains(err.Error(), "2h") {
			t.Errorf("%q: %s, %v", text, got, err)
		}
	}
}

func TestASpanWithoutEndIsACentury(t *testing.T) {
	got, err := since.Parse(strings.Repeat("9", 300)+"w5d", now)
	if err != nil || got.Year() != 1926 {
		t.Errorf("%s, %v", got, err)
	}
}

func FuzzParse(f *testing.F) {
	f.Add("1d12h")
	f.Add("2026-11-30 14:00")
	f.Fuzz(func(t *testing.T, text string) {
		if got, err := since.Parse(text, now); err == nil && got.After(now) {
			t.Errorf("%q is %s", text, got)
		}
	})
}
