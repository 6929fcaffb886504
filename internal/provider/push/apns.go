package push

import (
	"cmp"
	"context"
	"crypto/ecdsa"
	"maps"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var apns = provider.Definition{
	ID: "apns", Name: "Apple Push Notification service", Channel: workflow.ChannelPush,
	Credentials: []provider.Field{
		{Name: "secretKey", Label: "Key (.p8 file)", Kind: provider.KindText, Required: true, Secret: true},
		{Name: "apiKey", Label: "Key id", Kind: provider.KindString, Required: true, Secret: true},
		{Name: "projectName", Label: "Team id", Kind: provider.KindString, Required: true},
		{Name: "applicationId", Label: "Bundle id", Kind: provider.KindString, Required: true},
		{Name: "secure", Label: "Production", Kind: provider.KindBool},
	},
	New: newAPNs,
}

// apnsTokenLife is how long one token is used: Apple refuses those older than an hour, and those renewed more often than
// every twenty minutes.
const apnsTokenLife = 50 * time.Minute

type apnsAdapter struct {
	grant       *provider.Grant
	host, topic string
}

func newAPNs(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
	key, err := jwt.ParseECPrivateKeyFromPEM([]byte(c.Secret("secretKey")))
	if err != nil {
		return nil, fault.Invalidf("credentials.secretKey", "must be the text of a .p8 file")
	}
	now, clock := d.Now, d.Clock
	if now == nil {
		now = time.Now
	}
	if clock == nil {
		clock = now
	}
	a := &apnsAdapter{host: "https://api.sandbox.push.apple.com", topic: c.String("applicationId")}
	if c.Bool("secure") {
		a.host = "https://api.push.apple.com"
	}
	a.grant = d.NewGrant(d.Client(), "apns", c.String("projectName"), c.String("apiKey"), c.Secret("secretKey"))
	a.grant.Fetch = func(context.Context) (provider.AccessToken, error) {
		signed, err := apnsToken(key, c.String("apiKey"), c.String("projectName"), now())
		return provider.AccessToken{Value: signed, Expires: clock().Add(apnsTokenLife)}, err // tokens are kept by the environment's clock
	}
	a.grant.Refused = func(ans *provider.Answer) bool {
		return ans.Status == 403 && ans.At("reason") == "ExpiredProviderToken"
	}
	return a, nil
}

func apnsToken(key *ecdsa.PrivateKey, keyID, team string, now time.Time) (string, error) {
	token := jwt.NewWithClaims(jwt.SigningMethodES256, jwt.MapClaims{"iss": team, "iat": now.Unix()})
	token.Header["kid"] = keyID
	signed, err := token.SignedString(key)
	if err != nil {
		return "", provider.Failf(provider.Fault, "the key cannot sign: it must be of the curve P-256")
	}
	return signed, nil
}

// Send posts one message to one device.
func (a *apnsAdapter) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	device := strings.Map(hexOnly, m.Target.DeviceToken)
	if device == "" {
		return nil, provider.Failf(provider.Permanent, "the message has no device token")
	}
	over := provider.Merge(maps.Clone(m.Overrides), m.Merge)
	body := apnsBody(m, over)
	req := &provider.Request{URL: a.host + "/3/device/" + device, Header: a.headers(m, over, body), Body: &provider.JSON{Root: body}}
	req.PassThrough(m)
	ans, err := a.grant.Do(ctx, func(token string) *provider.Request {
		with := *req
		with.Secure = provider.Scheme("bearer", token)
		return &with
	})
	if err != nil {
		return nil, err
	}
	if !ans.OK() {
		return nil, apnsFailure(ans)
	}
	return ans.Accepted(ctx, m, ans.Header.Get("Apns-Id")), nil
}

func hexOnly(r rune) rune {
	if strings.ContainsRune("0123456789abcdefABCDEF", r) {
		return r
	}
	return -1
}

