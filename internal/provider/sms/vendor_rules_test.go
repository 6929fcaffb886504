package sms

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

func TestMistakesInCredentials(t *testing.T) {
	t.Parallel()
	_, err := sns.New(provider.Deps{}, provider.Credentials{"region": "https://evil.example"})
	require.ErrorContains(t, err, "credentials.region")
	for _, text := range []string{"", "endpoint=https://x.example", "endpoint=ftp://x;accesskey=TQ==", "endpoint=https://x.example;accesskey=%%"} {
		_, err = azure.New(provider.Deps{}, provider.Credentials{"accessKey": text})
		require.ErrorContains(t, err, "credentials.accessKey", text)
	}
}

func TestAPlanUnderEitherName(t *testing.T) {
	t.Parallel()
	c := provider.Credentials{"apiToken": "t", "from": "Shop"}
	require.ErrorContains(t, sinch.Validate(c), "credentials.accountSid")
	c["servicePlanId"] = "plan"
	require.NoError(t, sinch.Validate(c))
}

func TestParts(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int{
		strings.Repeat("a", 160): 1, strings.Repeat("a", 161): 2, strings.Repeat("€", 80): 1, strings.Repeat("€", 81): 2,
		strings.Repeat("ж", 70): 1, strings.Repeat("ж", 71): 2,
		// No character of two places is divided: 76 of 153 places, 33 of 67.
		strings.Repeat("€", 4*76): 4, strings.Repeat("€", 4*76+1): 5, strings.Repeat("🚚", 4*33): 4, strings.Repeat("🚚", 4*33+1): 5,
		strings.Repeat("a", 152) + "€" + strings.Repeat("a", 151): 2, strings.Repeat("a", 152) + "€" + strings.Repeat("a", 152): 3,
	} {
		require.Equal(t, want, parts(text))
	}
}

func TestMoment(t *testing.T) {
	t.Parallel()
	want := time.Date(2026, 1, 21, 10, 11, 12, 0, time.UTC)
	for _, text := range []string{
		"2026-01-21T10:11:12Z", "2026-01-21T11:11:12+01:00", "2026-01-21T11:11:12+0100", "2026-01-21T10:11:12", "2026-01-21 10:11:12",
		"1768990272", "1768990272000", "Wed, 21 Jan 2026 10:11:12 GMT", "Wed, 21 Jan 2026 11:11:12 +0100",
	} {
		require.Equal(t, want, moment(text).Truncate(time.Second), text)
	}
	for _, text := range []string{"", "soon", "0", "-1"} {
		require.Zero(t, moment(text), text)
	}
}

func TestHostsOfKannel(t *testing.T) {
	t.Parallel()
	for host, want := range map[string]string{
		"sms.example.com": "sms.example.com:13013", "192.0.2.7": "192.0.2.7:13013", "2001:db8::7": "[2001:db8::7]:13013",
		"[2001:db8::7]": "[2001:db8::7]:13013", "http://sms.example.com/": "sms.example.com:13013",
	} {
		var asked string
		vendor := roundTrip(func(r *http.Request) (*http.Response, error) {
			asked = r.URL.Host
			return answers{202, "0: Accepted for delivery"}.RoundTrip(r)
		})
		creds := provider.Credentials{"host": host, "port": "13013", "from": "Shop"}
		_, failure := send(t, kannel, creds, vendor, providertest.Message(workflow.ChannelSMS))
		require.Nil(t, failure, host)
		require.Equal(t, want, asked, host)
	}
}
