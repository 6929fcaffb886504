package deliver

import (
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
)

func TestWithPassthrough(t *testing.T) {
	t.Parallel()
	merge := map[string]any{"priority": "high"}
	require.Equal(t, merge, withPassthrough(workflow.StepOverrides{Merge: merge}))
	require.Nil(t, withPassthrough(workflow.StepOverrides{}))
	got := withPassthrough(workflow.StepOverrides{Merge: merge, Passthrough: workflow.Passthrough{Body: map[string]any{"a": 1}, Query: map[string]any{"b": 2}}})
	require.Equal(t, map[string]any{
		"priority": "high", workflow.PassthroughKey: map[string]any{"body": map[string]any{"a": 1}, "query": map[string]any{"b": 2}},
	}, got)
	require.Len(t, merge, 1, "the overrides are shared by calls side by side")
}

func TestAttachments(t *testing.T) {
	t.Parallel()
	file := base64.StdEncoding.EncodeToString([]byte("pdf"))
	got, complaint := attachments(map[string]any{"attachments": []any{
		map[string]any{"name": "a.pdf", "mime": "application/pdf", "file": file, "cid": "logo", "disposition": "inline"},
		map[string]any{"name": "b.pdf", "file": "not base64!"},
		"a string", nil,
		map[string]any{"name": "c.pdf", "url": "https://example.com/c.pdf"},
		map[string]any{"name": "d.pdf", "file": 7.0},
		map[string]any{"name": 7, "file": file},
	}})
	require.Equal(t, []provider.Attachment{
		{Name: "a.pdf", MIME: "application/pdf", CID: "logo", Disposition: "inline", File: []byte("pdf")}, {File: []byte("pdf")},
	}, got)
	require.Equal(t, "sent without files that are not base64: payload.attachments.1.file", complaint)
	for _, payload := range []map[string]any{nil, {"attachments": "a string"}, {"attachments": []any{map[string]any{"name": "report"}}}} {
		got, complaint = attachments(payload)
		require.Empty(t, got)
		require.Empty(t, complaint)
	}
}

func TestMailOverrides(t *testing.T) {
	t.Parallel()
	d := onDelivery(nil, integration("a"))
	d.envelope.To, d.envelope.Mail = []string{"ann@example.com", "bob@example.com"}, state.MailParts{From: "us@example.com", SenderName: "Us"}
	m := &provider.Message{CustomData: map[string]any{"kept": true}}
	mail(m, d, nil)
	require.Equal(t, &provider.Email{From: "us@example.com", SenderName: "Us", To: d.envelope.To}, m.Email)
	require.Equal(t, "ann@example.com", m.Target.Email)
	mail(m, d, &workflow.EmailOverrides{
		CC: []string{"c@example.com"}, BCC: []string{"d@example.com"}, Headers: map[string]string{"X-A": "1"}, IPPoolName: "pool",
	})
	require.Equal(t, []any{[]string{"c@example.com"}, []string{"d@example.com"}, "1", "pool"}, []any{m.Email.CC, m.Email.BCC, m.Email.Headers["X-A"], m.Email.IPPoolName})
	require.Equal(t, map[string]any{"kept": true}, m.CustomData)
	mail(m, d, &workflow.EmailOverrides{CustomData: map[string]any{"other": true}})
	require.Equal(t, map[string]any{"other": true}, m.CustomData)
}

func TestAddUnsubscribe(t *testing.T) {
	t.Parallel()
	optOut := func(o workflow.OptOut) string {
		return "https://out.example/" + o.EnvironmentID + "/" + o.SubscriberID + "/" + o.WorkflowID + "/" + o.MessageID
	}
	for _, c := range []struct {
		name      string
		optOut    func(workflow.OptOut) string
		published *workflow.Definition
		headers   map[string]string
		want      string
		oneClick  string
	}{
		{"Added", optOut, &workflow.Definition{}, map[string]string{"X-A": "1"}, "<https://out.example/env/subscriber/workflow/message>", "List-Unsubscribe=One-Click"},
		{"Critical", optOut, &workflow.Definition{Critical: true}, nil, "", ""},
		{"ByHand", optOut, nil, nil, "", ""},
		{"WithoutAddress", nil, &workflow.Definition{}, nil, "", ""},
		{"TheTriggersOwn", optOut, &workflow.Definition{}, map[string]string{"list-unsubscribe": "<mine>"}, "", ""},
	} {
		d := onDelivery(c.published, integration("a"))
		d.event.WorkflowID = "workflow"
		m := &provider.Message{Email: &provider.Email{Headers: c.headers}}
		newWorker(t, func(cfg *state.Config) { cfg.OptOut = c.optOut }).addUnsubscribe(m, d)
		require.Equal(t, []string{c.want, c.oneClick}, []string{m.Email.Headers["List-Unsubscribe"], m.Email.Headers["List-Unsubscribe-Post"]}, c.name)
		require.Equal(t, c.headers["X-A"], m.Email.Headers["X-A"], c.name)
		require.NotContains(t, c.headers, "List-Unsubscribe", "%s: the overrides' headers are shared by calls side by side", c.name)
	}
}

