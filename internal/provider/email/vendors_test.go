package email

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/providertest"
	"github.com/carillon/carillon/internal/workflow"
)

// vendor is one vendor's case: its credentials, its yes and what becomes of its noes.
type vendor struct {
	definition provider.Definition
	name       string // of the golden file when it is not the provider's id
	creds      provider.Credentials
	message    func(*provider.Message)
	before     []providertest.Reply // to what is asked before the mail goes out
	yes        providertest.Reply
	id         string
	date       time.Time
	warning    string
	headerID   bool // the id comes with the answer's head
	noes       []providertest.Failure
	origin     provider.Origin
	token      string // where an access token comes from
	mask       *regexp.Regexp
}

const (
	permanent = provider.Permanent
	transient = provider.Transient
	faulty    = provider.Fault
)

func no(status int, body string, class provider.Class, code, text string) providertest.Failure {
	return providertest.Failure{
		Name: "Code" + code + text, Reply: providertest.Reply{Status: status, Body: body},
		Want: provider.Error{Class: class, Code: code, Text: text},
	}
}

// headed is a no with something in the answer's head.
func headed(f providertest.Failure, name, value string) providertest.Failure {
	f.Reply.Header = map[string]string{name: value}
	return f
}

func waits(f providertest.Failure, pause time.Duration) providertest.Failure {
	f.Want.RetryAfter = pause
	return f
}

func says(status int, body string) providertest.Reply {
	return providertest.Reply{Status: status, Body: body}
}

func withID(status int, name, id, body string) providertest.Reply {
	return providertest.Reply{Status: status, Header: map[string]string{name: id}, Body: body}
}

// shop are the credentials that nearly all vendors want, and more.
func shop(more ...string) provider.Credentials {
	c := provider.Credentials{"apiKey": "MARKER-KEY", "from": "shop@example.com", "senderName": "The Shop, Ltd."}
	for i := 0; i < len(more); i += 2 {
		c[more[i]] = more[i+1]
	}
	return c
}

// adorned is a mail with everything that overrides can do: in camelCase, in a free map, and passed through.
func adorned(extra map[string]any, custom map[string]any) func(*provider.Message) {
	return func(m *provider.Message) {
		m.CustomData = custom
		m.Email.Headers["List-Unsubscribe"] = "<https://notify.example/leave>"
		m.Email.Headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
		m.Email.Headers["bcc"] = "hidden@example.com" // no way around the mail's own fields
		m.Merge = extra
		m.Overrides = map[string]any{"_passthrough": map[string]any{
			"headers": map[string]any{
				"Authorization": "stolen", "Api-Key": "stolen", "api_key": "stolen", "X-Postmark-Server-Token": "stolen", "X-Extra": "1",
			},
			"query": map[string]any{"debug": true},
		}}
	}
}

// simple is a mail with one recipient, one text and nothing else.
func simple(m *provider.Message) {
	m.Email = &provider.Email{To: []string{"ada@example.com"}}
	m.Content.Text = ""
}

func textOnly(m *provider.Message) {
	simple(m)
	m.Content = provider.Content{Title: "Order shipped", Body: "1 < 2\nbye", Text: "1 < 2\nbye"} // the body is the text, as of every message
}

func several(m *provider.Message) {
	simple(m)
	m.Email.To = append(m.Email.To, "bob@example.com")
	m.Email.CC = []string{"ADA@example.com"}
}

var custom = map[string]any{"tier": "gold", "count": 3, "list": []any{1, "a"}}

