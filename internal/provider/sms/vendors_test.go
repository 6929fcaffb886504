package sms

import (
	"maps"
	"strings"
	"testing"
	"time"

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
	yes        providertest.Reply
	id         string
	date       time.Time
	noes       []providertest.Failure
	ownID      bool // the vendor gives none
	mayLackID  bool // ours stands in for one that is missing
	origin     provider.Origin
	token      string // where an access token comes from
	receipts   string // where reports go
}

func no(status int, body string, class provider.Class, code, text string) providertest.Failure {
	return providertest.Failure{
		Name: "Code" + code + text, Reply: providertest.Reply{Status: status, Body: body},
		Want: provider.Error{Class: class, Code: code, Text: text},
	}
}

func says(status int, body string) providertest.Reply {
	return providertest.Reply{Status: status, Body: body}
}

func unicodeText(m *provider.Message) { m.Content.Body = "Ваш заказ в пути" }

func with(base provider.Credentials, more provider.Credentials) provider.Credentials {
	all := maps.Clone(base)
	maps.Copy(all, more)
	return all
}

const (
	permanent = provider.Permanent
	transient = provider.Transient
	faulty    = provider.Fault
)

var shop = provider.Credentials{"from": "Shop"}

const inboundAddress = "https://notify.example.com/v1/inbound/65f1a0b1c2d3e4f5a6b7c8d9.abc"

