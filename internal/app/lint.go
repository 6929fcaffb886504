package app

import (
	"cmp"
	"fmt"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// LintOptions are what configuration files are checked against: what a server with these settings would save.
func LintOptions(cfg *config.Config) (configuration.LintOptions, error) {
	registry, err := vendors.Registry()
	if err != nil {
		return configuration.LintOptions{}, fmt.Errorf("list the providers: %w", err)
	}
	return configuration.LintOptions{
		Workflows: workflowSettings(cfg, render.New(render.DefaultLimits())), Providers: registry, Prefix: cfg.ValuePrefix,
	}, nil
}

// workflowSettings decide what a definition may hold on this server.
func workflowSettings(cfg *config.Config, templates usecase.TemplateChecker) usecase.WorkflowSettings {
	return usecase.WorkflowSettings{
		SupportedSteps: workflow.StepTypes(), InboundDomain: cfg.InboundDomain != "", Templates: templates,
		MaxDelay: cmp.Or(cfg.MaxDelay, state.DefaultMaxDelay),
	}
}
