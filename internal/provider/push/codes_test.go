package push

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
)

// answers is a vendor that always answers so, after what it answers by path.
func answers(status int, body string, paths map[string]string) http.RoundTripper {
	return roundTrip(func(r *http.Request) (*http.Response, error) {
		said := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}
		if first, ok := paths[r.URL.Path]; ok {
			said.StatusCode, said.Body = http.StatusOK, io.NopCloser(strings.NewReader(first))
		}
		return said, nil
	})
}

func appleKey(t *testing.T) provider.Credentials {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return provider.Credentials{"secretKey": pkcs8(t, key), "apiKey": "KEYID12345", "projectName": "TEAMID1234", "applicationId": "com.shop.app"}
}

// TestCodesOfVendors are those of push-chat.md: what is the account's fault, what passes, what concerns this message alone,
// and which of them mean that the device is gone (a * before the code).
func TestCodesOfVendors(t *testing.T) {
	t.Parallel()
	citizen := message(func(m *provider.Message) { m.Content.Body = strings.Repeat("Your order is on its way. ", 4) })
	for name, c := range map[string]struct {
		definition  provider.Definition
		credentials provider.Credentials
		message     *provider.Message
		paths       map[string]string
		status      int
		answer      string // %s is the code
		want        map[provider.Class]string
	}{
		"FCM": {
			fcm, serviceAccount(t), message(nil),
			map[string]string{"/token": `{"access_token":"T","expires_in":3599}`},
			400,
			`{"error":{"message":"m","status":"OTHER","details":[{"@type":"x"},{"errorCode":"%s"}]}}`,
			map[provider.Class]string{
				provider.Permanent: "*UNREGISTERED INVALID_ARGUMENT SENDER_ID_MISMATCH THIRD_PARTY_AUTH_ERROR UNSPECIFIED_ERROR",
				provider.Transient: "QUOTA_EXCEEDED RESOURCE_EXHAUSTED UNAVAILABLE INTERNAL", provider.Fault: "UNAUTHENTICATED",
			},
		},
		"FCMStatus": {
			fcm, serviceAccount(t), message(nil),
			map[string]string{"/token": `{"access_token":"T","expires_in":3599}`},
			400,
			`{"error":{"message":"m","status":"%s"}}`,
			map[provider.Class]string{provider.Fault: "UNAUTHENTICATED", provider.Transient: "UNAVAILABLE", provider.Permanent: "NOT_FOUND"},
		},
		"APNs": {
			apns, appleKey(t), message(func(m *provider.Message) { m.Target.DeviceToken = "00aa" }), nil, 400, `{"reason":"%s"}`,
			map[provider.Class]string{
				provider.Permanent: "*Unregistered *ExpiredToken BadDeviceToken DeviceTokenNotForTopic PayloadTooLarge BadTopic TopicDisallowed",
				provider.Fault:     "InvalidProviderToken MissingProviderToken Forbidden", provider.Transient: "ExpiredProviderToken",
			},
		},
		"Expo": {
			expo,
			provider.Credentials{"apiKey": "k"},
			message(nil), nil, 200, `{"data":[{"status":"error","details":{"error":"%s"}}]}`,
			map[provider.Class]string{
				provider.Permanent: "*DeviceNotRegistered MismatchSenderId MessageTooBig", provider.Fault: "InvalidCredentials",
				provider.Transient: "MessageRateExceeded",
			},
		},
		"ExpoErrors": {
			expo,
			provider.Credentials{"apiKey": "k"},
			message(nil), nil, 400, `{"errors":[{"code":"%s","message":"m"}]}`,
			map[provider.Class]string{provider.Fault: "UNAUTHORIZED", provider.Transient: "TOO_MANY_REQUESTS", provider.Permanent: "PUSH_TOO_MANY_EXPERIENCE_IDS"},
		},
		"PusherBeams": {
			pusher,
			provider.Credentials{"instanceId": "8f9a", "secretKey": "k"},
			message(nil), nil, 422, `{"error":"%s","description":"d"}`,
			map[provider.Class]string{provider.Permanent: "Unprocessable"},
		},
		"AppIO": {
			appio,
			provider.Credentials{"apiKey": "k"},
			citizen, nil, 200, `{"sender_allowed":false,"title":"%s"}`,
			map[provider.Class]string{provider.Permanent: "sender_not_allowed"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			registry, err := provider.NewRegistry(c.definition)
			require.NoError(t, err)
			for class, codes := range c.want {
				for code := range strings.FieldsSeq(codes) {
					code, gone := strings.CutPrefix(code, "*")
					vendor := answers(c.status, fmt.Sprintf(c.answer, code), c.paths)
					adapter, err := registry.Open(provider.Deps{Vendor: vendor, Chosen: vendor}, c.definition.ID, c.credentials)
					require.NoError(t, err)
					_, err = adapter.Send(t.Context(), c.message)
					failure := provider.AsError(err)
					require.NotNil(t, failure, code)
					require.Equal(t, []any{class, code, gone}, []any{failure.Class, failure.Code, failure.DropToken}, code)
					require.Equal(t, code == "QUOTA_EXCEEDED" || code == "RESOURCE_EXHAUSTED", failure.RetryAfter == fcmLeastPause, "%s: %s", code, failure.RetryAfter)
				}
			}
		})
	}
}

