package decisionlog

import (
	"bytes"
	"encoding/json"
	"reflect"
	"testing"
	"time"
)

// A line is what encoding/json writes of the record, whatever is in it.
func TestALineIsTheRecordAsJSON(t *testing.T) {
	texts := []string{"", "a", `"\/`, "<&>", "\x00\x1f\x7f\n\r\t\b\f", "\xff\xc3", "\u2028\u2029", "é🙂"}
	for i := range texts {
		at := func(n int) string { return texts[(i+n)%len(texts)] }
		for _, list := range [][]string{{}, {at(0)}, {at(1), at(2)}} {
			checkEncoding(t, Record{
				Time: time.Date(2026, 11, 30, 21, 0, i, i*1000, time.UTC), Session: at(0), Cwd: at(1), Tool: at(2), Mode: at(3), Decision: at(4),
				Matched: list, CommandShape: at(5), Path: at(6), ToolUseID: at(7), Muted: list,
			})
		}
	}
	// Every field is written, those that are added too.
	var full Record
	v := reflect.ValueOf(&full).Elem()
	for i := range v.NumField() {
		switch f := v.Field(i); f.Interface().(type) {
		case string:
			f.SetString(v.Type().Field(i).Name)
		case []string:
			f.Set(reflect.ValueOf([]string{v.Type().Field(i).Name}))
		case time.Time:
			f.Set(reflect.ValueOf(time.Unix(1, 2).UTC()))
		default:
			t.Errorf("%s: a field of another type", v.Type().Field(i).Name)
		}
	}
	checkEncoding(t, full)
}

func checkEncoding(t *testing.T, r Record) {
	t.Helper()
	var want bytes.Buffer
	encoder := json.NewEncoder(&want)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(r); err != nil {
		t.Fatal(err)
	}
	got, err := encode(r)
	if err != nil || string(got) != want.String() {
		t.Errorf("%v\n%q\n%q", err, got, want.String())
	}
}
