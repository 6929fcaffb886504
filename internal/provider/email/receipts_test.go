package email

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func mac(key []byte, text string) []byte {
	m := hmac.New(sha256.New, key)
	m.Write([]byte(text))
	return m.Sum(nil)
}

func hexHMAC(key, text string) string { return hex.EncodeToString(mac([]byte(key), text)) }

func base64HMAC(key []byte, text string) string {
	return base64.StdEncoding.EncodeToString(mac(key, text))
}

func TestReceipts(t *testing.T) {
	t.Parallel()
	stamp := providertest.Unix(providertest.ReportTime)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	ecPublic, err := x509.MarshalPKIXPublicKey(&ec.PublicKey)
	require.NoError(t, err)
	for name, c := range map[string]providertest.Report{
		"sendgrid": {
			Definition: sendgrid, Key: base64.StdEncoding.EncodeToString(ecPublic),
			Body: `[{"event":"processed","sg_event_id":"0"},{"event":"bounce","sg_event_id":"e1","sg_message_id":"abc.filter-1","email":"a@b.c","timestamp":` + stamp + `,"reason":"550 gone"},
				{"event":"bounce","type":"blocked","sg_event_id":"e2","sg_message_id":"abc","email":"a@b.c","timestamp":` + stamp + `}]`,
			Sign: func(body string, h http.Header) {
				sum := sha256.Sum256([]byte(stamp + body))
				signature, err := ecdsa.SignASN1(rand.Reader, ec, sum[:])
				require.NoError(t, err)
				h.Set("X-Twilio-Email-Event-Webhook-Timestamp", stamp)
				h.Set("X-Twilio-Email-Event-Webhook-Signature", base64.StdEncoding.EncodeToString(signature))
			},
			Want: []provider.Reported{
				{EventID: "e1", Kind: workflow.ReceiptBounced, MessageID: "abc", Recipient: "a@b.c", At: providertest.ReportTime, Permanent: true, Detail: "550 gone"},
				{EventID: "e2", Kind: workflow.ReceiptBounced, MessageID: "abc", Recipient: "a@b.c", At: providertest.ReportTime},
			},
		},
		"mailgun": {
			Definition: mailgun, Key: "mgkey", InBody: true,
			Body: `{"signature":{"timestamp":"` + stamp + `","token":"tok","signature":"` + hexHMAC("mgkey", stamp+"tok") + `"},
				"event-data":{"event":"failed","severity":"permanent","id":"m1","timestamp":` + stamp + `,"recipient":"a@b.c","message":{"headers":{"message-id":"x@y"}}}}`,
			Want: []provider.Reported{{EventID: "m1", Kind: workflow.ReceiptBounced, MessageID: "<x@y>", Recipient: "a@b.c", At: providertest.ReportTime, Permanent: true}},
		},
		"mailgun, its time a number": {
			Definition: mailgun, Key: "mgkey", InBody: true,
			Body: `{"signature":{"timestamp":` + stamp + `,"token":"tok","signature":"` + hexHMAC("mgkey", stamp+"tok") + `"},
				"event-data":{"event":"delivered","id":"m2","timestamp":` + stamp + `.329574,"recipient":"a@b.c","message":{"headers":{"message-id":"x@y"}}}}`,
			Want: []provider.Reported{{EventID: "m2", Kind: workflow.ReceiptDelivered, MessageID: "<x@y>", Recipient: "a@b.c", At: providertest.ReportTime.Add(329574 * time.Microsecond)}},
		},
		"resend": {
			Definition: resend, Key: "whsec_" + base64.StdEncoding.EncodeToString([]byte("secret")),
			Body: `{"type":"email.complained","created_at":"2025-03-01T12:00:00Z","data":{"email_id":"r1","to":["a@b.c"]}}`,
			Sign: func(body string, h http.Header) {
				h.Set("Svix-Id", "msg_1")
				h.Set("Svix-Timestamp", stamp)
				h.Set("Svix-Signature", "v1,bad v1,"+base64HMAC([]byte("secret"), "msg_1."+stamp+"."+body))
			},
			Want: []provider.Reported{{EventID: "msg_1", Kind: workflow.ReceiptComplained, MessageID: "r1", Recipient: "a@b.c", At: providertest.ReportTime}},
		},
		"postmark": {
			Definition: postmark, Key: "pw",
			Body: `{"RecordType":"Delivery","MessageID":"p1","Recipient":"a@b.c","DeliveredAt":"2025-03-01T12:00:00Z"}`,
			Sign: func(_ string, h http.Header) {
				h.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("u:pw")))
			},
			Want: []provider.Reported{{Kind: workflow.ReceiptDelivered, MessageID: "p1", Recipient: "a@b.c", At: providertest.ReportTime}},
		},
		"mailjet": {
			Definition: mailjet, Body: `[{"event":"bounce","hard_bounce":true,"MessageID":19421777835146490,"CustomID":"m1","email":"a@b.c","time":` + stamp + `,"error":"user unknown"}]`,
			Want: []provider.Reported{{Kind: workflow.ReceiptBounced, Permanent: true, MessageID: "19421777835146490", OwnID: "m1", Recipient: "a@b.c", At: providertest.ReportTime, Detail: "user unknown"}},
		},
		"sparkpost": {
			Definition: sparkpost, Body: `[{"msys":{"track_event":{"type":"open","event_id":"s1","transmission_id":"t1","rcpt_to":"a@b.c","timestamp":"` + stamp + `"}}},{"msys":{}}]`,
			Want: []provider.Reported{{EventID: "s1", Kind: workflow.ReceiptOpened, MessageID: "t1", Recipient: "a@b.c", At: providertest.ReportTime}},
		},
		"brevo": {
			Definition: brevo, Body: `{"event":"hard_bounce","message-id":"<b@x>","email":"a@b.c","ts_epoch":` + stamp + `}`,
			Want: []provider.Reported{{Kind: workflow.ReceiptBounced, Permanent: true, MessageID: "<b@x>", Recipient: "a@b.c", At: providertest.ReportTime}},
		},
		"mailersend": {
			Definition: mailersend, Key: "mskey",
			Body: `{"type":"activity.opened","created_at":"2025-03-01T12:00:00Z","data":{"id":"d1","email":{"message":{"id":"m1"},"recipient":{"email":"a@b.c"}}}}`,
			Sign: func(body string, h http.Header) { h.Set("Signature", hexHMAC("mskey", body)) },
			Want: []provider.Reported{{EventID: "d1", Kind: workflow.ReceiptOpened, MessageID: "m1", Recipient: "a@b.c", At: providertest.ReportTime}},
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
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	sns := providertest.NewSNS(t)
	sns.Serve(t, providertest.SNSCertificate)
	ecText := func(key *ecdsa.PrivateKey) string {
		der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
		require.NoError(t, err)
		return base64.StdEncoding.EncodeToString(der)
	}
	secret := func(text string) string { return "whsec_" + base64.StdEncoding.EncodeToString([]byte(text)) }
	providertest.RunProofs(t, Providers(), map[string]providertest.Proof{
		"sendgrid": {
			Header: "X-Twilio-Email-Event-Webhook-Signature", Stamp: "X-Twilio-Email-Event-Webhook-Timestamp",
			Key: func() string {
				other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
				require.NoError(t, err)
				return ecText(other)
			},
			Report: func(t *testing.T, at time.Time) *provider.Inbound {
				t.Helper()
				in := providertest.Inbound(`[{"event":"bounce","sg_event_id":"e1","sg_message_id":"abc.f","email":"a@b.c"}]`, ecText(ec))
				sum := sha256.Sum256([]byte(providertest.Unix(at) + string(in.Body)))
				signature, err := ecdsa.SignASN1(rand.Reader, ec, sum[:])
				require.NoError(t, err)
				in.Header.Set("X-Twilio-Email-Event-Webhook-Timestamp", providertest.Unix(at))
				in.Header.Set("X-Twilio-Email-Event-Webhook-Signature", base64.StdEncoding.EncodeToString(signature))
				return in
			},
		},
		"mailgun": {
			Apart: true, Key: func() string { return "other" },
			Report: func(_ *testing.T, at time.Time) *provider.Inbound {
				return providertest.Inbound(`{"signature":{"timestamp":"`+providertest.Unix(at)+`","token":"tok","signature":"`+hexHMAC("mgkey", providertest.Unix(at)+"tok")+`"},`+
					`"event-data":{"event":"failed","severity":"permanent","id":"m1","recipient":"a@b.c","message":{"headers":{"message-id":"x@y"}}}}`, "mgkey")
			},
		},
		"resend": {
			Header: "Svix-Signature", Stamp: "Svix-Timestamp", Key: func() string { return secret("other") },
			Report: func(_ *testing.T, at time.Time) *provider.Inbound {
				in := providertest.Inbound(`{"type":"email.complained","data":{"email_id":"r1","to":["a@b.c"]}}`, secret("secret"))
				in.Header.Set("Svix-Id", "msg_1")
				in.Header.Set("Svix-Timestamp", providertest.Unix(at))
				in.Header.Set("Svix-Signature", "v1,"+base64HMAC([]byte("secret"), "msg_1."+providertest.Unix(at)+"."+string(in.Body)))
				return in
			},
		},
		"mailersend": {
			Header: "Signature", Key: func() string { return "other" },
			Report: func(_ *testing.T, at time.Time) *provider.Inbound {
				in := providertest.Inbound(`{"type":"activity.hard_bounced","created_at":"`+at.Format(time.RFC3339)+`","data":{"id":"d1","email":{"message":{"id":"m1"},"recipient":{"email":"a@b.c"}}}}`, "mskey")
				in.Header.Set("Signature", hexHMAC("mskey", string(in.Body)))
				return in
			},
		},
		"ses": {
			Key: func() string { return "arn:of:another:topic" },
			Report: func(t *testing.T, at time.Time) *provider.Inbound {
				t.Helper()
				return sns.Inbound(t, sns.Signed(t, "2", "Message", providertest.SESBounce, "MessageId", "m1", "Timestamp", at.Format(time.RFC3339), "TopicArn", "arn",
					"Type", "Notification"), "arn")
			},
		},
		"postmark":   providertest.PasswordProof(`{"RecordType":"Delivery","MessageID":"p1"}`),
		"mailjet":    providertest.PasswordProof(`{"event":"open","MessageID":"1"}`),
		"sparkpost":  providertest.PasswordProof(`[{"msys":{"x":{"type":"open","event_id":"s1"}}}]`),
		"sendinblue": providertest.PasswordProof(`{"event":"opened","message-id":"<b@x>"}`),
	})
}

