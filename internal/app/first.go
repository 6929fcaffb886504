package app

import (
	"context"
	"fmt"

	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// firstStart makes the first organization, environment and key of an empty database, and a workflow to try it with.
func (a *App) firstStart(ctx context.Context) (*notify.BootstrapResult, error) {
	first, err := a.services.Bootstrap(ctx, notify.BootstrapInput{APIKey: a.cfg.BootstrapAPIKey})
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
func hello() notify.CreateWorkflowInput {
	return notify.CreateWorkflowInput{
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
