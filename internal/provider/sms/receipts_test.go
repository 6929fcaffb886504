package sms

import (
	"crypto/ed25519"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha1"
	"encoding/base64"
	"net/http"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestReceipts(t *testing.T) {
	t.Parallel()
	stamp := providertest.Unix(providertest.ReportTime)
	edPublic, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	encode := func(values url.Values) string { return values.Encode() }
	for name, c := range map[string]providertest.Report{
		"twilio": {
			Definition: twilio, Credentials: provider.Credentials{"token": "tw"},
			Body: encode(url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"undelivered"}, "ErrorCode": {"30003"}, "To": {"+155"}}),
			Sign: func(_ string, h http.Header) {
				mac := hmac.New(sha1.New, []byte("tw"))
				mac.Write([]byte("https://c.example/v1/inbound/xErrorCode30003MessageSidSM1MessageStatusundeliveredTo+155"))
				h.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
			},
			Want: []provider.Reported{{EventID: "SM1:undelivered", Kind: workflow.ReceiptFailed, MessageID: "SM1", Recipient: "+155", Detail: "undelivered, ErrorCode 30003"}},
		},
		"nexmo": {
			Definition: nexmo, Query: url.Values{"messageId": {"n1"}, "status": {"delivered"}, "msisdn": {"155"}, "err-code": {"0"}},
			Want: []provider.Reported{{EventID: "n1:delivered", Kind: workflow.ReceiptDelivered, MessageID: "n1", Recipient: "155", Detail: "delivered"}},
		},
		"plivo": {
			Definition: plivo, Body: encode(url.Values{"MessageUUID": {"u1"}, "Status": {"delivered"}}),
			Want: []provider.Reported{{EventID: "u1:delivered", Kind: workflow.ReceiptDelivered, MessageID: "u1", Detail: "delivered"}},
		},
		"messagebird": {
			Definition: messagebird, Query: url.Values{"id": {"b1"}, "status": {"delivered"}, "recipient": {"155"}},
			Want: []provider.Reported{{EventID: "b1:delivered", Kind: workflow.ReceiptDelivered, MessageID: "b1", Recipient: "155", Detail: "delivered"}},
		},
		"telnyx": {
			Definition: telnyx, Key: base64.StdEncoding.EncodeToString(edPublic),
			Body: `{"data":{"id":"t1","event_type":"message.finalized","occurred_at":"2025-03-01T12:00:00Z","payload":{"id":"tm1","to":[{"phone_number":"+155","status":"delivered"}]}}}`,
			Sign: func(body string, h http.Header) {
				h.Set("Telnyx-Timestamp", stamp)
				h.Set("Telnyx-Signature-Ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(ed, []byte(stamp+"|"+body))))
			},
			Want: []provider.Reported{{EventID: "t1", Kind: workflow.ReceiptDelivered, MessageID: "tm1", Recipient: "+155", At: providertest.ReportTime}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			providertest.RunReport(t, c)
		})
	}
}

// TestForgedReceipts changes each part of each vendor's proof by a little.
func TestForgedReceipts(t *testing.T) {
	t.Parallel()
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	providertest.RunProofs(t, Providers(), map[string]providertest.Proof{
		"twilio": {
			Header: "X-Twilio-Signature", NoTime: true, Key: func() string { return "other" },
			Report: func(*testing.T, time.Time) *provider.Inbound {
				in := providertest.Inbound(url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"undelivered"}, "To": {"+155"}}.Encode(), "")
				in.Credentials = provider.Credentials{"token": "tw"}
				in.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				mac := hmac.New(sha1.New, []byte("tw"))
				mac.Write([]byte("https://c.example/v1/inbound/xMessageSidSM1MessageStatusundeliveredTo+155"))
				in.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
				return in
			},
		},
		"telnyx": {
			Header: "Telnyx-Signature-Ed25519", Stamp: "Telnyx-Timestamp",
			Key: func() string {
				other, _, err := ed25519.GenerateKey(rand.Reader)
				require.NoError(t, err)
				return base64.StdEncoding.EncodeToString(other)
			},
			Report: func(_ *testing.T, at time.Time) *provider.Inbound {
				in := providertest.Inbound(`{"data":{"id":"t1","event_type":"message.finalized","payload":{"id":"tm1","to":[{"phone_number":"+155","status":"delivered"}]}}}`,
					base64.StdEncoding.EncodeToString(ed.Public().(ed25519.PublicKey)))
				in.Header.Set("Telnyx-Timestamp", providertest.Unix(at))
				in.Header.Set("Telnyx-Signature-Ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(ed, []byte(providertest.Unix(at)+"|"+string(in.Body)))))
				return in
			},
		},
		"nexmo":       providertest.PasswordProof(`{"messageId":"n1","status":"delivered"}`),
		"plivo":       providertest.PasswordProof(`{"MessageUUID":"u1","Status":"delivered"}`),
		"messagebird": providertest.PasswordProof(`{"id":"b1","status":"delivered"}`),
	})
}

func FuzzReceipts(f *testing.F) {
	f.Add("nexmo", `messageId=1&status=delivered`, "application/x-www-form-urlencoded")
	f.Add("plivo", `[]`, "application/json")
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(f, err)
	f.Fuzz(func(_ *testing.T, name, body, contentType string) {
		in := providertest.Inbound(body, "")
		in.Header.Set("Content-Type", contentType)
		_, _ = registry.ReadReceipts(name, in)
	})
}
