package notifytest

import (
	"context"
	"maps"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Authoring is what authors of workflows work with: the use cases over a database with one environment, as its admin.
type Authoring struct {
	*notify.Services
	DB  *postgres.DB
	Ctx context.Context //nolint:containedctx // every call of a test has the same viewer
	Env string
}

// NewAuthoring returns an Authoring whose clock is the real one.
func NewAuthoring(t *testing.T) *Authoring {
	t.Helper()
	a := &Authoring{DB: pgtest.New(t)}
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	registry, err := vendors.Registry()
	require.NoError(t, err)
	a.Services = notify.New(usecase.Config{
		DB: a.DB, Now: time.Now, Secrets: keeper, Providers: registry, Prefix: "acme",
		Workflows: usecase.WorkflowSettings{
			SupportedSteps: []workflow.StepType{workflow.StepInApp, workflow.StepEmail, workflow.StepSMS, workflow.StepChat, workflow.StepPush},
			MaxDelay:       400 * 24 * time.Hour,
			Templates:      render.New(render.DefaultLimits()),
		},
	})
	made, err := a.Bootstrap(t.Context(), access.BootstrapInput{})
	require.NoError(t, err)
	a.Env = made.Environment.ID
	a.Ctx = viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: made.Organization.ID, EnvironmentID: made.Environment.ID}, Role: viewer.RoleAdmin,
	})
	return a
}

// InAppStep returns an active in-app step.
func InAppStep() workflow.Step {
	return workflow.Step{Type: workflow.StepInApp, Active: true, InApp: &workflow.InAppControls{Body: "Hello {{payload.name}}"}}
}

// EmailStep returns an active email step with a layout.
func EmailStep(layout string) workflow.Step {
	return workflow.Step{
		Type: workflow.StepEmail, Name: "Send Mail", Active: true,
		Email: &workflow.EmailControls{Subject: "Hi", HTML: "<p>Hi</p>", LayoutID: layout},
	}
}

// SMTP returns credentials of an SMTP server, with further ones.
func SMTP(extra map[string]any) map[string]any {
	credentials := map[string]any{"host": "mail.example.com", "port": "587", "from": "shop@example.com", "senderName": "Shop"}
	maps.Copy(credentials, extra)
	return credentials
}

// MakeIntegration makes an integration.
func (a *Authoring) MakeIntegration(t *testing.T, in integrations.CreateIntegrationInput) *ent.Integration {
	t.Helper()
	made, err := a.Integrations.Create(a.Ctx, in)
	require.NoError(t, err)
	return made
}

// Integration returns the integration with an identifier.
func (a *Authoring) Integration(t *testing.T, identifier string) *ent.Integration {
	t.Helper()
	found, err := a.Integrations.ByIdentifier(a.Ctx, identifier)
	require.NoError(t, err)
	return found
}
