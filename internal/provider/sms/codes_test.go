package sms

import (
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// answers is a vendor that always answers so.
type answers struct {
	status int
	body   string
}

func (a answers) RoundTrip(*http.Request) (*http.Response, error) {
	return &http.Response{StatusCode: a.status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.body))}, nil
}

// TestCodesOfVendors are those of sms.md: what is the account's fault, what passes, and what concerns this text alone.
func TestCodesOfVendors(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		definition  provider.Definition
		credentials provider.Credentials
		status      int
		answer      string // %s is the code
		want        map[provider.Class]string
	}{
		{
			nexmo, with(shop, provider.Credentials{"apiKey": "k", "secretKey": "s"}), 200, `{"messages":[{"status":"%s"}]}`,
			map[provider.Class]string{transient: "1 5 10", faulty: "4 8 9 11 14", permanent: "2 3 6 7 15 29"},
		},
		{
			africasTalking, with(shop, provider.Credentials{"apiKey": "k", "user": "u"}), 201, `{"SMSMessageData":{"Recipients":[{"statusCode":%s,"messageId":"None"}]}}`,
			map[provider.Class]string{transient: "500 501 502", faulty: "402 405", permanent: "401 403 404 406 407 409"},
		},
		{
			telnyx, with(shop, provider.Credentials{"apiKey": "k", "messageProfileId": "p"}), 422, `{"errors":[{"code":"%s"}]}`,
			map[provider.Class]string{transient: "10007 10008 10011", faulty: "10009", permanent: "10002 10016 40300 40310 40399"},
		},
		{
			telnyx, with(shop, provider.Credentials{"apiKey": "k", "messageProfileId": "p"}), 403, `{"errors":[{"code":"%s"}]}`,
			map[provider.Class]string{faulty: "10010 40299 40400", permanent: "40300 40310 40399"},
		},
		{
			twilio, with(shop, provider.Credentials{"accountSid": "AC1", "token": "t"}), 400, `{"code":%s}`,
			map[provider.Class]string{transient: "20429 30001 14107", faulty: "20003", permanent: "20404 21211 21408 21606 21610 21614 21617 63007"},
		},
		{
			twilio, with(shop, provider.Credentials{"accountSid": "AC1", "token": "t"}), 403, `{"code":%s}`,
			map[provider.Class]string{faulty: "20003 20005", permanent: "21211 21408 21610 21614 21617"},
		},
		{
			sns,
			provider.Credentials{"apiKey": "k", "secretKey": "s", "region": "eu-west-1"},
			403, `<ErrorResponse><Error><Code>%s</Code></Error></ErrorResponse>`,
			map[provider.Class]string{faulty: "AuthorizationError AccessDenied", permanent: "InvalidParameter OptedOut EndpointDisabled"},
		},
		{
			sns,
			provider.Credentials{"apiKey": "k", "secretKey": "s", "region": "eu-west-1"},
			400, `<ErrorResponse><Error><Code>%s</Code></Error></ErrorResponse>`,
			map[provider.Class]string{
				transient: "Throttling ThrottledException InternalError", faulty: "AuthorizationError InvalidClientTokenId SignatureDoesNotMatch",
				permanent: "InvalidParameter OptedOut EndpointDisabled",
			},
		},
	} {
		registry, err := provider.NewRegistry(c.definition)
		require.NoError(t, err)
		for class, codes := range c.want {
			for code := range strings.FieldsSeq(codes) {
				deps := provider.Deps{Vendor: answers{c.status, fmt.Sprintf(c.answer, code)}}
				adapter, err := registry.Open(deps, c.definition.ID, c.credentials)
				require.NoError(t, err, c.definition.ID)
				_, err = adapter.Send(t.Context(), providertest.Message(workflow.ChannelSMS))
				failure := provider.AsError(err)
				require.NotNil(t, failure, "%s %s", c.definition.ID, code)
				require.Equal(t, []any{class, code}, []any{failure.Class, failure.Code}, "%s %s", c.definition.ID, code)
			}
		}
	}
}
