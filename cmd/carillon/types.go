package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/typegen"
	"github.com/carillon/carillon/internal/viewer"
)

// typesCommand writes types for what triggers carry: of the published version of each workflow, or of its draft before the
// first publishing.
type typesCommand struct {
	installing `embed:""`

	Lang        string `help:"go, ts or py (Python 3.11 and later)." enum:"go,ts,py" required:""`
	Out         string `help:"File to write. Empty: standard output." placeholder:"FILE"`
	Package     string `help:"Name of the Go package." default:"triggers"`
	URL         string `help:"A running service to ask. Empty: the database is read." env:"CARILLON_URL" placeholder:"URL"`
	Key         string `help:"API key of the environment, with --url." env:"CARILLON_API_KEY"`
	Environment string `help:"Identifier of the environment, without --url." default:"development"`
}

// Run writes the types.
func (c typesCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	var triggers []typegen.Trigger
	var err error
	if c.URL == "" {
		triggers, err = c.fromDatabase(ctx, cfg, log)
	} else {
		triggers, err = c.fromServer(ctx)
	}
	if err != nil {
		return err
	}
	text, err := typegen.Generate(c.Lang, c.Package, triggers)
	if err != nil {
		return err
	}
	if c.Out == "" {
		_, err = stdout.Write(text)
		return err
	}
	if err := os.WriteFile(c.Out, text, 0o644); err != nil { //nolint:gosec // source text, for everybody to read
		return fmt.Errorf("write the types: %w", err)
	}
	return nil
}

func (c typesCommand) fromDatabase(ctx context.Context, cfg *config.Config, log *slog.Logger) (triggers []typegen.Trigger, err error) {
	err = app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		ctx = viewer.InScope(ctx, viewer.Scope{OrganizationID: env.OrganizationID, EnvironmentID: env.ID})
		all, err := every(func(page usecase.Page) (*usecase.Connection[ent.Workflow], error) {
			return s.Workflows.List(ctx, page, nil, nil)
		})
		if err != nil {
			return err
		}
		for _, w := range all {
			definition := w.Draft
			published, err := s.Workflows.Published(ctx, w)
			if err != nil {
				return err
			}
			if published != nil {
				definition = published.Definition
			}
			triggers = append(triggers, typegen.Trigger{Identifier: w.Identifier, Name: w.Name, Schema: definition.PayloadSchema})
		}
		return nil
	})
	return triggers, err
}

const askPayloads = `query($after: String) { workflows(first: 100, after: $after) {
	nodes { identifier name draft { payloadSchema } published { definition { payloadSchema } } } pageInfo { hasNextPage endCursor } } }`

func (c typesCommand) fromServer(ctx context.Context) (triggers []typegen.Trigger, err error) {
	type definition struct{ PayloadSchema map[string]any }
	server := &client.Client{URL: c.URL, Key: c.Key}
	for after := any(nil); ; {
		var page struct {
			Workflows struct {
				Nodes []struct {
					Identifier, Name string
					Draft            definition
					Published        *struct{ Definition definition }
				}
				PageInfo struct {
					HasNextPage bool
					EndCursor   string
				}
			}
		}
		if err := server.GraphQL(ctx, askPayloads, map[string]any{"after": after}, &page); err != nil {
			return nil, err
		}
		for _, w := range page.Workflows.Nodes {
			schema := w.Draft.PayloadSchema
			if w.Published != nil {
				schema = w.Published.Definition.PayloadSchema
			}
			triggers = append(triggers, typegen.Trigger{Identifier: w.Identifier, Name: w.Name, Schema: schema})
		}
		if !page.Workflows.PageInfo.HasNextPage {
			return triggers, nil
		}
		after = page.Workflows.PageInfo.EndCursor
	}
}
