package provider_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/provider/providertest"
)

// answering is a client whose requests are answered by trip, and what it logs.
func answering(trip roundTrip) (*provider.Client, *bytes.Buffer) {
	var log bytes.Buffer
	deps := provider.Deps{
		Vendor: trip, Chosen: trip, Version: "test", Log: slog.New(slog.NewTextHandler(&log, nil)),
		Now: func() time.Time { return providertest.Now },
	}
	return deps.Client(), &log
}

func answer(status int, body string, header ...string) roundTrip {
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return func(*http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: status, Header: h, Body: io.NopCloser(strings.NewReader(body))}, nil
	}
}

// asked is the answer to a request without anything.
func asked(t *testing.T, trip roundTrip) *provider.Answer {
	t.Helper()
	client, _ := answering(trip)
	ans, err := client.Do(t.Context(), &provider.Request{URL: "https://vendor.example/"})
	require.NoError(t, err)
	return ans
}

// TestFailuresHideTokens: a vendor that echoes the headers of a call repeats an access token, which is no credential that was entered.
func TestFailuresHideTokens(t *testing.T) {
	t.Parallel()
	client, _ := answering(func(r *http.Request) (*http.Response, error) {
		text := "Bearer is refused: " + r.Header.Get("Authorization") + " and " + r.Header.Get("X-Token") + " of " + r.Header.Get("X-Version")
		return answer(401, `{"message":"`+text+`"}`)(r)
	})
	ans, err := client.Do(t.Context(), &provider.Request{URL: "https://vendor.example/", Secure: http.Header{
		"Authorization": {"Bearer access-token-1"}, "X-Token": {"access-token-2"}, "X-Version": {"2027-01"},
	}})
	require.NoError(t, err)
	require.Equal(t, "Bearer is refused: Bearer *** and *** of 2027-01", ans.Failure("", "").Text)
	require.Equal(t, "code ***", ans.Failure("code access-token-1", "text").Code)
}

func TestAnswerMembers(t *testing.T) {
	t.Parallel()
	ans := asked(t, answer(200, `{"id":12345678901234567890,"list":[{"name":"a"},{"name":"b"}],"on":true,"none":null,"o":{},"rate":0.1,"deep":{"er":"x"}}`))
	require.True(t, ans.OK())
	for path, want := range map[string]string{
		"id": "12345678901234567890", "list.0.name": "a", "list.1.name": "b", "on": "true", "rate": "0.1", "deep.er": "x",
		"none": "", "o": "", "list": "", "list.2.name": "", "list.-1.name": "", "list.x": "", "id.x": "", "missing": "", "": "",
	} {
		require.Equal(t, want, ans.At(path), path)
	}
	require.Equal(t, "b", ans.At("none", "missing", "list.1.name", "id"), "the first that leads somewhere")
	require.Equal(t, map[string]any{}, ans.Value("o"))
	require.Len(t, ans.Value("list"), 2)
	require.Nil(t, ans.Value("list.9"))
}

// TestMarkedAnswer: some servers put a mark of the encoding before their JSON (RFC 8259 §8.1 lets readers ignore it).
func TestMarkedAnswer(t *testing.T) {
	t.Parallel()
	ans := asked(t, answer(200, "\ufeff"+`{"id":"m-1"}`))
	require.Equal(t, "m-1", ans.At("id"))
}

