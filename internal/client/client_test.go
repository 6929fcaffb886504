package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// served is a server that always answers so, the client that talks to it, and the requests that it heard.
func served(t *testing.T, status int, answer string) (*client.Client, *[]string) {
	t.Helper()
	var heard []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		heard = append(heard, r.Method+" "+r.URL.String()+" "+r.Header.Get("Authorization")+" "+r.Header.Get("Content-Type")+" "+string(body))
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	return &client.Client{URL: server.URL + "/", Key: "KEY", HTTP: server.Client()}, &heard
}

// TestErrorNamesFieldsOnce: most messages name the fields themselves.
func TestErrorNamesFieldsOnce(t *testing.T) {
	t.Parallel()
	fields := []client.Field{{Path: "parts", Message: "a"}, {Path: "parts", Message: "b"}}
	require.EqualError(t, &client.Error{Message: "Validation Error: parts: a", Code: "VALIDATION", Fields: fields}, "Validation Error: parts: a; parts: b (VALIDATION)")
	require.EqualError(t, &client.Error{Message: "Wrong", Fields: fields}, "Wrong; parts: a; parts: b")
}

func TestDo(t *testing.T) {
	t.Parallel()
	c, heard := served(t, 201, `{"id":"1"}`)
	var out struct{ ID string }
	status, err := c.Do(t.Context(), "PUT", "/v1/topics?limit=1", map[string]any{"key": "news"}, &out)
	require.NoError(t, err)
	require.Equal(t, 201, status)
	require.Equal(t, "1", out.ID)
	require.Equal(t, []string{`PUT /v1/topics?limit=1 ApiKey KEY application/json {"key":"news"}`}, *heard)
	_, err = c.Do(t.Context(), "GET", "/", nil, nil)
	require.NoError(t, err)
	_, err = c.Do(t.Context(), "GET", "/", make(chan int), nil)
	require.ErrorContains(t, err, "encode the request")
	_, err = c.Do(t.Context(), "two words", "/", nil, nil)
	require.ErrorContains(t, err, "make the request")
}

// TestDoFails with the status and the answer's words, and fills what was asked for where it can.
func TestDoFails(t *testing.T) {
	t.Parallel()
	c, _ := served(t, 422, `{"message":"Validation Error"}`)
	var out struct{ Message string }
	status, err := c.Do(t.Context(), "POST", "/v1/topics", nil, &out)
	require.Equal(t, 422, status)
	require.EqualError(t, err, `POST /v1/topics: status 422: {"message":"Validation Error"}`)
	require.Equal(t, "Validation Error", out.Message)
	c, _ = served(t, 502, "<html>")
	status, err = c.Do(t.Context(), "GET", "/", nil, &out)
	require.Equal(t, 502, status)
	require.EqualError(t, err, "GET /: status 502: <html>")
	c, _ = served(t, 200, "<html>")
	_, err = c.Do(t.Context(), "GET", "/", nil, &out)
	require.ErrorContains(t, err, "GET /: read the answer")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	status, err = c.Do(ended, "GET", "/", nil, nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, status)
}

func TestGraphQL(t *testing.T) {
	t.Parallel()
	c, heard := served(t, 200, `{"data":{"topic":{"key":"news"}}}`)
	var out struct{ Topic struct{ Key string } }
	require.NoError(t, c.GraphQL(t.Context(), "query{topic}", map[string]any{"n": 1}, &out))
	require.Equal(t, "news", out.Topic.Key)
	require.NoError(t, c.GraphQL(t.Context(), "query{topic}", nil, nil))
	require.Equal(t, `POST /graphql ApiKey KEY application/json {"query":"query{topic}","variables":{"n":1}}`, (*heard)[0])
	var figures struct{ N, Half any }
	c, _ = served(t, 200, `{"data":{"n":9007199254740993,"half":0.5}}`)
	require.NoError(t, c.GraphQL(t.Context(), "{n half}", nil, &figures))
	require.Equal(t, []any{int64(9007199254740993), 0.5}, []any{figures.N, figures.Half}, "no double has the first")
	c, _ = served(t, 200, `{"data":[]}`)
	require.ErrorContains(t, c.GraphQL(t.Context(), "{x}", nil, &out), "read the answer")
	c, _ = served(t, 500, `oops`)
	require.ErrorContains(t, c.GraphQL(t.Context(), "{x}", nil, &out), "status 500: oops")
}

// TestGraphQLErrors: all of them, with their codes and the fields at fault, also with a status that is no success.
func TestGraphQLErrors(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 422} {
		c, _ := served(t, status, `{"data":null,"errors":[
			{"message":"Validation Error","path":["a"],"extensions":{"code":"VALIDATION","fields":[{"path":"key","message":"is empty"},{"path":"name","message":"is long"},7]}},
			{"message":"second"}]}`)
		err := c.GraphQL(t.Context(), "{x}", nil, nil)
		require.EqualError(t, err, "Validation Error; key: is empty; name: is long (VALIDATION)\nsecond")
		var first *client.Error
		require.ErrorAs(t, err, &first)
		require.Equal(t, &client.Error{Message: "Validation Error", Code: "VALIDATION", Fields: []client.Field{{Path: "key", Message: "is empty"}, {Path: "name", Message: "is long"}}}, first)
	}
}

