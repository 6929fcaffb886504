package providertest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // topics of signature version 1 sign with it
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
)

// Where the certificates are published.
const (
	SNSCertificate = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef.pem"
	SNSIssuer      = "http://crt.r2m01.amazontrust.com/r2m01.cer"
)

// Authority is a certificate with the key that signs others.
type Authority struct {
	Certificate *x509.Certificate
	Key         crypto.Signer
}

// Certify makes a certificate; a nil parent signs itself.
func Certify(t *testing.T, parent *Authority, template *x509.Certificate, key crypto.Signer) *Authority {
	t.Helper()
	template.SerialNumber, template.NotBefore = big.NewInt(time.Now().UnixNano()), ReportTime.Add(-time.Hour)
	if template.NotAfter.IsZero() {
		template.NotAfter = ReportTime.Add(time.Hour)
	}
	own := &Authority{Key: key}
	if parent == nil {
		parent = &Authority{template, key}
	}
	der, err := x509.CreateCertificate(rand.Reader, template, parent.Certificate, key.Public(), parent.Key)
	require.NoError(t, err)
	own.Certificate, err = x509.ParseCertificate(der)
	require.NoError(t, err)
	return own
}

// NewAuthority makes a certificate authority under parent.
func NewAuthority(t *testing.T, parent *Authority, name string) *Authority {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	return Certify(t, parent, &x509.Certificate{Subject: pkix.Name{CommonName: name}, IsCA: true, BasicConstraintsValid: true}, key)
}

// SNS is the SNS of a region: a key under a certificate that an intermediate authority issued.
type SNS struct {
	Roots  *x509.CertPool
	Key    *rsa.PrivateKey
	Served map[string][]byte
	Leaf   *x509.Certificate // the certificate before it is signed
	Issuer *Authority
}

var snsKey = sync.OnceValues(func() (*rsa.PrivateKey, error) { return rsa.GenerateKey(rand.Reader, 2048) })

// NewSNS makes one whose certificate is not published yet.
func NewSNS(t *testing.T) *SNS {
	t.Helper()
	root := NewAuthority(t, nil, "root")
	key, err := snsKey()
	require.NoError(t, err)
	a := &SNS{
		Roots: x509.NewCertPool(), Key: key, Served: map[string][]byte{}, Issuer: NewAuthority(t, root, "issuer"),
		Leaf: &x509.Certificate{
			Subject: pkix.Name{CommonName: "sns.amazonaws.com"}, DNSNames: []string{"sns.amazonaws.com"}, IssuingCertificateURL: []string{SNSIssuer},
		},
	}
	a.Roots.AddCert(root.Certificate)
	a.Served[SNSIssuer] = a.Issuer.Certificate.Raw
	return a
}

// Serve publishes the certificate at an address, alone as SNS does.
func (a *SNS) Serve(t *testing.T, address string) {
	t.Helper()
	leaf := Certify(t, a.Issuer, a.Leaf, a.Key)
	a.Served[address] = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: leaf.Certificate.Raw})
}

// Fetch reads a published certificate.
func (a *SNS) Fetch(address string) ([]byte, error) {
	raw, ok := a.Served[address]
	if !ok {
		return nil, errors.New("not found")
	}
	return raw, nil
}

// Signed is a message of SNS with its signature.
func (a *SNS) Signed(t *testing.T, version string, names ...string) map[string]string {
	t.Helper()
	message := map[string]string{"SignatureVersion": version, "SigningCertURL": SNSCertificate}
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
	signature, err := rsa.SignPKCS1v15(rand.Reader, a.Key, hash, digest)
	require.NoError(t, err)
	message["Signature"] = base64.StdEncoding.EncodeToString(signature)
	return message
}

// Inbound is the request that brings a message.
func (a *SNS) Inbound(t *testing.T, message map[string]string, topic string) *provider.Inbound {
	t.Helper()
	body, err := json.Marshal(message)
	require.NoError(t, err)
	return &provider.Inbound{Body: body, Key: topic, Now: ReportTime, Header: http.Header{}, Fetch: a.Fetch, Roots: a.Roots}
}

// SESBounce is the text of a report of SES.
const SESBounce = `{"notificationType":"Bounce","mail":{"messageId":"ses1"},"bounce":{"bounceType":"Permanent","timestamp":"2025-03-01T12:00:00Z","bouncedRecipients":[{"emailAddress":"a@b.c","diagnosticCode":"550"}]}}`

// Bounce is the signed message that brings SESBounce.
func (a *SNS) Bounce(t *testing.T) map[string]string {
	t.Helper()
	return a.Signed(t, "2", "Message", SESBounce, "MessageId", "m1", "Timestamp", "2025-03-01T12:00:00.000Z", "TopicArn", "arn", "Type", "Notification")
}
