package app

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/engine/deliver"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgrun"
)

// testSend sends a test message with the engine.
func (a *App) testSend(ctx context.Context, t usecase.IntegrationTest) (*ent.Attempt, error) {
	i := t.Integration
	row := pgrun.IntegrationRow{
		EnvironmentID: i.EnvironmentID, Credentials: i.Credentials, Configurations: i.Configurations, UpdatedAt: i.UpdatedAt, Breaker: i.Breaker,
		BreakerFailures: i.BreakerFailures, Simulation: i.Simulation,
	}
	row.ID, row.Identifier, row.ProviderID, row.Channel = i.ID, i.Identifier, i.ProviderID, i.Channel
	made, err := a.engine.SendTest(ctx, deliver.TestMessage{Integration: row, To: t.To, Subject: t.Subject, Body: t.Body})
	if err != nil {
		return nil, err
	}
	return &ent.Attempt{
		ID: made.ID, EnvironmentID: made.EnvironmentID, MessageID: made.MessageID, Number: made.Number, IntegrationID: made.IntegrationID,
		ProviderID: made.ProviderID, Outcome: made.Outcome, FinishedAt: made.FinishedAt, HTTPStatus: made.HTTPStatus, Code: made.Code,
		ErrorText: made.ErrorText, Class: made.Class, ProviderMessageID: made.ProviderMessageID, CreatedAt: made.CreatedAt, UpdatedAt: made.CreatedAt,
	}, nil
}
