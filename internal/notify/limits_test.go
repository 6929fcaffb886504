package notify_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/alerts"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/repairs"
	"github.com/carillon/carillon/internal/notify/schedules"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/notify/webhooks"
	"github.com/carillon/carillon/internal/workflow"
)

// TestLimitsAtOnce: callers who create at once do not pass the limit of an environment together.
func TestLimitsAtOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t, func(cfg *usecase.Config) {
		cfg.Workflows.SupportedSteps = []workflow.StepType{workflow.StepInApp}
	})
	a.MakeWorkflow(t, "orders", nil)
	for table, c := range map[string]struct {
		most   int
		full   string
		create func(ctx context.Context, n int) error
	}{
		"alert_rules": {alerts.MaxRules, "TOO_MANY_ALERT_RULES", func(ctx context.Context, n int) error {
			return notifytest.Err(a.AlertRules.Create(ctx, alerts.CreateAlertRuleInput{
				Name: fmt.Sprint(n), Condition: workflow.AlertFailureRate, Threshold: new(5.0),
			}))
		}},
		"message_retries": {20, "TOO_MANY_RETRIES", func(ctx context.Context, _ int) error {
			return notifytest.Err(a.Retries.Begin(ctx, repairs.RetryMessagesInput{}))
		}},
		"trigger_schedules": {schedules.MaxSchedules, "TOO_MANY_TRIGGER_SCHEDULES", func(ctx context.Context, _ int) error {
			return notifytest.Err(a.Schedules.Create(ctx, schedules.CreateTriggerScheduleInput{Name: "Daily", Workflow: "orders", StartsAt: "2027-01-01T09:00", RRule: new("FREQ=DAILY")}))
		}},
		"variables": {authoring.MaxVariables, "TOO_MANY_VARIABLES", func(ctx context.Context, n int) error {
			return notifytest.Err(a.Variables.Create(ctx, authoring.CreateVariableInput{Name: fmt.Sprintf("V%d", n), Value: "x"}))
		}},
		"webhook_endpoints": {webhooks.MaxEndpoints, "TOO_MANY_WEBHOOK_ENDPOINTS", func(ctx context.Context, _ int) error {
			return notifytest.Err(a.WebhookEndpoints.Create(ctx, webhooks.CreateWebhookEndpointInput{URL: "https://example.com/hook"}))
		}},
	} {
		t.Run(table, func(t *testing.T) {
			t.Parallel()
			require.NoError(t, c.create(a.Ctx, 0))
			_, err := a.DB.Pool.Exec(t.Context(), `INSERT INTO `+table+` SELECT (jsonb_populate_record(r, jsonb_build_object('id', lpad(to_hex(n), 24, '0'), 'name', 'W' || n))).*
FROM `+table+` r, generate_series(1, $1) n`, c.most-2)
			require.NoError(t, err)
			answers := make(chan error, 8)
			for n := range cap(answers) {
				go func() { answers <- c.create(a.Ctx, n+1) }()
			}
			made := 0
			for range cap(answers) {
				if err := <-answers; notifytest.Code(err) != c.full {
					require.NoError(t, err)
					made++
				}
			}
			require.Equal(t, 1, made)
		})
	}
}
