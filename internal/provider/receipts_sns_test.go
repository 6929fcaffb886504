package provider_test

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"math/big"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

const (
	snsCertificate = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem"
	snsIssuer      = "http://crt.r2m01.amazontrust.com/r2m01.cer"
)

// authority is a certificate with the key that signs others.
type authority struct {
	certificate *x509.Certificate
	key         crypto.Signer
}

// certify makes a certificate; a nil parent signs itself.
func certify(t *testing.T, parent *authority, template *x509.Certificate, key crypto.Signer) *authority {
	t.Helper()
	template.SerialNumber, template.NotBefore = big.NewInt(time.Now().UnixNano()), reportTime.Add(-time.Hour)
	if template.NotAfter.IsZero() {
		template.NotAfter = reportTime.Add(time.Hour)
	}
	own := &authority{key: key}
	if parent == nil {
		parent = &authority{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.certificate, key.Public(), parent.key)
	require.NoError(t, err)
	own.certificate, err = x509.ParseCertificate(der)
	require.NoError(t, err)
	return own
}

func newAuthority(t *testing.T, parent *authority, name string) *authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return certify(t, parent, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true}, key)
}

// amazonSNS is the SNS of a region: a key under a certificate that an intermediate authority issued.
type amazonSNS struct {
	roots  *x509.CertPool
	key    *rsa.PrivateKey
	served map[string][]byte
	leaf   *x509.Certificate // what the certificate says, before it is signed
	issuer *authority
}

var snsKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

func newAmazonSNS(t *testing.T) *amazonSNS {
	t.Helper()
	root := newAuthority(t, nil, "root")
	key, err := snsKey()
	require.NoError(t, err)
	a := &amazonSNS{
		roots: x509.NewCertPool(), key: key, served: map[string][]byte{}, issuer: newAuthority(t, root, "issuer"),
		leaf: &x509.Certificate{
			Subject: pkix.Name{CommonName: "sns.amazonaws.com"}, DNSNames: []string{"sns.amazonaws.com"}, IssuingCertificateURL: []string{snsIssuer},
		},
	}
	a.roots.AddCert(root.certificate)
	a.served[snsIssuer] = a.issuer.certificate.Raw
	return a
}

// serve publishes the certificate at an address, alone as SNS does.
func (a *amazonSNS) serve(t *testing.T, address string) {
	t.Helper()
	leaf := certify(t, a.issuer, a.leaf, a.key)
	a.served[address] = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.certificate.Raw})
}

func (a *amazonSNS) fetch(address string) ([]byte, error) {
	raw, ok := a.served[address]
	if !ok {
		return nil, errors.New("nothing is there")
	}
	return raw, nil
}

// signed is a message of SNS with its signature.
func (a *amazonSNS) signed(t *testing.T, version string, names ...string) map[string]string {
	t.Helper()
	message := map[string]string{"SignatureVersion": version, "SigningCertURL": snsCertificate}
	var text strings.Builder
	for i := 0; i < len(names); i += 2 {
		message[names[i]] = names[i+1]
		text.WriteString(names[i] + "\n" + names[i+1] + "\n")
	}
	hash, sum := crypto.SHA256, sha256.Sum256([]byte(text.String()))
	digest := sum[:]
	if version == "1" {
		weak := sha1.Sum([]byte(text.String()))
		hash, digest = crypto.SHA1, weak[:]
	}
	signature, err := rsa.SignPKCS1v15(rand.Reader, a.key, hash, digest)
	require.NoError(t, err)
	message["Signature"] = base64.StdEncoding.EncodeToString(signature)
	return message
}

func (a *amazonSNS) inbound(t *testing.T, message map[string]string, topic string) *provider.Inbound {
	t.Helper()
	body, err := json.Marshal(message)
	require.NoError(t, err)
	return &provider.Inbound{Body: body, Key: topic, Now: reportTime, Header: http.Header{}, Fetch: a.fetch, Roots: a.roots}
}