// TestBadTokensOfFCM: only the vendor's words for a token that is none let the token go.
func TestBadTokensOfFCM(t *testing.T) {
	t.Parallel()
	creds := serviceAccount(t)
	for text, gone := range map[string]bool{
		"The registration token is not a valid FCM registration token":      true,
		"The registration token is invalid":                                 true,
		"Invalid registration token provided":                               true,
		"MALFORMED registration token":                                      true,
		"Exactly one of registration token, topic or condition is required": false,
		"Invalid value at 'message.data'":                                   false,
		"Request contains an invalid argument.":                             false,
	} {
		vendor := answers(400, `{"error":{"status":"INVALID_ARGUMENT","message":"`+text+`"}}`, map[string]string{"/token": `{"access_token":"T","expires_in":3599}`})
		adapter, err := fcm.New(provider.Deps{Vendor: vendor, Chosen: vendor, Now: time.Now}, creds)
		require.NoError(t, err)
		_, err = adapter.Send(t.Context(), message(nil))
		failure := provider.AsError(err)
		require.NotNil(t, failure, text)
		require.Equal(t, gone, failure.DropToken, text)
	}
}

// TestNoTarget: nothing is sent without one, and the failure is this message's alone.
func TestNoTarget(t *testing.T) {
	t.Parallel()
	unheard := roundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("unexpected call of %s", r.URL.Host)
	})
	for _, c := range []struct {
		definition  provider.Definition
		credentials provider.Credentials
		token, text string
	}{
		{fcm, serviceAccount(t), "", "the message has no device token"},
		{apns, appleKey(t), "", "the message has no device token"},
		{apns, appleKey(t), "<>- xyz", "the message has no device token"},
		{expo, provider.Credentials{"apiKey": "k"}, "", "the message has no device token"},
		{oneSignal, provider.Credentials{"applicationId": "a", "apiKey": "k"}, "", "the message has no device token"},
		{pusher, provider.Credentials{"instanceId": "8f9a", "secretKey": "k"}, "", "the message has no device token"},
		{appio, provider.Credentials{"apiKey": "k"}, "", "the message has no fiscal code"},
		{webhook, provider.Credentials{"webhookUrl": "https://push.example.com/x", "secretKey": "k"}, "", "the message has no device token"},
	} {
		adapter, err := c.definition.New(provider.Deps{Vendor: unheard, Chosen: unheard, Now: time.Now}, c.credentials)
		require.NoError(t, err, c.definition.ID)
		_, err = adapter.Send(t.Context(), message(func(m *provider.Message) { m.Target.DeviceToken = c.token }))
		failure := provider.AsError(err)
		require.NotNil(t, failure, c.definition.ID)
		require.Equal(t, []any{provider.Permanent, c.text, false}, []any{failure.Class, failure.Text, failure.DropToken}, c.definition.ID)
	}
}