func TestReceiptsOfSES(t *testing.T) {
	t.Parallel()
	a := providertest.NewSNS(t)
	a.Serve(t, providertest.SNSCertificate)
	got, err := ses.Receipts.Read(a.Inbound(t, a.Bounce(t), ""))
	require.NoError(t, err)
	require.Equal(t, []provider.Reported{{
		EventID: "m1:0", Kind: workflow.ReceiptBounced, MessageID: "ses1", Recipient: "a@b.c", At: providertest.ReportTime, Permanent: true, Detail: "550",
	}}, got.List)
	require.False(t, got.Proven, "anybody may have a topic")
	got, err = ses.Receipts.Read(a.Inbound(t, a.Bounce(t), "arn"))
	require.NoError(t, err)
	require.True(t, got.Proven)
}

// TestSubscriptionOfSNS: the address to confirm at comes only from a message that Amazon signed, and leads only to Amazon.
func TestSubscriptionOfSNS(t *testing.T) {
	t.Parallel()
	a := providertest.NewSNS(t)
	a.Serve(t, providertest.SNSCertificate)
	subscription := func(subscribe string) map[string]string {
		return a.Signed(t, "1", "Message", "You have chosen", "MessageId", "m1", "SubscribeURL", subscribe, "Timestamp", "2025-03-01T11:00:00.000Z",
			"Token", "tok", "TopicArn", "arn", "Type", "SubscriptionConfirmation")
	}
	const confirm = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=tok"
	got, err := ses.Receipts.Read(a.Inbound(t, subscription(confirm), "arn"))
	require.NoError(t, err)
	require.Equal(t, provider.Reports{Confirm: confirm, Proven: true}, got)

	_, err = ses.Receipts.Read(a.Inbound(t, subscription(confirm), "arn:of:another:topic"))
	require.ErrorIs(t, err, provider.ErrSignature)
	forged := subscription(confirm)
	forged["SubscribeURL"] += "x"
	_, err = ses.Receipts.Read(a.Inbound(t, forged, "arn"))
	require.ErrorIs(t, err, provider.ErrSignature)
	for _, elsewhere := range []string{"https://example.com/?Action=ConfirmSubscription", "http://sns.eu-west-1.amazonaws.com/", "https://169.254.169.254/"} {
		_, err = ses.Receipts.Read(a.Inbound(t, subscription(elsewhere), "arn"))
		require.ErrorIs(t, err, provider.ErrMalformed, elsewhere)
	}
}

