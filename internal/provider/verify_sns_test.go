package provider_test

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
)

// TestCertificateOfSNS comes only from where SNS publishes it, names SNS, is valid now and leads to a trusted root.
func TestCertificateOfSNS(t *testing.T) {
	t.Parallel()
	const file = "/SimpleNotificationService-0123456789abcdef.pem"
	for name, c := range map[string]struct {
		address string
		names   []string
		change  func(*testing.T, *providertest.SNS)
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
		"WithItsChain": {ok: true, change: func(_ *testing.T, a *providertest.SNS) {
			a.Served[providertest.SNSCertificate] = append(a.Served[providertest.SNSCertificate], pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: a.Issuer.Certificate.Raw})...)
			delete(a.Served, providertest.SNSIssuer)
		}},
		"UntrustedRoot": {change: func(_ *testing.T, a *providertest.SNS) { a.Roots = x509.NewCertPool() }},
		"ForeignIssuer": {change: func(t *testing.T, a *providertest.SNS) {
			t.Helper()
			a.Served[providertest.SNSIssuer] = providertest.NewAuthority(t, nil, "issuer").Certificate.Raw
		}},
		"IssuerElsewhere": {change: func(t *testing.T, a *providertest.SNS) {
			t.Helper()
			elsewhere(t, a, "http://crt.evil.example/x.cer")
		}},
		"IssuerInside": {change: func(t *testing.T, a *providertest.SNS) {
			t.Helper()
			elsewhere(t, a, "http://169.254.169.254/x.cer")
		}},
		"SelfSigned": {change: func(t *testing.T, a *providertest.SNS) {
			t.Helper()
			own := providertest.Certify(t, nil, a.Leaf, a.Key)
			a.Served[providertest.SNSCertificate] = pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: own.Certificate.Raw})
		}},
		"Expired": {change: func(t *testing.T, a *providertest.SNS) {
			t.Helper()
			a.Leaf.NotAfter = providertest.ReportTime.Add(-time.Minute)
			a.Serve(t, providertest.SNSCertificate)
		}},
		"NoCertificate":  {change: func(_ *testing.T, a *providertest.SNS) { a.Served[providertest.SNSCertificate] = []byte("<html>") }},
		"Plain":          {address: "http://sns.eu-west-1.amazonaws.com" + file},
		"Query":          {address: providertest.SNSCertificate + "?x=1"},
		"EmptyQuery":     {address: providertest.SNSCertificate + "?"},
		"Fragment":       {address: providertest.SNSCertificate + "#x"},
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
			a := providertest.NewSNS(t)
			if c.names != nil {
				a.Leaf.DNSNames = c.names
			}
			if name == "NoName" {
				a.Leaf.Subject = pkix.Name{CommonName: "Amazon"}
			}
			address := c.address
			if address == "" {
				address = providertest.SNSCertificate
			}
			a.Serve(t, address)
			if c.change != nil {
				c.change(t, a)
			}
			message := a.Bounce(t)
			message["SigningCertURL"] = address
			err := provider.VerifySNS(a.Inbound(t, message, ""))
			if c.ok {
				require.NoError(t, err)
				return
			}
			require.ErrorIs(t, err, provider.ErrSignature)
		})
	}
}

// elsewhere lets the certificate name another place of its issuer's certificate, where that is.
func elsewhere(t *testing.T, a *providertest.SNS, address string) {
	t.Helper()
	a.Served[address] = a.Served[providertest.SNSIssuer]
	a.Leaf.IssuingCertificateURL = []string{address}
	a.Serve(t, providertest.SNSCertificate)
}
