package main_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestReadersCanUnsubscribe follows the link of a mail as scanners, readers and mail programs do.
func TestReadersCanUnsubscribe(t *testing.T) {
	t.Parallel()
	proxy := newInterceptor(t, vendorAnswer)
	key := newKey()
	p := serveMigrated(t, key, "HTTPS_PROXY="+proxy.URL, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE="+proxy.CertFile, "CARILLON_PUBLIC_URL=https://notify.example/")
	v := &vendors{client: &client.Client{URL: p.URL(), Key: key}, proxy: proxy}
	v.workflow(t, "EMAIL")
	graphQL(t, v.client, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "alarm", "name": "Alarm",
		"definition": object{"critical": true, "steps": []object{{"stepId": "mail", "type": "EMAIL", "email": object{"subject": "Fire", "html": "<p>Fire</p>"}}}},
	}}, nil)
	graphQL(t, v.client, `mutation { createIntegration(input: {providerId: "sendgrid", primary: true, credentials: {apiKey: "k", from: "a@b.example"}}) { integration { id } } }`, nil, nil)
	graphQL(t, v.client, `mutation { createSubscriber(input: {subscriberId: "ada", email: "ada@b.example"}) { subscriber { id } } }`, nil, nil)

	require.Nil(t, v.headersOf(t, "alarm", nil), "readers cannot leave critical workflows")
	for _, context := range []object{nil, {"region": "eu"}} {
		headers := v.headersOf(t, "email", context)
		require.Equal(t, "List-Unsubscribe=One-Click", headers["List-Unsubscribe-Post"])
		link := strings.Trim(headers["List-Unsubscribe"], "<>")
		require.True(t, strings.HasPrefix(link, "https://notify.example/v1/unsubscribe/"), link)
		link = strings.Replace(link, "https://notify.example", p.URL(), 1)

		status, page := visit(t, http.MethodHead, link)
		require.Equal(t, http.StatusOK, status)
		require.Empty(t, page)
		status, page = visit(t, http.MethodGet, link)
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, page, `<form method="post">`)
		require.Contains(t, page, "“<bdi>EMAIL</bdi>”", "it says what it will do")
		require.NotContains(t, page, "<script")
		require.NotNil(t, v.headersOf(t, "email", context), "to look changes nothing")

		status, _ = visit(t, http.MethodPost, link[:len(link)-2])
		require.Equal(t, http.StatusNotFound, status)
		for range 2 {
			status, page = visit(t, http.MethodPost, link)
			require.Equal(t, http.StatusOK, status)
			require.Contains(t, page, "You are unsubscribed")
		}
		_, page = visit(t, http.MethodGet, link)
		require.Contains(t, page, "You are unsubscribed")
		require.Nil(t, v.headersOf(t, "email", context), "no further mail")

		// The page leads to all preferences of the reader, where the mails come back.
		all := p.URL() + preferencesLink.FindStringSubmatch(page)[1]
		status, page = visit(t, http.MethodGet, all)
		require.Equal(t, http.StatusOK, status)
		require.NotContains(t, page, "Alarm", "critical workflows cannot be switched off")
		box := emailBox.FindStringSubmatch(page)
		require.Empty(t, box[2], "the mails are off")
		status, page = submit(t, all, url.Values{"shown": {box[1]}, "on": {box[1] + ":email"}})
		require.Equal(t, http.StatusOK, status)
		require.Contains(t, page, "Your choice is saved.")
		require.Equal(t, "checked", strings.TrimSpace(emailBox.FindStringSubmatch(page)[2]))
		require.NotNil(t, v.headersOf(t, "email", context), "the mails come again")
		status, _ = submit(t, all[:len(all)-2], url.Values{"shown": {box[1]}})
		require.Equal(t, http.StatusNotFound, status)
	}
}

var (
	preferencesLink = regexp.MustCompile(`href="https://notify\.example(/v1/preferences/[^"]+)"`)
	emailBox        = regexp.MustCompile(`(?s)<legend><bdi>EMAIL</bdi></legend>.*?name="on" value="([0-9a-f]+):email"( checked)?>`)
)

// sentMail is what SendGrid is given of a mail.
type sentMail struct {
	Headers map[string]string
	ReplyTo struct{ Email string } `json:"reply_to"`
}

// headersOf triggers a workflow and gives the headers of the mail that was sent; nil when none was or it had none.
func (v *vendors) headersOf(t *testing.T, workflow string, context object) map[string]string {
	t.Helper()
	sent := v.mailOf(t, workflow, context)
	if sent == nil {
		return nil
	}
	return sent.Headers
}

// mailOf triggers a workflow for ada and gives the mail that was sent; nil when none was.
func (v *vendors) mailOf(t *testing.T, workflow string, context ...object) *sentMail {
	t.Helper()
	v.proxy.take()
	body := object{"name": workflow, "to": "ada", "payload": object{}}
	if len(context) > 0 && context[0] != nil {
		body["context"] = context[0]
	}
	var answer struct{ TransactionID string }
	_, err := v.client.Do(t.Context(), http.MethodPost, "/v1/events/trigger", body, &answer)
	require.NoError(t, err)
	v.completed(t, answer.TransactionID)
	requests := v.proxy.take()
	if len(requests) == 0 {
		return nil
	}
	var sent sentMail
	require.NoError(t, json.Unmarshal(requests[0].Body, &sent))
	return &sent
}

// member is one member of a JSON object.
func member(t *testing.T, raw []byte, name string) string {
	t.Helper()
	var all map[string]json.RawMessage
	require.NoError(t, json.Unmarshal(raw, &all))
	return string(all[name])
}

// completed waits for the end of a transaction's only run.
func (v *vendors) completed(t *testing.T, transaction string) {
	t.Helper()
	until(t, patience, "the run ends", func(ctx context.Context) (bool, error) {
		var out struct {
			Notifications struct{ Nodes []struct{ Status string } }
		}
		err := v.client.GraphQL(ctx, `query($t: String!) { notifications(first: 1, filter: {transactionId: $t}) { nodes { status } } }`, object{"t": transaction}, &out)
		return err == nil && len(out.Notifications.Nodes) == 1 && out.Notifications.Nodes[0].Status == "COMPLETED", err
	})
}

// visit calls an address as a browser's form and mail programs do.
func visit(t *testing.T, method, address string) (status int, page string) {
	t.Helper()
	return send(t, method, address, url.Values{"List-Unsubscribe": {"One-Click"}})
}

// submit posts a form.
func submit(t *testing.T, address string, form url.Values) (status int, page string) {
	t.Helper()
	return send(t, http.MethodPost, address, form)
}

func send(t *testing.T, method, address string, form url.Values) (status int, page string) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(form.Encode()))
	require.NoError(t, err)
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	raw, err := io.ReadAll(resp.Body)
	require.NoError(t, err)
	return resp.StatusCode, string(raw)
}
