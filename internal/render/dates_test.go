package render_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestDates: what the filters of dates take for a date, and how they write one.
func TestDates(t *testing.T) {
	t.Parallel()
	for value, want := range map[string]string{
		"1709647629": "2024-03-05 14:07:09 +0000", "'1709647629'": "2024-03-05 14:07:09 +0000", "1709647629123": "2024-03-05 14:07:09 +0000", "0": "1970-01-01 00:00:00 +0000",
		"-86400": "1969-12-31 00:00:00 +0000", "'2024-03-05'": "2024-03-05 00:00:00 +0000", "'2024-03-05T14:07:09.123Z'": "2024-03-05 14:07:09 +0000",
		"'2024-03-05T14:07:09+02:00'": "2024-03-05 14:07:09 +0200", "'2024-03-05T23:30:00-0800'": "2024-03-05 23:30:00 -0800", "'2024-03-05 14:07'": "2024-03-05 14:07:00 +0000",
		"'2024-03-05 14:07:09 +0200'": "2024-03-05 14:07:09 +0200", "'2024/03/05'": "2024-03-05 00:00:00 +0000", "'2024-03'": "2024-03-01 00:00:00 +0000",
		"'March 5, 2024'": "2024-03-05 00:00:00 +0000", "'March 5, 2024 14:07'": "2024-03-05 14:07:00 +0000", "'Tuesday, March 5, 2024'": "2024-03-05 00:00:00 +0000",
		"'Mar 5, 2024'": "2024-03-05 00:00:00 +0000", "'5 March 2024'": "2024-03-05 00:00:00 +0000", "'Tue, 05 Mar 2024 14:07:09 GMT'": "2024-03-05 14:07:09 +0000",
		"'Tue, 5 Mar 2024 14:07:09 +0100'": "2024-03-05 14:07:09 +0100", "'Tue Mar 05 2024 14:07:09 GMT+0100 (Central European Standard Time)'": "2024-03-05 14:07:09 +0100",
		"'now'": "2026-11-29 23:30:00 +0000", "'today'": "2026-11-29 23:30:00 +0000",
		"'soon'": "soon", "''": "", "payload.nope": "", "true": "true", "'2024-13-45'": "2024-13-45", "'12:30'": "12:30", "payload.list": "12",
	} {
		got, err := newEngine().Text(t.Context(), "{{ "+value+" | date: '%Y-%m-%d %H:%M:%S %z' }}", atHalfPast(t))
		require.NoError(t, err, value)
		assert.Equal(t, want, got, value)
	}
	for template, want := range map[string]string{
		"{{ payload.at | date: '%H:%M %z', 'Europe/Berlin' }}":                                                   "15:07 +0100",
		"{{ payload.at | date: '%H:%M %Z', payload.zone }}":                                                      "09:07 EST",
		"{{ payload.at | date: '%H:%M %z', -90 }} {{ payload.at | date: '%H:%M %z', 360 }}":                      "15:37 +0130 08:07 -0600",
		"{{ payload.at | date: '%H:%M', payload.nope }}":                                                         "15:07",
		"{{ 'now' | date: '%d.%m. %H:%M', 'Europe/Berlin' }} {{ 'now' | local_date: 'short' }}":                  "30.11. 00:30 11/30/26",
		"{{ 'now' | date: '%Y' | plus: 1 }}{% render 'year' %}":                                                  "2027 2026",
		"{{ payload.at | date: '%B %-d%q %%q' }} {{ '2024-03-11' | date: '%q' }}{{ '2024-03-22' | date: '%q' }}": "March 5th %q thnd",
		"{{ payload.at | date_to_xmlschema }} {{ payload.at | date_to_rfc822 }}":                                 "2024-03-05T15:07:09+01:00 Tue, 05 Mar 2024 15:07:09 +0100",
		"{{ payload.at | date_to_string }} {{ payload.at | date_to_long_string }}":                               "05 Mar 2024 05 March 2024",
		"{{ payload.at | date_to_string: 'ordinal' }} {{ payload.at | date_to_long_string: 'ordinal', 'US' }}":   "5th Mar 2024 March 5th, 2024",
		"{{ 'soon' | date_to_rfc822 }}{{ payload.nope | date_to_string }}":                                       "soon",
	} {
		got, err := newEngine().HTML(t.Context(), template, atHalfPast(t))
		require.NoError(t, err, template)
		assert.Equal(t, want, got, template)
		assert.Empty(t, newEngine().Analyze(template, workflow.TemplateScope{HTML: true}), template)
	}
	for template, want := range map[string]string{
		"{{ payload.at | date: '%H', 'Nope/Zone' }}":     `template line 1: filter date: "Nope/Zone" is no time zone; one is named as Europe/Berlin is`,
		"{{ payload.at | date: '%H', '../etc/passwd' }}": `template line 1: filter date: "../etc/passwd" is no time zone; one is named as Europe/Berlin is`,
		"{{ payload.at | date: '%H', 5000 }}":            `template line 1: filter date: a time zone is at most 1440 minutes from UTC, not 5000`,
		"{{ payload.at | date: '%H', 'UTC', 3 }}":        `template line 1: filter date: takes 0 to 2 arguments`,
		"{{ payload.at | upcase: 3 }}":                   `template line 1: filter upcase: takes no argument`,
	} {
		_, err := newEngine().Text(t.Context(), template, atHalfPast(t))
		assert.EqualError(t, err, want, template)
	}
}