func TestSetReplyTo(t *testing.T) {
	t.Parallel()
	answered := &workflow.Definition{Steps: []workflow.Step{{
		StepID: "step", Type: workflow.StepEmail, ReplyCallback: &workflow.ReplyCallback{URL: "https://app.example/replies", Active: true},
	}}}
	replies := &state.Replies{Address: func(messageID string) string { return messageID + "@reply.example" }}
	for _, c := range []struct {
		name      string
		replies   *state.Replies
		published *workflow.Definition
		want      string
	}{
		{"Callback", replies, answered, "message@reply.example"},
		{"NoCallback", replies, &workflow.Definition{Steps: []workflow.Step{{StepID: "step", Type: workflow.StepEmail, Email: &workflow.EmailControls{}}}}, "own@example.com"},
		{"ByHand", replies, nil, "own@example.com"},
		{"NotReceived", nil, answered, "own@example.com"},
	} {
		m := &provider.Message{Email: &provider.Email{ReplyTo: "own@example.com"}}
		newWorker(t, func(cfg *state.Config) { cfg.Replies = c.replies }).setReplyTo(m, onDelivery(c.published, integration("a")))
		require.Equal(t, c.want, m.Email.ReplyTo, c.name)
	}
}

func TestWire(t *testing.T) {
	t.Parallel()
	w := newWorker(t)
	seal := func(url string) string {
		sealed, err := w.Secrets.SealURL("env", url)
		require.NoError(t, err)
		require.NotEqual(t, url, sealed)
		return sealed
	}

	t.Run("Text", func(t *testing.T) {
		t.Parallel()
		d := onDelivery(nil, integration("a"))
		d.TransactionID, d.WorkflowIdentifier, d.Content, d.Subject = "txn", "welcome", &workflow.MessageContent{Text: "hi"}, new("Hello")
		d.event.Payload = map[string]any{"n": 1}
		m, err := w.wire(d)
		require.NoError(t, err)
		require.Equal(t, &provider.Message{
			ID: "message", TransactionID: "txn", Workflow: "welcome", StepID: "step", Attempt: 1, Channel: workflow.ChannelSMS,
			Payload: map[string]any{"n": 1}, Subscriber: d.subscriber.View(), Target: provider.Target{Phone: "+4930123456"},
			Content: provider.Content{Title: "Hello", Body: "hi", Text: "hi"},
		}, m)
	})
	t.Run("Connection", func(t *testing.T) {
		t.Parallel()
		d := onDelivery(nil, integration("a"))
		d.connection = &pgmessage.ConnectionRow{WorkspaceID: "T1"}
		m, err := w.wire(d)
		require.NoError(t, err)
		require.Equal(t, []string{"token", "T1"}, []string{m.Target.ConnectionToken, m.Target.Workspace})
		unreadable := newWorker(t, func(cfg *state.Config) {
			cfg.Token = func(pgmessage.ConnectionRow) (string, error) { return "", provider.Failf(provider.Unknown, "x") }
		})
		_, err = unreadable.wire(d)
		require.Equal(t, provider.Permanent, provider.AsError(err).Class, "another try reads the same token")
	})
	t.Run("SealedURLs", func(t *testing.T) {
		t.Parallel()
		d := onDelivery(nil, integration("a"))
		d.envelope.Endpoint.URL = seal("https://chat.example/hook")
		d.envelope.Channels = []any{map[string]any{"credentials": map[string]any{"webhookUrl": seal("https://other.example/hook")}}}
		d.envelope.Step = map[string]any{"digest": true}
		m, err := w.wire(d)
		require.NoError(t, err)
		require.Equal(t, "https://chat.example/hook", m.Target.Endpoint.URL)
		require.Equal(t, []any{map[string]any{"credentials": map[string]any{"webhookUrl": "https://other.example/hook"}}}, m.Subscriber["channels"])
		require.Equal(t, d.envelope.Step, m.Step)
		require.NotContains(t, d.subscriber.View(), "channels", "the view is shared by calls side by side")
	})
	t.Run("URLsUnderAKeyOfOtherProcesses", func(t *testing.T) {
		t.Parallel()
		newer, err := secret.NewKeeper(secret.Generate())
		require.NoError(t, err)
		d := onDelivery(nil, integration("a"))
		d.envelope.Endpoint.URL, err = newer.SealURL("env", "https://chat.example/hook")
		require.NoError(t, err)
		_, err = w.wire(d)
		failure := provider.AsError(err)
		require.Equal(t, provider.Transient, failure.Class, "a process that has the key may try it")
		require.True(t, failure.OfTarget, "the integration is not to blame")
	})
	t.Run("URLsOfAnotherEnvironment", func(t *testing.T) {
		t.Parallel()
		d := onDelivery(nil, integration("a"))
		d.EnvironmentID, d.envelope.Endpoint.URL = "other", seal("https://chat.example/hook")
		_, err := w.wire(d)
		require.Equal(t, provider.Permanent, provider.AsError(err).Class)
		require.NotContains(t, err.Error(), "chat.example")
	})
}
