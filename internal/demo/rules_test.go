package demo

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/smtp/smtpsink"
)

// TestTextsOfMails in the encodings that mails have, and mails that hold none or cannot be read.
func TestTextsOfMails(t *testing.T) {
	t.Parallel()
	for mail, want := range map[string]string{
		"\r\nplain\r\n": "plain",
		"Content-Type: text/plain\r\nContent-Transfer-Encoding: BASE64\r\n\r\nZsO8ciBkaWNo\r\n":             "für dich",
		"Content-Type: text/plain\r\nContent-Transfer-Encoding: 7bit\r\n\r\n=C3 stays\r\n":                  "=C3 stays",
		"Content-Type: ;;\r\n\r\nno readable type\r\n":                                                      "no readable type",
		"Content-Type: image/png\r\n\r\nPNG":                                                                "",
		"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a--\r\n":                                        "",
		"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n\r\nfirst\r\n--a\r\n\r\nsecond\r\n--a--":   "first",
		"Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\nContent-Type: text/html\r\n\r\nx\r\n--a--": "",
	} {
		got, err := readMail(smtpsink.Mail{Data: []byte("Subject: s\r\n" + mail)})
		require.NoError(t, err, mail)
		require.Equal(t, want, got.Text, mail)
	}
	for mail, want := range map[string]string{
		"no header":                                  "read the mail: ",
		"Subject: =?koi8-r?q?x?=\r\n\r\nx":           "read the subject: ",
		"Content-Transfer-Encoding: base64\r\n\r\n!": "read the mail's text: ",
		"Content-Type: multipart/mixed\r\n\r\n--a":   "read the mail's parts: ",
	} {
		_, err := readMail(smtpsink.Mail{Data: []byte(mail)})
		require.ErrorContains(t, err, want, mail)
	}
}

// TestHooksAnswerAsReceiversDo: an id for each genuine call, and no record of what is no call.
func TestHooksAnswerAsReceiversDo(t *testing.T) {
	t.Parallel()
	hooks, err := StartHooks(t.Context(), "secret", "svc")
	require.NoError(t, err)
	t.Cleanup(hooks.Stop)
	send := func(method, channel, body string) (int, string) {
		req, err := http.NewRequestWithContext(t.Context(), method, hooks.URL(channel), strings.NewReader(body))
		require.NoError(t, err)
		req.Header.Set("X-Api-Key", "secret")
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer resp.Body.Close()
		var answer bytes.Buffer
		_, err = answer.ReadFrom(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, strings.TrimSpace(answer.String())
	}
	for _, c := range []struct {
		method, channel, body string
		status                int
		answer                string
	}{
		{http.MethodPost, "sms", `{"to":"+49","content":"a"}`, http.StatusOK, `{"id":"sms-1"}`},
		{http.MethodPost, "sms", `{"to":7}`, http.StatusOK, `{"id":"sms-2"}`},
		{http.MethodPost, "sms", `{`, http.StatusBadRequest, "unexpected end of JSON input"},
		{http.MethodPost, "sms", `[]`, http.StatusBadRequest, "json: cannot unmarshal array"},
		{http.MethodPost, "push", `{}`, http.StatusForbidden, "not signed with the right key"},
		{http.MethodGet, "sms", ``, http.StatusMethodNotAllowed, "Method Not Allowed"},
		{http.MethodPost, "fax", `{}`, http.StatusNotFound, "404 page not found"},
	} {
		status, answer := send(c.method, c.channel, c.body)
		require.Equal(t, c.status, status, c.body)
		require.Contains(t, answer, c.answer)
	}
	calls := hooks.Calls()
	require.Len(t, calls, 3)
	require.Equal(t, []string{"+49", "", ""}, []string{calls[0].to(), calls[1].to(), calls[2].to()})
	calls[0].Channel = "altered"
	require.Equal(t, "sms", hooks.Calls()[0].Channel, "callers have a copy")
	require.Empty(t, Call{Channel: "push", Body: object{"target": []any{"a", "b"}}}.to(), "a call is for one device")
	require.Empty(t, Call{Channel: "chat", Body: object{"to": "x"}}.to(), "chat knows no recipients")
	require.Empty(t, Call{Body: object{"content": 7}}.Text())
}

// inboxes is a Carillon whose inboxes hold these texts, by subscriber. Others cannot be read.
func inboxes(t *testing.T, texts map[string][]string) *client.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Variables struct{ Subscriber string } }
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		list, known := texts[asked.Variables.Subscriber]
		if !known {
			_, _ = w.Write([]byte(`{"errors":[{"message":"no such inbox"}]}`))
			return
		}
		nodes := []object{}
		for _, text := range list {
			nodes = append(nodes, object{"content": object{"text": text}})
		}
		_ = json.NewEncoder(w).Encode(object{"data": object{"messages": object{"nodes": nodes}}})
	}))
	t.Cleanup(server.Close)
	return &client.Client{URL: server.URL, Key: "key"}
}

