package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestExportOfAPerson prints what is stored about a subscriber who was notified more often than fits in a page.
func TestExportOfAPerson(t *testing.T) {
	t.Parallel()
	in := install(t)
	c := &client.Client{URL: in.URL(), Key: in.key}
	const events = 60
	for range events {
		_, err := c.Do(t.Context(), "POST", "/v1/events/trigger", object{"name": "hello", "to": "ada", "payload": object{"secret": "of ada"}}, nil)
		require.NoError(t, err)
	}
	_, err := c.Do(t.Context(), "POST", "/v1/events/trigger", object{"name": "hello", "to": "bob"}, nil)
	require.NoError(t, err)
	until(t, time.Minute, "everything is delivered", func(ctx context.Context) (bool, error) {
		open, err := quiet(ctx, c)
		return open == 0, err
	})

	export := func(who string) (stdout, stderr string, code int) {
		return run(t, []string{"CARILLON_API_KEY=" + in.key, "CARILLON_URL=" + in.URL()}, "subscribers", "export", who)
	}
	printed, progress, code := export("ada")
	require.Zero(t, code, progress)
	kinds := map[string]int{}
	for line := range strings.Lines(printed) {
		var record struct {
			Kind string
			Data map[string]any
		}
		require.NoError(t, json.Unmarshal([]byte(line), &record), line)
		kinds[record.Kind]++
		switch record.Kind {
		case "SUBSCRIBER":
			require.Equal(t, "ada", record.Data["subscriberId"])
		case "NOTIFICATION":
			require.Equal(t, object{"secret": "of ada"}, record.Data["event"].(map[string]any)["payload"])
		}
	}
	require.Equal(t, map[string]int{"SUBSCRIBER": 1, "INBOX_STATE": 1, "NOTIFICATION": events, "MESSAGE": events, "AUDIT_ENTRY": 1}, kinds)
	require.Equal(t, "100 records\n123 records\n", progress)
	printed, said, code := export("eve")
	require.Equal(t, 1, code)
	require.Empty(t, printed)
	require.Contains(t, said, `there never was a subscriber "eve"`)

	check := func(arguments ...string) (stdout, stderr string, code int) {
		return run(t, in.database, append([]string{"subscribers"}, arguments...)...)
	}
	printed, said, code = check("check-erasure", "ada", "of ada")
	require.Equal(t, 1, code, said)
	require.Contains(t, printed, `"ada" is not erased in development`)
	require.Contains(t, printed, "events.payload: 60 rows\n")

	erase := func(arguments ...string) (stdout, stderr string, code int) {
		return run(t, []string{"CARILLON_API_KEY=" + in.key, "CARILLON_URL=" + in.URL()}, append([]string{"subscribers", "erase"}, arguments...)...)
	}
	printed, said, code = erase("ada")
	require.Zero(t, code, "as every command that says what it would do")
	require.Contains(t, printed, `124 records are stored about "ada"`)
	require.Equal(t, "Nothing was changed. --yes does it.\n", said)
	printed, said, code = erase("ada", "--yes")
	require.Zero(t, code, said)
	require.Regexp(t, "^erased:[a-z2-7]{26}\n$", printed)
	_, said, code = export("ada")
	require.Equal(t, 1, code)
	require.Contains(t, said, `there never was a subscriber "ada"`)
	_, said, code = export("bob")
	require.Zero(t, code, said)

	// What is searched after the erasure, and what a third party can be shown of it.
	file := filepath.Join(t.TempDir(), "ada.json")
	printed, said, code = check("check-erasure", "ada", "of ada", "--certificate", file)
	require.Zero(t, code, printed+said)
	require.Contains(t, printed, "nothing is left; the records stay under erased:")
	certificate, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NotRegexp(t, `\bada\b`, string(certificate), "it names no value")
	printed, said, code = check("verify-certificate", file, "ada", "of ada")
	require.Zero(t, code, said)
	require.Contains(t, printed, "nothing was left of erased:")
	_, said, code = check("verify-certificate", file, "bob")
	require.Equal(t, 1, code)
	require.Contains(t, said, "covers 0 of the 1 values")
	require.NoError(t, os.WriteFile(file, bytes.Replace(certificate, []byte(`"traces": []`), []byte(`"traces": [{"table": "x"}]`), 1), 0o600))
	_, said, code = check("verify-certificate", file)
	require.Equal(t, 1, code)
	require.Contains(t, said, "was changed since")
}
