package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// keysCommand manages environments and keys without a key: whoever may run it owns the database. It works beside a
// running service.
type keysCommand struct {
	installing `embed:""`

	List         keysListCommand         `cmd:"" help:"List an environment's keys; they are shown by their last characters."`
	Create       keysCreateCommand       `cmd:"" help:"Create a key and print it once."`
	Rotate       keysRotateCommand       `cmd:"" help:"Replace a key with a new one and print it once."`
	Revoke       keysRevokeCommand       `cmd:"" help:"Revoke a key."`
	Environments keysEnvironmentsCommand `cmd:"" help:"List the environments."`
	NewEnv       keysNewEnvCommand       `cmd:"" name:"create-environment" help:"Create an environment and its first key."`
	DeleteEnv    keysDeleteEnvCommand    `cmd:"" name:"delete-environment" help:"Delete an environment with everything in it, except its audit log."`
}

// every reads all pages of a list.
func every[T any](list func(usecase.Page) (*usecase.Connection[T], error)) (all []*T, err error) {
	size := usecase.MaxPage
	page := usecase.Page{First: &size}
	for {
		got, err := list(page)
		if err != nil {
			return nil, err
		}
		all = append(all, got.Nodes()...)
		if !got.PageInfo.HasNextPage {
			return all, nil
		}
		page.After = got.PageInfo.EndCursor
	}
}

type keysListCommand struct {
	Environment  string `help:"Identifier of the environment." default:"development"`
	Organization bool   `help:"List the organization's keys instead."`
}

// Run lists the keys.
func (c keysListCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		if c.Organization {
			return listOrganizationKeys(ctx, s)
		}
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		keys, err := every(func(page usecase.Page) (*access.APIKeyConnection, error) {
			return s.APIKeys.List(ctx, &id, page, nil, nil)
		})
		if err != nil {
			return err
		}
		table := newKeyTable()
		for _, k := range keys {
			table.add(k.ID, oneLine(k.Name), k.Hint, k.Scopes, &k.CreatedAt, k.LastUsedAt, k.ExpiresAt, k.RevokedAt)
		}
		return table.Flush()
	})
}

func listOrganizationKeys(ctx context.Context, s *notify.Services) error {
	keys, err := every(func(page usecase.Page) (*access.OrganizationKeyConnection, error) {
		return s.OrganizationKeys.List(ctx, page, nil, nil)
	})
	if err != nil {
		return err
	}
	table := newKeyTable()
	for _, k := range keys {
		table.add(k.ID, oneLine(k.Name), k.Hint, k.Scopes, &k.CreatedAt, k.LastUsedAt, &k.ExpiresAt, k.RevokedAt)
	}
	return table.Flush()
}

// keyTable shows keys of an environment or of the organization, one a line.
type keyTable struct{ *tabwriter.Writer }

func newKeyTable() keyTable {
	table := keyTable{tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)}
	fmt.Fprintln(table, "ID\tNAME\tKEY\tSCOPES\tCREATED\tLAST USED\tEXPIRES\tREVOKED")
	return table
}

func (t keyTable) add(id, name, hint string, scopes []viewer.Grant, times ...*time.Time) {
	fmt.Fprintf(t, "%s\t%s\t…%s\t%s", id, name, hint, shownScopes(scopes))
	for _, at := range times {
		fmt.Fprint(t, "\t", when(at))
	}
	fmt.Fprintln(t)
}

func when(t *time.Time) string {
	if t == nil {
		return "-"
	}
	return t.UTC().Format(time.RFC3339)
}

// shownScopes is what a key may do, in one column.
func shownScopes(scopes []viewer.Grant) string {
	grants := viewer.GrantsOf(scopes...)
	if grants == viewer.FullGrants {
		return string(viewer.PresetFull)
	}
	return strings.ReplaceAll(grants.String(), ", ", ",")
}

type keysCreateCommand struct {
	Environment  string        `help:"Identifier of the environment." default:"development"`
	Organization bool          `help:"Create an organization key instead: for environments, members, settings and the keys of all environments. It is valid for a year at most."`
	Name         string        `help:"Display name." default:"from the command line"`
	Preset       string        `help:"What it may do: server (trigger, audience, content:read, activity:read) or full (everything in the environment)." enum:"server,full" default:"full"`
	Scopes       []string      `help:"What it may do, instead of a preset. Of an environment's key: trigger, audience, content, integrations, activity, keys; all but the first and last also with :read. Of the organization's: environments, members, keys, settings, which it all gets when this is left out."`
	Expires      time.Duration `help:"How long it is valid. 0: for ever; a key of the organization for 90 days."`
}

// Run makes a key. Only the key goes to the standard output, so that it can be captured.
func (c keysCreateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		if c.Organization {
			return c.ofOrganization(ctx, s)
		}
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		in := access.CreateAPIKeyInput{Name: c.Name, EnvironmentID: &id, Preset: new(viewer.Preset(c.Preset))}
		if len(c.Scopes) > 0 {
			in.Preset = nil
			if in.Scopes, err = viewer.ParseGrants(c.Scopes, viewer.EnvironmentGrants()); err != nil {
				return fault.Invalidf("scopes", "%s", err.Error())
			}
		}
		if c.Expires > 0 {
			in.ExpiresAt = new(time.Now().Add(c.Expires))
		}
		made, err := s.APIKeys.Create(ctx, in)
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "Key %s of environment %s (%s). It is shown only once:\n", made.APIKey.ID, c.Environment, shownScopes(made.APIKey.Scopes))
		fmt.Fprintln(stdout, made.Key)
		return nil
	})
}