var vendors = []vendor{
	{
		definition: mailgun, creds: shop("domain", "mg.example.com"),
		message: adorned(map[string]any{"o:tag": []any{"a", "b"}, "o:testmode": true}, custom),
		yes:     says(200, `{"id":"<20250301@mg.example.com>","message":"Queued. Thank you."}`), id: "<20250301@mg.example.com>",
		noes: []providertest.Failure{
			no(401, "Forbidden", faulty, "", "Forbidden"),
			no(404, `{"message":"Domain not found"}`, permanent, "", "Domain not found"),
		},
	},
	{
		definition: mailgun, name: "mailgun-eu", message: simple, origin: provider.OriginCredentials,
		creds: shop("domain", "mg.example.com", "user", "shop", "baseUrl", "https://api.eu.mailgun.net/v3/"),
		yes:   says(200, `{"id":"<1@mg.example.com>"}`), id: "<1@mg.example.com>",
	},
	{
		definition: mailjet, creds: shop("secretKey", "MARKER-SECRET"),
		message: adorned(map[string]any{
			"customCampaign": "spring", "templateId": 7, "variables": map[string]any{"firstName": "Ada"}, "sandboxMode": true,
		}, custom),
		yes: says(200, `{"Messages":[{"Status":"success","To":[{"Email":"ada@example.com","MessageUUID":"u","MessageID":1152921511742440156}]}]}`),
		id:  "1152921511742440156",
		noes: []providertest.Failure{
			no(200, `{"Messages":[{"Status":"error","Errors":[{"ErrorCode":"mj-0013","StatusCode":400,"ErrorMessage":"bad address"}]}]}`, permanent, "mj-0013", "bad address"),
			no(200, `{"Messages":[{"Status":"error","Errors":[{"ErrorCode":"mj-0001","StatusCode":500,"ErrorMessage":"try again"}]}]}`, transient, "mj-0001", "try again"),
			no(400, `{"Messages":[{"Status":"error","Errors":[{"ErrorCode":"send-0008","ErrorMessage":"sender not validated"}]}]}`, faulty, "send-0008", "sender not validated"),
			no(401, `{"ErrorIdentifier":"x","ErrorCode":"mj-0002","StatusCode":401,"ErrorMessage":"API key refused"}`, faulty, "mj-0002", "API key refused"),
		},
	},
	{
		definition: mailjet, name: "mailjet-guid", creds: shop("secretKey", "MARKER-SECRET"), message: simple, headerID: true,
		yes: withID(200, "X-Mj-Request-Guid", "guid-1", `{"Messages":[{"Status":"success"}]}`), id: "guid-1",
	},
	{
		definition: mailjet, name: "mailjet-messages", creds: shop("secretKey", "MARKER-SECRET"),
		message: adorned(map[string]any{"messages": []any{map[string]any{
			"from": map[string]any{"email": "shop@example.com"}, "to": []any{map[string]any{"email": "ada@example.com"}}, "htmlPart": "<img src=cid:logo>",
			"inlinedAttachments": []any{map[string]any{"contentType": "image/png", "filename": "l.png", "contentId": "logo", "base64Content": "eA=="}},
			"headers":            map[string]any{"contentId": "the caller's own"},
		}}}, nil),
		yes: says(200, `{"Messages":[{"Status":"success","To":[{"MessageID":7}]}]}`), id: "7",
	},
	{
		definition: mandrill, creds: shop(),
		message: adorned(map[string]any{
			"key": "stolen", "ipPool": "main", "message": map[string]any{
				"trackOpens": true, "tags": []any{"t"}, "metadata": map[string]any{"orderId": "1042"},
				"globalMergeVars": []any{map[string]any{"name": "order", "content": map[string]any{"firstItem": "1"}}},
			},
		}, custom),
		yes: says(200, `[{"email":"ada@example.com","status":"queued","_id":"m1"},{"email":"cc@example.com","status":"rejected","reject_reason":"hard-bounce","_id":null}]`),
		id:  "m1", warning: "cc@example.com rejected: hard-bounce",
		noes: []providertest.Failure{
			no(200, `[{"email":"ada@example.com","status":"rejected","reject_reason":"spam"},{"email":"cc@example.com","status":"invalid"}]`, permanent, "rejected", "spam"),
			no(500, `{"status":"error","code":-1,"name":"Invalid_Key","message":"Invalid API key"}`, faulty, "Invalid_Key", "Invalid API key"),
			no(500, `{"status":"error","code":-2,"name":"ValidationError","message":"bad field"}`, permanent, "ValidationError", "bad field"),
			no(400, `{"status":"error","name":"GeneralError","message":"oops"}`, transient, "GeneralError", "oops"),
			no(402, `{"status":"error","name":"PaymentRequired","message":"pay"}`, faulty, "PaymentRequired", "pay"),
		},
	},
	{
		definition: postmark, creds: shop(),
		message: adorned(map[string]any{"messageStream": "broadcast", "tag": "order", "metadata": map[string]any{"orderId": "1042"}}, custom),
		yes:     says(200, `{"To":"ada@example.com","SubmittedAt":"2014-02-17T07:25:01.4178645-05:00","MessageID":"0a12","ErrorCode":0,"Message":"OK"}`),
		id:      "0a12", date: time.Date(2014, 2, 17, 12, 25, 1, 417864500, time.UTC),
		noes: []providertest.Failure{
			no(401, `{"ErrorCode":10,"Message":"bad token"}`, faulty, "10", "bad token"),
			no(422, `{"ErrorCode":300,"Message":"bad from"}`, permanent, "300", "bad from"),
			no(422, `{"ErrorCode":400,"Message":"no sender signature"}`, faulty, "400", "no sender signature"),
			no(406, `{"ErrorCode":406,"Message":"inactive recipient"}`, permanent, "406", "inactive recipient"),
			no(422, `{"ErrorCode":412,"Message":"pending approval"}`, faulty, "412", "pending approval"),
			no(200, `{"ErrorCode":406,"Message":"inactive"}`, permanent, "406", "inactive"),
		},
	},
	{
		definition: brevo, creds: shop(),
		message: adorned(map[string]any{"tags": []any{"t"}, "params": map[string]any{"b": 2}},
			map[string]any{"templateId": "12", "templateParams": map[string]any{"firstName": "Ada"}}),
		yes: says(201, `{"messageId":"<1@smtp-relay.mailin.fr>"}`), id: "<1@smtp-relay.mailin.fr>",
		noes: []providertest.Failure{
			no(400, `{"code":"invalid_parameter","message":"bad to"}`, permanent, "invalid_parameter", "bad to"),
			no(402, `{"code":"not_enough_credits","message":"pay"}`, faulty, "not_enough_credits", "pay"),
			waits(headed(no(429, `{"code":"too_many_requests","message":"slow"}`, transient, "too_many_requests", "slow"), "X-Sib-Ratelimit-Reset", "12"), 12*time.Second),
		},
	},
	{
		definition: brevo, name: "sendinblue-text", creds: shop(), message: textOnly,
		yes: says(202, `{"messageId":"<1@x>"}`), id: "<1@x>",
	},
	{
		definition: ses, creds: shop("secretKey", "MARKER-SECRET", "region", "eu-west-1"), mask: regexp.MustCompile(`"Data":"[^"]+"|Signature=\w+`),
		message: adorned(map[string]any{"configurationSetName": "set-1", "emailTags": []any{map[string]any{"name": "n", "value": "v"}}, "cc": "other@example.com"}, nil),
		yes:     says(200, `{"MessageId":"0102"}`), id: "0102",
		noes: []providertest.Failure{
			headed(no(400, `{"message":"rejected"}`, permanent, "MessageRejected", "rejected"), "X-Amzn-Errortype", "MessageRejected:http://internal.amazon.com/"),
			headed(no(400, `{"message":"limit"}`, transient, "LimitExceededException", "limit"), "X-Amzn-Errortype", "LimitExceededException"),
			headed(no(400, `{"Message":"paused"}`, faulty, "SendingPausedException", "paused"), "X-Amzn-Errortype", "SendingPausedException"),
			headed(no(403, `{"message":"no"}`, faulty, "SignatureDoesNotMatch", "no"), "X-Amzn-Errortype", "SignatureDoesNotMatch"),
			headed(no(400, `{"message":"rate"}`, transient, "ThrottlingException", "rate"), "X-Amzn-Errortype", "ThrottlingException"),
			no(400, `{"__type":"TooManyRequestsException","message":"too many"}`, transient, "TooManyRequestsException", "too many"),
		},
	},
	{
		definition: ses, name: "ses-plain", creds: shop("secretKey", "MARKER-SECRET"), message: simple, // byte for byte, signature included
		yes: says(200, `{"MessageId":"0102"}`), id: "0102",
	},
	{
		definition: ses, name: "ses-session", creds: shop("secretKey", "MARKER-SECRET", "token", "MARKER-SESSION+/="), message: simple,
		yes: says(200, `{"MessageId":"0102"}`), id: "0102",
	},
	{
		definition: netcore, creds: shop(),
		message: adorned(map[string]any{"tags": []any{"t"}, "settings": map[string]any{"openTrack": false}}, nil),
		yes:     says(202, `{"data":{"message_id":"n1"},"message":"OK","status":"success"}`), id: "n1", warning: "the vendor takes no headers, left out: X-Order",
		noes: []providertest.Failure{
			no(400, `{"status":"error","error":{"message":"bad from","field":"from","help":"h"}}`, permanent, "from", "bad from"),
			no(400, `{"status":"error","error":[{"message":"bad to","field":"to"}]}`, permanent, "to", "bad to"),
			no(401, `{"status":"error","error":"Invalid API key"}`, faulty, "", "Invalid API key"),
			no(200, `{"status":"error","message":"ERROR","error":"odd"}`, permanent, "", "odd"),
		},
	},
	{
		definition: netcore, name: "netcore-eu", creds: shop("region", "eu"), message: func(m *provider.Message) { textOnly(m); m.Email.To = append(m.Email.To, "bob@example.com") },
		yes: says(202, `{"DATA":{"MESSAGE_ID":"n2"}}`), id: "n2",
	},
	{
		definition: infobip, creds: shop("baseUrl", "abc123.api.infobip.com/"), origin: provider.OriginCredentials,
		message: adorned(map[string]any{"intermediateReport": true, "trackingUrl": "https://example.com/t"}, custom),
		yes: says(200, `{"bulkId":"b","messages":[{"to":"ada@example.com","messageId":"i1","status":{"groupId":1,"groupName":"PENDING"}},`+
			`{"to":"cc@example.com","status":{"groupId":5,"groupName":"REJECTED","name":"REJECTED_X","description":"blocked"}}]}`),
		id: "i1", warning: "cc@example.com refused: blocked",
		noes: []providertest.Failure{
			no(200, `{"messages":[{"to":"a","messageId":"i1","status":{"groupId":5,"groupName":"REJECTED","name":"REJECTED_X","description":"blocked"}}]}`, permanent, "REJECTED_X", "blocked"),
			no(401, `{"requestError":{"serviceException":{"messageId":"UNAUTHORIZED","text":"Invalid login details"}}}`, faulty, "UNAUTHORIZED", "Invalid login details"),
			no(500, `{"requestError":{"serviceException":{"messageId":"GENERAL_ERROR","text":"later"}}}`, transient, "GENERAL_ERROR", "later"),
			no(400, `{"errorCode":"E400","description":"bad request","action":"a"}`, permanent, "E400", "bad request"),
		},
	},
	{
		definition: resend, creds: shop(),
		message: adorned(map[string]any{"scheduledAt": "in 1 min", "tags": []any{map[string]any{"name": "n", "value": "v"}}, "headers": map[string]any{"X-camelCase": "1"}}, nil),
		yes:     says(200, `{"id":"49a3"}`), id: "49a3",
		noes: []providertest.Failure{
			no(403, `{"statusCode":403,"name":"invalid_api_key","message":"bad key"}`, faulty, "invalid_api_key", "bad key"),
			no(409, `{"statusCode":409,"name":"invalid_idempotent_request","message":"other body"}`, permanent, "invalid_idempotent_request", "other body"),
			no(409, `{"statusCode":409,"name":"concurrent_idempotent_requests","message":"busy"}`, transient, "concurrent_idempotent_requests", "busy"),
			no(422, `{"statusCode":422,"name":"validation_error","message":"bad to"}`, permanent, "validation_error", "bad to"),
			no(429, `{"statusCode":429,"name":"daily_quota_exceeded","message":"quota"}`, transient, "daily_quota_exceeded", "quota"),
		},
	},
	{
		definition: plunk, creds: shop(), message: adorned(map[string]any{"subscribed": true, "data": map[string]any{"firstName": "Ada"}}, nil),
		yes: says(200, `{"success":true,"emails":[{"contact":{"id":"c1","email":"ada@example.com"},"email":"p1"}],"timestamp":"t"}`), id: "p1",
		noes: []providertest.Failure{
			no(401, `{"code":401,"error":"Unauthorized","message":"bad key","time":1}`, faulty, "Unauthorized", "bad key"),
			no(422, `{"success":false,"error":{"code":"VALIDATION_ERROR","message":"bad to","statusCode":422}}`, permanent, "VALIDATION_ERROR", "bad to"),
			no(200, `{"success":false,"error":{"code":"X","message":"odd"}}`, permanent, "X", "odd"),
			no(409, `{"success":false,"error":{"code":"IDEMPOTENCY_KEY_REUSED","message":"busy","details":{"originalStatusCode":null}}}`, transient, plunkInProgress, "busy"),
			no(409, `{"success":false,"error":{"code":"IDEMPOTENCY_KEY_REUSED","message":"failed before"},"details":{"originalStatusCode":422}}`, permanent, plunkReused, "failed before"),
		},
	},
	{
		definition: plunk, name: "plunk-self-hosted", message: several, origin: provider.OriginCredentials,
		creds: provider.Credentials{"apiKey": "MARKER-KEY", "baseUrl": "https://plunk.example.com/api"},
		yes:   says(200, `{"success":true,"data":{"emails":[{"contact":{"id":"c1"},"email":"p2"}]}}`), id: "p2",
	},
	{
		definition: mailersend, creds: shop(), headerID: true,
		message: adorned(map[string]any{"tags": []any{"t"}, "settings": map[string]any{"trackClicks": true}},
			map[string]any{"templateId": "t1", "personalization": []any{map[string]any{"email": "ada@example.com", "data": map[string]any{"firstName": "Ada"}}}}),
		yes: withID(202, "X-Message-Id", "ms1", ""), id: "ms1",
		noes: []providertest.Failure{
			no(422, `{"message":"The from.email field is required.","errors":{"from.email":["required"]}}`, permanent, "", "The from.email field is required."),
			no(421, `{"message":"Service not available"}`, transient, "", "Service not available"),
			no(202, `{"message":"suppressed","warnings":[{"type":"ALL_SUPPRESSED","recipients":[]}]}`, permanent, "ALL_SUPPRESSED", "suppressed"),
		},
	},
	{
		definition: mailersend, name: "mailersend-suppressed", creds: shop(), message: several, headerID: true,
		yes: withID(202, "X-Message-Id", "ms2", `{"message":"m","warnings":[{"type":"SOME_SUPPRESSED","recipients":[]}]}`), id: "ms2",
		warning: "some recipients are suppressed by the vendor",
	},
	{
		definition: mailersend, name: "mailersend-paused", creds: shop(), message: textOnly, headerID: true,
		yes: providertest.Reply{Status: 202, Header: map[string]string{"X-Message-Id": "ms3", "X-Send-Paused": "true"}}, id: "ms3",
		warning: "the vendor holds the mail: sending is paused",
	},
	{
		definition: mailtrap, creds: shop(), message: adorned(map[string]any{"category": "orders", "customVariables": map[string]any{"orderId": "1042"}}, custom),
		yes: says(200, `{"success":true,"message_ids":["mt1","mt2"]}`), id: "mt1",
		noes: []providertest.Failure{
			no(401, `{"success":false,"errors":["Unauthorized"]}`, faulty, "", "Unauthorized"),
			no(400, `{"error":"bad to"}`, permanent, "", "bad to"),
			no(200, `{"success":false,"errors":["odd"]}`, permanent, "", "odd"),
		},
	},
	{
		definition: mailtrap, name: "mailtrap-sandbox", message: simple, origin: provider.OriginCredentials,
		creds: shop("baseUrl", "https://sandbox.api.mailtrap.io/api/send/77"), yes: says(200, `{"success":true,"message_ids":["mt1"]}`), id: "mt1",
	},
	{
		definition: mailtrap, name: "mailtrap-bulk", message: simple, origin: provider.OriginCredentials,
		creds: shop("baseUrl", "bulk.api.mailtrap.io"), yes: says(200, `{"success":true,"message_ids":["mt1"]}`), id: "mt1",
	},
	{
		definition: sparkpost, creds: shop(),
		message: adorned(map[string]any{"campaignId": "spring", "options": map[string]any{"openTracking": true}, "metadata": map[string]any{"orderId": "1042"}}, custom),
		yes:     says(200, `{"results":{"total_rejected_recipients":0,"total_accepted_recipients":3,"id":"sp1"}}`), id: "sp1",
		noes: []providertest.Failure{
			no(200, `{"errors":[{"message":"m","description":"all suppressed","code":"1902"}],"results":{"total_rejected_recipients":1,"total_accepted_recipients":0,"id":"x"}}`, permanent, "1902", "all suppressed"),
			no(420, `{"errors":[{"message":"Exceed Sending Limit (daily)","code":"2101"}]}`, permanent, "2101", "Exceed Sending Limit (daily)"),
			no(403, `{"errors":[{"message":"Forbidden."}]}`, faulty, "", "Forbidden."),
		},
	},
	{
		definition: sparkpost, name: "sparkpost-eu", creds: shop("region", "true"), message: several,
		yes: says(200, `{"results":{"total_rejected_recipients":1,"total_accepted_recipients":2,"id":"sp2"}}`), id: "sp2",
		warning: "1 recipients refused: the vendor gives no reason",
	},
	{
		definition: braze, creds: shop("baseUrl", "rest.iad-01.braze.com", "applicationId", "app-1"), origin: provider.OriginCredentials,
		message: adorned(map[string]any{"messages": map[string]any{"email": map[string]any{"shouldInlineCss": true}}, "campaignId": "c1"}, custom),
		before:  []providertest.Reply{says(201, `{"message":"success","users":[{"external_id":"u1"},{"external_id":"u2"},{"external_id":"u1"},{}]}`)},
		yes:     says(201, `{"dispatch_id":"bz1","message":"success"}`), id: "bz1",
		warning: "the vendor takes no cc and only one bcc, left out: cc@example.com",
		noes: []providertest.Failure{
			no(400, `{"message":"'external_user_ids' must be an array","errors":[]}`, permanent, "", "'external_user_ids' must be an array"),
			waits(headed(no(429, `{"message":"slow"}`, transient, "", "slow"), "X-RateLimit-Reset", "1740821430"), 30*time.Second),
		},
	},
	{
		definition: braze, name: "braze-partial", creds: shop("baseUrl", "https://rest.fra-01.braze.eu/", "applicationId", "app-1"),
		origin: provider.OriginCredentials, message: several,
		before: []providertest.Reply{says(200, `{"users":[]}`), says(200, `{"users":[{"external_id":"u2"}]}`)},
		yes:    says(201, `{"dispatch_id":"bz2","message":"success","errors":[{"type":"ids unknown"}]}`), id: "bz2",
		warning: "the vendor takes no cc and only one bcc, left out: ADA@example.com; ids unknown",
	},
	{
		definition: outlook, token: "https://login.microsoftonline.com/", headerID: true,
		creds: provider.Credentials{
			"from": "shop@example.com", "senderName": "The Shop", "tenantId": "tenant-1", "clientId": "client-1", "secretKey": "MARKER-SECRET",
		},
		message: adorned(map[string]any{
			"message": map[string]any{"importance": "high"}, "saveToSentItems": true, "subject": "Overridden", "headers": map[string]any{"X-Shop": "1"},
		}, nil),
		yes: withID(202, "Request-Id", "g1", ""), id: "g1",
		noes: []providertest.Failure{
			no(404, `{"error":{"code":"ErrorInvalidUser","message":"no such mailbox"}}`, permanent, "ErrorInvalidUser", "no such mailbox"),
			no(403, `{"error":{"code":"ErrorAccessDenied","message":"denied"}}`, faulty, "ErrorAccessDenied", "denied"),
		},
	},
	{
		definition: outlook, name: "outlook365-text", token: "https://login.microsoftonline.com/", message: textOnly, headerID: true,
		creds: provider.Credentials{"from": "a/b@example.com", "tenantId": "tenant-1", "clientId": "client-1", "secretKey": "MARKER-SECRET"},
		yes:   withID(202, "Request-Id", "g1", ""), id: "g1",
	},
}

