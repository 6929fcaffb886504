package provider_test

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/secret"
)

// sealing are the three kinds of text that are stored sealed, as functions of one shape.
var sealing = map[string]struct {
	seal func(*secret.Keeper, id.ID, string) ([]byte, error)
	open func(*secret.Keeper, id.ID, []byte) (string, error)
}{
	"Credentials": {
		func(k *secret.Keeper, of id.ID, v string) ([]byte, error) {
			return provider.SealCredentials(k, of, provider.Credentials{"v": v})
		},
		func(k *secret.Keeper, of id.ID, sealed []byte) (string, error) {
			c, err := provider.OpenCredentials(k, of, sealed)
			return c.Secret("v"), err
		},
	},
	"Configurations": {
		func(k *secret.Keeper, of id.ID, v string) ([]byte, error) {
			return provider.SealConfigurations(k, of, map[string]any{"v": v})
		},
		func(k *secret.Keeper, of id.ID, sealed []byte) (string, error) {
			c, err := provider.OpenConfigurations(k, of, sealed)
			return provider.Text(c["v"]), err
		},
	},
	"Token": {provider.SealToken, provider.OpenToken},
}

// TestSealedTextsAreBound to their record and kind: one that was moved opens nowhere.
func TestSealedTextsAreBound(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	other, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	one, two := id.New(providertest.Now), id.New(providertest.Now)
	for kind, s := range sealing {
		sealed, err := s.seal(keeper, one, "hunter2")
		require.NoError(t, err)
		require.NotContains(t, string(sealed), "hunter2")
		opened, err := s.open(keeper, one, sealed)
		require.NoError(t, err)
		require.Equal(t, "hunter2", opened, kind)
		_, err = s.open(keeper, two, sealed)
		require.ErrorIs(t, err, secret.ErrBroken, kind)
		_, err = s.open(other, one, sealed)
		require.ErrorIs(t, err, secret.ErrKey, kind)
		require.NotContains(t, err.Error(), "hunter2")
		for foreign, f := range sealing {
			if foreign != kind {
				_, err = f.open(keeper, one, sealed)
				require.ErrorIs(t, err, secret.ErrBroken, "%s opened as %s", kind, foreign)
			}
		}
		opened, err = s.open(keeper, one, nil)
		require.NoError(t, err, kind)
		require.Empty(t, opened, kind)
	}
}

// TestNothingToSeal stores nothing, and what is no object is refused rather than stored.
func TestNothingToSeal(t *testing.T) {
	t.Parallel()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	of := id.New(providertest.Now)
	sealed, err := provider.SealCredentials(keeper, of, nil)
	require.NoError(t, err)
	require.Nil(t, sealed)
	sealed, err = provider.SealToken(keeper, of, "")
	require.NoError(t, err)
	require.Nil(t, sealed)
	_, err = provider.SealConfigurations(keeper, of, map[string]any{"v": make(chan int)})
	require.Error(t, err)
	broken, err := keeper.Seal([]byte("no object"), "integration.credentials:"+of)
	require.NoError(t, err)
	_, err = provider.OpenCredentials(keeper, of, broken)
	require.ErrorContains(t, err, of)
}

// TestPublicKey reads a key in the forms in which vendors show it.
func TestPublicKey(t *testing.T) {
	t.Parallel()
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	der, err := x509.MarshalPKIXPublicKey(&ec.PublicKey)
	require.NoError(t, err)
	edwards, _, err := ed25519.GenerateKey(rand.Reader)
	require.NoError(t, err)
	bare := base64.StdEncoding.EncodeToString(der)
	for name, text := range map[string]string{
		"PEM": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})), "Base64": bare, "Lines": bare[:40] + "\n " + bare[40:] + "\n",
	} {
		require.True(t, ec.PublicKey.Equal(provider.PublicKey(text)), name)
	}
	require.Equal(t, edwards, provider.PublicKey(base64.StdEncoding.EncodeToString(edwards)), "the 32 bytes alone")
	for name, text := range map[string]string{
		"Empty": "", "Words": "my key", "Cut": bare[:40], "Short": base64.StdEncoding.EncodeToString(edwards[:31]),
		"OtherPEM": string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: []byte("x")})),
	} {
		require.Nil(t, provider.PublicKey(text), name)
	}
}

