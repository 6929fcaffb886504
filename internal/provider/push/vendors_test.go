package push

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func no(status int, body string, class provider.Class, code, text string) providertest.Failure {
	return providertest.Failure{
		Name: "Code" + code + text, Reply: providertest.Reply{Status: status, Body: body},
		Want: provider.Error{Class: class, Code: code, Text: text},
	}
}

func dropping(f providertest.Failure) providertest.Failure {
	f.Want.DropToken = true
	return f
}

func message(change func(*provider.Message)) *provider.Message {
	m := providertest.Message(workflow.ChannelPush)
	if change != nil {
		change(m)
	}
	return m
}

func pkcs8(t *testing.T, key any) string {
	t.Helper()
	raw, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	return string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw}))
}

func serviceAccount(t *testing.T) provider.Credentials {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	raw, err := json.Marshal(map[string]string{
		"project_id": "shop", "client_email": "push@shop.example", "private_key": pkcs8(t, key), "private_key_id": "k1",
		"token_uri": "https://oauth2.googleapis.com/token",
	})
	require.NoError(t, err)
	return provider.Credentials{"serviceAccount": string(raw)}
}

var assertion = regexp.MustCompile(`assertion=[^&\n]+`)

func TestFCM(t *testing.T) {
	t.Parallel()
	fcmSays := func(word, text string) string {
		return `{"error":{"code":400,"message":"` + text + `","status":"` + word + `","details":[{"@type":"type.googleapis.com/google.firebase.fcm.v1.FcmError","errorCode":"` + word + `"}]}}`
	}
	base := providertest.Case{
		Definition: fcm, Credentials: serviceAccount(t), NeedsID: true, Mask: assertion,
		TokenURL: "https://oauth2.googleapis.com/token", Token: providertest.Reply{Body: `{"access_token":"TOKEN","expires_in":3599}`},
		Replies: []providertest.Reply{{Body: `{"name":"projects/shop/messages/1"}`}}, Receipt: provider.Receipt{ID: "projects/shop/messages/1"},
	}
	quota := no(429, fcmSays("QUOTA_EXCEEDED", "slow"), provider.Transient, "QUOTA_EXCEEDED", "slow")
	quota.Want.RetryAfter = fcmLeastPause
	plain := base
	plain.Message = message(func(m *provider.Message) {
		m.Payload["google.x"], m.Payload["nested"] = "refused", map[string]any{"a": 1}
		m.Overrides = map[string]any{"imageUrl": "https://shop.example/i.png", "data": map[string]any{"k": true}}
	})
	plain.Failures = []providertest.Failure{
		dropping(no(404, fcmSays("UNREGISTERED", "gone"), provider.Permanent, "UNREGISTERED", "gone")),
		dropping(no(400, fcmSays("INVALID_ARGUMENT", "The registration token is not a valid FCM registration token"), provider.Permanent, "INVALID_ARGUMENT", "The registration token is not a valid FCM registration token")),
		no(400, fcmSays("INVALID_ARGUMENT", "Exactly one of registration token, topic or condition is required"), provider.Permanent, "INVALID_ARGUMENT", "Exactly one of registration token, topic or condition is required"),
		no(400, fcmSays("INVALID_ARGUMENT", "bad field"), provider.Permanent, "INVALID_ARGUMENT", "bad field"),
		no(403, fcmSays("SENDER_ID_MISMATCH", "other project"), provider.Permanent, "SENDER_ID_MISMATCH", "other project"),
		no(401, fcmSays("THIRD_PARTY_AUTH_ERROR", "no key"), provider.Permanent, "THIRD_PARTY_AUTH_ERROR", "no key"),
		quota,
	}
	providertest.Run(t, plain)
	parts := base
	parts.Name = "fcm-parts"
	parts.Message = message(func(m *provider.Message) {
		m.Overrides = map[string]any{
			"type": "data", "fcmOptions": map[string]any{"analyticsLabel": "l"},
			"android": map[string]any{"ttl": 3600000.0, "collapseKey": "c", "notification": map[string]any{"channelId": "ch", "priority": "high", "visibility": "public"}},
			"apns":    map[string]any{"payload": map[string]any{"aps": map[string]any{"contentAvailable": true, "threadId": "t"}}, "fcmOptions": map[string]any{"imageUrl": "https://shop.example/i.png"}},
			"webPush": map[string]any{"headers": map[string]any{"TTL": "60"}},
		}
		m.Merge = map[string]any{"topic": "/topics/news"}
	})
	providertest.Run(t, parts)
	to := func(over map[string]any) any {
		m := message(func(m *provider.Message) { m.Target.DeviceToken, m.Merge = "", over })
		body, err := fcmMessage(m)
		require.NoError(t, err)
		require.NotContains(t, body, "token")
		return []any{body["topic"], body["condition"]}
	}
	require.Equal(t, []any{"news", nil}, to(map[string]any{"topic": "news"}))
	texts, err := fcmMessage(message(func(m *provider.Message) { m.Payload = map[string]any{"nothing": nil, "total": 12.5} }))
	require.NoError(t, err)
	require.Equal(t, map[string]any{"nothing": "null", "total": "12.5"}, texts["data"])
	require.Equal(t, []any{nil, "'a' in topics"}, to(map[string]any{"condition": "'a' in topics"}))
	_, err = fcmMessage(message(func(m *provider.Message) { m.Target.DeviceToken = "" }))
	require.ErrorContains(t, err, "no device token")

	for text, want := range map[string]string{
		"": "JSON file", `{"project_id":"p","client_email":"e","private_key":"no"}`: "private_key",
		`{"project_id":"p","client_email":"e","token_uri":"ftp://x"}`: "token_uri", `{}`: "project_id",
	} {
		_, err := fcm.New(provider.Deps{}, provider.Credentials{"serviceAccount": text})
		require.ErrorContains(t, err, want)
	}
}

