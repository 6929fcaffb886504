package provider_test

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// TestReportTime: the notations of vendors, all meaning the same second.
func TestReportTime(t *testing.T) {
	t.Parallel()
	want := time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, text := range []string{
		"1740830400", "1740830400.0", "1740830400000", "1.7408304e9", "2025-03-01T12:00:00Z", "2025-03-01T13:00:00+01:00",
		"2025-03-01T12:00:00+0000", "2025-03-01T12:00:00.000000Z", "2025-03-01 12:00:00", "2025-03-01 13:00:00 +0100",
		"Sat, 01 Mar 2025 12:00:00 +0000", "Sat, 01 Mar 2025 12:00:00 UTC",
	} {
		require.True(t, provider.ReportTime(text).Equal(want), text)
	}
	require.Equal(t, 250*time.Millisecond, provider.ReportTime("1740830400.25").Sub(want))
	require.Equal(t, 250*time.Millisecond, provider.ReportTime("1740830400250").Sub(want))
	for _, text := range []string{"", "yesterday", "2025-13-01T00:00:00Z"} {
		require.True(t, provider.ReportTime(text).IsZero(), text)
	}
}

func TestWithinTolerance(t *testing.T) {
	t.Parallel()
	in := &provider.Inbound{Now: providertest.ReportTime}
	for away, want := range map[time.Duration]bool{
		0: true, 5 * time.Minute: true, -5 * time.Minute: true, 5*time.Minute + time.Second: false, -5*time.Minute - time.Second: false,
	} {
		require.Equal(t, want, in.Within(providertest.Unix(in.Now.Add(away)), provider.SignedAnew), away)
	}
	for _, text := range []string{"", "soon", "-1", "1e400"} {
		require.False(t, in.Within(text, provider.SignedOnce), text)
	}
}

func TestEntries(t *testing.T) {
	t.Parallel()
	for body, want := range map[string]int{`{"a":1}`: 1, ` [{"a":1},{"b":2}] `: 2, `[]`: 0, `{}`: 1} {
		list, err := provider.Entries([]byte(body))
		require.NoError(t, err, body)
		require.Len(t, list, want, body)
	}
	for _, body := range []string{"", "null", "7", `"text"`, "[1]", `["a"]`, "<xml/>", `{"a":`, `[{"a":1}`} {
		_, err := provider.Entries([]byte(body))
		require.ErrorIs(t, err, provider.ErrMalformed, body)
	}
	list, err := provider.Entries([]byte(`{"id":12345678901234567890,"ok":true,"to":[{"n":"first"},{"n":"second"}],"tags":["x","y"],"none":null,"o":{"p":1.50},"empty":[]}`))
	require.NoError(t, err)
	for path, want := range map[string]string{
		"id": "12345678901234567890", "ok": "true", "to.n": "first", "tags": "x", "o.p": "1.50",
		"none": "", "o": "", "to": "", "empty": "", "empty.n": "", "id.x": "", "missing": "", "missing.x": "",
	} {
		require.Equal(t, want, list[0].Text(strings.Split(path, ".")...), path)
	}
}

// statusReport is a vendor of the plain kind.
var statusReport = provider.StatusReport{
	Outcomes:  provider.Outcomes{"delivered": provider.OutcomeDelivered, "failed": provider.OutcomeFailed},
	MessageID: "id", State: "state", Recipient: "to", At: "at", Details: []string{"code", "why"},
}

