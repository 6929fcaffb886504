package push

import (
	"cmp"
	"context"
	"crypto/rsa"
	"encoding/json"
	"maps"
	"net/url"
	"regexp"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/workflow"
)

// Unverified: that messages to topics may have 2048 bytes only, that a device takes bursts of 20 a second, and that a
// relative webpush.fcm_options.link is resolved by the app.
var fcm = provider.Definition{
	ID: "fcm", Name: "Firebase Cloud Messaging", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "serviceAccount", Alias: "user", Label: "Service account (JSON file)", Kind: provider.KindText, Required: true, Secret: true},
		{Name: "user", Label: "Service account under its older name", Kind: provider.KindText, Secret: true},
	},
	New: newFCM,
}

const (
	fcmTokenURL = "https://oauth2.googleapis.com/token"
	fcmScope    = "https://www.googleapis.com/auth/firebase.messaging"
)

// fcmAccount is what counts in a service account's file.
type fcmAccount struct {
	ProjectID    string `json:"project_id"`
	ClientEmail  string `json:"client_email"`
	PrivateKey   string `json:"private_key"`
	PrivateKeyID string `json:"private_key_id"`
	TokenURI     string `json:"token_uri"`
}

type fcmAdapter struct {
	grant *provider.Grant
	url   string
}

func newFCM(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
	account, key, err := readFCMAccount(cmp.Or(c.Secret("serviceAccount"), c.Secret("user")))
	if err != nil {
		return nil, err
	}
	client, now := d.Client(), d.Now
	if now == nil {
		now = time.Now
	}
	tokenURL, origin := fcmTokenURL, provider.OriginVendor
	if account.TokenURI != "" && account.TokenURI != fcmTokenURL {
		tokenURL, origin = account.TokenURI, provider.OriginCredentials
	}
	grant := d.NewGrant(client, "fcm", tokenURL, account.ClientEmail, account.PrivateKeyID, account.PrivateKey)
	grant.Fetch = func(ctx context.Context) (provider.AccessToken, error) {
		assertion := jwt.NewWithClaims(jwt.SigningMethodRS256, jwt.MapClaims{
			"iss": account.ClientEmail, "aud": tokenURL, "scope": fcmScope, "iat": now().Unix(), "exp": now().Add(time.Hour).Unix(),
		})
		assertion.Header["kid"] = account.PrivateKeyID
		signed, err := assertion.SignedString(key)
		if err != nil {
			return provider.AccessToken{}, provider.Failf(provider.Fault, "the service account's key cannot sign")
		}
		return client.FetchToken(ctx, &provider.Request{URL: tokenURL, Origin: origin, Body: provider.Form(url.Values{
			"grant_type": {"urn:ietf:params:oauth:grant-type:jwt-bearer"}, "assertion": {signed},
		})})
	}
	grant.Refused = func(ans *provider.Answer) bool { // not: a key of Apple's that is missing in the project
		return ans.Status == 401 && fcmCode(ans) != "THIRD_PARTY_AUTH_ERROR"
	}
	return &fcmAdapter{grant: grant, url: "https://fcm.googleapis.com/v1/projects/" + url.PathEscape(account.ProjectID) + "/messages:send"}, nil
}

func readFCMAccount(text string) (*fcmAccount, *rsa.PrivateKey, error) {
	account := &fcmAccount{}
	if json.Unmarshal([]byte(text), account) != nil {
		return nil, nil, fault.Invalidf("credentials.serviceAccount", "must be the JSON file of a service account")
	}
	if account.ProjectID == "" || account.ClientEmail == "" {
		return nil, nil, fault.Invalidf("credentials.serviceAccount", "must hold project_id, client_email and private_key")
	}
	if account.TokenURI != "" {
		if _, err := egress.CheckURL(account.TokenURI); err != nil {
			return nil, nil, fault.Invalidf("credentials.serviceAccount", "its token_uri must be an https address")
		}
	}
	key, err := jwt.ParseRSAPrivateKeyFromPEM([]byte(account.PrivateKey))
	if err != nil {
		return nil, nil, fault.Invalidf("credentials.serviceAccount", "its private_key must be an RSA key in PEM form")
	}
	return account, key, nil
}

// Send posts one message to one device, or to where an override says.
func (f *fcmAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	body, err := fcmMessage(m)
	if err != nil {
		return nil, err
	}
	req := &provider.Request{URL: f.url, Body: &provider.JSON{Root: map[string]any{"message": body}}}
	req.PassThrough(m)
	ans, err := f.grant.Do(ctx, func(token string) *provider.Request {
		with := *req
		with.Secure = provider.Bearer(token)
		return &with
	})
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, fcmFailure(ans)
	}
	return ans.Accepted(ctx, m, ans.At("name")), nil
}