// TestFailureWords: the vendor's words are found where vendors put them; what only a program can read is not shown.
func TestFailureWords(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]string{
		`{"message":"no balance"}`:                         "no balance",
		`{"error":{"message":"bad number"}}`:               "bad number",
		`{"errors":[{"message":"first"},{"message":"x"}]}`: "first",
		`{"error":"invalid"}`:                              "invalid",
		`{"errors":["plain"]}`:                             "plain",
		`{"detail":"why"}`:                                 "why",
		`{"description":"because"}`:                        "because",
		`{"description":"b","message":"a"}`:                "a",
		`{"code":7}`:                                       "bad request",
		`[]`:                                               "bad request",
		``:                                                 "bad request",
		"  \n":                                             "bad request",
		`<html><body>Bad Request</body></html>`:            "bad request",
		"ERR: sender unknown\n":                            "ERR: sender unknown",
		"caf\xe9 closed":                                   "caf closed",
	} {
		got := asked(t, answer(400, body)).Failure("E1", "")
		require.Equal(t, &provider.Error{Class: provider.Permanent, Status: 400, Code: "E1", Text: want}, got, body)
	}
	require.Equal(t, "its own words", asked(t, answer(400, `{"message":"other"}`)).Failure("", "its own words").Text)
	require.Equal(t, "moved permanently; redirects are not followed: an address that you entered has to be the final one",
		asked(t, answer(301, "<a>Moved</a>", "Location", "https://vendor.example/secret")).Failure("", "").Text)
	require.Equal(t, "the answer is of status 200, but says that the message was not taken", asked(t, answer(200, `{"code":7}`)).Failure("7", "").Text)
	require.Equal(t, "unexpected status", asked(t, answer(599, "")).Failure("", "").Text)
	throttled := asked(t, answer(429, "", "Retry-After", providertest.Now.Add(48*time.Hour).Format(http.TimeFormat))).Failure("", "")
	require.Equal(t, 24*time.Hour, throttled.RetryAfter, "a date is bounded as seconds are")
}

type cutOff struct{ io.Reader }

func (c cutOff) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}

// TestBrokenAnswer: of an answer that was cut off or is too long, nothing is believed but its status.
func TestBrokenAnswer(t *testing.T) {
	t.Parallel()
	const whole = `{"id":"1","message":"words"}`
	for name, body := range map[string]io.Reader{
		"CutOff": cutOff{strings.NewReader(whole)}, "TooLong": strings.NewReader(whole + strings.Repeat(" ", 1<<20)),
	} {
		ans := asked(t, func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 502, Header: http.Header{}, Body: io.NopCloser(body)}, nil
		})
		require.True(t, ans.Broken, name)
		require.Nil(t, ans.JSON(), name)
		require.Empty(t, ans.At("id"), name)
		require.Equal(t, "bad gateway", ans.Failure("", "").Text, name)
	}
	longest := asked(t, answer(200, whole+strings.Repeat(" ", 1<<20-len(whole))))
	require.False(t, longest.Broken)
	require.Equal(t, "1", longest.At("id"))
}

// TestAcceptedWithoutID: the message went out, whatever the answer lacks.
func TestAcceptedWithoutID(t *testing.T) {
	t.Parallel()
	client, log := answering(answer(202, ``))
	ans, err := client.Do(t.Context(), &provider.Request{URL: "https://vendor.example/"})
	require.NoError(t, err)
	m := &provider.Message{ID: "m-1"}
	require.Equal(t, &provider.Receipt{ID: "v-1"}, ans.Accepted(t.Context(), m, "v-1"))
	require.Empty(t, log.String())
	require.Equal(t, &provider.Receipt{}, ans.Accepted(t.Context(), m, ""))
	require.Contains(t, log.String(), "message_id=m-1")
	require.Contains(t, log.String(), "status=202")
}

