package httpstep_test

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/httpstep"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// rendered is the request of a custom step in a run whose payload is {"text": "hello"}, with a secret variable.
func rendered(t *testing.T, c workflow.CustomControls) (*provider.Request, error) {
	t.Helper()
	step := workflow.Step{StepID: "ask", Type: workflow.StepCustom, Custom: &c}
	view := render.Vars{Subscriber: map[string]any{"subscriberId": "ann"}, Payload: map[string]any{"text": "hello"}, Env: map[string]any{"base": "https://app.example"}}
	env := map[string]any{"base": "https://app.example", "token": "s3cret"}
	of := httpstep.Source{TransactionID: "txn", Workflow: "welcome", Step: &step}
	return httpstep.Render(t.Context(), render.New(render.DefaultLimits()), of, view, env)
}

func TestRender(t *testing.T) {
	t.Parallel()
	request, err := rendered(t, workflow.CustomControls{
		URL:     " {{env.base}}/{{payload.text}}{{env.token}} ",
		Headers: map[string]string{"X-Who": "{{subscriber.subscriberId}}", "Authorization": "Bearer {{env.token}}"},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"POST", "https://app.example/hello"}, []string{request.Method, request.URL}, "the address does not see secrets")
	require.Equal(t, http.Header{"X-Who": {"ann"}, "Authorization": {"Bearer s3cret"}}, request.Header)
	body := request.Body.(*provider.JSON).Root.(map[string]any)
	require.Equal(t, []any{"txn", "welcome", "ask", map[string]any{"text": "hello"}}, []any{body["transactionId"], body["workflow"], body["stepId"], body["payload"]})

	request, err = rendered(t, workflow.CustomControls{Body: `{"say": "{{payload.text}}{{env.token}}"}`})
	require.NoError(t, err)
	require.JSONEq(t, `{"say": "hello"}`, string(request.Body.(provider.Raw).Data), "nor does the body")

	request, err = rendered(t, workflow.CustomControls{Method: http.MethodGet, URL: "https://app.example/a b?say={{payload.text}} you"})
	require.NoError(t, err)
	require.Nil(t, request.Body)
	require.Equal(t, "https://app.example/a%20b?say=hello%20you", request.URL, "a blank would end the address in the request")

	for name, c := range map[string]workflow.CustomControls{
		"url: ":          {URL: "{{ 1 | nofilter }}"},
		"url: a value":   {URL: "{{env.base}}{{payload.text}}"},
		"header X-Who: ": {Headers: map[string]string{"X-Who": "{{ 1 | nofilter }}"}},
		"body: ":         {Body: "{{ 1 | nofilter }}"},
		"more than 64 KiB": {Headers: map[string]string{
			"X-A": "{{subscriber.subscriberId}}" + strings.Repeat("x", 32<<10), "X-B": strings.Repeat("x", 32<<10),
		}},
	} {
		_, err := rendered(t, c)
		require.ErrorContains(t, err, name)
	}
}

func TestSend(t *testing.T) {
	t.Parallel()
	answers := map[string]string{
		"/json": `{"plan": "gold"}`, "/text": "thanks", "/echo": `{"s": ["s3cret", 1], "of": {"basic": "Basic czNjcmV0"}}`, "/empty": " ", "/long": `"` + strings.Repeat("x", 64<<10) + `"`,
		"/nul": `{"a": "\u0000"}`, "/number": `{"a": 1.0000000000000001e300000}`, "/deep": strings.Repeat("[", 9000) + strings.Repeat("]", 9000), "/half": `{"a": "\ud800", "b": 12345678901234567890}`,
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/down":
			w.WriteHeader(http.StatusServiceUnavailable)
		case "/refused":
			http.Error(w, "Bearer s3cret is wrong", http.StatusUnauthorized)
		}
		_, _ = io.WriteString(w, answers[r.URL.Path])
	}))
	t.Cleanup(server.Close)
	shared := state.New(state.Config{DB: &postgres.DB{}, Logger: slog.New(slog.DiscardHandler), ConcurrentAttempts: 1, Deps: provider.Deps{Chosen: http.DefaultTransport}})
	ask := func(ctx context.Context, path string) (any, *provider.Error) {
		request := &provider.Request{Method: http.MethodPost, URL: server.URL + path, Origin: provider.OriginTarget}
		call := httpstep.Call{Timeout: time.Minute, Request: request, Hide: provider.Redactor([]string{"s3cret"})}
		return call.Send(ctx, shared)
	}
	for _, c := range []struct {
		path  string
		want  any
		class string // of the failure; "": there is none
	}{
		{"/json", map[string]any{"plan": "gold"}, ""},
		{"/text", nil, ""}, // it was called, and answered nothing that can be read
		{"/empty", nil, ""},
		{"/nul", nil, ""}, // what the database refuses would keep the run from being stored
		{"/number", nil, ""},
		{"/deep", nil, ""},
		{"/half", map[string]any{"a": "\ufffd", "b": json.Number("12345678901234567890")}, ""},
		{"/echo", map[string]any{"s": []any{"***", 1.0}, "of": map[string]any{"basic": "Basic ***"}}, ""},
		{"/long", nil, "permanent"},
		{"/down", nil, "transient"},
	} {
		got, failure := ask(t.Context(), c.path)
		require.Equal(t, c.want, got, c.path)
		class := ""
		if failure != nil {
			class = failure.Class.String()
		}
		require.Equal(t, c.class, class, c.path)
	}
	_, failure := ask(t.Context(), "/refused")
	require.Contains(t, failure.Text, "Bearer *** is wrong")
	server.Close()
	_, failure = ask(t.Context(), "/json")
	require.Equal(t, provider.Transient, failure.Class, "the request did not leave")
}
