package webhook_test

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/rest/client/webhook"
)

// The vector of the specification's own libraries.
const (
	secret    = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
	body      = `{"test": 2432232314}`
	signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
	sentAt    = 1614265330
)

var another = "whsec_" + base64.StdEncoding.EncodeToString([]byte("another key, of thirty-two bytes"))

func header(id, timestamp, signatures string) http.Header {
	h := http.Header{}
	h.Set("Webhook-Id", id)
	h.Set("Webhook-Timestamp", timestamp)
	h.Set("Webhook-Signature", signatures)
	return h
}

func TestVerify(t *testing.T) {
	t.Parallel()
	const id = "msg_p5jXN8AQM9LWM0D4loKWxJek"
	at := fmt.Sprint(sentAt)
	for name, c := range map[string]struct {
		header  http.Header
		body    string
		secrets []string
		late    time.Duration
		want    error
	}{
		"Vector":           {header(id, at, signature), body, []string{secret}, 0, nil},
		"WithoutPrefix":    {header(id, at, signature), body, []string{strings.TrimPrefix(secret, "whsec_")}, 0, nil},
		"SeveralOfThem":    {header(id, at, "v1a,AAAA v1,AAAA "+signature), body, []string{secret}, 0, nil},
		"RotatedSecret":    {header(id, at, signature), body, []string{another, secret}, 0, nil},
		"AtTheTolerance":   {header(id, at, signature), body, []string{secret}, 5 * time.Minute, nil},
		"TooOld":           {header(id, at, signature), body, []string{secret}, 5*time.Minute + time.Second, webhook.ErrTime},
		"TooNew":           {header(id, at, signature), body, []string{secret}, -5*time.Minute - time.Second, webhook.ErrTime},
		"OtherSecret":      {header(id, at, signature), body, []string{another}, 0, webhook.ErrSignature},
		"OtherBody":        {header(id, at, signature), body + " ", []string{secret}, 0, webhook.ErrSignature},
		"OtherID":          {header("msg_2", at, signature), body, []string{secret}, 0, webhook.ErrSignature},
		"OtherTime":        {header(id, fmt.Sprint(sentAt+1), signature), body, []string{secret}, 0, webhook.ErrSignature},
		"OtherVersion":     {header(id, at, strings.Replace(signature, "v1", "v2", 1)), body, []string{secret}, 0, webhook.ErrSignature},
		"WithoutVersion":   {header(id, at, strings.TrimPrefix(signature, "v1,")), body, []string{secret}, 0, webhook.ErrSignature},
		"WithoutID":        {header("", at, signature), body, []string{secret}, 0, webhook.ErrHeaders},
		"WithoutSignature": {header(id, at, ""), body, []string{secret}, 0, webhook.ErrHeaders},
		"TimeOfWords":      {header(id, "yesterday", signature), body, []string{secret}, 0, webhook.ErrHeaders},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			v, err := webhook.New(c.secrets...)
			require.NoError(t, err)
			v.Now = func() time.Time { return time.Unix(sentAt, 0).Add(c.late) }
			require.ErrorIs(t, v.Verify(c.header, []byte(c.body)), c.want)

			r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(c.body))
			r.Header = c.header
			read, err := v.Read(r)
			require.ErrorIs(t, err, c.want)
			if c.want == nil {
				require.Equal(t, c.body, string(read))
			}
		})
	}
}

func TestReadRefusesWhatIsTooLarge(t *testing.T) {
	t.Parallel()
	v, err := webhook.New(secret)
	require.NoError(t, err)
	v.MaxBody = int64(len(body)) - 1
	_, err = v.Read(httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
	require.ErrorIs(t, err, webhook.ErrTooLarge)
}

func TestNewRefusesSecretsThatAreNone(t *testing.T) {
	t.Parallel()
	for _, secrets := range [][]string{nil, {""}, {"whsec_"}, {"whsec_not base64"}, {secret, "c2hvcnQ="}} {
		_, err := webhook.New(secrets...)
		require.Error(t, err, "%q", secrets)
	}
}
