package prove

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

func TestReportIsPrinted(t *testing.T) {
	t.Parallel()
	r := &Report{
		Seed: 7, Seconds: Seconds{Load: 61.26, Settle: 4, Pause: 2.04}, Kills: 3, Faults: map[string]int{"kill serve": 2, "kill postgres": 1},
		Counts:   Counts{Acknowledged: 10, Repeated: 4, Notifications: 12, Messages: 40, Calls: 30, Labelled: 2, Digests: 1},
		Breached: map[Kind]int{Kinds[0]: shown + 2},
	}
	for i := range shown + 2 {
		r.Breaches = append(r.Breaches, Breach{Kinds[0], fmt.Sprint("event ", i)})
	}
	var out bytes.Buffer
	require.NoError(t, r.Print(&out))
	lines := strings.Split(out.String(), "\n")
	row := func(name string) string {
		for _, line := range lines {
			if value, ok := strings.CutPrefix(line, name+"  "); ok {
				return strings.TrimSpace(value)
			}
		}
		return "no row"
	}
	for name, value := range map[string]string{
		"seed": "7", "load, coming to rest": "1m1.3s, 4s", "longest time without an acknowledgement": "2s", "kill serve": "2", "kill postgres": "1", "kills": "3", "events acknowledged": "10",
		"calls repeated": "4", "notifications, messages": "12, 40", "taken by providers": "30", "marked as possible duplicates": "2", "digests": "1",
		"breach: " + string(Kinds[0]): fmt.Sprint(shown + 2), "breach: " + string(Kinds[1]): "0",
	} {
		require.Equal(t, value, row(name), name)
	}
	require.Contains(t, out.String(), fmt.Sprintf("%s: event %d\n", Kinds[0], shown-1))
	require.NotContains(t, out.String(), fmt.Sprintf("event %d\n", shown), "the JSON report holds all")

	path := filepath.Join(t.TempDir(), "report.json")
	require.NoError(t, r.Write(path))
	text, err := os.ReadFile(path) //nolint:gosec // our own
	require.NoError(t, err)
	var read Report
	require.NoError(t, json.Unmarshal(text, &read))
	require.Equal(t, *r, read)
	require.Error(t, r.Write(filepath.Join(path, "nowhere")))
}

// hook posts a webhook and returns its status; 0 when the connection was cut.
func hook(t *testing.T, r *receivers, channel, body string) int {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(r.hear))
	defer server.Close()
	resp, err := http.Post(server.URL+"/"+channel, "application/json", strings.NewReader(body))
	if err != nil {
		return 0
	}
	require.NoError(t, resp.Body.Close())
	return resp.StatusCode
}

func TestReceiversTakeWebhooks(t *testing.T) {
	t.Parallel()
	r := &receivers{}
	require.Equal(t, http.StatusOK, hook(t, r, "chat", `{"content": "p-1"}`))
	require.Equal(t, []Call{{"p-1", "chat"}}, r.Calls())
	hook(t, r, "chat", `{"content": "p-`)
	require.Len(t, r.Calls(), 1, "half a request is nothing")

	r.manner.Store(int32(refuses))
	require.Equal(t, http.StatusInternalServerError, hook(t, r, "sms", `{"content": "p-2"}`))
	require.Len(t, r.Calls(), 1)

	r.manner.Store(int32(resets))
	for range 40 {
		require.Zero(t, hook(t, r, "push", `{"content": "p-3"}`))
	}
	taken := len(r.Calls()) - 1
	require.True(t, 0 < taken && taken < 40, "it takes some: %d", taken)
	require.Equal(t, Call{"p-3", "push"}, r.Calls()[1])
}

func TestReceiversTakeMails(t *testing.T) {
	t.Parallel()
	r := &receivers{}
	one := smtpsink.Mail{Data: []byte("Subject: p-1\r\nFrom: a@example.org\r\n\r\nText\r\n")}
	require.NoError(t, r.mail(one))
	require.Equal(t, []Call{{"p-1", "email"}}, r.Calls())
	for _, m := range []manner{refuses, resets} {
		r.manner.Store(int32(m))
		require.ErrorContains(t, r.mail(one), "out of order")
	}
	r.manner.Store(int32(takes))
	require.Error(t, r.mail(smtpsink.Mail{Data: []byte("no header")}))
	require.Len(t, r.Calls(), 1)
}

func TestMannersHaveNames(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for m := range manners {
		names[m.String()] = true
	}
	require.Len(t, names, int(manners))
}

// TestReportCounts: kills are the faults that end a process; every kind of breach is listed, also at zero.
func TestReportCounts(t *testing.T) {
	t.Parallel()
	p := &run{
		Config: Config{Seed: 3}, system: &system{}, loaded: 2 * time.Second, settled: time.Second, pause: 500 * time.Millisecond, repeats: 4,
		faults: tally{"kill serve": 2, "kill worker": 1, "freeze serve": 5, "kill Postgres": 9},
	}
	breaches := []Breach{{Lost, "a"}, {Lost, "b"}, {StreamGap, "c"}}
	r := p.report(State{
		Acknowledged: make([]Acknowledged, 6), Runs: make([]Notification, 5), Calls: make([]Call, 2),
		Messages: []Message{{Labelled: true}, {Labelled: true, Items: []string{"x"}}, {Items: []string{}}, {}},
	}, breaches)
	require.Equal(t, Seconds{Load: 2, Settle: 1, Pause: 0.5}, r.Seconds)
	require.Equal(t, 3, r.Kills, "the database is not this run's own: its kills are not counted")
	require.Equal(t, Counts{Acknowledged: 6, Repeated: 4, Notifications: 5, Messages: 4, Calls: 2, Labelled: 2, Digests: 2}, r.Counts)
	require.Len(t, r.Breached, len(Kinds))
	require.Equal(t, []int{2, 1, 0}, []int{r.Breached[Lost], r.Breached[StreamGap], r.Breached[Stuck]})
	require.Equal(t, breaches, r.Breaches)
	p.faults["kill serve"] = 9
	require.Equal(t, 2, r.Faults["kill serve"], "a report does not change afterwards")
}