var vendors = []vendor{
	{
		definition: clickatell, creds: provider.Credentials{"apiKey": "MARKER-KEY", "from": "+44 20 7946 0000"},
		yes: says(202, `{"messages":[{"apiMessageId":"77f1","accepted":true,"to":"447700900123","error":null}]}`), id: "77f1",
		noes: []providertest.Failure{
			no(202, `{"messages":[{"accepted":false,"errorCode":"604","errorDescription":"barred"}]}`, permanent, "604", "barred"),
			no(400, `{"errorCode":"600","error":"bad","errorDescription":"bad number"}`, permanent, "600", "bad number"),
		},
	},
	{
		definition: nexmo, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "secretKey": "MARKER-SECRET"}),
		yes: says(200, `{"message-count":"1","messages":[{"status":"0","message-id":"0A00"}]}`), id: "0A00",
		noes: []providertest.Failure{
			no(200, `{"messages":[{"status":"1","error-text":"Throttled"}]}`, transient, "1", "Throttled"),
			no(200, `{"messages":[{"status":"4","error-text":"Bad credentials"}]}`, faulty, "4", "Bad credentials"),
			no(200, `{"messages":[{"status":"7","error-text":"Number barred"}]}`, permanent, "7", "Number barred"),
		},
	},
	{
		definition: nexmo, name: "nexmo-unicode", message: unicodeText,
		creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "secretKey": "MARKER-SECRET"}),
		yes:   says(200, `{"messages":[{"status":"0","message-id":"0A00"}]}`), id: "0A00",
	},
	{
		definition: plivo, creds: provider.Credentials{"accountSid": "MA1", "token": "MARKER-TOKEN", "from": "+1 202 555 0100"},
		yes: says(202, `{"api_id":"a","message":"message(s) queued","message_uuid":["db3c"]}`), id: "db3c",
		noes: []providertest.Failure{
			no(400, `{"api_id":"a","error":"invalid dst"}`, permanent, "", "invalid dst"),
			no(400, `{"api_id":"a","error":{"src":"is not yours","dst":"is required"}}`, permanent, "", "dst: is required; src: is not yours"),
		},
	},
	{
		definition: sms77, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		yes: says(200, `{"success":"100","messages":[{"id":77229135982,"success":true,"error":null}]}`), id: "77229135982",
		noes: []providertest.Failure{
			no(200, `{"success":"202","messages":[]}`, permanent, "202", ""),
			no(200, `900`, faulty, "900", ""),
			no(200, `{"success":600}`, transient, "600", ""),
			no(200, `{"success":"101","messages":[{"success":false,"error_text":"bad number"}]}`, permanent, "101", "bad number"),
			no(200, `{"success":"101","messages":[{"success":false,"error":"600","error_text":"carrier"}]}`, transient, "600", "carrier"),
		},
	},
	{
		definition: smsCentral, creds: with(shop, provider.Credentials{"user": "shop", "password": "MARKER-PASS"}),
		yes: says(200, " 0\n"), ownID: true,
		noes: []providertest.Failure{
			no(200, "505 Invalid recipient", permanent, "505", "Invalid recipient"),
			no(200, "506 Invalid sender\r\nSee the manual", permanent, "506", "Invalid sender"),
		},
	},
	{
		definition: sns, creds: with(shop, provider.Credentials{"apiKey": "AKID", "secretKey": "MARKER-SECRET", "region": "eu-west-1"}),
		yes: says(200, `<PublishResponse xmlns="http://sns.amazonaws.com/doc/2010-03-31/"><PublishResult><MessageId>567910cd</MessageId></PublishResult></PublishResponse>`),
		id:  "567910cd",
		noes: []providertest.Failure{
			no(400, `<ErrorResponse><Error><Type>Sender</Type><Code>InvalidParameter</Code><Message>bad number</Message></Error></ErrorResponse>`, permanent, "InvalidParameter", "bad number"),
			no(400, `<ErrorResponse><Error><Code>Throttling</Code><Message>Rate exceeded</Message></Error></ErrorResponse>`, transient, "Throttling", "Rate exceeded"),
			no(403, `<ErrorResponse><Error><Code>SignatureDoesNotMatch</Code><Message>no</Message></Error></ErrorResponse>`, faulty, "SignatureDoesNotMatch", "no"),
		},
	},
	{
		definition: sns, name: "sns-number", creds: provider.Credentials{"apiKey": "AKID", "secretKey": "MARKER-SECRET", "region": "cn-north-1", "from": "0044 20 7946 0000"},
		yes: says(200, `<PublishResponse><PublishResult><MessageId>5</MessageId></PublishResult></PublishResponse>`), id: "5",
	},
	{
		definition: sns, name: "sns-session", creds: with(shop, provider.Credentials{
			"apiKey": "AKID", "secretKey": "MARKER-SECRET", "region": "eu-west-1", "sessionToken": "MARKER-SESSION+/=",
		}),
		yes: says(200, `<PublishResponse><PublishResult><MessageId>5</MessageId></PublishResult></PublishResponse>`), id: "5",
	},
	{
		definition: telnyx, name: "telnyx-receipts", creds: provider.Credentials{"apiKey": "MARKER-KEY", "messageProfileId": "prof-1", "from": "+1 202 555 0100"},
		yes: says(200, `{"data":{"id":"40385f64"}}`), id: "40385f64", receipts: inboundAddress,
	},
	{
		definition: nexmo, name: "nexmo-receipts", creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "secretKey": "MARKER-SECRET"}),
		yes: says(200, `{"messages":[{"status":"0","message-id":"0A00"}]}`), id: "0A00", receipts: inboundAddress,
	},
	{
		definition: plivo, name: "plivo-receipts", creds: provider.Credentials{"accountSid": "MA1", "token": "MARKER-TOKEN", "from": "+1 202 555 0100"},
		yes: says(202, `{"message_uuid":["db3c"]}`), id: "db3c", receipts: inboundAddress,
	},
	{
		definition: messagebird, name: "messagebird-receipts", creds: with(shop, provider.Credentials{"accessKey": "MARKER-KEY"}),
		yes: says(201, `{"id":"e8077d80","createdDatetime":"2016-05-03T14:26:57+00:00"}`), id: "e8077d80",
		date: time.Date(2016, 5, 3, 14, 26, 57, 0, time.UTC), receipts: inboundAddress,
	},
	{
		definition: telnyx, creds: provider.Credentials{"apiKey": "MARKER-KEY", "messageProfileId": "prof-1", "from": "+1 202 555 0100"},
		yes: says(200, `{"data":{"id":"40385f64","received_at":"2019-01-23T18:10:02.574Z","to":[{"status":"queued"}]}}`),
		id:  "40385f64", date: time.Date(2019, 1, 23, 18, 10, 2, 574e6, time.UTC),
		noes: []providertest.Failure{
			no(401, `{"errors":[{"code":"10009","title":"Authentication failed","detail":"bad key"}]}`, faulty, "10009", "bad key"),
			no(422, `{"errors":[{"code":"10002","title":"Invalid phone number"}]}`, permanent, "10002", "Invalid phone number"),
			no(400, `{"errors":[{"code":"10007","title":"Unavailable"}]}`, transient, "10007", "Unavailable"),
			no(403, `{"errors":[{"code":"40300","title":"Blocked due to STOP message"}]}`, permanent, "40300", "Blocked due to STOP message"),
			no(403, `{"errors":[{"code":"10010","title":"Authorization failed"}]}`, faulty, "10010", "Authorization failed"),
			no(200, `{"data":{"id":"4","to":[{"status":"sending_failed"}],"errors":[{"code":"40300","title":"Blocked"}]}}`, permanent, "40300", "Blocked"),
		},
	},
	{
		definition: gupshup, creds: with(shop, provider.Credentials{"user": "2000", "password": "MARKER-PASS"}),
		message: func(m *provider.Message) { m.CustomData = map[string]any{"dltTemplateId": "1107"} },
		yes:     says(200, "success | 447700900123 | 3144500334637598-9312"), id: "3144500334637598-9312",
		noes: []providertest.Failure{
			no(200, "error | 102 | The user id or password is not right", faulty, "102", "The user id or password is not right"),
			no(200, "error | 105 | The phone number is not valid", permanent, "105", "The phone number is not valid"),
			no(200, "error | 100 | unknown", transient, "100", "unknown"),
		},
	},
	{
		definition: firetext, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		yes: providertest.Reply{Header: map[string]string{"X-Message": "b1", "Date": "Sat, 01 Mar 2025 09:29:00 GMT"}, Body: "0:1 SMS successfully queued"},
		id:  "b1", date: time.Date(2025, 3, 1, 9, 29, 0, 0, time.UTC), mayLackID: true,
		noes: []providertest.Failure{
			no(200, "1:0 Authentication error", permanent, "1", "Authentication error"),
			no(200, "what?", permanent, "", "what?"),
		},
	},
	{
		definition: infobip, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "baseUrl": "xyz.api.infobip.com/"}), origin: provider.OriginCredentials,
		yes: says(200, `{"messages":[{"messageId":"2250be2d","status":{"groupId":1,"name":"PENDING_ACCEPTED"}}]}`), id: "2250be2d",
		noes: []providertest.Failure{
			no(200, `{"messages":[{"messageId":"x","status":{"groupId":5,"name":"REJECTED_NETWORK","description":"Network is forbidden"}}]}`, permanent, "REJECTED_NETWORK", "Network is forbidden"),
			no(401, `{"requestError":{"serviceException":{"messageId":"UNAUTHORIZED","text":"Invalid login details"}}}`, faulty, "UNAUTHORIZED", "Invalid login details"),
		},
	},
	{
		definition: burstSMS, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "secretKey": "MARKER-SECRET"}),
		yes: says(200, `{"message_id":19835,"send_at":"2026-01-21 12:01:09","error":{"code":"SUCCESS","description":"OK"}}`),
		id:  "19835", date: time.Date(2026, 1, 21, 12, 1, 9, 0, time.UTC),
		noes: []providertest.Failure{
			no(400, `{"error":{"code":"FIELD_INVALID","description":"bad to"}}`, permanent, "FIELD_INVALID", "bad to"),
			no(429, `{"error":{"code":"OVER_LIMIT","description":"slow down"}}`, transient, "OVER_LIMIT", "slow down"),
			no(200, `{"message_id":0,"error":{"code":"RECIPIENTS_ERROR","description":"none"}}`, permanent, "RECIPIENTS_ERROR", "none"),
		},
	},
	{
		definition: bulkSMS, creds: with(shop, provider.Credentials{"apiToken": "id:MARKER-SECRET"}),
		yes: says(201, `[{"id":"741103","type":"SENT","submission":{"id":"1-0","date":"2016-10-05T13:50:55Z"}}]`),
		id:  "741103", date: time.Date(2016, 10, 5, 13, 50, 55, 0, time.UTC),
		noes: []providertest.Failure{no(400, `{"type":"https://x#validation","title":"Bad Request","status":400,"detail":"to is missing"}`, permanent, "https://x#validation", "to is missing")},
	},
	{
		definition: bulkSMS, name: "bulk-sms-long", creds: provider.Credentials{"apiToken": "aWQ6TUFSS0VS", "from": "+44 20 7946 0000"},
		message: func(m *provider.Message) { m.Content.Body = strings.Repeat("ж", 210) },
		yes:     says(201, `[{"id":"741103"}]`), id: "741103",
	},
	{
		definition: isendSMS, creds: with(shop, provider.Credentials{"apiToken": "MARKER-TOKEN"}), message: unicodeText,
		yes: says(200, `{"status":"success","message":"ok","data":{"uid":"u1"}}`), id: "u1",
		noes: []providertest.Failure{no(200, `{"status":"error","message":"Unknown sender"}`, permanent, "", "Unknown sender")},
	},
	{
		definition: fortySixElks, creds: with(shop, provider.Credentials{"user": "u1", "password": "MARKER-PASS"}),
		yes: says(200, `{"id":"s70df","status":"created","created":"2026-01-21T10:11:12.123456"}`),
		id:  "s70df", date: time.Date(2026, 1, 21, 10, 11, 12, 123456e3, time.UTC),
		noes: []providertest.Failure{
			no(403, `Not enough credits`, faulty, "", "Not enough credits"),
			no(200, `{"id":"s70df","status":"failed","message":"hello"}`, permanent, "", "the status is failed"),
		},
	},
	{
		definition: kannel, creds: with(shop, provider.Credentials{"host": "sms.example.com", "port": "13013", "user": "shop", "password": "MARKER-PASS"}),
		origin: provider.OriginCredentials, yes: says(202, "0: Accepted for delivery"), ownID: true,
		noes: []providertest.Failure{
			no(400, "Not routable. Do not try again.", permanent, kannelNoRoute, "Not routable. Do not try again."),
			no(403, "Not routable. Do not try again.", permanent, kannelNoRoute, "Not routable. Do not try again."),
			no(403, "Authorization failed for sendsms", faulty, "", "Authorization failed for sendsms"),
			no(503, "Temporal failure, try again later.", transient, "", "Temporal failure, try again later."),
		},
	},
	{
		definition: kannel, name: "kannel-unicode", message: unicodeText,
		creds:  provider.Credentials{"host": "sms.example.com/", "port": "443", "secure": "true", "from": "+44 20 7946 0000"},
		origin: provider.OriginCredentials, yes: says(202, "3: Queued for later delivery"), ownID: true,
	},
	{
		definition: maqsam, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "secretKey": "MARKER-SECRET"}),
		yes: says(200, `{"message":{"identifier":"m1","timestamp":1700000000},"result":"success"}`), id: "m1", date: time.Unix(1700000000, 0).UTC(),
		noes: []providertest.Failure{no(200, `{"result":"error","message":"no credit"}`, permanent, "", "no credit")},
	},
	{
		definition: termii, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		message: func(m *provider.Message) { m.CustomData = map[string]any{"channel": "dnd"} },
		yes:     says(200, `{"code":"ok","message_id":9122821270554876574,"message_id_str":"9122821270554876574","message":"Successfully Sent"}`),
		id:      "9122821270554876574",
		noes:    []providertest.Failure{no(200, `{"code":"x1","message":"Sender not registered"}`, permanent, "x1", "Sender not registered")},
	},
	{
		definition: africasTalking, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY", "user": "sandbox"}),
		yes: says(201, `{"SMSMessageData":{"Message":"Sent","Recipients":[{"statusCode":101,"status":"Success","messageId":"ATPid_1"}]}}`), id: "ATPid_1",
		noes: []providertest.Failure{
			no(201, `{"SMSMessageData":{"Message":"InvalidSenderId","Recipients":[]}}`, permanent, "", "InvalidSenderId"),
			no(201, `{"SMSMessageData":{"Recipients":[{"statusCode":405,"status":"InsufficientBalance"}]}}`, faulty, "405", "InsufficientBalance"),
			no(201, `{"SMSMessageData":{"Recipients":[{"statusCode":500,"status":"InternalServerError"}]}}`, transient, "500", "InternalServerError"),
		},
	},
	{
		definition: sendchamp, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		yes: says(200, `{"status":"success","code":200,"data":{"business_id":"b1","id":"d1","created_at":"2026-01-21T10:00:00.000Z"}}`),
		id:  "d1", date: time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC),
		noes: []providertest.Failure{no(200, `{"status":"fail","code":400,"message":"bad sender","data":null}`, permanent, "400", "bad sender")},
	},
	{
		definition: clicksend, creds: with(shop, provider.Credentials{"user": "shop", "apiKey": "MARKER-KEY"}),
		yes: says(200, `{"http_code":200,"response_code":"SUCCESS","data":{"messages":[{"message_id":"BF7A","status":"SUCCESS","date":1436871253}]}}`),
		id:  "BF7A", date: time.Unix(1436871253, 0).UTC(),
		noes: []providertest.Failure{
			no(200, `{"response_msg":"here","data":{"messages":[{"status":"INVALID_RECIPIENT"}]}}`, permanent, "INVALID_RECIPIENT", "here"),
			no(200, `{"data":{"messages":[{"status":"THROTTLED"}]}}`, transient, "THROTTLED", ""),
			no(200, `{"http_code":200,"response_code":"INSUFFICIENT_CREDIT","response_msg":"none left","data":null}`, faulty, "INSUFFICIENT_CREDIT", "none left"),
			no(401, `{"http_code":401,"response_code":"UNAUTHORIZED","response_msg":"no"}`, faulty, "UNAUTHORIZED", "no"),
		},
	},
	{
		definition: bandwidth, creds: provider.Credentials{"user": "u", "password": "MARKER-PASS", "accountSid": "9900000", "from": "+1 202 555 0100"},
		yes: says(202, `{"id":"1589228074636lm4k2je7j7jklbn2","time":"2024-12-01T18:20:16Z"}`),
		id:  "1589228074636lm4k2je7j7jklbn2", date: time.Date(2024, 12, 1, 18, 20, 16, 0, time.UTC),
		noes: []providertest.Failure{no(400, `{"type":"bad-request","description":"bad to"}`, permanent, "bad-request", "bad to")},
	},
	{
		definition: messagebird, creds: with(shop, provider.Credentials{"accessKey": "MARKER-KEY"}),
		yes: says(201, `{"id":"e8077d80","createdDatetime":"2016-05-03T14:26:57+00:00"}`),
		id:  "e8077d80", date: time.Date(2016, 5, 3, 14, 26, 57, 0, time.UTC),
		noes: []providertest.Failure{
			no(422, `{"errors":[{"code":10,"description":"bad recipient"}]}`, permanent, "10", "bad recipient"),
			no(422, `{"errors":[{"code":25,"description":"no balance"}]}`, faulty, "25", "no balance"),
		},
	},
	{
		definition: simpletexting, creds: provider.Credentials{"apiKey": "MARKER-KEY", "from": "1 (202) 555-0100"},
		message: func(m *provider.Message) { m.Target.Phone = "+1 (415) 555-0123" },
		yes:     says(201, `{"id":"60f1","credits":1}`), id: "60f1",
		noes: []providertest.Failure{no(409, `{"status":409,"errorCode":"C1","message":"unsubscribed"}`, permanent, "C1", "unsubscribed")},
	},
	{
		definition: azure, creds: provider.Credentials{"accessKey": "Endpoint=https://shop.communication.azure.com/; AccessKey=TUFSS0VSLUtFWQ==", "from": "+1 202 555 0100"},
		origin: provider.OriginCredentials,
		yes:    says(202, `{"value":[{"to":"+447700900123","messageId":"Outgoing_2021","httpStatusCode":202,"successful":true}]}`), id: "Outgoing_2021",
		noes: []providertest.Failure{
			no(202, `{"value":[{"httpStatusCode":400,"successful":false,"errorMessage":"bad number"}]}`, permanent, "", "bad number"),
			no(202, `{"value":[{"httpStatusCode":429,"successful":false,"errorMessage":"slow"}]}`, transient, "", "slow"),
			no(401, `{"error":{"code":"Denied","message":"clock"}}`, faulty, "Denied", "clock"),
		},
	},
	{
		definition: ringCentral, token: "https://platform.devtest.ringcentral.com/restapi/oauth/token",
		creds: provider.Credentials{"clientId": "c1", "secretKey": "MARKER-SECRET", "token": "MARKER-JWT", "from": "+1 202 555 0100", "secure": true},
		yes:   says(200, `{"id":1234567890123,"creationTime":"2026-01-21T10:00:00.000Z","messageStatus":"Queued"}`),
		id:    "1234567890123", date: time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC),
		noes: []providertest.Failure{
			no(400, `{"errorCode":"CMN-101","message":"Parameter is wrong"}`, permanent, "CMN-101", "Parameter is wrong"),
			no(200, `{"id":1,"messageStatus":"SendingFailed"}`, permanent, "", ""),
		},
	},
	{
		definition: brevo, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		yes: says(201, `{"reference":"r","messageId":1511882900176220,"smsCount":1}`), id: "1511882900176220",
		noes: []providertest.Failure{
			no(402, `{"code":"not_enough_credits","message":"no credits"}`, faulty, "not_enough_credits", "no credits"),
			no(200, `{"code":"odd","message":"no id"}`, permanent, "odd", "no id"),
		},
	},
	{
		definition: eazySMS, creds: provider.Credentials{"apiKey": "MARKER-KEY", "channelId": "shop@sms.eazy.im"},
		yes: says(200, `{"id":"ez1"}`), id: "ez1",
		noes: []providertest.Failure{no(200, `{"message":"no such channel"}`, permanent, "", "no such channel")},
	},
	{
		definition: mobishastra, origin: provider.OriginCredentials,
		creds: with(shop, provider.Credentials{"baseUrl": "https://mshastra.example.com/sendsms_api_json.aspx", "user": "shop", "password": "MARKER-PASS"}),
		yes:   says(200, `[{"msg_id":" 1234567 ","number":"447700900123","str_response":"send success"}]`), id: "1234567",
		noes: []providertest.Failure{
			no(200, `[{"msg_id":"","str_response":"Error 005 not authorized"}]`, faulty, "005", "Error 005 not authorized"),
			no(200, `[{"msg_id":0,"response":"013 server error"}]`, transient, "013", "013 server error"),
		},
	},
	{
		definition: afroMessage, creds: provider.Credentials{"apiKey": "MARKER-KEY", "from": "e80a", "senderName": "Shop"},
		yes: says(200, `{"acknowledge":"success","response":{"status":"ok","message_id":"af1"}}`), id: "af1",
		noes: []providertest.Failure{no(200, `{"acknowledge":"error","response":{"errors":["bad number"]}}`, permanent, "", "bad number")},
	},
	{
		definition: unifonic, creds: provider.Credentials{"appSid": "MARKER-SID", "senderId": "Shop", "from": "ignored"},
		yes: says(200, `{"success":"true","errorCode":"ER-00","data":{"MessageID":42000348806924,"TimeCreated":"2026-01-21T10:00:00"}}`),
		id:  "42000348806924", date: time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC),
		noes: []providertest.Failure{
			no(200, `{"success":false,"errorCode":"ER-406","message":"Wrong parameter"}`, permanent, "ER-406", "Wrong parameter"),
			no(200, `{"success":"false","errorCode":"ER-401","message":"Authentication failed"}`, faulty, "ER-401", "Authentication failed"),
			no(200, `{"success":false,"errorCode":"ER-482","message":"Invalid sender"}`, permanent, "ER-482", "Invalid sender"),
			no(200, `{"errorCode":"ER-402","message":"Missing AppSid"}`, faulty, "ER-402", "Missing AppSid"),
			no(200, `{"success":false,"errorCode":"ER-599","message":"Request failed"}`, transient, "ER-599", "Request failed"),
			no(200, `{"success":false,"errorCode":"ER-503","message":"Unavailable"}`, transient, "ER-503", "Unavailable"),
		},
	},
	{
		definition: smsmode, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		yes: says(201, `{"messageId":"sm1","acceptedAt":"2026-01-21T10:00:00.000+00:00","status":{"value":"ENROUTE"}}`),
		id:  "sm1", date: time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC),
		noes: []providertest.Failure{no(422, `{"errorCode":"E1","title":"t","message":"bad recipient"}`, permanent, "E1", "bad recipient")},
	},
	{
		definition: imedia, creds: with(shop, provider.Credentials{"token": "MARKER-TOKEN"}),
		yes: says(200, `{"errorCode":"000","errorMessage":"Success","referentId":"im1"}`), id: "im1",
		noes: []providertest.Failure{no(200, `{"errorCode":"012","errorMessage":"Brand name not found"}`, permanent, "012", "Brand name not found")},
	},
	{
		definition: sinch, creds: provider.Credentials{"accountSid": "plan-1", "apiToken": "MARKER-TOKEN", "region": "us", "from": "+1 202 555 0100"},
		yes: says(201, `{"id":"01FC","created_at":"2026-01-21T10:00:00.000Z"}`), id: "01FC", date: time.Date(2026, 1, 21, 10, 0, 0, 0, time.UTC),
		noes: []providertest.Failure{no(400, `{"code":"syntax_invalid_parameter_format","text":"bad to"}`, permanent, "syntax_invalid_parameter_format", "bad to")},
	},
	{
		definition: gupshup, name: "gupshup-unicode", message: unicodeText, creds: provider.Credentials{"user": "2000", "password": "MARKER-PASS"},
		yes: says(200, "success | 447700900123 | 3144"), id: "3144",
	},
	{
		definition: brevo, name: "brevo-sms-unicode", message: unicodeText, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}),
		yes: says(201, `{"messageId":1}`), id: "1",
	},
	{
		definition: mobishastra, name: "mobishastra-unicode", origin: provider.OriginCredentials, message: unicodeText,
		creds: with(shop, provider.Credentials{"baseUrl": "https://mshastra.example.com/send.aspx", "user": "shop", "password": "MARKER-PASS"}),
		yes:   says(200, `[{"msg_id":1}]`), id: "1",
	},
	{
		definition: sinch, name: "sinch-plan", creds: with(shop, provider.Credentials{"servicePlanId": "plan-2", "apiToken": "MARKER-TOKEN"}),
		yes: says(201, `{"id":"01FD"}`), id: "01FD",
	},
	{
		definition: isendpro, creds: with(shop, provider.Credentials{"apiKey": "MARKER-KEY"}), message: unicodeText,
		yes: says(200, `{"etat":{"etat":[{"code":0,"tel":"447700900123"}]}}`), ownID: true,
		noes: []providertest.Failure{
			no(400, `{"etat":{"etat":[{"code":"3","message":"bad key"}]}}`, faulty, "3", "bad key"),
			no(200, `{"etat":{"etat":{"code":"4","message":"bad number"}}}`, permanent, "4", "bad number"),
		},
	},
}

func TestVendors(t *testing.T) {
	t.Parallel()
	for _, v := range vendors {
		m := providertest.Message(workflow.ChannelSMS)
		if v.message != nil {
			v.message(m)
		}
		c := providertest.Case{
			Name: v.name, Definition: v.definition, Credentials: v.creds, Message: m, Replies: []providertest.Reply{v.yes},
			Receipt: provider.Receipt{ID: v.id, Date: v.date}, NeedsID: !v.ownID && !v.mayLackID, Failures: v.noes, Origin: v.origin,
			Deps: func(d *provider.Deps) { d.Receipts = v.receipts }, TokenURL: v.token, Token: says(200, `{"access_token":"TOKEN","expires_in":3600}`),
		}
		if v.ownID {
			c.Receipt.ID = m.ID
		}
		providertest.Run(t, c)
	}
}

// TestEveryProviderHasACase: a golden file, and in it or in the tables of this package what the vendor answers.
func TestEveryProviderHasACase(t *testing.T) {
	t.Parallel()
	providertest.RunFiles(t, Providers())
}
