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

// proof is how one vendor proves its receipts.
type proof struct {
	// report is a report that the vendor made at a moment and proved under a key of its own; the same for every call.
	report func(t *testing.T, at time.Time) *provider.Inbound
	header string // that holds the signature; "": the body does
	// stamp is the header that holds the moment; "": the body does, and none: the vendor signs no moment.
	stamp string
	none  bool
	// apart says that the report stands beside what is signed, and a token in its place.
	apart bool
	// key is another key of the kind.
	key func() string
}

const at = "2025-03-01T12:00:00Z"

func inbound(body, key string) *provider.Inbound {
	return &provider.Inbound{
		URLs: []string{"https://c.example/v1/inbound/x"}, Header: http.Header{"Content-Type": {"application/json"}}, Body: []byte(body), Key: key, Now: reportTime,
	}
}

func unix(at time.Time) string { return strconv.FormatInt(at.Unix(), 10) }

// proofs are those of all vendors that report. A vendor that is missing fails TestForgedReceipts.
func proofs(t *testing.T) map[string]proof {
	t.Helper()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	_, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	sns := newAmazonSNS(t)
	sns.serve(t, snsCertificate)
	ecText := func(key *ecdsa.PrivateKey) string {
		der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
		require.NoError(t, err)
		return base64.StdEncoding.EncodeToString(der)
	}
	secret := func(text string) string { return "whsec_" + base64.StdEncoding.EncodeToString([]byte(text)) }
	all := map[string]proof{
		"sendgrid": {
			header: "X-Twilio-Email-Event-Webhook-Signature", stamp: "X-Twilio-Email-Event-Webhook-Timestamp",
			key: func() string {
				other, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
				require.NoError(t, err)
				return ecText(other)
			},
			report: func(t *testing.T, at time.Time) *provider.Inbound {
				t.Helper()
				in := inbound(`[{"event":"bounce","sg_event_id":"e1","sg_message_id":"abc.f","email":"a@b.c"}]`, ecText(ec))
				sum := sha256.Sum256([]byte(unix(at) + string(in.Body)))
				signature, err := ecdsa.SignASN1(rand.Reader, ec, sum[:])
				require.NoError(t, err)
				in.Header.Set("X-Twilio-Email-Event-Webhook-Timestamp", unix(at))
				in.Header.Set("X-Twilio-Email-Event-Webhook-Signature", base64.StdEncoding.EncodeToString(signature))
				return in
			},
		},
		"mailgun": {
			apart: true, key: func() string { return "other" },
			report: func(_ *testing.T, at time.Time) *provider.Inbound {
				return inbound(`{"signature":{"timestamp":"`+unix(at)+`","token":"tok","signature":"`+mailgunSignature("mgkey", unix(at)+"tok")+`"},`+
					`"event-data":{"event":"failed","severity":"permanent","id":"m1","recipient":"a@b.c","message":{"headers":{"message-id":"x@y"}}}}`, "mgkey")
			},
		},
		"resend": {
			header: "Svix-Signature", stamp: "Svix-Timestamp", key: func() string { return secret("other") },
			report: func(_ *testing.T, at time.Time) *provider.Inbound {
				in := inbound(`{"type":"email.complained","data":{"email_id":"r1","to":["a@b.c"]}}`, secret("secret"))
				in.Header.Set("Svix-Id", "msg_1")
				in.Header.Set("Svix-Timestamp", unix(at))
				in.Header.Set("Svix-Signature", "v1,"+base64HMAC([]byte("secret"), "msg_1."+unix(at)+"."+string(in.Body)))
				return in
			},
		},
		"mailersend": {
			header: "Signature", key: func() string { return "other" },
			report: func(_ *testing.T, at time.Time) *provider.Inbound {
				in := inbound(`{"type":"activity.hard_bounced","created_at":"`+at.Format(time.RFC3339)+`","data":{"id":"d1","email":{"message":{"id":"m1"},"recipient":{"email":"a@b.c"}}}}`, "mskey")
				in.Header.Set("Signature", mailgunSignature("mskey", string(in.Body)))
				return in
			},
		},
		"twilio": {
			header: "X-Twilio-Signature", none: true, key: func() string { return "other" },
			report: func(*testing.T, time.Time) *provider.Inbound {
				in := inbound(url.Values{"MessageSid": {"SM1"}, "MessageStatus": {"undelivered"}, "To": {"+155"}}.Encode(), "")
				in.Credentials = provider.Credentials{"token": "tw"}
				in.Header.Set("Content-Type", "application/x-www-form-urlencoded")
				mac := hmac.New(sha1.New, []byte("tw"))
				mac.Write([]byte("https://c.example/v1/inbound/xMessageSidSM1MessageStatusundeliveredTo+155"))
				in.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
				return in
			},
		},
		"telnyx": {
			header: "Telnyx-Signature-Ed25519", stamp: "Telnyx-Timestamp",
			key: func() string {
				other, _, err := ed25519.GenerateKey(rand.Reader)
				require.NoError(t, err)
				return base64.StdEncoding.EncodeToString(other)
			},
			report: func(_ *testing.T, at time.Time) *provider.Inbound {
				in := inbound(`{"data":{"id":"t1","event_type":"message.finalized","payload":{"id":"tm1","to":[{"phone_number":"+155","status":"delivered"}]}}}`,
					base64.StdEncoding.EncodeToString(ed.Public().(ed25519.PublicKey)))
				in.Header.Set("Telnyx-Timestamp", unix(at))
				in.Header.Set("Telnyx-Signature-Ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(ed, []byte(unix(at)+"|"+string(in.Body)))))
				return in
			},
		},
		"ses": {
			key: func() string { return "arn:of:another:topic" },
			report: func(t *testing.T, at time.Time) *provider.Inbound {
				t.Helper()
				return sns.inbound(t, sns.signed(t, "2", "Message", sesBounce, "MessageId", "m1", "Timestamp", at.Format(time.RFC3339), "TopicArn", "arn",
					"Type", "Notification"), "arn")
			},
		},
	}
	for id, body := range map[string]string{
		"postmark": `{"RecordType":"Delivery","MessageID":"p1"}`, "mailjet": `{"event":"open","MessageID":"1"}`,
		"sparkpost": `[{"msys":{"x":{"type":"open","event_id":"s1"}}}]`, "sendinblue": `{"event":"opened","message-id":"<b@x>"}`,
		"nexmo": `{"messageId":"n1","status":"delivered"}`, "plivo": `{"MessageUUID":"u1","Status":"delivered"}`,
		"messagebird": `{"id":"b1","status":"delivered"}`,
	} {
		all[id] = proof{
			header: "Authorization", none: true, apart: true, key: func() string { return "other" },
			report: func(*testing.T, time.Time) *provider.Inbound {
				in := inbound(body, "pass")
				in.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("hook:pass")))
				return in
			},
		}
	}
	return all
}