// TestRequestOnTheWire: what lies over what: the body's type, the request's headers, then authentication, then the signature.
func TestRequestOnTheWire(t *testing.T) {
	t.Parallel()
	var got *http.Request
	var body string
	client, _ := answering(func(r *http.Request) (*http.Response, error) {
		raw, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		got, body = r, string(raw)
		return answer(200, "")(r)
	})
	send := func(r *provider.Request) {
		t.Helper()
		_, err := client.Do(t.Context(), r)
		require.NoError(t, err)
	}
	send(&provider.Request{
		URL: "https://vendor.example/send?keep=1&over=old", Query: url.Values{"over": {"new"}, "more": {"a b", "c"}},
		Header: http.Header{"x-own": {"1"}, "Authorization": {"Bearer passed"}, "User-Agent": {"other"}},
		Secure: provider.Bearer("KEY"), Body: &provider.JSON{Root: map[string]any{"b": "<&>", "a": 1}},
	})
	require.Equal(t, http.MethodPost, got.Method)
	require.Equal(t, "https://vendor.example/send?keep=1&more=a+b&more=c&over=new", got.URL.String())
	require.Equal(t, `{"a":1,"b":"<&>"}`, body, "sorted and unescaped")
	require.Equal(t, http.Header{
		"Accept": {"application/json"}, "Authorization": {"Bearer KEY"}, "Content-Type": {"application/json"},
		"User-Agent": {"other"}, "X-Own": {"1"},
	}, got.Header)

	send(&provider.Request{URL: "https://vendor.example/", Secure: provider.Basic("user", "pä:ss"), Body: provider.Form{"b": {"2"}, "a": {"x&y"}}})
	require.Equal(t, "a=x%26y&b=2", body)
	require.Equal(t, "application/x-www-form-urlencoded", got.Header.Get("Content-Type"))
	user, password, _ := got.BasicAuth()
	require.Equal(t, []string{"user", "pä:ss", "Carillon/test"}, []string{user, password, got.Header.Get("User-Agent")})
	require.Empty(t, got.Header.Get("Accept"))

	send(&provider.Request{URL: "https://vendor.example/", Method: http.MethodPut, Secure: provider.Scheme("AccessKey", "K"), Body: provider.Raw{Data: []byte("raw"), ContentType: "text/plain"}})
	require.Equal(t, []string{http.MethodPut, "AccessKey K", "text/plain", "raw"}, []string{got.Method, got.Header.Get("Authorization"), got.Header.Get("Content-Type"), body})

	send(&provider.Request{
		URL: "https://vendor.example/", Header: http.Header{"X-Signature": {"forged"}, "Idempotency-Key": {"m-1"}}, Body: provider.Raw{Data: []byte("exact")},
		Sign: func(data []byte) http.Header { return http.Header{"X-Signature": {"of " + string(data)}} },
	})
	require.Equal(t, "of exact", got.Header.Get("X-Signature"))
	require.NotContains(t, got.Header, "Idempotency-Key", "the transport repeats requests that carry it so")
	require.Equal(t, []string{"m-1"}, got.Header["idempotency-key"]) //nolint:staticcheck // this spelling is what is sent

	send(&provider.Request{URL: "https://vendor.example/", Method: http.MethodGet})
	require.Empty(t, got.Header.Get("Content-Type"))
	require.Empty(t, body)
}

// TestUnbuildableRequest fails for good before anything is sent, and without quoting what it was made of.
func TestUnbuildableRequest(t *testing.T) {
	t.Parallel()
	client, _ := answering(func(*http.Request) (*http.Response, error) {
		t.Error("nothing must be sent")
		return nil, io.EOF
	})
	for name, r := range map[string]*provider.Request{
		"Address":  {URL: "https://secret host\x7f/"},
		"Method":   {URL: "https://vendor.example/", Method: "secret method"},
		"JSON":     {URL: "https://vendor.example/", Body: &provider.JSON{Root: map[string]any{"secret": make(chan int)}}},
		"Boundary": {URL: "https://vendor.example/", Body: &provider.Multipart{Boundary: "secret\n"}},
	} {
		_, err := client.Do(t.Context(), r)
		require.Equal(t, &provider.Error{Class: provider.Permanent, Text: "the request could not be built"}, provider.AsError(err), name)
	}
}

