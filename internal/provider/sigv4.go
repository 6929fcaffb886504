package provider

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	v4 "github.com/aws/aws-sdk-go-v2/aws/signer/v4"
)

// AWSKey is an access key with the service and the region that it is used for. Session is the token of a temporary key.
type AWSKey struct{ ID, Secret, Session, Service, Region string }

// FieldSession is the credential that holds the token of a temporary access key.
var FieldSession = Field{Name: "sessionToken", Label: "Session token of a temporary key", Kind: KindString, Secret: true, Alias: "token"}

// NewAWSKey is the access key in the credentials of an integration.
func NewAWSKey(c Credentials, service, region string) AWSKey {
	return AWSKey{
		ID: c.String("apiKey"), Secret: c.Secret("secretKey"), Service: service, Region: region,
		Session: cmp.Or(c.String(FieldSession.Name), c.String(FieldSession.Alias)),
	}
}

// SignAWS signs a POST of r by AWS Signature Version 4: the address with its query as they are when the body is ready,
// the content type and the exact bytes of the body.
func SignAWS(ctx context.Context, r *Request, key AWSKey, contentType string, now time.Time) func([]byte) http.Header {
	return func(body []byte) http.Header {
		signed, err := http.NewRequestWithContext(ctx, http.MethodPost, r.URL, http.NoBody)
		if err != nil {
			return nil // the request itself cannot be built either
		}
		if len(r.Query) > 0 {
			q := signed.URL.Query()
			maps.Copy(q, r.Query)
			signed.URL.RawQuery = q.Encode()
		}
		signed.Header.Set("Content-Type", contentType)
		signed.ContentLength = int64(len(body))
		sum := sha256.Sum256(body)
		credentials := aws.Credentials{AccessKeyID: key.ID, SecretAccessKey: key.Secret, SessionToken: key.Session}
		err = v4.NewSigner().SignHTTP(ctx, credentials, signed, hex.EncodeToString(sum[:]), key.Service, key.Region, now)
		if err != nil {
			return nil
		}
		return signed.Header
	}
}

var awsRegion = regexp.MustCompile(`^[a-z]{2}(-[a-z0-9]+)+$`)

// AWSEndpoint is the address of a service in a region; "" when that is no name of a region.
func AWSEndpoint(service, region string) string {
	if !awsRegion.MatchString(region) {
		return ""
	}
	domain := ".amazonaws.com"
	if strings.HasPrefix(region, "cn-") {
		domain = ".amazonaws.com.cn"
	}
	return "https://" + service + "." + region + domain
}
