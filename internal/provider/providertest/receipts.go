package providertest

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

// ReportTime is when the reports of the suite arrive.
var ReportTime = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// ReceivingAddress is where they arrive.
const ReceivingAddress = "https://c.example/v1/inbound/x"

// Unix is a time as most vendors write it.
func Unix(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// Inbound is a request with a JSON body.
func Inbound(body, key string) *provider.Inbound {
	return &provider.Inbound{
		URLs: []string{ReceivingAddress}, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body), Key: key, Now: ReportTime,
	}
}

// Report is one report of a vendor and what is read from it.
type Report struct {
	Definition  provider.Definition
	Key, Body   string
	Query       url.Values
	Credentials provider.Credentials
	Sign        func(body string, h http.Header) // nil: the body holds its proof, or there is none
	InBody      bool                             // the body holds its proof
	Want        []provider.Reported              // an EventID that is "" is any, a zero At is ReportTime
}

// RunReport reads the report with its proof, twice, without its proof, and under another key.
func RunReport(t *testing.T, c Report) {
	t.Helper()
	reader := c.Definition.Receipts
	require.NotNil(t, reader)
	in := Inbound(c.Body, c.Key)
	in.Header, in.Query, in.Credentials = http.Header{}, c.Query, c.Credentials
	if c.Sign != nil {
		_, err := reader.Read(in)
		require.ErrorIs(t, err, provider.ErrSignature, "without its signature")
		c.Sign(c.Body, in.Header)
	}
	got, err := reader.Read(in)
	require.NoError(t, err)
	again, err := reader.Read(in)
	require.NoError(t, err)
	require.Equal(t, got, again, "a repeated report names the same events")
	require.Len(t, got.List, len(c.Want))
	for i, want := range c.Want {
		require.NotEmpty(t, got.List[i].EventID)
		if want.EventID == "" {
			want.EventID = got.List[i].EventID
		}
		if want.At.IsZero() {
			want.At = ReportTime
		}
		require.Equal(t, want, got.List[i])
	}
	if c.Sign != nil || c.InBody {
		in.Key, in.Credentials = "another", provider.Credentials{"token": "another"}
		_, err = reader.Read(in)
		require.ErrorIs(t, err, provider.ErrSignature)
	}
}

// Proof is how one vendor proves its receipts.
type Proof struct {
	// Report returns a report that the vendor made at a time and proved under a key of its own, the same for every call.
	Report func(t *testing.T, at time.Time) *provider.Inbound
	Header string // that holds the signature; "": the body does
	// Stamp is the header that holds the time; "": the body does, or with NoTime the vendor signs none.
	Stamp  string
	NoTime bool
	// Apart reports that the signature does not cover the report.
	Apart bool
	// Key returns another key of the kind.
	Key func() string
}

// PasswordProof is the proof of a vendor that signs nothing and sends this body.
func PasswordProof(body string) Proof {
	return Proof{
		Header: "Authorization", NoTime: true, Apart: true, Key: func() string { return "other" },
		Report: func(*testing.T, time.Time) *provider.Inbound {
			in := Inbound(body, "pass")
			maps.Copy(in.Header, provider.Basic("hook", "pass"))
			return in
		},
	}
}

// RunProofs changes each part of each vendor's proof by a little, by the provider's id. A vendor that reports and has no
// proof here fails.
func RunProofs(t *testing.T, list []provider.Definition, proofs map[string]Proof) {
	t.Helper()
	readers := map[string]*provider.ReceiptReader{}
	for _, d := range list {
		if d.Receipts != nil {
			readers[d.ID] = d.Receipts
		}
	}
	require.ElementsMatch(t, slices.Collect(maps.Keys(readers)), slices.Collect(maps.Keys(proofs)), "every vendor that reports is tried")
	for id, p := range proofs {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			p.run(t, readers[id])
		})
	}
}

func (p Proof) run(t *testing.T, reader *provider.ReceiptReader) {
	t.Helper()
	got, err := reader.Read(p.Report(t, ReportTime))
	require.NoError(t, err)
	require.Len(t, got.List, 1)
	require.True(t, got.Proven)
	require.Equal(t, p.Apart && reader.Signed, got.Token != "", "what is signed beside the report counts once")
	refused := func(why string, change func(in *provider.Inbound)) {
		t.Helper()
		in := p.Report(t, ReportTime)
		change(in)
		_, err := reader.Read(in)
		require.ErrorIs(t, err, provider.ErrSignature, why)
	}
	refused("another key", func(in *provider.Inbound) {
		in.Key = p.Key()
		in.Credentials = provider.Credentials{"token": p.Key()}
	})
	if reader.Signed {
		refused("no key", func(in *provider.Inbound) {
			in.Key, in.Credentials = "", nil
			in.Fetch = nil // of SNS the certificate is the key
		})
	}
	if !p.Apart {
		refused("another report", func(in *provider.Inbound) { in.Body = changed(t, in.Body) })
	}
	p.signature(t, refused)
	p.moment(t, reader, refused)
}

// changed is a report that says the same of another message or address.
func changed(t *testing.T, body []byte) []byte {
	t.Helper()
	text := string(body)
	for _, pair := range [][2]string{{"a@b.c", "z@b.c"}, {"%2B155", "%2B166"}, {"+155", "+166"}} {
		if other := strings.Replace(text, pair[0], pair[1], 1); other != text {
			return []byte(other)
		}
	}
	t.Fatal("the report names no recipient")
	return nil
}

// signature changes the signature, its first and its last byte, and leaves it out.
func (p Proof) signature(t *testing.T, refused func(string, func(*provider.Inbound))) {
	t.Helper()
	if p.Header != "" {
		refused("no signature", func(in *provider.Inbound) { in.Header.Del(p.Header) })
		refused("empty signature", func(in *provider.Inbound) { in.Header.Set(p.Header, "") })
		refused("changed signature", func(in *provider.Inbound) {
			v := in.Header.Get(p.Header)
			at := len(v) * 3 / 4
			in.Header.Set(p.Header, v[:at]+flipped(v[at])+v[at+1:])
		})
		return
	}
	for _, value := range []string{"", "AAAA", strings.Repeat("0", 64)} {
		refused("signature "+value, func(in *provider.Inbound) {
			var body map[string]any
			require.NoError(t, json.Unmarshal(in.Body, &body))
			if inner, ok := body["signature"].(map[string]any); ok {
				inner["signature"] = value
			} else {
				body["Signature"] = value
			}
			var err error
			in.Body, err = json.Marshal(body)
			require.NoError(t, err)
		})
	}
}

func flipped(c byte) string {
	if c == 'A' || c == 'a' {
		return "1"
	}
	return "a"
}

// moment lets a report be old, be from the future, and lie about when it was made.
func (p Proof) moment(t *testing.T, reader *provider.ReceiptReader, refused func(string, func(*provider.Inbound))) {
	t.Helper()
	if p.NoTime {
		return
	}
	for _, away := range []time.Duration{-25 * time.Hour, 25 * time.Hour, -400 * 24 * time.Hour} {
		_, err := reader.Read(p.Report(t, ReportTime.Add(away)))
		require.ErrorIs(t, err, provider.ErrSignature, away)
	}
	if p.Stamp == "" {
		return
	}
	refused("no moment", func(in *provider.Inbound) { in.Header.Del(p.Stamp) })
	refused("another moment", func(in *provider.Inbound) { in.Header.Set(p.Stamp, Unix(ReportTime.Add(time.Second))) })
	refused("moment in words", func(in *provider.Inbound) { in.Header.Set(p.Stamp, "2025-03-01T12:00:00Z") })
}
