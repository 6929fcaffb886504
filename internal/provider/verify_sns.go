package provider

import (
	"crypto"
	"crypto/rsa"
	"crypto/sha1" //nolint:gosec // topics of signature version 1 sign with it
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// snsSigned are the members that SNS signs, in this order, by the type of message.
var snsSigned = map[string][]string{
	"Notification":             {"Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"},
	"SubscriptionConfirmation": {"Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"},
	"UnsubscribeConfirmation":  {"Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"},
}

// VerifySNS checks the signature of SNS by the certificate that the message names, which must come from the SNS of a region
// and lead to a trusted root. When a key is set it is the topic's ARN: anyone with an account can have a topic.
func VerifySNS(in *Inbound) error {
	list, err := Entries(in.Body)
	if err != nil || len(list) == 0 || in.Fetch == nil {
		return ErrSignature
	}
	e := list[0]
	address := e.Text("SigningCertURL")
	signature, err := base64.StdEncoding.DecodeString(e.Text("Signature"))
	if err != nil || !snsCertificateAddress(address) || in.Key != "" && !SameText(in.Key, e.Text("TopicArn")) || !in.Within(e.Text("Timestamp"), SignedOnce) {
		return ErrSignature
	}
	public, err := in.snsKey(address)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, name := range snsSigned[e.Text("Type")] {
		if v, present := e[name].(string); present {
			text.WriteString(name + "\n" + v + "\n")
		}
	}
	hash, sum := crypto.SHA1, sha1.Sum([]byte(text.String())) //nolint:gosec // the signature's version 1
	digest := sum[:]
	if e.Text("SignatureVersion") == "2" {
		strong := sha256.Sum256([]byte(text.String()))
		hash, digest = crypto.SHA256, strong[:]
	}
	if text.Len() == 0 || rsa.VerifyPKCS1v15(public, hash, digest, signature) != nil {
		return ErrSignature
	}
	return nil
}

// snsKey is the key of the certificate at an address of SNS.
func (in *Inbound) snsKey(address string) (*rsa.PublicKey, error) {
	raw, err := in.Fetch(address)
	if err != nil {
		return nil, err
	}
	chain := certificates(raw)
	if len(chain) == 0 || !namedSNS(chain[0], address) {
		return nil, ErrSignature
	}
	if err := in.trusts(chain); err != nil {
		return nil, err
	}
	public, ok := chain[0].PublicKey.(*rsa.PublicKey)
	if !ok {
		return nil, ErrSignature
	}
	return public, nil
}

// maxChain bounds the certificates between a vendor's and its root.
const maxChain = 5

// trusts verifies that the first certificate of a chain is valid now and leads to a trusted root. The file of SNS holds one
// certificate alone: the certificate names where its issuer is.
func (in *Inbound) trusts(chain []*x509.Certificate) error {
	between := x509.NewCertPool()
	for _, c := range chain[1:] {
		between.AddCert(c)
	}
	for last, left := chain[len(chain)-1], maxChain; ; left-- {
		_, err := chain[0].Verify(x509.VerifyOptions{
			Roots: in.Roots, Intermediates: between, CurrentTime: in.Now, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
		})
		var unknown x509.UnknownAuthorityError
		if err == nil {
			return nil
		}
		at := slices.IndexFunc(last.IssuingCertificateURL, amazonTrust)
		if !errors.As(err, &unknown) || left == 0 || at < 0 {
			return ErrSignature
		}
		raw, err := in.Fetch(last.IssuingCertificateURL[at])
		if err != nil {
			return err
		}
		issuer := certificates(raw)
		if len(issuer) == 0 {
			return ErrSignature
		}
		last = issuer[0]
		between.AddCert(last)
	}
}

// certificates reads a PEM file of at most maxChain certificates, or one certificate in DER; nil when it is neither.
func certificates(raw []byte) (list []*x509.Certificate) {
	for len(list) < maxChain {
		block, rest := pem.Decode(raw)
		if block == nil {
			break
		}
		c, err := x509.ParseCertificate(block.Bytes)
		if err != nil {
			return nil
		}
		list, raw = append(list, c), rest
	}
	if list != nil {
		return list
	}
	if c, err := x509.ParseCertificate(raw); err == nil {
		return []*x509.Certificate{c}
	}
	return nil
}

var snsCertificatePath = regexp.MustCompile(`^/SimpleNotificationService-[0-9a-fA-F]{1,128}\.pem$`)

// snsCertificateAddress reports whether an address is one at which SNS publishes its certificates.
func snsCertificateAddress(address string) bool {
	u, err := url.Parse(address)
	return err == nil && SNSAddress(address) && snsCertificatePath.MatchString(u.EscapedPath()) &&
		!strings.ContainsAny(address, "?#")
}

// namedSNS reports whether a certificate is that of the SNS which publishes it. The older regions share the name without a
// region; names of the others are unverified.
func namedSNS(c *x509.Certificate, address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	region, domain, _ := strings.Cut(strings.TrimPrefix(host, "sns."), ".")
	names := []string{host, "sns." + domain, "sns-" + region + "." + domain, "sns-signing." + region + "." + domain}
	if len(c.DNSNames) == 0 { // as certificates once named their hosts
		return slices.Contains(names, c.Subject.CommonName)
	}
	return slices.ContainsFunc(names, func(name string) bool { return c.VerifyHostname(name) == nil })
}

// amazonTrust reports whether an address is of Amazon's certificate authority, which publishes its certificates without
// encryption: they are worth what leads from them to a root.
func amazonTrust(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.User == nil && u.Port() == "" &&
		strings.HasSuffix(strings.ToLower(u.Hostname()), ".amazontrust.com")
}

// SNSAddress reports whether an address is of the SNS of a region. Anybody may have a name of another kind under Amazon's
// domain: that of a bucket, say.
func SNSAddress(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	host, _ := strings.CutPrefix(strings.ToLower(u.Host), "sns.")
	region, _, _ := strings.Cut(host, ".")
	return u.Scheme+"://"+strings.ToLower(u.Host) == AWSEndpoint("sns", region)
}
