package provider_test

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"net/url"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var reportTime = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

func base64HMAC(key []byte, text string) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return base64.StdEncoding.EncodeToString(mac.Sum(nil))
}

func TestReceiptsOfVendors(t *testing.T) {
	t.Parallel()
	stamp := strconv.FormatInt(reportTime.Unix(), 10)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	ecPublic, err := x509.MarshalPKIXPublicKey(&ec.PublicKey)
	require.NoError(t, err)
	edPublic, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	form := func(values url.Values) string { return values.Encode() }

	for name, c := range map[string]struct {
		provider, body, key string
		credentials         provider.Credentials
		query               url.Values
		sign                func(body string, h http.Header)
		want                []provider.Reported
	}{
		"sendgrid": {
			provider: "sendgrid", key: base64.StdEncoding.EncodeToString(ecPublic),
			body: `[{"event":"processed","sg_event_id":"0"},{"event":"bounce","sg_event_id":"e1","sg_message_id":"abc.filter-1","email":"a@b.c","timestamp":` + stamp + `,"reason":"550 gone"},
				{"event":"bounce","type":"blocked","sg_event_id":"e2","sg_message_id":"abc","email":"a@b.c","timestamp":` + stamp + `}]`,
			sign: func(body string, h http.Header) {
				sum := sha256.Sum256([]byte(stamp + body))
				signature, err := ecdsa.SignASN1(rand.Reader, ec, sum[:])
				require.NoError(t, err)
				h.Set("X-Twilio-Email-Event-Webhook-Timestamp", stamp)
				h.Set("X-Twilio-Email-Event-Webhook-Signature", base64.StdEncoding.EncodeToString(signature))
			},
			want: []provider.Reported{
				{EventID: "e1", Kind: workflow.ReceiptBounced, MessageID: "abc", Recipient: "a@b.c", At: reportTime, Permanent: true, Detail: "550 gone"},
				{EventID: "e2", Kind: workflow.ReceiptBounced, MessageID: "abc", Recipient: "a@b.c", At: reportTime},
			},
		},
		"mailgun": {
			provider: "mailgun", key: "mgkey",
			body: `{"signature":{"timestamp":"` + stamp + `","token":"tok","signature":"` + mailgunSignature("mgkey", stamp+"tok") + `"},
				"event-data":{"event":"failed","severity":"permanent","id":"m1","timestamp":` + stamp + `,"recipient":"a@b.c","message":{"headers":{"message-id":"x@y"}}}}`,
			want: []provider.Reported{{EventID: "m1", Kind: workflow.ReceiptBounced, MessageID: "<x@y>", Recipient: "a@b.c", At: reportTime, Permanent: true}},
		},
		"resend": {
			provider: "resend", key: "whsec_" + base64.StdEncoding.EncodeToString([]byte("secret")),
			body: `{"type":"email.complained","created_at":"2025-03-01T12:00:00Z","data":{"email_id":"r1","to":["a@b.c"]}}`,
			sign: func(body string, h http.Header) {
				h.Set("Svix-Id", "msg_1")
				h.Set("Svix-Timestamp", stamp)
				h.Set("Svix-Signature", "v1,bad v1,"+base64HMAC([]byte("secret"), "msg_1."+stamp+"."+body))
			},
			want: []provider.Reported{{EventID: "msg_1", Kind: workflow.ReceiptComplained, MessageID: "r1", Recipient: "a@b.c", At: reportTime}},
		},
		"postmark": {
			provider: "postmark", key: "pw",
			body: `{"RecordType":"Delivery","MessageID":"p1","Recipient":"a@b.c","DeliveredAt":"2025-03-01T12:00:00Z"}`,
			sign: func(_ string, h http.Header) {
				h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("u:pw")))
			},
			want: []provider.Reported{{Kind: workflow.ReceiptDelivered, MessageID: "p1", Recipient: "a@b.c", At: reportTime}},
		},
		"mailjet": {
			provider: "mailjet", body: `[{"event":"bounce","hard_bounce":true,"MessageID":19421777835146490,"email":"a@b.c","time":` + stamp + `,"error":"user unknown"}]`,
			want: []provider.Reported{{Kind: workflow.ReceiptBounced, Permanent: true, MessageID: "19421777835146490", Recipient: "a@b.c", At: reportTime, Detail: "user unknown"}},
		},
		"sparkpost": {
			provider: "sparkpost", body: `[{"msys":{"track_event":{"type":"open","event_id":"s1","transmission_id":"t1","rcpt_to":"a@b.c","timestamp":"` + stamp + `"}}},{"msys":{}}]`,
			want: []provider.Reported{{EventID: "s1", Kind: workflow.ReceiptOpened, MessageID: "t1", Recipient: "a@b.c", At: reportTime}},
		},
		"brevo": {
			provider: "sendinblue", body: `{"event":"hard_bounce","message-id":"<b@x>","email":"a@b.c","ts_epoch":` + stamp + `}`,
			want: []provider.Reported{{Kind: workflow.ReceiptBounced, Permanent: true, MessageID: "<b@x>", Recipient: "a@b.c", At: reportTime}},
		},
		"mailersend": {
			provider: "mailersend", key: "mskey",
			body: `{"type":"activity.opened","created_at":"2025-03-01T12:00:00Z","data":{"id":"d1","email":{"message":{"id":"m1"},"recipient":{"email":"a@b.c"}}}}`,
			sign: func(body string, h http.Header) { h.Set("Signature", mailgunSignature("mskey", body)) },
			want: []provider.Reported{{EventID: "d1", Kind: workflow.ReceiptOpened, MessageID: "m1", Recipient: "a@b.c", At: reportTime}},
		},
		"twilio": {
			provider: "twilio", credentials: provider.Credentials{"token": "tw"},
			body: form(url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"undelivered"}, "ErrorCode": {"30003"}, "To": {"+155"}}),
			sign: func(_ string, h http.Header) {
				mac := hmac.New(sha1.New, []byte("tw"))
				mac.Write([]byte("https://c.example/v1/inbound/xErrorCode30003MessageSidSM1MessageStatusundeliveredTo+155"))
				h.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
			},
			want: []provider.Reported{{EventID: "SM1:undelivered", Kind: workflow.ReceiptFailed, MessageID: "SM1", Recipient: "+155", Detail: "undelivered, ErrorCode 30003"}},
		},
		"nexmo": {
			provider: "nexmo", query: url.Values{"messageId": {"n1"}, "status": {"delivered"}, "msisdn": {"155"}, "err-code": {"0"}},
			want: []provider.Reported{{EventID: "n1:delivered", Kind: workflow.ReceiptDelivered, MessageID: "n1", Recipient: "155", Detail: "delivered"}},
		},
		"plivo": {
			provider: "plivo", body: form(url.Values{"MessageUUID": {"u1"}, "Status": {"delivered"}}),
			want: []provider.Reported{{EventID: "u1:delivered", Kind: workflow.ReceiptDelivered, MessageID: "u1", Detail: "delivered"}},
		},
		"messagebird": {
			provider: "messagebird", query: url.Values{"id": {"b1"}, "status": {"delivered"}, "recipient": {"155"}},
			want: []provider.Reported{{EventID: "b1:delivered", Kind: workflow.ReceiptDelivered, MessageID: "b1", Recipient: "155", Detail: "delivered"}},
		},
		"telnyx": {
			provider: "telnyx", key: base64.StdEncoding.EncodeToString(edPublic),
			body: `{"data":{"id":"t1","event_type":"message.finalized","occurred_at":"2025-03-01T12:00:00Z","payload":{"id":"tm1","to":[{"phone_number":"+155","status":"delivered"}]}}}`,
			sign: func(body string, h http.Header) {
				h.Set("Telnyx-Timestamp", stamp)
				h.Set("Telnyx-Signature-Ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(ed, []byte(stamp+"|"+body))))
			},
			want: []provider.Reported{{EventID: "t1", Kind: workflow.ReceiptDelivered, MessageID: "tm1", Recipient: "+155", At: reportTime}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			in := &provider.Inbound{
				URLs: []string{"https://c.example/v1/inbound/x"}, Header: http.Header{}, Query: c.query, Body: []byte(c.body),
				Key: c.key, Credentials: c.credentials, Now: reportTime,
			}
			if c.sign != nil {
				_, err := provider.ReadReceipts(c.provider, in)
				require.ErrorIs(t, err, provider.ErrSignature, "without its signature")
				c.sign(c.body, in.Header)
			}
			got, err := provider.ReadReceipts(c.provider, in)
			require.NoError(t, err)
			again, err := provider.ReadReceipts(c.provider, in)
			require.NoError(t, err)
			require.Equal(t, got, again, "a repeated report names the same events")
			require.Len(t, got.List, len(c.want))
			for i, want := range c.want {
				require.NotEmpty(t, got.List[i].EventID)
				if want.EventID == "" {
					want.EventID = got.List[i].EventID
				}
				if want.At.IsZero() {
					want.At = reportTime
				}
				require.Equal(t, want, got.List[i])
			}
			if c.sign != nil || name == "mailgun" {
				in.Key, in.Credentials = "another", provider.Credentials{"token": "another"}
				_, err = provider.ReadReceipts(c.provider, in)
				require.ErrorIs(t, err, provider.ErrSignature)
			}
		})
	}
}