func TestVendors(t *testing.T) {
	t.Parallel()
	for _, v := range vendors {
		m := providertest.Message(workflow.ChannelEmail)
		if v.message != nil {
			v.message(m)
		}
		if m.Email.Headers["bcc"] != "" {
			v.warning = joined(v.warning, "sent without these headers, of which the mail has its own: bcc")
		}
		providertest.Run(t, providertest.Case{
			Name: v.name, Definition: v.definition, Credentials: v.creds, Message: m, Replies: append(v.before, v.yes),
			Receipt: provider.Receipt{ID: v.id, Date: v.date, Warning: v.warning}, NeedsID: !v.headerID, Failures: v.noes, Origin: v.origin,
			TokenURL: v.token, Token: says(200, `{"access_token":"TOKEN","expires_in":3600}`), Mask: v.mask,
		})
	}
}

// TestEveryProviderHasACase: a golden file, and in it or in the tables of this package what the vendor answers.
func TestEveryProviderHasACase(t *testing.T) {
	t.Parallel()
	providertest.RunFiles(t, Providers(), "nodemailer", "emailjs")
}

// answering opens a provider whose vendor answers by answer.
func answering(t *testing.T, id string, c provider.Credentials, answer http.HandlerFunc) provider.Adapter {
	t.Helper()
	registry, err := provider.NewRegistry(Providers()...)
	require.NoError(t, err)
	transport := trip(func(r *http.Request) *http.Response {
		w := httptest.NewRecorder()
		answer(w, r)
		return w.Result()
	})
	a, err := registry.Open(provider.Deps{Vendor: transport, Chosen: transport, Now: func() time.Time { return providertest.Now }}, id, c)
	require.NoError(t, err)
	return a
}