// TestJudge compares all five channels, and says what is missing and what is too much.
func TestJudge(t *testing.T) {
	t.Parallel()
	everybody := func(ada ...string) map[string][]string {
		return map[string][]string{"ada": ada, "ben": nil, "cleo": nil}
	}
	wanted := []delivery{{"in-app", "ada", "hello"}, {"email", "a@example.com", "hello"}, {"sms", "+49", "hello"}, {"push", "phone", "hello"}}
	arrived := func() ([]Mail, []Call) {
		return []Mail{{To: []string{"a@example.com"}, Subject: "hello"}}, []Call{
			{Channel: "sms", Genuine: true, Body: object{"to": "+49", "content": "hello"}},
			{Channel: "push", Genuine: true, Body: object{"target": []any{"phone"}, "content": "hello"}},
			{Channel: "chat", Body: object{"content": "forged"}},
		}
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	for name, c := range map[string]struct {
		ctx     context.Context //nolint:containedctx // of one call
		inboxes map[string][]string
		want    error
		text    string
		prints  []string
	}{
		"All":        {t.Context(), everybody("hello"), nil, "", []string{"Everything arrived: 4 messages", "email           1         1  ✓", "chat            0         0  ✓"}},
		"Twice":      {t.Context(), everybody("hello", "hello"), ErrIncomplete, "", []string{`unexpected  in-app  ada "hello"`, "in-app          1         2  ✗"}},
		"Other":      {ended, everybody("hallo"), ErrIncomplete, "", []string{`missing     in-app  ada "hello"`, "in-app          1         0  ✗"}},
		"Unreadable": {t.Context(), map[string][]string{"ada": nil}, nil, "read the inbox of ben: no such inbox", nil},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var out bytes.Buffer
			s := &stage{print: &printer{out: &out}, sink: &Sink{}, hooks: &Hooks{}, client: inboxes(t, c.inboxes), wanted: wanted}
			s.sink.mails, s.hooks.calls = arrived()
			err := s.verify(c.ctx, time.Now())
			switch {
			case c.text != "":
				require.ErrorContains(t, err, c.text)
				require.Empty(t, out.String(), "no verdict on what could not be read")
			case c.want != nil:
				require.ErrorIs(t, err, c.want)
				require.NotContains(t, out.String(), "Everything arrived")
			default:
				require.NoError(t, err)
			}
			for _, text := range c.prints {
				require.Contains(t, out.String(), text)
			}
		})
	}
}

// TestTriggerIsRefused when an event of the answer is not processed.
func TestTriggerIsRefused(t *testing.T) {
	t.Parallel()
	says := func(status int, body string) *stage {
		server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.WriteHeader(status)
			_, _ = w.Write([]byte(body))
		}))
		t.Cleanup(server.Close)
		return &stage{client: &client.Client{URL: server.URL}}
	}
	one, many := scene{route: "/v1/events/trigger"}, scene{route: "/v1/events/trigger/bulk"}
	got, err := says(201, `{"status":"processed","transactionId":"t1"}`).trigger(t.Context(), one)
	require.NoError(t, err)
	require.Equal(t, []string{"t1"}, got)
	got, err = says(201, `[{"status":"processed","transactionId":"t1"},{"status":"processed","transactionId":"t2"}]`).trigger(t.Context(), many)
	require.NoError(t, err)
	require.Equal(t, []string{"t1", "t2"}, got)
	_, err = says(201, `[{"status":"processed"},{"status":"error","error":["no workflow"]}]`).trigger(t.Context(), many)
	require.EqualError(t, err, "POST /v1/events/trigger/bulk: error [no workflow]")
	_, err = says(500, `{"message":"oops"}`).trigger(t.Context(), one)
	require.ErrorContains(t, err, "oops")
}

// TestTraceIsShownInItsOrder, from where the last look ended, although the clocks of two processes differ.
func TestTraceIsShownInItsOrder(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	r := run{Trace: []entry{{At: began}, {At: began.Add(5 * time.Millisecond)}, {At: began.Add(3 * time.Millisecond)}}}
	r.Subscriber.SubscriberID = "ada"
	fresh := r.after(1)
	require.Len(t, fresh, 2)
	require.Equal(t, fresh[0].At, fresh[1].At, "never before what it follows")
	require.Equal(t, "ada", fresh[1].who)
	require.Empty(t, r.after(9), "a trace that got shorter")
	for status, final := range map[string]bool{"PENDING": false, "WAITING": false, "COMPLETED": true, "FAILED": true} {
		require.Equal(t, final, run{Status: status}.final(), status)
	}
	var out bytes.Buffer
	p := &printer{out: &out}
	p.entry(entry{At: began.Add(-time.Second), Channel: "IN_APP", Reason: "MESSAGE_SENT", Detail: "d", Attempt: 2, who: "ada"}, began)
	p.entry(entry{At: began.Add(1234 * time.Millisecond), StepID: "wait", Reason: "DELAYED", Attempt: 1, who: "ben"}, began)
	p.entry(entry{At: began, Reason: "DONE"}, began)
	require.Equal(t, []string{
		"+0 ms  ada   in-app   message sent: d (attempt 2)", "+1234 ms  ben   wait     delayed", "+0 ms        ·        done",
	}, trimmed(out.String()))
}

func trimmed(text string) []string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return lines
}

func TestSteps(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	p := &printer{out: &out}
	require.NoError(t, p.step("Carillon", func() (string, error) { return "is there", nil }))
	lost := errors.New("lost")
	err := p.step("SMTP server", func() (string, error) { return "", lost })
	require.ErrorIs(t, err, lost)
	require.EqualError(t, err, "SMTP server: lost")
	require.Equal(t, []string{"Carillon      is there", "SMTP server   failed"}, trimmed(out.String()))
	for d, want := range map[time.Duration]string{0: "0 ms", 999 * time.Millisecond: "999 ms", time.Second: "1.0 s", 61400 * time.Millisecond: "61.4 s"} {
		require.Equal(t, want, short(d))
	}
}