// TestReceiptsOfResend: a report on a mail to several lists all of them, and the address at fault is not known.
func TestReceiptsOfResend(t *testing.T) {
	t.Parallel()
	for to, want := range map[string]string{`["a@b.c"]`: "a@b.c", `"a@b.c"`: "a@b.c", `["a@b.c","d@b.c"]`: "", `[]`: ""} {
		got, err := resend.Receipts.Parse(providertest.Inbound(`{"type":"email.bounced","data":{"email_id":"r1","to":`+to+`}}`, ""))
		require.NoError(t, err)
		require.Len(t, got.List, 1)
		require.Equal(t, want, got.List[0].Recipient, to)
	}
}

func FuzzReceipts(f *testing.F) {
	f.Add("mailjet", `[{"event":"open"}]`)
	f.Add("sparkpost", `[{"msys":{"x":{"type":"open"}}}]`)
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(f, err)
	f.Fuzz(func(_ *testing.T, name, body string) {
		_, _ = registry.ReadReceipts(name, providertest.Inbound(body, ""))
	})
}

// TestReceiptsNeedAKey: without a key nothing proves a signed report, least of all a signature under the empty key.
func TestReceiptsNeedAKey(t *testing.T) {
	t.Parallel()
	now := providertest.ReportTime
	for vendor, report := range map[string]func() *provider.Inbound{
		"mailgun": func() *provider.Inbound {
			return providertest.Inbound(`{"signature":{"timestamp":"`+providertest.Unix(now)+`","token":"tok","signature":"`+hexHMAC("", providertest.Unix(now)+"tok")+`"},`+
				`"event-data":{"event":"failed","severity":"permanent","id":"m1","recipient":"a@b.c"}}`, "")
		},
		"mailersend": func() *provider.Inbound {
			in := providertest.Inbound(`{"type":"activity.hard_bounced","created_at":"`+now.Format(time.RFC3339)+`","data":{"id":"d1"}}`, "")
			in.Header.Set("Signature", hexHMAC("", string(in.Body)))
			return in
		},
		"resend": func() *provider.Inbound {
			in := providertest.Inbound(`{"type":"email.complained","data":{"email_id":"r1","to":["a@b.c"]}}`, "")
			in.Header.Set("Svix-Id", "msg_1")
			in.Header.Set("Svix-Timestamp", providertest.Unix(now))
			in.Header.Set("Svix-Signature", "v1,"+base64HMAC(nil, "msg_1."+providertest.Unix(now)+"."+string(in.Body)))
			return in
		},
	} {
		registry, err := provider.NewRegistry(Providers()...)
		require.NoError(t, err)
		_, err = registry.ReadReceipts(vendor, report())
		require.ErrorIs(t, err, provider.ErrSignature, vendor)
	}
}
