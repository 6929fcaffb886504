package main_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWebhooks makes an endpoint by command, pings it, verifies what came as a receiver does, and sends again what failed.
func TestWebhooks(t *testing.T) {
	t.Parallel()
	type call struct {
		header http.Header
		body   string
	}
	calls, answers := make(chan call, 16), atomic.Int64{}
	answers.Store(http.StatusNoContent)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body) // what is missing does not verify
		calls <- call{r.Header, string(body)}
		w.WriteHeader(int(answers.Load()))
	}))
	t.Cleanup(receiver.Close)
	in := install(t, "CARILLON_EGRESS_ALLOW=127.0.0.0/8")
	webhooks := func(code int, args ...string) string {
		t.Helper()
		return in.carillon(t, in.key, code, append([]string{"webhooks"}, args...)...)
	}

	require.Contains(t, webhooks(1, "create", receiver.URL, "--events", "message.eaten"), "eventTypes.0: must be one of PING")
	var made struct {
		Secret          string
		WebhookEndpoint struct {
			InternalID string
			EventTypes []string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(webhooks(0, "create", receiver.URL, "--events", "subscriber.created,ping", "--description", "CRM")), &made))
	require.Equal(t, []string{"PING", "SUBSCRIBER_CREATED"}, made.WebhookEndpoint.EventTypes)
	endpoint := made.WebhookEndpoint.InternalID
	require.Contains(t, webhooks(0, "list"), `"description": "CRM"`)

	require.Contains(t, webhooks(0, "ping", endpoint), "The endpoint took it in ")
	got := <-calls
	verify := func(code int, body string) {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), binary(t), "webhooks", "verify", "--secret", made.Secret,
			"--id", got.header.Get("webhook-id"), "--timestamp", got.header.Get("webhook-timestamp"), "--signature", got.header.Get("webhook-signature"))
		cmd.Stdin = strings.NewReader(body)
		out, _ := cmd.CombinedOutput()
		require.Equal(t, code, cmd.ProcessState.ExitCode(), string(out))
	}
	verify(0, got.body)
	verify(1, got.body+" ")

	answers.Store(http.StatusTeapot)
	require.Contains(t, webhooks(1, "ping", endpoint), "the endpoint did not take it: it answered 418")
	<-calls
	require.Contains(t, webhooks(1, "replay", "--endpoint", endpoint, "--all"), "failedOnly")
	require.Contains(t, webhooks(1, "replay"), "--delivery or --endpoint")
	require.Contains(t, webhooks(0, "replay", "--endpoint", endpoint), "0 deliveries are sent again.", "it is tried again anyway")
	type delivery struct {
		InternalID string
		AttemptLog []struct{ Number int }
	}
	delivered := func() []delivery {
		t.Helper()
		var list struct{ Nodes []delivery }
		require.NoError(t, json.Unmarshal([]byte(webhooks(0, "deliveries", endpoint, "--status", "delivered", "--event", "ping")), &list))
		return list.Nodes
	}
	pinged := delivered()
	require.Len(t, pinged, 1)
	answers.Store(http.StatusNoContent)
	webhooks(0, "replay", "--delivery", pinged[0].InternalID)
	for again := ""; again != got.header.Get("webhook-id"); {
		again = (<-calls).header.Get("webhook-id") // the failed one may be tried again before
	}
	until(t, patience, "it is delivered again", func(context.Context) (bool, error) {
		return slices.ContainsFunc(delivered(), func(d delivery) bool {
			return d.InternalID == pinged[0].InternalID && len(d.AttemptLog) == 2
		}), nil
	})

	require.Contains(t, webhooks(0, "rotate", endpoint), `"secret": "whsec_`)
	require.Contains(t, webhooks(0, "update", endpoint, "--all", "events"), `"eventTypes": []`)
	require.Contains(t, webhooks(0, "update", endpoint, "--no-active"), `"active": false`)
	require.Contains(t, webhooks(1, "ping", endpoint), "not active")
	require.Contains(t, webhooks(0, "delete", endpoint), "deletedId")
	require.NotContains(t, webhooks(0, "list"), "CRM")
}