func TestAPNs(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	creds := provider.Credentials{"secretKey": pkcs8(t, key), "apiKey": "KEYID12345", "projectName": "TEAMID1234", "applicationId": "com.shop.app", "secure": "true"}
	device := func(m *provider.Message) { m.Target.DeviceToken = "<00AA bb11>" }
	base := providertest.Case{
		Definition: apns, Credentials: creds, Mask: regexp.MustCompile(`bearer \S+`),
		Replies: []providertest.Reply{{Header: map[string]string{"Apns-Id": "EC1B"}}}, Receipt: provider.Receipt{ID: "EC1B"},
	}
	longGone := dropping(no(410, `{"reason":"Unregistered","timestamp":1792587600000}`, provider.Permanent, "Unregistered", "Unregistered"))
	longGone.Want.GoneSince = time.UnixMilli(1792587600000)
	plain := base
	plain.Message = message(device)
	plain.Failures = []providertest.Failure{
		longGone,
		dropping(no(410, `{"reason":"ExpiredToken"}`, provider.Permanent, "ExpiredToken", "ExpiredToken")),
		no(400, `{"reason":"BadDeviceToken"}`, provider.Permanent, "BadDeviceToken", "BadDeviceToken"),
		no(400, `{"reason":"TopicDisallowed"}`, provider.Permanent, "TopicDisallowed", "TopicDisallowed"),
		no(429, `{"reason":"TooManyRequests"}`, provider.Transient, "TooManyRequests", "TooManyRequests"),
		no(403, `{"reason":"InvalidProviderToken"}`, provider.Fault, "InvalidProviderToken", "InvalidProviderToken"),
	}
	providertest.Run(t, plain)
	rich := base
	rich.Name = "apns-overridden"
	rich.Message = message(func(m *provider.Message) {
		device(m)
		m.Overrides = map[string]any{
			"badge": 3, "sound": "bell", "threadId": "t1", "contentAvailable": true, "locKey": "K", "priority": "5", "expiry": 0,
			"topic": "com.shop.app.voip", "pushType": "voip", "collapseId": "c1", "payload": map[string]any{"only": "this"},
		}
	})
	providertest.Run(t, rich)

	silent := base
	silent.Name = "apns-silent"
	silent.Message = message(func(m *provider.Message) {
		device(m)
		m.Content = provider.Content{}
		m.CustomData = map[string]any{"screen": "orders", "total": 13}
		m.Overrides = map[string]any{"contentAvailable": 1, "priority": 10}
		m.Merge = map[string]any{"beside": true, "aps": map[string]any{"filter-criteria": "x"}}
	})
	providertest.Run(t, silent)
	urgent := base
	urgent.Name = "apns-urgent"
	urgent.Message = message(func(m *provider.Message) {
		device(m)
		m.Overrides = map[string]any{"priority": 10, "title": "Own", "mutableContent": true, "sound": map[string]any{"name": "bell", "critical": 1, "volume": 0.5}}
	})
	providertest.Run(t, urgent)

	for kind, want := range map[string]string{
		"alert": "com.shop.app", "voip": "com.shop.app.voip", "complication": "com.shop.app.complication", "liveactivity": "com.shop.app.push-type.liveactivity",
	} {
		require.Equal(t, want, apnsTopic("com.shop.app", kind))
	}
	require.Equal(t, "com.shop.app.voip", apnsTopic("com.shop.app.voip", "voip"))

	token, err := apnsToken(key, "KEYID12345", "TEAMID1234", providertest.Now)
	require.NoError(t, err)
	parsed, err := jwt.Parse(token, func(*jwt.Token) (any, error) { return key.Public(), nil }, jwt.WithoutClaimsValidation())
	require.NoError(t, err)
	require.Equal(t, map[string]any{"alg": "ES256", "typ": "JWT", "kid": "KEYID12345"}, parsed.Header)
	require.Equal(t, jwt.MapClaims{"iss": "TEAMID1234", "iat": float64(providertest.Now.Unix())}, parsed.Claims)
	_, err = apns.New(provider.Deps{}, provider.Credentials{"secretKey": "no"})
	require.ErrorContains(t, err, "credentials.secretKey")
}