// TestStatusReport reads the same parameters from a query, a form and a JSON object.
func TestStatusReport(t *testing.T) {
	t.Parallel()
	want := provider.Reports{List: []provider.Reported{{
		EventID: "v1:failed", Kind: workflow.ReceiptFailed, MessageID: "v1", Recipient: "+155", At: providertest.ReportTime, Detail: "failed, code 30, why no route",
	}}}
	values := url.Values{"id": {"v1"}, "state": {"FAILED"}, "to": {"+155"}, "at": {"2025-03-01T12:00:00Z"}, "code": {"30"}, "why": {"no route"}}
	jsonType := http.Header{"Content-Type": {"application/json; charset=utf-8"}}
	for name, in := range map[string]*provider.Inbound{
		"Query": {Query: values},
		"Form":  {Header: http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, Body: []byte(values.Encode())},
		"JSON":  {Header: jsonType, Body: []byte(`{"id":"v1","state":"failed","to":"+155","at":"2025-03-01T12:00:00Z","code":30,"why":"no route"}`)},
		"Both":  {Query: url.Values{"id": {"of the query"}, "to": {"+155"}}, Body: []byte(values.Encode())},
	} {
		got, err := statusReport.Parse(in)
		require.NoError(t, err, name)
		require.Equal(t, want, got, name)
	}
	silent := func(change url.Values) (provider.Reports, error) {
		other := url.Values{"id": {"v1"}, "state": {"delivered"}, "code": {"0"}}
		maps.Copy(other, change)
		return statusReport.Parse(&provider.Inbound{Query: other})
	}
	got, err := silent(nil)
	require.NoError(t, err)
	require.Equal(t, "delivered", got.List[0].Detail, "a code of 0 is none")
	got, err = silent(url.Values{"state": {"queued"}})
	require.NoError(t, err)
	require.Empty(t, got.List, "a state on the way says nothing")
	for _, missing := range []string{"id", "state"} {
		_, err = silent(url.Values{missing: {""}})
		require.ErrorIs(t, err, provider.ErrMalformed, missing)
	}
	for _, in := range []*provider.Inbound{
		{Header: jsonType, Body: []byte("[]")}, {Header: jsonType, Body: []byte("<xml/>")}, {Body: []byte("id=%zz")},
	} {
		_, err = statusReport.Parse(in)
		require.ErrorIs(t, err, provider.ErrMalformed, "%s", in.Body)
	}
}

// TestEach names an entry that has no id by its content, so that the same report again is the same event.
func TestEach(t *testing.T) {
	t.Parallel()
	read := func(body string) provider.Reports {
		t.Helper()
		got, err := (&provider.Inbound{Body: []byte(body)}).Each(func(e provider.Entry) (provider.Reported, provider.Outcome, bool) {
			return provider.Reported{EventID: e.Text("id"), MessageID: e.Text("m")}, provider.OutcomeHardBounce, e.Text("skip") == ""
		})
		require.NoError(t, err)
		return got
	}
	got := read(`[{"id":"e1","m":"v1"},{"skip":1},{"m":"v2"},{"m":"v3"}]`)
	require.Len(t, got.List, 3)
	require.Equal(t, provider.Reported{EventID: "e1", Kind: workflow.ReceiptBounced, MessageID: "v1", Permanent: true}, got.List[0])
	require.Regexp(t, "^[0-9a-f]{64}$", got.List[1].EventID)
	require.NotEqual(t, got.List[1].EventID, got.List[2].EventID)
	require.Equal(t, got.List[1].EventID, read(`{ "m": "v2" }`).List[0].EventID)
	_, err := (&provider.Inbound{Body: []byte("x")}).Each(nil)
	require.ErrorIs(t, err, provider.ErrMalformed)
}

