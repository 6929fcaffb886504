package main_test

import (
	"context"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
)

var notificationCount = regexp.MustCompile(`(?m)^carillon_notifications_total\{status="([a-z]+)"\} (\d+)`)

// counted is how often notifications have reached each status, as a process counts them.
func counted(ctx context.Context, p *child.Process) (map[string]int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL()+"/metrics", nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = resp.Body.Close() }()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	counts := map[string]int{}
	for _, m := range notificationCount.FindAllStringSubmatch(string(text), -1) {
		if counts[m[1]], err = strconv.Atoi(m[2]); err != nil {
			return nil, err
		}
	}
	return counts, nil
}

// TestNotificationsCounterEqualsTheRows brings notifications to the final statuses that a caller can cause, also by cancelling
// them: the counter of each is how many notifications have it.
func TestNotificationsCounterEqualsTheRows(t *testing.T) {
	t.Parallel()
	cfg := child.Config{DataDir: dataDir(t), Key: newKey(), Env: []string{"CARILLON_DATABASE_URL="}}
	p := serve(t, cfg)
	c := &client.Client{URL: p.URL(), Key: cfg.Key}
	inApp := object{"stepId": "inbox", "type": "IN_APP", "inApp": object{"body": "x"}}
	hour := object{"stepId": "wait", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 1, "unit": "HOURS"}}
	for name, steps := range map[string][]object{
		"plain":    {inApp},
		"later":    {hour, inApp},
		"together": {{"stepId": "d", "type": "DIGEST", "digest": object{"type": "REGULAR", "amount": 1, "unit": "HOURS"}}, inApp},
		"calm":     {{"stepId": "t", "type": "THROTTLE", "throttle": object{"threshold": 1, "amount": 1, "unit": "HOURS"}}, inApp},
		"broken":   {{"stepId": "w", "type": "DELAY", "delay": object{"type": "SCHEDULED", "delayPath": "at"}}, inApp},
	} {
		graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
			"identifier": name, "name": name, "definition": object{"steps": steps},
		}}, nil)
	}
	for name, times := range map[string]int{"plain": 3, "later": 4, "together": 3, "calm": 3, "broken": 2} {
		for n := range times {
			processed, err := fire(t.Context(), c, name, name+strconv.Itoa(n), "u1")
			require.NoError(t, err)
			require.True(t, processed)
		}
	}
	rows := func(ctx context.Context) (map[string]int, error) {
		all, err := notifications(ctx, c)
		counts := map[string]int{}
		for _, n := range all {
			counts[strings.ToLower(n.Status)]++
		}
		return counts, err
	}
	want := map[string]int{"completed": 4, "waiting": 5, "merged": 2, "skipped": 2, "failed": 2}
	until(t, patience, "all have come as far as they do", func(ctx context.Context) (bool, error) {
		found, err := rows(ctx)
		return err == nil && maps.Equal(found, want), err
	})
	requireCounts(t, p, want)

	for _, transaction := range []string{"later0", "later1", "plain0"} { // the last is too late
		graphQL(t, c, `mutation($id: String!) { cancelTransaction(transactionId: $id) { result { complete } } }`, object{"id": transaction}, nil)
	}
	var waiting struct {
		Notifications struct {
			Nodes []struct{ ID, TransactionID string }
		}
	}
	graphQL(t, c, `{ notifications(first: 20, filter: {statusIn: [WAITING]}) { nodes { id transactionId } } }`, nil, &waiting)
	for _, n := range waiting.Notifications.Nodes {
		if n.TransactionID != "later2" { // in place of the run that opened a digest another one would take over
			continue
		}
		for range 2 { // the second time it is too late
			graphQL(t, c, `mutation($id: ID!) { cancelNotification(id: $id) { result { complete } } }`, object{"id": n.ID}, nil)
		}
	}
	found, err := rows(t.Context())
	require.NoError(t, err)
	require.Equal(t, 3, found["cancelled"])
	found["waiting"] = 5 // have waited
	requireCounts(t, p, found)
}

// requireCounts waits until a process has counted what has happened.
func requireCounts(t *testing.T, p *child.Process, want map[string]int) {
	t.Helper()
	var last map[string]int
	err := client.Until(within(t, patience), 20*time.Millisecond, func(ctx context.Context) (done bool, err error) {
		last, err = counted(ctx, p)
		return err == nil && maps.Equal(last, want), err
	})
	require.NoError(t, err, "%v are counted, not %v", last, want)
}