func mailgunSignature(key, text string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// TestReportsUnderAPassword are those of vendors that sign nothing.
func TestReportsUnderAPassword(t *testing.T) {
	t.Parallel()
	basic := func(text string) string { return "Basic " + base64.StdEncoding.EncodeToString([]byte(text)) }
	read := func(key string, header http.Header) error {
		_, err := provider.ReadReceipts("postmark", &provider.Inbound{
			Body: []byte(`{"RecordType":"Delivery","MessageID":"p1"}`), Header: header, Key: key, Now: reportTime,
		})
		return err
	}
	require.NoError(t, read("", http.Header{}), "the address alone")
	for name, header := range map[string]http.Header{
		"Basic": {"Authorization": {basic("hook:pass word")}}, "Bearer": {"Authorization": {"Bearer pass word"}}, "Bare": {"X-Hook": {"a", "pass word"}},
	} {
		require.NoError(t, read("pass word", header), name)
		require.ErrorIs(t, read("another", header), provider.ErrSignature, name)
		require.ErrorIs(t, read("pass", header), provider.ErrSignature, name)
	}
	require.NoError(t, read("hook:pass", http.Header{"Authorization": {basic("hook:pass")}}))
	for _, header := range []http.Header{nil, {"Authorization": {basic(":")}}, {"Authorization": {"Bearer "}}, {"X-Hook": {""}}} {
		require.ErrorIs(t, read("pass", header), provider.ErrSignature)
	}
}

func FuzzReceipts(f *testing.F) {
	f.Add("mailjet", `[{"event":"open"}]`, "")
	f.Add("sparkpost", `[{"msys":{"x":{"type":"open"}}}]`, "")
	f.Add("nexmo", `messageId=1&status=delivered`, "application/x-www-form-urlencoded")
	f.Add("plivo", `[]`, "application/json")
	f.Fuzz(func(_ *testing.T, name, body, contentType string) {
		_, _ = provider.ReadReceipts(name, &provider.Inbound{Body: []byte(body), Header: http.Header{"Content-Type": {contentType}}, Now: reportTime})
	})
}
