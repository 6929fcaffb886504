package main_test

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

var (
	figureName = regexp.MustCompile(`\b(carillon|process)_[a-z_]+`)
	// unmoved are the figures that nothing moves here; that they exist is held beside the rules and the dashboard.
	unmoved     = regexp.MustCompile(`_(breaker_changes|attempt_failures|step_failures|receipts|webhook_attempt_duration_seconds|graphql_errors)`)
	figureLabel = regexp.MustCompile(`\b(route|status|outcome)="([^"]+)"`)
)

// TestMonitoring holds the alert rules and the dashboard against a process that accepted an event and sent a mail: each
// figure and each label that they name is one that the process has.
func TestMonitoring(t *testing.T) {
	t.Parallel()
	p := serveMigrated(t, newKey(), "CARILLON_BOOTSTRAP_API_KEY=monitoring-test")
	c := &client.Client{URL: p.URL(), Key: "monitoring-test"}
	graphQL(t, c, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "mail", "name": "Mail", "definition": object{"steps": []object{
			{"stepId": "mail", "type": "EMAIL", "email": object{"subject": "s", "html": "<p>b</p>"}},
		}},
	}}, nil)
	graphQL(t, c, `mutation { createSubscriber(input: {subscriberId: "u", email: "u@example.com"}) { subscriber { id } } }`, nil, nil)
	_, err := fire(t.Context(), c, "mail", "m", "u")
	require.NoError(t, err)

	var figures string
	until(t, patience, "a mail is sent", func(ctx context.Context) (bool, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL()+"/metrics", nil)
		if err != nil {
			return false, err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false, err
		}
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		figures = string(text)
		return strings.Contains(figures, `carillon_attempt_duration_seconds_count{`) && strings.Contains(figures, `carillon_messages_total{`), err
	})
	require.Contains(t, figures, `carillon_due_late_seconds{kind="events"} 0`)
	require.Contains(t, figures, `carillon_pool_connections{state="max"}`)
	require.Contains(t, figures, `carillon_queue_rows{kind="webhook_deliveries",state="due"} 0`)
	require.Contains(t, figures, `carillon_commit_group_size_count{writer="events"} `)
	require.Contains(t, figures, `carillon_delivery_duration_seconds_count{channel="email",lane="normal"} 1`)
	require.Contains(t, figures, `carillon_graphql_operation_duration_seconds_count{field="createWorkflow",kind="mutation"} 1`)
	files, err := filepath.Glob("deploy/monitoring/*")
	require.NoError(t, err)
	require.Len(t, files, 2)
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		plain := strings.ReplaceAll(string(text), `\"`, `"`)
		for _, name := range figureName.FindAllString(plain, -1) {
			if unmoved.MatchString(name) || name == "carillon_" {
				continue
			}
			require.Contains(t, figures, "\n"+name, "%s: %s", file, name)
		}
		for _, label := range figureLabel.FindAllStringSubmatch(plain, -1) {
			if label[0] != `status="error"` { // nothing fails here
				require.Contains(t, figures, label[0], file)
			}
		}
	}
}