// TestForgedReceipts changes each part of each vendor's proof by a little.
func TestForgedReceipts(t *testing.T) {
	t.Parallel()
	all := proofs(t)
	var reporting []string
	for _, id := range provider.IDs() {
		if provider.ReadsReceipts(id) {
			reporting = append(reporting, id)
		}
	}
	require.ElementsMatch(t, reporting, slices.Collect(maps.Keys(all)), "every vendor that reports is tried")
	for id, p := range all {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			got, err := provider.ReadReceipts(id, p.report(t, reportTime))
			require.NoError(t, err)
			require.Len(t, got.List, 1)
			require.True(t, got.Proven)
			require.Equal(t, p.apart && provider.SignsReceipts(id), got.Token != "", "what is signed beside the report counts once")
			refused := func(why string, change func(in *provider.Inbound)) {
				t.Helper()
				in := p.report(t, reportTime)
				change(in)
				_, err := provider.ReadReceipts(id, in)
				require.ErrorIs(t, err, provider.ErrSignature, why)
			}
			refused("another key", func(in *provider.Inbound) {
				in.Key = p.key()
				in.Credentials = provider.Credentials{"token": p.key()}
			})
			if provider.SignsReceipts(id) {
				refused("no key", func(in *provider.Inbound) {
					in.Key, in.Credentials = "", nil
					in.Fetch = nil // of SES the certificate is the key
				})
			}
			if !p.apart {
				refused("another report", func(in *provider.Inbound) { in.Body = changed(t, in.Body) })
			}
			p.signature(t, refused)
			p.moment(t, id, refused)
		})
	}
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
	t.Fatal("the report names nobody")
	return nil
}

// signature changes the signature, its first and its last byte, and leaves it out.
func (p proof) signature(t *testing.T, refused func(string, func(*provider.Inbound))) {
	t.Helper()
	if p.header != "" {
		refused("no signature", func(in *provider.Inbound) { in.Header.Del(p.header) })
		refused("empty signature", func(in *provider.Inbound) { in.Header.Set(p.header, "") })
		refused("changed signature", func(in *provider.Inbound) {
			v := in.Header.Get(p.header)
			at := len(v) * 3 / 4
			in.Header.Set(p.header, v[:at]+flipped(v[at])+v[at+1:])
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
func (p proof) moment(t *testing.T, id string, refused func(string, func(*provider.Inbound))) {
	t.Helper()
	if p.none {
		return
	}
	for _, away := range []time.Duration{-25 * time.Hour, 25 * time.Hour, -400 * 24 * time.Hour} {
		_, err := provider.ReadReceipts(id, p.report(t, reportTime.Add(away)))
		require.ErrorIs(t, err, provider.ErrSignature, away)
	}
	if p.stamp == "" {
		return
	}
	refused("no moment", func(in *provider.Inbound) { in.Header.Del(p.stamp) })
	refused("another moment", func(in *provider.Inbound) { in.Header.Set(p.stamp, unix(reportTime.Add(time.Second))) })
	refused("moment in words", func(in *provider.Inbound) { in.Header.Set(p.stamp, at) })
}
