package app

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/home"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// ErrNotInstalled says that there is no installation yet: nothing was ever served from this database, nor made in it.
var ErrNotInstalled = errors.New("there is no Carillon installation yet")

// Installed reports whether an organization exists. It makes nothing; where the embedded database would be made first, it
// is not started.
func Installed(ctx context.Context, cfg *config.Config, log *slog.Logger) (found bool, err error) {
	if cfg.Embedded() {
		if found, err := embedded.HasCluster(cfg.DataDir); err != nil || !found {
			return false, err
		}
	}
	err = Administer(ctx, cfg, log, func(context.Context, *notify.Services) error { return nil })
	if errors.Is(err, ErrNotInstalled) {
		return false, nil
	}
	return err == nil, err
}

// Install makes the organization and the first environment, when there are none.
func Install(ctx context.Context, cfg *config.Config, log *slog.Logger) (err error) {
	a, err := open(ctx, cfg, log, "", true, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, a.close(ctx)) }()
	return a.services.Install(ctx)
}

// requireDatabase fails with ErrNotInstalled where opening the database would make an embedded one.
func requireDatabase(cfg *config.Config) error {
	if !cfg.Embedded() {
		return nil
	}
	found, err := embedded.HasCluster(cfg.DataDir)
	if err != nil || found {
		return err
	}
	return fmt.Errorf("%w in %s: `carillon serve` makes and migrates one; for a database of yours set CARILLON_DATABASE_URL", ErrNotInstalled, Place(cfg))
}

// Place names the database that cfg leads to, without its password.
func Place(cfg *config.Config) string {
	if cfg.Embedded() {
		return "the data directory " + cfg.DataDir
	}
	return "the database of CARILLON_DATABASE_URL"
}

// firstStart prepares an installation that was never served: its organization, environment and key, and a workflow to try
// it with.
func (a *App) firstStart(ctx context.Context) (*access.BootstrapResult, error) {
	first, err := a.services.Bootstrap(ctx, access.BootstrapInput{
		APIKey: a.cfg.BootstrapAPIKey, OrganizationKey: a.cfg.BootstrapOrganizationKey,
	})
	if err != nil || !first.Created {
		return first, err
	}
	ctx = viewer.InScope(ctx, viewer.Scope{OrganizationID: first.Organization.ID, EnvironmentID: first.Environment.ID})
	if _, err := a.services.Workflows.Create(ctx, hello()); err != nil {
		return nil, fmt.Errorf("make the first workflow: %w", err)
	}
	return first, nil
}

// hello is the workflow that the printed curl line triggers: an in-app message.
func hello() authoring.CreateWorkflowInput {
	return authoring.CreateWorkflowInput{
		Identifier: new("hello"),
		Name:       "Hello",
		Definition: workflow.Definition{
			Severity:   workflow.SeverityNone,
			Versioning: workflow.VersionPinned,
			Steps: []workflow.Step{{
				StepID: "inbox", Name: "Inbox", Type: workflow.StepInApp, Active: true,
				InApp: &workflow.InAppControls{Subject: "Hello", Body: "Hello {{ payload.name }}, this is your first notification."},
			}},
		},
	}
}

// greet prints the next steps for a new operator.
func greet(out io.Writer, cfg *config.Config, listens net.Addr, first *access.BootstrapResult) {
	address := "http://" + localAddress(listens.String())
	fmt.Fprintf(out, `
Carillon listens on %s

  Dashboard      %s/dashboard  (make a log-in: carillon users create you@example.com)
  GraphiQL       %s/graphql
  Documentation  %s/docs
`, address, address, address, address)
	if !first.Created {
		fmt.Fprintln(out)
		return
	}
	key := shownKey(out, cfg, first)
	fmt.Fprintf(out, `
Send a first notification:

  curl -X POST %s/v1/events/trigger \
    -H "Authorization: ApiKey %s" \
    -H "Content-Type: application/json" \
    -d '{"name": "hello", "to": "you", "payload": {"name": "World"}}'

`, address, key)
}

// shownKey prints the first key, and returns what the line to try shows instead. A key that the operator chose is kept
// off the screen and out of the logs that it ends in.
func shownKey(out io.Writer, cfg *config.Config, first *access.BootstrapResult) string {
	switch {
	case cfg.BootstrapAPIKey != "":
		fmt.Fprintf(out, "\nThe first environment is %q. Its API key is the one in CARILLON_BOOTSTRAP_API_KEY.\n", first.Environment.Identifier)
		return "$CARILLON_BOOTSTRAP_API_KEY"
	case first.Key == "":
		fmt.Fprintf(out, "\nThe first environment is %q. It has an API key already; make more with: carillon keys create\n", first.Environment.Identifier)
		return "$KEY"
	default:
		fmt.Fprintf(out, "\nThe first environment is %q. Its API key is shown only once; create more with: carillon keys create\n\n  %s\n",
			first.Environment.Identifier, first.Key)
		return first.Key
	}
}

// localAddress is the address at which a program on this machine can call one that listens there: a server that listens
// everywhere is also on localhost.
func localAddress(listens string) string {
	host, port, err := net.SplitHostPort(listens)
	if err != nil {
		return listens
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "localhost"
	}
	return net.JoinHostPort(host, port)
}

// homeLinks are the places that the page at / leads to.
func (a *App) homeLinks() []home.Link {
	links := []home.Link{
		{Path: "/dashboard", Name: "Dashboard", About: "workflows, messages, people and keys"},
		{Path: "/docs", Name: "Documentation", About: "the API, how workflows behave, a glossary"},
		{Path: "/openapi.json", Name: "OpenAPI", About: "the REST API for machines and generators"},
		{Path: "/graphql", Name: "GraphiQL", About: "try GraphQL with an API key"},
	}
	if a.cfg.Introspection != "off" {
		links = append(links, home.Link{Path: "/graphql/schema.graphql", Name: "GraphQL schema", About: "everything that GraphQL offers"})
	}
	return links
}
