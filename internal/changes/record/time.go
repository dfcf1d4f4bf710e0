package record

import (
	"fmt"
	"time"
)

// Time is a time.Time that is written with all nine decimals of its second, in UTC:
// RFC 3339 with nanoseconds, of one length, so that texts sort as the times do.
type Time struct{ time.Time }

const timeLayout = "2006-01-02T15:04:05.000000000Z07:00"

// MarshalJSON implements json.Marshaler.
func (t Time) MarshalJSON() ([]byte, error) {
	return t.UTC().AppendFormat(nil, `"`+timeLayout+`"`), nil
}

// UnmarshalJSON implements json.Unmarshaler. Any RFC 3339 time is taken.
func (t *Time) UnmarshalJSON(text []byte) error {
	if string(text) == "null" {
		return nil
	}
	parsed, err := time.Parse(`"`+time.RFC3339Nano+`"`, string(text))
	if parsed = parsed.UTC(); err != nil || parsed.Year() < 0 || parsed.Year() > 9999 {
		return fmt.Errorf("%s is no RFC 3339 time", text)
	}
	t.Time = parsed
	return nil
}

// String is the time as it is written.
func (t Time) String() string { return t.UTC().Format(timeLayout) }
