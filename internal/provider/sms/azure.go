package sms

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/workflow"
)

var azure = provider.Definition{
	ID: "azure-sms", Name: "Azure Communication Services", Channel: workflow.ChannelSMS,
	Credentials:  []provider.Field{secretField("accessKey", "Connection string"), fieldFrom},
	Capabilities: provider.Capabilities{IdempotencyKey: true},
	New:          newAzure,
}

func newAzure(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
	endpoint, key, err := azureConnection(c.Secret("accessKey"))
	if err != nil {
		return nil, err
	}
	now := d.Now
	if now == nil {
		now = time.Now
	}
	return open(d, c, gateway{
		request: func(m *provider.Message, t *text) *provider.Request {
			return &provider.Request{
				URL: endpoint + "/sms", Origin: provider.OriginCredentials, Query: url.Values{"api-version": {"2021-03-07"}},
				Body: json(map[string]any{
					"from": as(plus, t.from), "message": t.content,
					"smsRecipients": []any{map[string]any{
						"to": plus(t.to), "repeatabilityRequestId": azureRequestID(m.ID),
						"repeatabilityFirstSent": now().UTC().Format(http.TimeFormat),
					}},
					"smsSendOptions": map[string]any{"enableDeliveryReport": false},
				}),
			}
		},
		sign: func(_ context.Context, req *provider.Request) {
			req.Sign = func(body []byte) http.Header { return azureSignature(req, body, key, now()) }
		},
		read: func(ans *provider.Answer) reply {
			status, _ := strconv.Atoi(ans.At("value.0.httpStatusCode"))
			return reply{
				id: ans.At("value.0.messageId"), failed: ans.At("value.0.successful") == "false", status: status,
				code: ans.At("error.code"), text: ans.At("error.message", "value.0.errorMessage"),
			}
		},
	})
}

// azureConnection reads endpoint=https://…;accesskey=<base64>, names in either case.
func azureConnection(text string) (endpoint string, key []byte, err error) {
	malformed := fault.Invalidf("credentials.accessKey", "must be a connection string: endpoint=https://<name>.communication.azure.com/;accesskey=<key>")
	for part := range strings.SplitSeq(text, ";") {
		name, value, _ := strings.Cut(part, "=")
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "endpoint":
			endpoint = strings.TrimRight(strings.TrimSpace(value), "/")
		case "accesskey":
			if key, err = base64.StdEncoding.DecodeString(strings.TrimSpace(value)); err != nil {
				return "", nil, malformed
			}
		}
	}
	if _, err := egress.CheckURL(endpoint); err != nil || len(key) == 0 {
		return "", nil, malformed
	}
	return endpoint, key, nil
}

// azureRequestID stays the same over all tries of a message, so that the vendor sends it once.
func azureRequestID(messageID string) string {
	return uuid.NewSHA1(uuid.NameSpaceOID, []byte(messageID)).String()
}

// azureSignature signs the path with its query, the date, the host and the hash of the body.
func azureSignature(req *provider.Request, body, key []byte, now time.Time) http.Header {
	target, err := url.Parse(req.URL)
	if err != nil {
		return nil // the request itself cannot be built either
	}
	sum := sha256.Sum256(body)
	hash, date := base64.StdEncoding.EncodeToString(sum[:]), now.UTC().Format(http.TimeFormat)
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("POST\n" + target.EscapedPath() + "?" + req.Query.Encode() + "\n" + date + ";" + target.Host + ";" + hash))
	return http.Header{
		"X-Ms-Date": {date}, "X-Ms-Content-Sha256": {hash},
		"Authorization": {"HMAC-SHA256 SignedHeaders=x-ms-date;host;x-ms-content-sha256&Signature=" + base64.StdEncoding.EncodeToString(mac.Sum(nil))},
	}
}