// TestUnsendableHeaders: net/http would refuse them as late as when it sends, and that would look like a connection that failed.
func TestUnsendableHeaders(t *testing.T) {
	t.Parallel()
	client, _ := answering(func(*http.Request) (*http.Response, error) {
		t.Error("nothing must be sent")
		return nil, io.EOF
	})
	const ofCredential = "a credential cannot be sent in a header: it holds a line break or another character that is not allowed there"
	passed := func(name, value string) *provider.Request {
		r := &provider.Request{}
		r.PassThrough(&provider.Message{Overrides: map[string]any{"_passthrough": map[string]any{"headers": map[string]any{name: value}}}})
		return r
	}
	for name, c := range map[string]struct {
		of   *provider.Request
		want provider.Error
	}{
		"Value": {
			passed("x-tag", "a\r\nBcc: secret"),
			provider.Error{Text: "the value of the header X-Tag cannot be sent: it holds a line break or another control character"},
		},
		"Name":      {passed("X Tag", "a"), provider.Error{Text: `"X Tag" cannot be sent as the name of a header`}},
		"EmptyName": {passed("", "a"), provider.Error{Text: `"" cannot be sent as the name of a header`}},
		"Key":       {&provider.Request{Secure: provider.Bearer("secret\n")}, provider.Error{Class: provider.Fault, Text: ofCredential}},
		"KeyName":   {&provider.Request{Secure: http.Header{"secret name": {"k"}}}, provider.Error{Class: provider.Fault, Text: ofCredential}},
		"Signed": {
			&provider.Request{Sign: func([]byte) http.Header { return http.Header{"X-Date": {"secret\x00"}} }},
			provider.Error{Class: provider.Fault, Text: ofCredential},
		},
		"KeyOfTarget": {&provider.Request{Secure: provider.Bearer("secret\n"), SecureOfTarget: true}, provider.Error{Text: ofCredential}},
	} {
		c.of.URL = "https://vendor.example/"
		_, err := client.Do(t.Context(), c.of)
		require.Equal(t, &c.want, provider.AsError(err), name)
	}
	sent, _ := answering(answer(200, ""))
	r := passed("x-tag", "käse\t1")
	r.URL = "https://vendor.example/"
	_, err := sent.Do(t.Context(), r)
	require.NoError(t, err)
}

// TestRedirectsAreNotFollowed: a request that bears a secret is not carried elsewhere.
func TestRedirectsAreNotFollowed(t *testing.T) {
	t.Parallel()
	for _, location := range []string{"https://elsewhere.example/", "/again", "http://[::1", ""} {
		calls := 0
		ans := asked(t, func(r *http.Request) (*http.Response, error) {
			calls++
			return answer(307, "", "Location", location)(r)
		})
		require.Equal(t, 307, ans.Status, location)
		require.Equal(t, 1, calls, location)
	}
}

// TestWayByOrigin: only addresses of the vendor's own go around the guard; a way that was not given is closed.
func TestWayByOrigin(t *testing.T) {
	t.Parallel()
	client := provider.Deps{Vendor: answer(200, ""), Chosen: answer(403, "")}.Client()
	closed := provider.Deps{}.Client()
	for origin, want := range map[provider.Origin]int{provider.OriginVendor: 200, provider.OriginCredentials: 403, provider.OriginTarget: 403} {
		r := &provider.Request{URL: "https://vendor.example/", Origin: origin, Body: provider.Raw{Data: []byte("x")}}
		ans, err := client.Do(t.Context(), r)
		require.NoError(t, err)
		require.Equal(t, want, ans.Status)
		_, err = closed.Do(t.Context(), r)
		require.Equal(t, "EGRESS_REFUSED", provider.AsError(err).Code)
	}
}

// TestClosedDial: without a way out, SMTP has none either.
func TestClosedDial(t *testing.T) {
	t.Parallel()
	var dial provider.DialFunc
	registry, err := provider.NewRegistry(provider.Definition{
		ID: "dials", Channel: "sms",
		New: func(d provider.Deps, _ provider.Credentials) (provider.Adapter, error) {
			dial = d.Dial
			return sends(nil), nil
		},
	})
	require.NoError(t, err)
	_, err = registry.Open(provider.Deps{}, "dials", nil)
	require.NoError(t, err)
	_, err = dial(t.Context(), "tcp", "127.0.0.1:25")
	require.ErrorIs(t, err, egress.ErrRefused)
}

// sends is an adapter of one function.
type sends func(context.Context, *provider.Message) (*provider.Receipt, error)

func (s sends) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	return s(ctx, m)
}