func TestExpo(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"apiKey": "MARKER-KEY"}
	ticket := func(code, text string) string {
		return `{"data":[{"status":"error","message":"` + text + `","details":{"error":"` + code + `"}}]}`
	}
	providertest.Run(t, providertest.Case{
		Definition: expo, Credentials: creds, NeedsID: true,
		Message: message(func(m *provider.Message) {
			m.Overrides = map[string]any{"sound": "default", "badge": 2, "channelId": "orders"}
			m.Merge = map[string]any{"priority": "high"}
		}),
		Replies: []providertest.Reply{{Body: `{"data":[{"status":"ok","id":"x-1"}]}`}}, Receipt: provider.Receipt{ID: "x-1"},
		Failures: []providertest.Failure{
			dropping(no(200, ticket("DeviceNotRegistered", "gone"), provider.Permanent, "DeviceNotRegistered", "gone")),
			no(200, ticket("MessageRateExceeded", "slow"), provider.Transient, "MessageRateExceeded", "slow"),
			no(200, ticket("MismatchSenderId", "other app"), provider.Permanent, "MismatchSenderId", "other app"),
			no(200, ticket("MessageTooBig", "big"), provider.Permanent, "MessageTooBig", "big"),
			dropping(no(400, `{"errors":[{"code":"VALIDATION_ERROR","message":"\"x\" is not a valid Expo push token"}]}`, provider.Permanent, "VALIDATION_ERROR", `"x" is not a valid Expo push token`)),
		},
	})
	providertest.Run(t, providertest.Case{
		Name: "expo-silent", Definition: expo, Credentials: creds, NeedsID: true, Message: message(nil),
		Replies: []providertest.Reply{{Body: `{"data":[{"status":"ok","id":"x-1"}]}`}}, Receipt: provider.Receipt{ID: "x-1"},
	})
}

func TestOneSignal(t *testing.T) {
	t.Parallel()
	for name, key := range map[string]string{"one-signal": "MARKER-OLD-KEY", "one-signal-current": "os_v2_MARKER-KEY"} {
		providertest.Run(t, providertest.Case{
			Name: name, Definition: oneSignal, Credentials: provider.Credentials{"applicationId": "app-1", "apiKey": key},
			Message: message(func(m *provider.Message) {
				m.Overrides = map[string]any{"icon": "ic", "sound": "bell", "subtitle": "Sub", "mutableContent": true, "badge": 9}
				m.Merge = map[string]any{"isIos": true, "sendAfter": "later", "contents": map[string]any{"de": "Unterwegs"}, "subtitle": map[string]any{"de": "Neu"}}
			}),
			Replies: []providertest.Reply{{Body: `{"id":"os-1","recipients":1}`}}, Receipt: provider.Receipt{ID: "os-1"},
			Failures: []providertest.Failure{
				dropping(no(200, `{"id":"","errors":{"invalid_player_ids":["device-1"]}}`, provider.Permanent, "invalid_player_ids", "the device is not known to the app")),
				no(200, ``, provider.Permanent, "", "the answer is of status 200, but says that the message was not taken"),
				no(200, `{"id":"","errors":["All included players are not subscribed"]}`, provider.Permanent, "", "All included players are not subscribed"),
				dropping(no(200, `{"id":"os-1","errors":{"invalid_player_ids":["device-1","x"]}}`, provider.Permanent, "invalid_player_ids", "the device is not known to the app")),
				no(400, `{"errors":["app_id not found"]}`, provider.Permanent, "", "app_id not found"),
			},
		})
	}
}