// TestUnsendableKeyOfAppIO: one that the message brings is no fault of the integration.
func TestUnsendableKeyOfAppIO(t *testing.T) {
	t.Parallel()
	unheard := roundTrip(func(r *http.Request) (*http.Response, error) {
		return nil, fmt.Errorf("unexpected call of %s", r.URL.Host)
	})
	for _, c := range []struct {
		own, given string
		want       provider.Class
	}{{"k\n", "", provider.Fault}, {"k", "k\n", provider.Permanent}} {
		adapter, err := appio.New(provider.Deps{Vendor: unheard, Chosen: unheard}, provider.Credentials{"apiKey": c.own})
		require.NoError(t, err)
		_, err = adapter.Send(t.Context(), message(func(m *provider.Message) {
			m.Content.Title, m.Content.Body = strings.Repeat("a", 20), strings.Repeat("a", 80)
			m.Overrides = map[string]any{"apiKey": c.given}
		}))
		require.Equal(t, c.want, provider.AsError(err).Class)
	}
}

// TestBoundsOfAppIO are counted in characters, at both ends.
func TestBoundsOfAppIO(t *testing.T) {
	t.Parallel()
	letters := func(n int) string { return strings.Repeat("ß", n) }
	for _, c := range []struct {
		title, body int
		text        string
	}{
		{10, 80, ""},
		{120, 10_000, ""},
		{9, 80, "the title must have 10 to 120 characters, it has 9"},
		{121, 80, "the title must have 10 to 120 characters, it has 121"},
		{10, 79, "the content must have 80 to 10000 characters, it has 79"},
		{10, 10_001, "the content must have 80 to 10000 characters, it has 10001"},
	} {
		m := message(func(m *provider.Message) { m.Content.Title, m.Content.Body = letters(c.title), letters(c.body) })
		err := appioCheck(m, "key")
		if c.text == "" {
			require.NoError(t, err)
			continue
		}
		require.Equal(t, []any{provider.Permanent, c.text}, []any{provider.AsError(err).Class, provider.AsError(err).Text})
	}
	require.Equal(t, provider.Fault, provider.AsError(appioCheck(message(nil), "")).Class, "no key: of the integration")
}

// TestPartsOfFCM in the spelling of the SDKs become those of the API; what it does not know stays, and what was given is not
// written to.
func TestPartsOfFCM(t *testing.T) {
	t.Parallel()
	type object = map[string]any
	for name, c := range map[string]struct {
		translate   func(map[string]any) map[string]any
		given, want object
	}{
		"Duration":  {fcmAndroid, object{"ttl": 1500}, object{"ttl": "1.5s"}},
		"OwnForm":   {fcmAndroid, object{"ttl": "60s", "collapseKey": "c", "x": 1}, object{"ttl": "60s", "collapse_key": "c", "x": 1}},
		"Priority":  {fcmAndroid, object{"notification": object{"priority": "max", "channelId": "c"}}, object{"notification": object{"notification_priority": "PRIORITY_MAX", "channel_id": "c"}}},
		"Prefixed":  {fcmAndroid, object{"notification": object{"priority": "PRIORITY_LOW", "visibility": "secret"}}, object{"notification": object{"notification_priority": "PRIORITY_LOW", "visibility": "SECRET"}}},
		"NotObject": {fcmAndroid, object{"notification": "text"}, object{"notification": "text"}},
		"Image":     {fcmAPNs, object{"fcmOptions": object{"imageUrl": "u"}, "headers": object{"apns-priority": "5"}}, object{"fcmOptions": object{"image": "u"}, "headers": object{"apns-priority": "5"}}},
	} {
		before := fmt.Sprint(c.given)
		require.Equal(t, c.want, c.translate(c.given), name)
		require.Equal(t, before, fmt.Sprint(c.given), name)
	}
}