// TestUntil asks again until it is so, and no longer than its context.
func TestUntil(t *testing.T) {
	t.Parallel()
	asked := 0
	require.NoError(t, client.Until(t.Context(), time.Microsecond, func(context.Context) (bool, error) {
		asked++
		return asked == 3, nil
	}))
	require.Equal(t, 3, asked)
	failed := errors.New("failed")
	require.ErrorIs(t, client.Until(t.Context(), time.Microsecond, func(context.Context) (bool, error) { return false, failed }), failed)
	ctx, cancel := context.WithCancelCause(t.Context())
	require.ErrorIs(t, client.Until(ctx, time.Microsecond, func(context.Context) (bool, error) {
		cancel(failed)
		return false, nil
	}), failed)
}

// TestDoFollowsRedirectsThatKeepTheRequest: a POST that is redirected with 301 would arrive as a GET without its body, and another host
// would get no key.
func TestDoFollowsRedirectsThatKeepTheRequest(t *testing.T) {
	t.Parallel()
	for _, status := range []int{301, 302, 307, 308} {
		server := httptest.NewServer(http.RedirectHandler("https://notify.example.com/base/graphql", status))
		t.Cleanup(server.Close)
		c := &client.Client{URL: server.URL, Key: "KEY"}
		require.EqualError(t, c.GraphQL(t.Context(), "{ a }", nil, nil), server.URL+" redirects to https://notify.example.com/base: name that address")
	}
	there, heard := served(t, 200, `{"data":{}}`)
	for status, follows := range map[int]int{301: 0, 302: 0, 303: 0, 307: 1, 308: 1} {
		*heard = nil
		server := httptest.NewServer(http.RedirectHandler(there.URL+"graphql", status))
		t.Cleanup(server.Close)
		err := (&client.Client{URL: server.URL, Key: "KEY"}).GraphQL(t.Context(), "{ a }", nil, nil)
		require.Equal(t, follows == 1, err == nil, status)
		require.Len(t, *heard, follows)
	}
}

func TestDoRefusesOtherAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{"", "notify.example.com", "ftp://notify.example.com", "localhost:8080", "http://"} {
		c := &client.Client{URL: address, Key: "KEY"}
		require.ErrorContains(t, c.GraphQL(t.Context(), "{ a }", nil, nil), `"`+address+`" is not an address such as http://127.0.0.1:8080`)
	}
}

// TestDoNamesTheProxy when that cannot be reached, and not the service, which was not asked.
func TestDoNamesTheProxy(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	proxy, err := url.Parse(closed.URL)
	require.NoError(t, err)
	proxy.User = url.UserPassword("me", "secret")
	for _, address := range []string{"http://notify.example.com", "https://notify.example.com"} {
		c := &client.Client{URL: address, HTTP: &http.Client{Transport: &http.Transport{Proxy: http.ProxyURL(proxy)}}}
		err := c.GraphQL(t.Context(), "{ a }", nil, nil)
		require.ErrorContains(t, err, "the proxy http://me:xxxxx@"+proxy.Host)
		require.ErrorContains(t, err, "connection refused")
		require.NotContains(t, err.Error(), "notify.example.com")
	}
	c := &client.Client{URL: closed.URL, HTTP: &http.Client{Transport: &http.Transport{}}}
	require.ErrorIs(t, c.GraphQL(t.Context(), "{ a }", nil, nil), syscall.ECONNREFUSED)
}

// TestLostAnswers: a mutation whose answer is lost is sent once more under its key, a query is not, and what the second attempt cannot tell
// leaves the first failure.
func TestLostAnswers(t *testing.T) {
	t.Parallel()
	var keys []string
	answer, status := "", 0 // of the second attempt; "": it is lost, too
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		keys = append(keys, r.Header.Get("Idempotency-Key"))
		if len(keys) == 1 || answer == "" {
			panic(http.ErrAbortHandler)
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, answer)
	}))
	t.Cleanup(server.Close)
	c := &client.Client{URL: server.URL, HTTP: &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}}
	const resend = `mutation { resendMessage(input: {id: "1"}) { message { id } } }`
	for name, then := range map[string]struct {
		query, answer string
		status, sent  int
		err           string
	}{
		"stored":        {resend, `{"data":{}}`, 200, 2, ""},
		"refused":       {resend, `{"errors":[{"message":"Not here","extensions":{"code":"NOT_FOUND"}}]}`, 200, 2, "Not here (NOT_FOUND)"},
		"still running": {resend, `{"errors":[{"message":"Wait","extensions":{"code":"IDEMPOTENCY_KEY_IN_USE"}}]}`, 409, 2, "EOF"},
		"lost again":    {resend, ``, 0, 2, "EOF"},
		"query":         {`{ messages { totalCount } }`, `{"data":{}}`, 200, 1, "EOF"},
	} {
		keys, answer, status = nil, then.answer, then.status
		err := c.GraphQL(t.Context(), then.query, nil, nil)
		if then.err == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorContains(t, err, then.err, name)
		}
		require.Len(t, keys, then.sent, name)
		require.Equal(t, keys[0], keys[len(keys)-1], name)
		require.Equal(t, then.query == resend, keys[0] != "", name)
	}
}