// atHalfPast binds a payload and a time at which the day in Berlin is the next one.
func atHalfPast(tb testing.TB) render.Bindings {
	tb.Helper()
	return render.Vars{
		Now:        time.Date(2026, 11, 29, 23, 30, 0, 0, time.UTC),
		Payload:    map[string]any{"at": "2024-03-05T15:07:09+01:00", "zone": "America/New_York", "list": []any{1.0, 2.0}},
		Subscriber: map[string]any{"timezone": "Europe/Berlin"},
		Snippets:   map[string]string{"year": " {{ 'now' | date: '%Y' }}"},
	}.Bind()
}

// TestDatesOfTheReader: a date that names a zone, UTC as well, moves to the reader's; one that names none is by the reader's own clock,
// also where that clock jumps over it.
func TestDatesOfTheReader(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ zone, value, want string }{
		{"Europe/Berlin", "2026-07-01T10:00:00Z", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "2026-07-01T10:00Z", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "2026-07-01T10:00:00+0000", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "2026-07-01 10:00:00Z", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "2026-07-01 10:00:00 UTC", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "20260701T100000Z", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "Wed, 01 Jul 2026 10:00:00 GMT", "1 Jul 2026 12:00"},
		{"Europe/Berlin", "Wed, 01 Jul 2026 10:00:00 PDT", "1 Jul 2026 19:00"},
		{"Europe/Berlin", "Wed Jul 01 2026 10:00:00 GMT+0000 (Coordinated Universal Time)", "1 Jul 2026 12:00"},
		{"Europe/Berlin", " 2026-07-01 10:00 ", "1 Jul 2026 10:00"},
		{"Europe/Berlin", "1782900000", "1 Jul 2026 12:00"},
		{"America/Santiago", "2026-09-06", "6 Sept 2026 01:00"},
		{"America/Havana", "2026-03-08", "8 Mar 2026 01:00"},
		{"Africa/Cairo", "2026-04-24", "24 Apr 2026 01:00"},
		{"Pacific/Apia", "2011-12-30", "31 Dec 2011 00:00"},
		{"America/New_York", "2026-03-08T02:30:00", "8 Mar 2026 03:00"},
		{"America/New_York", "2026-11-01T01:30:00", "1 Nov 2026 01:30"},
	} {
		vars := render.Vars{
			Subscriber: map[string]any{"timezone": c.zone}, Payload: map[string]any{"at": c.value},
			Texts: render.Translations{"en": {"when": "{at, date} {at, time, short}"}}.For("en-GB", "en"),
		}.Bind()
		got, err := newEngine().Text(t.Context(), `{{ payload.at | local_date }} {{ payload.at | local_time: "short" }}, {{ "when" | t: at: payload.at }}`, vars)
		require.NoError(t, err)
		assert.Equal(t, c.want+", "+c.want, got, "%s in %s", c.value, c.zone)
	}
}
