package app

import (
	"context"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// letterSender is what carries Carillon's own mails to its people: the operator's relay through the same client as every
// other mail, without a quota; nil when the operator configured none.
func letterSender(cfg *config.Config, registry *provider.Registry, deps provider.Deps) (func(context.Context, usecase.Mail) error, error) {
	if cfg.SMTPURL != "" {
		deps.Demo.Email = provider.DemoEmail{SMTPURL: cfg.SMTPURL, From: cfg.SMTPFrom, SenderName: "Carillon"}
	}
	if relay := deps.Demo.Email; relay.SMTPURL == "" && relay.SendGridKey == "" || relay.From == "" {
		return nil, nil
	}
	deps.Quota = nil
	adapter, err := registry.Open(deps, "svc-email", nil)
	if err != nil {
		return nil, fmt.Errorf("CARILLON_SMTP_URL: %w", err)
	}
	return func(ctx context.Context, mail usecase.Mail) error {
		_, err := adapter.Send(ctx, &provider.Message{
			ID: id.New(time.Now()), Channel: workflow.ChannelEmail, Attempt: 1, Target: provider.Target{Email: mail.To},
			Content: provider.Content{Title: mail.Subject, Text: mail.Text},
		})
		return err
	}, nil
}