// TestReaderTidies: whatever a vendor writes fits the columns, and its clock does not reach into the future.
func TestReaderTidies(t *testing.T) {
	t.Parallel()
	now := providertest.ReportTime
	given := provider.Reported{}
	reader := &provider.ReceiptReader{
		Verify: func(*provider.Inbound) error { return nil },
		Parse: func(*provider.Inbound) (provider.Reports, error) {
			return provider.Reports{List: []provider.Reported{given}}, nil
		},
	}
	read := func(r provider.Reported) provider.Reported {
		t.Helper()
		given = r
		got, err := reader.Read(&provider.Inbound{Now: now})
		require.NoError(t, err)
		return got.List[0]
	}
	for name, c := range map[string]struct{ at, want time.Time }{
		"Missing":  {time.Time{}, now},
		"Past":     {now.Add(-1000 * time.Hour), now.Add(-1000 * time.Hour)},
		"Tomorrow": {now.Add(24 * time.Hour), now.Add(24 * time.Hour)},
		"Later":    {now.Add(24*time.Hour + time.Second), now},
		"Epoch":    {provider.ReportTime("0"), now},
		"NoNumber": {provider.ReportTime("NaN"), now},
		"Ages":     {provider.ReportTime("-1e30"), now},
		"Zone":     {now.In(time.FixedZone("x", 3600)), now},
	} {
		require.Equal(t, c.want, read(provider.Reported{At: c.at}).At, name)
	}
	long := strings.Repeat("ü", 300)
	got := read(provider.Reported{EventID: long, MessageID: long, Recipient: long, Detail: long})
	require.Equal(t, provider.Digest([]byte(long)), got.EventID, "still unique")
	for limit, text := range map[int][]string{256: {got.MessageID, got.Recipient}, 500: {got.Detail}} {
		for _, s := range text {
			require.LessOrEqual(t, len(s), limit)
			require.Greater(t, len(s), limit-2)
			require.True(t, utf8.ValidString(s))
		}
	}
	got = read(provider.Reported{EventID: "e\x001", MessageID: "m\xff1", Recipient: "r\x00", Detail: "d\xff"})
	require.Equal(t, provider.Reported{EventID: "e1", MessageID: "m1", Recipient: "r", Detail: "d", At: now}, got, "what the database refuses is left out")
}

// TestProven: a report is proven by a signature that only this account's vendor can make, or by a key.
func TestProven(t *testing.T) {
	t.Parallel()
	parsed := false
	for name, c := range map[string]struct {
		signed, anyAccount bool
		key                string
		want               bool
	}{
		"Unsigned": {}, "Password": {key: "k", want: true}, "Signed": {signed: true, want: true},
		"AnyAccount": {signed: true, anyAccount: true}, "AnyAccountWithKey": {signed: true, anyAccount: true, key: "k", want: true},
	} {
		reader := provider.ReceiptReader{
			Signed: c.signed, AnyAccount: c.anyAccount, Verify: func(*provider.Inbound) error { return nil },
			Parse: func(*provider.Inbound) (provider.Reports, error) { return provider.Reports{}, nil },
		}
		got, err := reader.Read(&provider.Inbound{Key: c.key})
		require.NoError(t, err)
		require.Equal(t, c.want, got.Proven, name)
		reader.Verify = func(*provider.Inbound) error { return provider.ErrSignature }
		reader.Parse = func(*provider.Inbound) (provider.Reports, error) {
			parsed = true
			return provider.Reports{}, nil
		}
		_, err = reader.Read(&provider.Inbound{Key: c.key})
		require.ErrorIs(t, err, provider.ErrSignature)
	}
	require.False(t, parsed, "a report without proof is not read")
	broken := provider.ReceiptReader{
		Verify: func(*provider.Inbound) error { return nil },
		Parse: func(*provider.Inbound) (provider.Reports, error) {
			return provider.Reports{Token: "t"}, provider.ErrMalformed
		},
	}
	got, err := broken.Read(&provider.Inbound{})
	require.ErrorIs(t, err, provider.ErrMalformed)
	require.Equal(t, provider.Reports{}, got)
}

// TestReceiptsByProvider: who reports, and who proves it, is read from the registry.
func TestReceiptsByProvider(t *testing.T) {
	t.Parallel()
	registry := registered(t)
	for id, want := range map[string]struct{ reads, signs bool }{
		"twilio": {true, true}, "nexmo": {true, false}, "infobip-sms": {}, "fax": {}, "sendgrid": {true, true}, "svc": {},
	} {
		require.Equal(t, want.reads, registry.ReadsReceipts(id), id)
		require.Equal(t, want.signs, registry.SignsReceipts(id), id)
		_, err := registry.ReadReceipts(id, &provider.Inbound{Now: providertest.ReportTime})
		require.Error(t, err, id)
		require.Equal(t, !want.reads, errors.Is(err, provider.ErrNoReceipts), id)
	}
}