const sesBounce = `{"notificationType":"Bounce","mail":{"messageId":"ses1"},"bounce":{"bounceType":"Permanent","timestamp":"2025-03-01T12:00:00Z","bouncedRecipients":[{"emailAddress":"a@b.c","diagnosticCode":"550"}]}}`

func (a *amazonSNS) bounce(t *testing.T) map[string]string {
	t.Helper()
	return a.signed(t, "2", "Message", sesBounce, "MessageId", "m1", "Timestamp", "2025-03-01T12:00:00.000Z", "TopicArn", "arn", "Type", "Notification")
}

func TestReceiptsOfSES(t *testing.T) {
	t.Parallel()
	a := newAmazonSNS(t)
	a.serve(t, snsCertificate)
	got, err := provider.ReadReceipts("ses", a.inbound(t, a.bounce(t), ""))
	require.NoError(t, err)
	require.Equal(t, []provider.Reported{{
		EventID: "m1:0", Kind: workflow.ReceiptBounced, MessageID: "ses1", Recipient: "a@b.c", At: reportTime, Permanent: true, Detail: "550",
	}}, got.List)
	require.False(t, got.Proven, "anybody may have a topic")
	got, err = provider.ReadReceipts("ses", a.inbound(t, a.bounce(t), "arn"))
	require.NoError(t, err)
	require.True(t, got.Proven)
}

// TestCertificateOfSNS comes only from where SNS publishes it, names SNS, is valid now and leads to a trusted root.
func TestCertificateOfSNS(t *testing.T) {
	t.Parallel()
	const file = "/SimpleNotificationService-0123456789abcdef.pem"
	for name, c := range map[string]struct {
		address string
		names   []string
		change  func(*testing.T, *amazonSNS)
		ok      bool
	}{
		"SharedName":  {ok: true},
		"RegionsName": {names: []string{"sns.eu-west-1.amazonaws.com"}, ok: true},
		"SigningName": {names: []string{"sns-signing.eu-west-1.amazonaws.com"}, ok: true},
		"China":       {address: "https://sns.cn-north-1.amazonaws.com.cn" + file, names: []string{"sns-cn-north-1.amazonaws.com.cn"}, ok: true},
		"OtherName":   {names: []string{"s3.amazonaws.com"}},
		"OtherRegion": {names: []string{"sns.us-east-1.amazonaws.com"}},
		"CommonName":  {names: []string{}, ok: true},
		"NoName":      {names: []string{}},
		"WithItsChain": {ok: true, change: func(_ *testing.T, a *amazonSNS) {
			a.served[snsCertificate] = append(a.served[snsCertificate], pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.issuer.certificate.Raw})...)
			delete(a.served, snsIssuer)
		}},
		"UntrustedRoot": {change: func(_ *testing.T, a *amazonSNS) { a.roots = x509.NewCertPool() }},
		"ForeignIssuer": {change: func(t *testing.T, a *amazonSNS) {
			t.Helper()
			a.served[snsIssuer] = newAuthority(t, nil, "issuer").certificate.Raw
		}},
		"IssuerElsewhere": {change: func(t *testing.T, a *amazonSNS) {
			t.Helper()
			a.elsewhere(t, "http://crt.evil.example/x.cer")
		}},
		"IssuerInside": {change: func(t *testing.T, a *amazonSNS) {
			t.Helper()
			a.elsewhere(t, "http://169.254.169.254/x.cer")
		}},
		"SelfSigned": {change: func(t *testing.T, a *amazonSNS) {
			t.Helper()
			own := certify(t, nil, a.leaf, a.key)
			a.served[snsCertificate] = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.certificate.Raw})
		}},
		"Expired": {change: func(t *testing.T, a *amazonSNS) {
			t.Helper()
			a.leaf.NotAfter = reportTime.Add(-time.Minute)
			a.serve(t, snsCertificate)
		}},
		"NoCertificate":  {change: func(_ *testing.T, a *amazonSNS) { a.served[snsCertificate] = []byte("<html>") }},
		"Plain":          {address: "http://sns.eu-west-1.amazonaws.com" + file},
		"Query":          {address: snsCertificate + "?x=1"},
		"EmptyQuery":     {address: snsCertificate + "?"},
		"Fragment":       {address: snsCertificate + "#x"},
		"Port":           {address: "https://sns.eu-west-1.amazonaws.com:444" + file},
		"User":           {address: "https://u@sns.eu-west-1.amazonaws.com" + file},
		"OtherFile":      {address: "https://sns.eu-west-1.amazonaws.com/x.pem"},
		"Folder":         {address: "https://sns.eu-west-1.amazonaws.com/a" + file},
		"NoHex":          {address: "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-xyz.pem"},
		"Encoded":        {address: "https://sns.eu-west-1.amazonaws.com/%2e%2e" + file},
		"Action":         {address: "https://sns.eu-west-1.amazonaws.com/?Action=GetTopic" + file},
		"OtherDomain":    {address: "https://sns.evil.com" + file},
		"Suffix":         {address: "https://sns.amazonaws.com.evil.com" + file},
		"Bucket":         {address: "https://sns.s3.amazonaws.com" + file},
		"BucketOfRegion": {address: "https://sns.s3-eu-west-1.amazonaws.com" + file},
		"RegionOfBucket": {address: "https://sns.eu-west-1.s3.amazonaws.com" + file},
		"ChinaElsewhere": {address: "https://sns.cn-north-1.amazonaws.com" + file},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := newAmazonSNS(t)
			if c.names != nil {
				a.leaf.DNSNames = c.names
			}
			if name == "NoName" {
				a.leaf.Subject = pkix.Name{CommonName: "Amazon"}
			}
			address := c.address
			if address == "" {
				address = snsCertificate
			}
			a.serve(t, address)
			if c.change != nil {
				c.change(t, a)
			}
			message := a.bounce(t)
			message["SigningCertURL"] = address
			_, err := provider.ReadReceipts("ses", a.inbound(t, message, ""))
			if c.ok {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, provider.ErrSignature)
		})
	}
}