// fcmRead are the overrides that have a place of their own; others go into the notification.
var fcmRead = []string{
	"type", "data", "android", "apns", "webPush", "webpush", "fcmOptions", "topic", "condition", "token", "tokens", "deviceTokens",
	"message", "notification", "title", "body", "_passthrough",
}

func fcmMessage(m *provider.Message) (map[string]any, error) {
	over := provider.Merge(maps.Clone(m.Overrides), m.Merge)
	body := map[string]any{}
	if err := fcmTarget(body, over, m); err != nil {
		return nil, err
	}
	data := maps.Clone(provider.Object(payload(m)))
	if own, ok := over["data"].(map[string]any); ok {
		data = provider.Merge(data, own)
	}
	if over["type"] == "data" {
		data["title"], data["body"], data["message"] = m.Content.Title, m.Content.Body, m.Content.Body
	} else {
		body["notification"] = fcmNotification(over, m)
	}
	if texts := fcmData(data); len(texts) > 0 {
		body["data"] = texts
	}
	for name, translate := range fcmParts {
		part, ok := over[name].(map[string]any)
		if ok && len(part) > 0 {
			body[translate.as] = translate.keys(part)
		}
	}
	if own, ok := over["message"].(map[string]any); ok {
		body = provider.Merge(body, own)
	}
	return body, nil
}

// fcmTarget sets exactly one destination. Tokens that an override names are targets of their own by now.
func fcmTarget(body, over map[string]any, m *provider.Message) error {
	switch {
	case provider.Text(over["topic"]) != "":
		body["topic"] = strings.TrimPrefix(provider.Text(over["topic"]), "/topics/")
	case provider.Text(over["condition"]) != "":
		body["condition"] = over["condition"]
	case m.Target.DeviceToken != "":
		body["token"] = m.Target.DeviceToken
	default:
		return provider.Failf(provider.Permanent, "the message has no device token")
	}
	return nil
}

func fcmNotification(over map[string]any, m *provider.Message) map[string]any {
	n := map[string]any{"title": m.Content.Title, "body": m.Content.Body}
	for name, v := range without(over, fcmRead...) {
		if name == "imageUrl" {
			name = "image"
		}
		n[name] = v
	}
	for _, name := range []string{"title", "body"} {
		if v, ok := over[name]; ok {
			n[name] = v
		}
	}
	if own, ok := over["notification"].(map[string]any); ok {
		n = provider.Merge(n, own)
	}
	return n
}

// fcmData makes every value a text, as the vendor wants them, and leaves out the keys that it refuses.
func fcmData(data map[string]any) map[string]any {
	texts := map[string]any{}
	for key, v := range data {
		if key == "from" || key == "message_type" || strings.HasPrefix(key, "google") || strings.HasPrefix(key, "gcm") {
			continue
		}
		if s, ok := v.(string); ok {
			texts[key] = s
			continue
		}
		if raw, err := provider.EncodeJSON(v); err == nil {
			texts[key] = string(raw)
		}
	}
	return texts
}

func fcmCode(ans *provider.Answer) string {
	details, _ := ans.Value("error.details").([]any)
	for _, detail := range details {
		object, _ := detail.(map[string]any)
		if code := provider.Text(object["errorCode"]); code != "" {
			return code
		}
	}
	return ans.At("error.status")
}

// fcmLeastPause is how long to wait when a quota is used up and the vendor names no time.
const fcmLeastPause = time.Minute

// fcmBadToken is how the vendor says that a device token is none, among other bad arguments.
var fcmBadToken = regexp.MustCompile(`(?i)registration token.*(not (a )?valid|invalid)|(invalid|malformed).*registration token`)

func fcmFailure(ans *provider.Answer) *provider.Error {
	failure := ans.Failure(fcmCode(ans), ans.At("error.message"))
	switch failure.Code {
	case "UNREGISTERED":
		failure.Class, failure.DropToken = provider.Permanent, true
	case "INVALID_ARGUMENT":
		failure.Class = provider.Permanent
		failure.DropToken = fcmBadToken.MatchString(failure.Text)
	case "SENDER_ID_MISMATCH", "THIRD_PARTY_AUTH_ERROR": // of one device's app or platform: the others are well
		failure.Class = provider.Permanent
	case "UNAUTHENTICATED":
		failure.Class = provider.Fault
	case "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED":
		failure.Class, failure.RetryAfter = provider.Transient, cmp.Or(failure.RetryAfter, fcmLeastPause)
	case "UNAVAILABLE", "INTERNAL":
		failure.Class = provider.Transient
	}
	return failure
}