// organizationKeyLife is how long a key of the organization is valid unless the operator says it.
const organizationKeyLife = 90 * 24 * time.Hour

func (c keysCreateCommand) ofOrganization(ctx context.Context, s *notify.Services) (err error) {
	in := access.CreateOrganizationKeyInput{
		Name: c.Name, Scopes: viewer.OrganizationGrants(), ExpiresAt: time.Now().Add(cmp.Or(c.Expires, organizationKeyLife)),
	}
	if len(c.Scopes) > 0 {
		if in.Scopes, err = viewer.ParseGrants(c.Scopes, viewer.OrganizationGrants()); err != nil {
			return fault.Invalidf("scopes", "%s", err.Error())
		}
	}
	made, err := s.OrganizationKeys.Create(ctx, in)
	if err != nil {
		return err
	}
	fmt.Fprintf(stderr, "Key %s of the organization (%s), valid until %s. It is shown only once:\n",
		made.OrganizationKey.ID, shownScopes(made.OrganizationKey.Scopes), when(&in.ExpiresAt))
	fmt.Fprintln(stdout, made.Key)
	return nil
}

type keysRotateCommand struct {
	ID           string        `arg:"" help:"The key's ID, as keys list shows it."`
	Environment  string        `help:"Identifier of the environment." default:"development"`
	Organization bool          `help:"The key is an organization key."`
	Overlap      time.Duration `help:"How long the old key stays valid, at most 720h (30 days). 0: it ends at once." default:"24h"`
}

// Run replaces a key. Only the new key goes to the standard output, so that it can be captured.
func (c keysRotateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		id, key, err := c.rotate(ctx, s, fmt.Sprintf("PT%dS", int64(c.Overlap.Seconds())))
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "Key %s replaces %s, which ends in %s. It is shown only once:\n", id, c.ID, c.Overlap)
		fmt.Fprintln(stdout, key)
		return nil
	})
}

func (c keysRotateCommand) rotate(ctx context.Context, s *notify.Services, overlap string) (id, key string, err error) {
	if c.Organization {
		made, err := s.OrganizationKeys.Rotate(ctx, c.ID, overlap)
		if err != nil {
			return "", "", err
		}
		return made.OrganizationKey.ID, made.Key, nil
	}
	env, err := s.Environments.ByIdentifier(ctx, c.Environment)
	if err != nil {
		return "", "", err
	}
	made, err := s.APIKeys.Rotate(ctx, new(env.GlobalID()), c.ID, overlap)
	if err != nil {
		return "", "", err
	}
	return made.APIKey.ID, made.Key, nil
}

type keysRevokeCommand struct {
	ID           string `arg:"" help:"The key's ID, as keys list shows it."`
	Environment  string `help:"Identifier of the environment." default:"development"`
	Organization bool   `help:"The key is an organization key."`
}

// Run ends a key.
func (c keysRevokeCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		if c.Organization {
			revoked, err := s.OrganizationKeys.Revoke(ctx, c.ID)
			if err != nil {
				return err
			}
			fmt.Fprintf(stdout, "Key %s (…%s) is revoked.\n", revoked.ID, revoked.Hint)
			return nil
		}
		env, err := s.Environments.ByIdentifier(ctx, c.Environment)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		revoked, err := s.APIKeys.Revoke(ctx, &id, c.ID)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "Key %s (…%s) is revoked.\n", revoked.ID, revoked.Hint)
		return nil
	})
}

type keysEnvironmentsCommand struct{}

// Run lists the environments.
func (keysEnvironmentsCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		environments, err := every(func(page usecase.Page) (*access.EnvironmentConnection, error) {
			return s.Environments.List(ctx, page, nil, nil)
		})
		if err != nil {
			return err
		}
		table := tabwriter.NewWriter(stdout, 0, 0, 2, ' ', 0)
		fmt.Fprintln(table, "ID\tIDENTIFIER\tNAME\tTYPE\tSUSPENDED")
		for _, e := range environments {
			fmt.Fprintf(table, "%s\t%s\t%s\t%s\t%t\n", e.ID, e.Identifier, oneLine(e.Name), e.Type, e.Suspended)
		}
		return table.Flush()
	})
}

type keysNewEnvCommand struct {
	Identifier string `arg:"" help:"Identifier of the new environment."`
	Name       string `help:"Display name. Empty: the identifier."`
	Production bool   `help:"Mark it as production: its clock can never be moved."`
}

// Run makes an environment with its first key.
func (c keysNewEnvCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		in := access.CreateEnvironmentInput{Identifier: c.Identifier}
		if c.Name != "" {
			in.Name = &c.Name
		}
		if c.Production {
			in.Type = new(environment.TypeProduction)
		}
		env, err := s.Environments.Create(ctx, in)
		if err != nil {
			return err
		}
		id := env.GlobalID()
		made, err := s.APIKeys.Create(ctx, access.CreateAPIKeyInput{Name: "First key", EnvironmentID: &id})
		if err != nil {
			return err
		}
		fmt.Fprintf(stderr, "Environment %s is created. Its key is shown only once:\n", env.Identifier)
		fmt.Fprintln(stdout, made.Key)
		return nil
	})
}