// elsewhere lets the certificate name another place of its issuer's certificate, where that is.
func (a *amazonSNS) elsewhere(t *testing.T, address string) {
	t.Helper()
	a.served[address] = a.served[snsIssuer]
	a.leaf.IssuingCertificateURL = []string{address}
	a.serve(t, snsCertificate)
}

// TestSubscriptionOfSNS: the address to confirm at comes only from a message that Amazon signed, and leads only to Amazon.
func TestSubscriptionOfSNS(t *testing.T) {
	t.Parallel()
	a := newAmazonSNS(t)
	a.serve(t, snsCertificate)
	subscription := func(subscribe string) map[string]string {
		return a.signed(t, "1", "Message", "You have chosen", "MessageId", "m1", "SubscribeURL", subscribe, "Timestamp", "2025-03-01T11:00:00.000Z",
			"Token", "tok", "TopicArn", "arn", "Type", "SubscriptionConfirmation")
	}
	const confirm = "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&TopicArn=arn&Token=tok"
	got, err := provider.ReadReceipts("ses", a.inbound(t, subscription(confirm), "arn"))
	require.NoError(t, err)
	require.Equal(t, provider.Reports{Confirm: confirm, Proven: true}, got)

	_, err = provider.ReadReceipts("ses", a.inbound(t, subscription(confirm), "arn:of:another:topic"))
	require.ErrorIs(t, err, provider.ErrSignature)
	forged := subscription(confirm)
	forged["SubscribeURL"] += "x"
	_, err = provider.ReadReceipts("ses", a.inbound(t, forged, "arn"))
	require.ErrorIs(t, err, provider.ErrSignature)
	for _, elsewhere := range []string{"https://example.com/?Action=ConfirmSubscription", "http://sns.eu-west-1.amazonaws.com/", "https://169.254.169.254/"} {
		_, err = provider.ReadReceipts("ses", a.inbound(t, subscription(elsewhere), "arn"))
		require.ErrorIs(t, err, provider.ErrMalformed, elsewhere)
	}
}