func TestPushpad(t *testing.T) {
	t.Parallel()
	base := providertest.Case{
		Definition: pushpad, Credentials: provider.Credentials{"apiKey": "MARKER-KEY", "applicationId": "123"}, NeedsID: true,
		Message: message(func(m *provider.Message) {
			m.Overrides = map[string]any{"targetUrl": "https://shop.example/o/1", "tags": []any{"vip"}, "actions": []any{map[string]any{"targetUrl": "https://x.example"}}}
		}),
		Replies: []providertest.Reply{{Status: 201, Body: `{"id":197123,"scheduled":1,"uids":["device-1"]}`}}, Receipt: provider.Receipt{ID: "197123"},
	}
	providertest.Run(t, base)
	nobody := base
	nobody.Name = "pushpad-nobody"
	nobody.Message = message(func(m *provider.Message) {
		m.Overrides = map[string]any{"ttl": 60}
		m.Merge = map[string]any{"notification": map[string]any{"iconUrl": "https://x.example/i.png", "ttl": 90}}
	})
	nobody.Replies = []providertest.Reply{{Status: 201, Body: `{"id":197123,"scheduled":0,"uids":[]}`}}
	nobody.Receipt.Warning = "the user has no device that can be reached"
	providertest.Run(t, nobody)
}

func TestPusherBeams(t *testing.T) {
	t.Parallel()
	providertest.Run(t, providertest.Case{
		Definition: pusher, Credentials: provider.Credentials{"instanceId": "8f9a", "secretKey": "MARKER-KEY"}, NeedsID: true,
		Message: message(func(m *provider.Message) {
			m.Overrides = map[string]any{"badge": 1, "channelId": "orders", "ttl": 60, "icon": "ic", "web": map[string]any{"timeToLive": 90}}
			m.Merge = map[string]any{"web": map[string]any{"notification": map[string]any{"deepLink": "https://shop.example"}}}
		}),
		Replies: []providertest.Reply{{Body: `{"publishId":"pubid-1"}`}}, Receipt: provider.Receipt{ID: "pubid-1"},
		Failures: []providertest.Failure{no(422, `{"error":"Unprocessable","description":"bad body"}`, provider.Permanent, "Unprocessable", "bad body")},
	})
	_, err := pusher.New(provider.Deps{}, provider.Credentials{"instanceId": "evil.example/x"})
	require.ErrorContains(t, err, "credentials.instanceId")
}

func TestAppIO(t *testing.T) {
	t.Parallel()
	creds := provider.Credentials{"apiKey": "MARKER-KEY"}
	citizen := func(m *provider.Message) {
		m.Target.DeviceToken = "AAAAAA00A00A000A"
		m.Content = provider.Content{Title: "Order shipped", Body: strings.Repeat("Your order is on its way. ", 4)}
	}
	providertest.Run(t, providertest.Case{
		Definition: appio, Credentials: creds, Message: message(citizen), NeedsID: true,
		Replies:  []providertest.Reply{{Body: `{"sender_allowed":true,"preferred_languages":["it_IT"]}`}, {Status: 201, Body: `{"id":"io-1"}`}},
		Receipt:  provider.Receipt{ID: "io-1"},
		Failures: []providertest.Failure{no(400, `{"title":"Bad","status":400,"detail":"markdown too short"}`, provider.Permanent, "", "markdown too short")},
	})
	a, err := appio.New(provider.Deps{}, creds)
	require.NoError(t, err)
	_, err = a.Send(t.Context(), message(func(m *provider.Message) { citizen(m); m.Content.Body = "short" }))
	require.ErrorContains(t, err, "80 to 10000")
	_, err = appio.New(provider.Deps{}, provider.Credentials{"AppIOBaseUrl": "https://evil.example"})
	require.ErrorContains(t, err, "AppIOBaseUrl")
}

// TestEveryProviderHasACase: a golden file, and in it or in the tests of this package what the vendor answers.
func TestEveryProviderHasACase(t *testing.T) {
	t.Parallel()
	providertest.RunFiles(t, Providers())
}
