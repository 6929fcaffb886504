package email

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

var braze = provider.Definition{
	ID: "braze", Name: "Braze", Channel: workflow.ChannelEmail,
	Credentials: []provider.Field{
		fieldAPIKey,
		{Name: "baseUrl", Label: "REST endpoint", Kind: provider.KindURL, Required: true, Destination: true},
		{Name: "applicationId", Label: "App identifier", Kind: provider.KindString, Required: true},
		fieldFrom, fieldSenderName,
	},
	Capabilities: provider.Capabilities{Attachments: true},
	New: func(d provider.Deps, c provider.Credentials) (provider.Adapter, error) {
		b := &brazeAdapter{deps: d, creds: c, client: d.Client()}
		b.address, b.origin = base(c, "")
		return httpAdapter{
			style:   provider.Style{Case: provider.SnakeCase, Free: []string{"extras", "headers", "trigger_properties"}},
			request: b.request,
			read: func(ans *provider.Answer) reply {
				r := reply{id: ans.At("dispatch_id"), text: ans.At("message")}
				if problem := first(ans.At("errors.0.type", "errors.0.message", "errors.0"), ans.At("message")); problem != "success" {
					r.warning = problem
				}
				return r
			},
			pause: b.pause,
		}.open(d, c), nil
	},
}

type brazeAdapter struct {
	deps    provider.Deps
	creds   provider.Credentials
	client  *provider.Client
	address string
	origin  provider.Origin
}

// request finds out by which ids the vendor has the recipients, and writes to those. The vendor renders every text as Liquid, which can also
// ask other servers and withhold the mail.
func (b *brazeAdapter) request(ctx context.Context, m *provider.Message, l *letter) (*provider.Request, error) {
	var ids []string
	for _, address := range distinct(l.to) {
		found, err := b.export(ctx, address)
		if err != nil {
			return nil, err
		}
		for _, id := range found {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	if len(ids) == 0 {
		return nil, provider.Failf(provider.Permanent, "the vendor knows no user with an address of this mail")
	}
	if lost := slices.Concat(l.cc, l.bcc[min(1, len(l.bcc)):]); len(lost) > 0 {
		l.warning = "the vendor takes no cc and only one bcc, left out: " + strings.Join(lost, ", ")
	}
	if len(l.attachments) > 0 {
		b.deps.Log.WarnContext(ctx, "the provider documents no way to attach a file that has no public address", slog.String("message_id", m.ID))
	}
	l.makeLiteral(m, "triggerProperties", "trigger_properties")
	return &provider.Request{
		URL: b.address + "/messages/send", Origin: b.origin, Secure: provider.Bearer(b.creds.Secret("apiKey")),
		Body: jsonBody(map[string]any{
			"broadcast": false, "external_user_ids": ids, "recipient_subscription_state": "all",
			"messages": map[string]any{"email": b.email(l)},
		}),
	}, nil
}

// email has no cc; its one bcc must be set up in the account. Unverified: files as data addresses.
func (b *brazeAdapter) email(l *letter) map[string]any {
	return provider.Present(map[string]any{
		"app_id": b.creds.String("applicationId"), "subject": l.subject, "from": named(l.senderName, l.from), "reply_to": l.replyLine(),
		"body": l.page(), "plaintext_body": l.text, "bcc": first(l.bcc...), "extras": l.customData, "headers": l.extraHeaders(),
		"attachments": l.files(func(a provider.Attachment) map[string]any {
			return map[string]any{"file_name": fileName(a), "url": "data:" + mimeType(a) + ";base64," + encoded(a)}
		}),
	})
}

// export gives the ids of the users that have the address.
func (b *brazeAdapter) export(ctx context.Context, address string) ([]string, error) {
	ans, err := b.client.Do(ctx, &provider.Request{
		URL: b.address + "/users/export/ids", Origin: b.origin, Secure: provider.Bearer(b.creds.Secret("apiKey")),
		Body: &provider.JSON{Root: map[string]any{"email_address": address, "fields_to_export": []any{"external_id"}}},
	})
	if err != nil {
		return nil, provider.BeforeSending(err)
	}
	if !ans.OK() {
		failure := ans.Failure("", ans.At("message"))
		if failure.RetryAfter == 0 {
			failure.RetryAfter = b.pause(ans)
		}
		return nil, failure
	}
	if ans.Broken || ans.JSON() == nil {
		return nil, provider.Failf(provider.Transient, "the vendor's list of users could not be read")
	}
	users, _ := ans.Value("users").([]any)
	var ids []string
	for i := range users {
		if id := strings.TrimSpace(ans.At(fmt.Sprintf("users.%d.external_id", i))); id != "" {
			ids = append(ids, id)
		}
	}
	return ids, nil
}

func (b *brazeAdapter) pause(ans *provider.Answer) time.Duration {
	if ans.Status != 429 {
		return 0
	}
	return provider.ResetAt(ans.Header, "X-RateLimit-Reset", b.deps.Now())
}
