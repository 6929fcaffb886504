package main_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// reporter plays one vendor: how it answers a send, and how it reports on the message afterwards.
type reporter struct {
	answer    string           // to the send; beside it the header X-Message-Id always names the message
	key       string           // inboundWebhookSigningKey
	certified crypto.PublicKey // of SNS
	report    func(*report)    // writes and signs
	forge     func(*report)    // spoils a good report
}

// report is a vendor's request to a receiving address.
type report struct {
	address string // as the vendor was given it
	query   url.Values
	header  http.Header
	body    string
}

const reported = "id-of-the-vendor"

// spoilt replaces a header that carries the signature.
func spoilt(header string) func(*report) {
	return func(r *report) { r.header.Set(header, base64.StdEncoding.EncodeToString([]byte("another signature"))) }
}

// asUser is for vendors that sign nothing: the address that they are given holds a password.
func asUser(r *report) { r.header.Set("Authorization", basic("hook", "word")) }

func basic(user, password string) string {
	return "Basic " + base64.StdEncoding.EncodeToString([]byte(user+":"+password))
}

func hexOf(key, text string) string {
	mac := hmac.New(sha256.New, []byte(key))
	mac.Write([]byte(text))
	return hex.EncodeToString(mac.Sum(nil))
}

// reporters are the vendors whose receipts are understood, each with a report of a delivery.
func reporters(t *testing.T) map[string]reporter {
	t.Helper()
	now := strconv.FormatInt(time.Now().Unix(), 10)
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	ecPublic, err := x509.MarshalPKIXPublicKey(&ec.PublicKey)
	require.NoError(t, err)
	edPublic, ed, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	unsigned := func(answer, body string) reporter {
		return reporter{answer: answer, key: "word", forge: spoilt("Authorization"), report: func(r *report) {
			asUser(r)
			r.body = body
		}}
	}
	form := func(answer string, fields url.Values) reporter {
		return reporter{answer: answer, key: "word", forge: spoilt("Authorization"), report: func(r *report) {
			asUser(r)
			r.query = fields
		}}
	}
	return map[string]reporter{
		"sendgrid": {
			key:   base64.StdEncoding.EncodeToString(ecPublic),
			forge: spoilt("X-Twilio-Email-Event-Webhook-Signature"),
			report: func(r *report) {
				r.body = `[{"event":"delivered","sg_event_id":"e1","sg_message_id":"` + reported + `.filter","timestamp":` + now + `}]`
				sum := sha256.Sum256([]byte(now + r.body))
				signature, err := ecdsa.SignASN1(rand.Reader, ec, sum[:])
				require.NoError(t, err)
				r.header.Set("X-Twilio-Email-Event-Webhook-Timestamp", now)
				r.header.Set("X-Twilio-Email-Event-Webhook-Signature", base64.StdEncoding.EncodeToString(signature))
			},
		},
		"mailgun": {
			answer: `{"id":"<` + reported + `>","message":"Queued. Thank you."}`, key: "mailgun-key",
			forge: func(r *report) { r.body = strings.Replace(r.body, `"token":"t`, `"token":"x`, 1) },
			report: func(r *report) {
				r.body = `{"signature":{"timestamp":"` + now + `","token":"tok","signature":"` + hexOf("mailgun-key", now+"tok") + `"},
					"event-data":{"event":"delivered","id":"e1","timestamp":` + now + `,"message":{"headers":{"message-id":"` + reported + `"}}}}`
			},
		},
		"postmark":   unsigned(`{"ErrorCode":0,"Message":"OK","MessageID":"`+reported+`"}`, `{"RecordType":"Delivery","MessageID":"`+reported+`"}`),
		"ses":        sesReporter(t),
		"mailjet":    unsigned(`{"Messages":[{"Status":"success","To":[{"MessageID":456}]}]}`, `[{"event":"sent","MessageID":456,"time":`+now+`}]`),
		"sendinblue": unsigned(`{"messageId":"<`+reported+`>"}`, `{"event":"delivered","message-id":"<`+reported+`>","ts_epoch":`+now+`}`),
		"sparkpost": unsigned(`{"results":{"total_rejected_recipients":0,"total_accepted_recipients":1,"id":"`+reported+`"}}`,
			`[{"msys":{"message_event":{"type":"delivery","event_id":"e1","transmission_id":"`+reported+`"}}}]`),
		"resend": {
			answer: `{"id":"` + reported + `"}`, key: "whsec_" + base64.StdEncoding.EncodeToString([]byte("secret")), forge: spoilt("Svix-Signature"),
			report: func(r *report) {
				r.body = `{"type":"email.delivered","data":{"email_id":"` + reported + `"}}`
				mac := hmac.New(sha256.New, []byte("secret"))
				mac.Write([]byte("e1." + now + "." + r.body))
				r.header.Set("Svix-Id", "e1")
				r.header.Set("Svix-Timestamp", now)
				r.header.Set("Svix-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
			},
		},
		"mailersend": {
			key: "mailersend-key", forge: spoilt("Signature"),
			report: func(r *report) {
				r.body = `{"type":"activity.delivered","data":{"id":"e1","email":{"message":{"id":"` + reported + `"}}}}`
				r.header.Set("Signature", hexOf("mailersend-key", r.body))
			},
		},
		"twilio": {
			answer: `{"sid":"` + reported + `"}`, forge: spoilt("X-Twilio-Signature"),
			report: func(r *report) {
				r.body = url.Values{"MessageSid": {reported}, "MessageStatus": {"delivered"}}.Encode()
				r.header.Set("Content-Type", "application/x-www-form-urlencoded")
				mac := hmac.New(sha1.New, []byte("value-of-token"))
				mac.Write([]byte(r.address + "MessageSid" + reported + "MessageStatusdelivered"))
				r.header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
			},
		},
		"nexmo":       form(`{"messages":[{"status":"0","message-id":"`+reported+`"}]}`, url.Values{"messageId": {reported}, "status": {"delivered"}}),
		"plivo":       form(`{"message_uuid":["`+reported+`"]}`, url.Values{"MessageUUID": {reported}, "Status": {"delivered"}}),
		"messagebird": form(`{"id":"`+reported+`"}`, url.Values{"id": {reported}, "status": {"delivered"}}),
		"telnyx": {
			answer: `{"data":{"id":"` + reported + `"}}`, key: base64.StdEncoding.EncodeToString(edPublic), forge: spoilt("Telnyx-Signature-Ed25519"),
			report: func(r *report) {
				r.body = `{"data":{"id":"e1","event_type":"message.finalized","payload":{"id":"` + reported + `","to":[{"status":"delivered"}]}}}`
				r.header.Set("Telnyx-Timestamp", now)
				r.header.Set("Telnyx-Signature-Ed25519", base64.StdEncoding.EncodeToString(ed25519.Sign(ed, []byte(now+"|"+r.body))))
			},
		},
	}
}

const snsHost = "sns.eu-west-1.amazonaws.com"

// sesReporter reports through SNS, whose certificate the vendor serves, too.
func sesReporter(t *testing.T) reporter {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	now := time.Now().UTC().Format(time.RFC3339)
	return reporter{
		answer: `{"MessageId":"` + reported + `"}`, certified: &key.PublicKey,
		forge: func(r *report) { r.body = strings.Replace(r.body, reported, "another-message", 1) },
		report: func(r *report) {
			message := `{"eventType":"Delivery","mail":{"messageId":"` + reported + `"},"delivery":{"recipients":["a@b.example"]}}`
			sum := sha256.Sum256([]byte("Message\n" + message + "\nMessageId\ne1\nTimestamp\n" + now + "\nTopicArn\narn\nType\nNotification\n"))
			signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
			require.NoError(t, err)
			r.body = string(must(json.Marshal(object{
				"Type": "Notification", "MessageId": "e1", "TopicArn": "arn", "Timestamp": now, "Message": message, "SignatureVersion": "2",
				"Signature": base64.StdEncoding.EncodeToString(signature), "SigningCertURL": "https://" + snsHost + "/SimpleNotificationService-0a1b.pem",
			})))
		},
	}
}

// snsCertificate is one of the SNS of a region, by the authority that the proxy's clients trust.
func (p *interceptor) snsCertificate(t *testing.T, key crypto.PublicKey) string {
	t.Helper()
	template := &x509.Certificate{SerialNumber: big.NewInt(2), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"sns.amazonaws.com"}}
	der, err := x509.CreateCertificate(rand.Reader, template, p.authority.Leaf, key, p.authority.PrivateKey)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestReceiptsMoveMessages sends a mail or a text through every vendor whose receipts are understood, and then reports on
// it as the vendor would.
func TestReceiptsMoveMessages(t *testing.T) {
	t.Parallel()
	all := reporters(t)
	var sending atomic.Value // the vendor under test
	var certificate string
	proxy := newInterceptor(t, func(r *http.Request) (int, string) {
		if r.Host == snsHost {
			return http.StatusOK, certificate
		}
		return http.StatusOK, all[sending.Load().(string)].answer
	})
	certificate = proxy.snsCertificate(t, all["ses"].certified)
	key := newKey()
	p := serveMigrated(t, key, "HTTPS_PROXY="+proxy.URL, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE="+proxy.CertFile, "CARILLON_PUBLIC_URL=https://notify.example")
	c := &client.Client{URL: p.URL(), Key: key}
	var shown struct{ Providers []vendorProvider }
	graphQL(t, c, `{ providers { id channel credentials { name kind required options } } }`, nil, &shown)
	v := &vendors{client: c, proxy: proxy}
	for _, channel := range []string{"EMAIL", "SMS"} {
		v.workflow(t, channel)
	}
	for id, vendor := range all { // one after the other: each is its channel's primary for a while
		t.Run(id, func(t *testing.T) {
			at := slices.IndexFunc(shown.Providers, func(p vendorProvider) bool { return p.ID == id })
			require.GreaterOrEqual(t, at, 0, "the registry has no such provider")
			sending.Store(id)
			v.reportOn(t, &shown.Providers[at], vendor)
		})
	}
}

// reportOn sends one message and reports on it: falsely, truly, and again.
func (v *vendors) reportOn(t *testing.T, provider *vendorProvider, vendor reporter) {
	t.Helper()
	configurations := object{"inboundWebhookEnabled": true}
	if vendor.key != "" {
		configurations["inboundWebhookSigningKey"] = vendor.key
	}
	var made struct {
		CreateIntegration struct {
			Integration struct{ ID, InboundPath string }
		}
	}
	graphQL(t, v.client, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id inboundPath } } }`, object{"input": object{
		"providerId": provider.ID, "identifier": provider.ID, "credentials": v.credentials(t, provider), "primary": true, "configurations": configurations,
	}}, &made)
	who := "reader-of-" + provider.ID
	graphQL(t, v.client, `mutation($input: CreateSubscriberInput!) { createSubscriber(input: $input) { subscriber { id } } }`, object{"input": object{
		"subscriberId": who, "email": who + "@customers.example", "phone": "+4930901820",
	}}, nil)
	_, err := v.client.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{
		"name": strings.ToLower(provider.Channel), "to": who, "payload": object{"vendor": provider.ID},
	}, nil)
	require.NoError(t, err)
	v.requireSent(t, provider, who)

	good := &report{address: "https://notify.example" + made.CreateIntegration.Integration.InboundPath, header: http.Header{}}
	vendor.report(good)
	bad := &report{address: good.address, query: good.query, header: good.header.Clone(), body: good.body}
	vendor.forge(bad)
	require.Equal(t, http.StatusUnauthorized, v.post(t, bad))
	state, receipts := v.reportedOn(t, who, made.CreateIntegration.Integration.ID)
	require.Empty(t, state, "a forged report changes nothing")
	require.Zero(t, receipts)
	for range 2 {
		require.Equal(t, http.StatusOK, v.post(t, good))
		state, receipts = v.reportedOn(t, who, made.CreateIntegration.Integration.ID)
		require.Equal(t, "DELIVERED", state)
		require.Equal(t, 1, receipts, "a repeated report is the same")
	}
	good.address = strings.TrimSuffix(good.address, "a") + "b"
	require.Equal(t, http.StatusNotFound, v.post(t, good), "an address that was not given out")
}

// post makes a report at the server, as the operator's load balancer hands it on.
func (v *vendors) post(t *testing.T, r *report) int {
	t.Helper()
	address := strings.Replace(r.address, "https://notify.example", v.client.URL, 1)
	if len(r.query) > 0 {
		address += "?" + r.query.Encode()
	}
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader(r.body))
	require.NoError(t, err)
	req.Header = r.header.Clone()
	if req.Header.Get("Content-Type") == "" {
		req.Header.Set("Content-Type", "application/json")
	}
	resp, err := http.DefaultClient.Do(req)
	require.NoError(t, err)
	defer func() { _ = resp.Body.Close() }()
	return resp.StatusCode
}

// reportedOn is what is known of the only message of a subscriber, and how many receipts the integration has.
func (v *vendors) reportedOn(t *testing.T, who, integration string) (state string, receipts int) {
	t.Helper()
	var out struct {
		Messages struct{ Nodes []struct{ Receipt string } }
		Receipts struct{ TotalCount int }
	}
	graphQL(t, v.client, `query($who: String!, $integration: ID!) {
		messages(first: 2, filter: {subscriberId: $who}) { nodes { receipt } }
		receipts(first: 1, filter: {integrationId: $integration}) { totalCount }
	}`, object{"who": who, "integration": integration}, &out)
	require.Len(t, out.Messages.Nodes, 1)
	return out.Messages.Nodes[0].Receipt, out.Receipts.TotalCount
}