// TestSignAWS: everything that decides about the message is under the signature, and a temporary key's token is sent.
func TestSignAWS(t *testing.T) {
	t.Parallel()
	key := provider.NewAWSKey(provider.Credentials{"apiKey": " AKID ", "secretKey": "SECRET"}, "sns", "eu-west-1")
	sign := func(change func(r *provider.Request, k *provider.AWSKey, body *string)) http.Header {
		r, k, body := &provider.Request{URL: "https://sns.eu-west-1.amazonaws.com/?a=1"}, key, "Action=Publish"
		change(r, &k, &body)
		return provider.SignAWS(t.Context(), r, k, "application/x-www-form-urlencoded", providertest.Now)([]byte(body))
	}
	plain := sign(func(*provider.Request, *provider.AWSKey, *string) {})
	require.Equal(t, "20250301T093000Z", plain.Get("X-Amz-Date"))
	require.Regexp(t, `^AWS4-HMAC-SHA256 Credential=AKID/20250301/eu-west-1/sns/aws4_request, SignedHeaders=content-length;content-type;host;x-amz-date, Signature=[0-9a-f]{64}$`, plain.Get("Authorization"))
	require.NotContains(t, plain, "X-Amz-Security-Token")
	signature := func(h http.Header) string {
		_, signature, _ := strings.Cut(h.Get("Authorization"), "Signature=")
		return signature
	}
	seen := map[string]string{signature(plain): "Plain"}
	for name, change := range map[string]func(r *provider.Request, k *provider.AWSKey, body *string){
		"Body": func(_ *provider.Request, _ *provider.AWSKey, body *string) { *body = "Action=Publisi" },
		"Host": func(r *provider.Request, _ *provider.AWSKey, _ *string) {
			r.URL = "https://sns.eu-west-2.amazonaws.com/?a=1"
		},
		"Path": func(r *provider.Request, _ *provider.AWSKey, _ *string) {
			r.URL = "https://sns.eu-west-1.amazonaws.com/x?a=1"
		},
		"Query":   func(r *provider.Request, _ *provider.AWSKey, _ *string) { r.Query = url.Values{"b": {"2"}} },
		"Secret":  func(_ *provider.Request, k *provider.AWSKey, _ *string) { k.Secret = "OTHER" },
		"Region":  func(_ *provider.Request, k *provider.AWSKey, _ *string) { k.Region = "us-east-1" },
		"Service": func(_ *provider.Request, k *provider.AWSKey, _ *string) { k.Service = "ses" },
		"Session": func(_ *provider.Request, k *provider.AWSKey, _ *string) { k.Session = "TEMPORARY" },
	} {
		h := sign(change)
		require.Empty(t, seen[signature(h)], "%s signs as %s does", name, seen[signature(h)])
		seen[signature(h)] = name
		require.Equal(t, name == "Session", h.Get("X-Amz-Security-Token") == "TEMPORARY", name)
	}
	require.Nil(t, sign(func(r *provider.Request, _ *provider.AWSKey, _ *string) { r.URL = "://" }))
	require.Equal(t, "NEW", provider.NewAWSKey(provider.Credentials{"sessionToken": "NEW", "token": "OLD"}, "", "").Session)
	require.Equal(t, "OLD", provider.NewAWSKey(provider.Credentials{"token": "OLD"}, "", "").Session)
}

func TestAWSEndpoint(t *testing.T) {
	t.Parallel()
	for region, want := range map[string]string{
		"eu-west-1": "https://sns.eu-west-1.amazonaws.com", "us-gov-east-1": "https://sns.us-gov-east-1.amazonaws.com", "cn-north-1": "https://sns.cn-north-1.amazonaws.com.cn",
		"": "", "mars": "", "EU-WEST-1": "", "eu-west-1.evil.example": "", "eu-west-1/": "", "u-west-1": "", "eu-": "", "eu-west-1\n": "",
	} {
		require.Equal(t, want, provider.AWSEndpoint("sns", region), region)
	}
}

// capped is a quota with a given answer, and a catcher with a given failure.
type capped struct {
	ok  bool
	err error
}

func (c capped) Take(context.Context, string, string) (bool, error)  { return c.ok, c.err }
func (c capped) Catch(context.Context, provider.CaughtMessage) error { return c.err }

type catches func(provider.CaughtMessage)

func (c catches) Catch(_ context.Context, m provider.CaughtMessage) error { c(m); return nil }

// TestDemoSenders: a full quota ends the message, one that cannot be read is tried again.
func TestDemoSenders(t *testing.T) {
	t.Parallel()
	take := func(q provider.Quota) *provider.Error {
		return provider.AsError(provider.TakeQuota(t.Context(), provider.Deps{Quota: q}, "svc-email", "m"))
	}
	require.Nil(t, take(nil))
	require.Nil(t, take(capped{ok: true}))
	require.Equal(t, provider.Permanent, take(capped{}).Class)
	require.Equal(t, "DEMO_QUOTA", take(capped{}).Code)
	require.Equal(t, &provider.Error{Class: provider.Transient, Text: "the demo quota could not be read"}, take(capped{err: errors.New("secret host")}))

	var caught provider.CaughtMessage
	_, err := provider.Caught(t.Context(), provider.Deps{Catcher: catches(func(m provider.CaughtMessage) { caught = m })},
		provider.CaughtMessage{Target: strings.Repeat("t", 1023) + "ü"})
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("t", 1023), caught.Target, "the catcher's index takes no longer one")
	message := provider.CaughtMessage{MessageID: "m-1"}
	receipt, err := provider.Caught(t.Context(), provider.Deps{Catcher: capped{}}, message)
	require.NoError(t, err)
	require.Equal(t, &provider.Receipt{ID: "m-1"}, receipt)
	_, err = provider.Caught(t.Context(), provider.Deps{Catcher: capped{err: errors.New("secret host")}}, message)
	require.EqualError(t, err, "transient: the catcher could not store the message")
	_, err = provider.Caught(t.Context(), provider.Deps{}, message)
	require.Equal(t, provider.Fault, provider.AsError(err).Class)
}