// TestHeadersOfAPNs: the type goes by the content unless it is named, and a silent push has the one priority that Apple takes.
func TestHeadersOfAPNs(t *testing.T) {
	t.Parallel()
	a := &apnsAdapter{topic: "com.shop.app"}
	silent := map[string]any{"aps": map[string]any{"content-available": 1}}
	alert := map[string]any{"aps": map[string]any{"alert": "x", "content-available": 1}}
	for name, c := range map[string]struct {
		over, body map[string]any
		want       map[string]string
	}{
		"Alert":   {nil, alert, map[string]string{"Apns-Push-Type": "alert"}},
		"Silent":  {map[string]any{"priority": "10"}, silent, map[string]string{"Apns-Push-Type": "background", "Apns-Priority": "5"}},
		"Default": {map[string]any{"priority": 10}, alert, map[string]string{"Apns-Push-Type": "alert"}},
		"Low":     {map[string]any{"priority": 1}, alert, map[string]string{"Apns-Push-Type": "alert", "Apns-Priority": "1"}},
		"Named":   {map[string]any{"pushType": "liveactivity", "apnsId": "id", "collapseId": "c"}, alert, map[string]string{"Apns-Push-Type": "liveactivity", "Apns-Topic": "com.shop.app.push-type.liveactivity", "Apns-Id": "id", "Apns-Collapse-Id": "c"}},
		"Expiry":  {map[string]any{"expiration": 0, "topic": "own"}, alert, map[string]string{"Apns-Push-Type": "alert", "Apns-Expiration": "0", "Apns-Topic": "own"}},
	} {
		m := message(nil)
		want := map[string]string{"Apns-Topic": "com.shop.app", "Apns-Collapse-Id": m.ID}
		maps.Copy(want, c.want)
		got := map[string]string{}
		for header, values := range a.headers(m, c.over, c.body) {
			got[header] = strings.Join(values, ",")
		}
		require.Equal(t, want, got, name)
	}
}

// TestTokenOfAPNs is signed by the real time, and kept for its life by the environment's clock, wherever that was moved to: the vendor
// refuses tokens that are renewed too often.
func TestTokenOfAPNs(t *testing.T) {
	t.Parallel()
	moved := providertest.Now.AddDate(0, 0, 3)
	var tokens []string
	vendor := roundTrip(func(r *http.Request) (*http.Response, error) {
		tokens = append(tokens, r.Header.Get("Authorization"))
		return answers(200, "", nil).RoundTrip(r)
	})
	adapter, err := apns.New(provider.Deps{
		Vendor: vendor, Now: func() time.Time { return providertest.Now }, Clock: func() time.Time { return moved },
	}, appleKey(t))
	require.NoError(t, err)
	for _, step := range []time.Duration{0, 0, apnsTokenLife - 1, 1, 0} {
		moved = moved.Add(step)
		_, err = adapter.Send(t.Context(), message(func(m *provider.Message) { m.Target.DeviceToken = "abcd" }))
		require.NoError(t, err)
	}
	require.Equal(t, tokens[0], tokens[1])
	require.Equal(t, tokens[0], tokens[2])
	require.NotEqual(t, tokens[0], tokens[3])
	require.Equal(t, tokens[3], tokens[4])
}

// TestTokensOfFCM: an access token belongs to the server that gave it as well, of which a service account may name another one.
func TestTokensOfFCM(t *testing.T) {
	t.Parallel()
	creds, tokens := serviceAccount(t), provider.NewTokens()
	var sent []string
	vendor := roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.URL.Host == "fcm.googleapis.com" {
			sent = append(sent, r.Header.Get("Authorization"))
			return answers(200, `{"name":"n"}`, nil).RoundTrip(r)
		}
		return answers(200, `{"access_token":"of `+r.URL.Host+`","expires_in":3599}`, nil).RoundTrip(r)
	})
	elsewhere := provider.Credentials{
		"serviceAccount": strings.ReplaceAll(creds.Secret("serviceAccount"), "oauth2.googleapis.com", "oauth.proxy.example"),
	}
	for _, c := range []provider.Credentials{creds, elsewhere, creds} {
		adapter, err := fcm.New(provider.Deps{Vendor: vendor, Chosen: vendor, Now: time.Now, Tokens: tokens}, c)
		require.NoError(t, err)
		_, err = adapter.Send(t.Context(), message(nil))
		require.NoError(t, err)
	}
	require.Equal(t, []string{"Bearer of oauth2.googleapis.com", "Bearer of oauth.proxy.example", "Bearer of oauth2.googleapis.com"}, sent)
}