func (a *apnsAdapter) headers(m *provider.Message, over, body map[string]any) http.Header {
	kind := "alert"
	if aps, _ := body["aps"].(map[string]any); aps["alert"] == nil && aps["content-available"] != nil {
		kind = "background"
	}
	kind = cmp.Or(provider.Text(over["pushType"]), kind)
	priority := provider.Text(over["priority"])
	switch {
	case kind == "background":
		priority = "5" // the vendor takes no other
	case priority == "10":
		priority = "" // the vendor's default
	}
	h := http.Header{
		"Apns-Topic": {cmp.Or(provider.Text(over["topic"]), apnsTopic(a.topic, kind))}, "Apns-Push-Type": {kind},
		"Apns-Collapse-Id": {cmp.Or(provider.Text(over["collapseId"]), m.ID)},
	}
	for name, value := range map[string]string{
		"Apns-Priority": priority, "Apns-Expiration": cmp.Or(provider.Text(over["expiry"]), provider.Text(over["expiration"])),
		"Apns-Id": provider.Text(over["apnsId"]),
	} {
		if value != "" {
			h[name] = []string{value}
		}
	}
	return h
}

// apnsSuffixes are what the vendor wants behind the bundle id in the topic of some types of push.
var apnsSuffixes = map[string]string{
	"voip": ".voip", "complication": ".complication", "fileprovider": ".pushkit.fileprovider", "location": ".location-query",
	"pushtotalk": ".voip-ptt", "liveactivity": ".push-type.liveactivity", "widgets": ".push-type.widgets", "controls": ".push-type.controls",
}

func apnsTopic(bundle, kind string) string {
	if suffix := apnsSuffixes[kind]; !strings.HasSuffix(bundle, suffix) {
		return bundle + suffix
	}
	return bundle
}

var (
	apnsAps = map[string]string{
		"badge": "badge", "sound": "sound", "category": "category", "threadId": "thread-id",
		"contentAvailable": "content-available", "mutableContent": "mutable-content", "interruptionLevel": "interruption-level",
		"relevanceScore": "relevance-score", "targetContentIdentifier": "target-content-id", "urlArgs": "url-args",
		"timestamp": "timestamp", "staleDate": "stale-date", "events": "events", "contentState": "content-state",
	}
	apnsAlert = map[string]string{
		"title": "title", "body": "body", "subtitle": "subtitle", "titleLocKey": "title-loc-key", "titleLocArgs": "title-loc-args",
		"locKey": "loc-key", "locArgs": "loc-args", "launchImage": "launch-image", "action": "action",
	}
)

// apnsRead are the overrides that have a place of their own, beside those for Apple's part; others go beside it.
var apnsRead = []string{
	"topic", "pushType", "priority", "expiry", "expiration", "collapseId", "apnsId", "payload", "rawPayload", "aps", "deviceTokens", "_passthrough",
}

// apnsBody is the payload's members beside Apple's own.
func apnsBody(m *provider.Message, over map[string]any) map[string]any {
	if raw, ok := over["rawPayload"].(map[string]any); ok {
		return raw
	}
	alert := map[string]any{}
	if m.Content.Title != "" {
		alert["title"] = m.Content.Title
	}
	if m.Content.Body != "" {
		alert["body"] = m.Content.Body
	}
	for name, as := range apnsAlert {
		if v, ok := over[name]; ok {
			alert[as] = v
		}
	}
	aps := map[string]any{}
	if len(alert) > 0 {
		aps["alert"] = alert
	}
	for name, as := range apnsAps {
		if v, ok := over[name]; ok {
			aps[as] = v
		}
	}
	aps = apsObject(aps)
	if own, ok := over["aps"].(map[string]any); ok {
		aps = provider.Merge(aps, own)
	}
	beside := payload(m)
	if own, ok := over["payload"].(map[string]any); ok {
		beside = own
	}
	extra := without(over, apnsRead...)
	maps.DeleteFunc(extra, func(name string, _ any) bool { return apnsAps[name] != "" || apnsAlert[name] != "" })
	body := provider.Merge(maps.Clone(provider.Object(beside)), extra)
	body["aps"] = aps
	return body
}

func apnsFailure(ans *provider.Answer) *provider.Error {
	failure := ans.Failure(ans.At("reason"), ans.At("reason"))
	switch failure.Code {
	case "Unregistered", "ExpiredToken":
		failure.Class, failure.DropToken = provider.Permanent, true
		if ms, err := strconv.ParseInt(ans.At("timestamp"), 10, 64); err == nil {
			failure.GoneSince = time.UnixMilli(ms)
		}
	case "InvalidProviderToken", "MissingProviderToken", "Forbidden":
		failure.Class = provider.Fault
	case "ExpiredProviderToken":
		failure.Class = provider.Transient
	}
	return failure
}
