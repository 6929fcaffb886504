package repairs

import (
	"context"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/integration"
	"github.com/carillon/carillon/ent/pause"
	"github.com/carillon/carillon/ent/subscriber"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// targetNames finds the names of what pauses of one kind hold, by what the pauses store. Names of what was deleted are found as long
// as there is a row.
type targetNames struct {
	need usecase.Need
	find func(ctx context.Context, db *ent.Client, targets []string) (map[string]string, error)
}

var namesOfTargets = map[workflow.PauseKind]targetNames{
	workflow.PauseEnvironment: {usecase.ReadActivity, func(ctx context.Context, db *ent.Client, _ []string) (map[string]string, error) {
		v, _ := viewer.FromContext(ctx)
		found, err := db.Environment.Query().Where(environment.ID(v.EnvironmentID)).All(ctx)
		return by(found, err, func(e *ent.Environment) (string, string) { return "", e.Name })
	}},
	workflow.PauseWorkflow: {usecase.ReadContent, func(ctx context.Context, db *ent.Client, targets []string) (map[string]string, error) {
		found, err := db.Workflow.Query().Where(entworkflow.IDIn(targets...)).Select(entworkflow.FieldID, entworkflow.FieldName).All(ctx)
		return by(found, err, func(w *ent.Workflow) (string, string) { return w.ID, w.Name })
	}},
	workflow.PauseBroadcast: {usecase.ReadActivity, func(ctx context.Context, db *ent.Client, targets []string) (map[string]string, error) {
		found, err := db.Event.Query().Where(event.IDIn(targets...)).Select(event.FieldID, event.FieldTransactionID).All(ctx)
		return by(found, err, func(e *ent.Event) (string, string) { return e.ID, e.TransactionID })
	}},
	workflow.PauseSubscriber: {usecase.ReadAudience, func(ctx context.Context, db *ent.Client, targets []string) (map[string]string, error) {
		found, err := db.Subscriber.Query().Where(subscriber.IDIn(targets...)).Select(subscriber.FieldID, subscriber.FieldSubscriberID).All(ctx)
		return by(found, err, func(s *ent.Subscriber) (string, string) { return s.ID, s.SubscriberID })
	}},
	workflow.PauseIntegration: {usecase.ReadIntegrations, func(ctx context.Context, db *ent.Client, targets []string) (map[string]string, error) {
		found, err := db.Integration.Query().Where(integration.IDIn(targets...)).Select(integration.FieldID, integration.FieldName).All(ctx)
		return by(found, err, func(i *ent.Integration) (string, string) { return i.ID, i.Name })
	}},
	workflow.PauseChannel: {usecase.ReadActivity, func(_ context.Context, _ *ent.Client, targets []string) (map[string]string, error) {
		return by(targets, nil, func(channel string) (string, string) { return channel, channel })
	}},
}

func by[T any](found []T, err error, name func(T) (target, name string)) (map[string]string, error) {
	names := make(map[string]string, len(found))
	for _, one := range found {
		target, text := name(one)
		names[target] = text
	}
	return names, err
}

// TargetNames are the names of what pauses hold, by the internal ids of the pauses, with one query per kind: of the environment, a
// workflow and an integration their names, of a broadcast its transactionId, of a subscriber the subscriberId, of a channel its name.
// Left out is what is gone, and what the viewer may not read.
func (p *Pauses) TargetNames(ctx context.Context, ids []string) (map[string]*string, error) {
	return usecase.Read(ctx, p.Deps, usecase.ReadActivity, func(ctx context.Context, db *ent.Client) (map[string]*string, error) {
		found, err := db.Pause.Query().Where(pause.IDIn(ids...)).Select(pause.FieldID, pause.FieldKind, pause.FieldTarget).All(ctx)
		if err != nil {
			return nil, err
		}
		of := map[workflow.PauseKind][]string{}
		for _, one := range found {
			of[one.Kind] = append(of[one.Kind], one.Target)
		}
		names := map[workflow.PauseKind]map[string]string{}
		for kind, targets := range of {
			known := namesOfTargets[kind]
			if _, err := usecase.Require(ctx, known.need); err != nil {
				continue // who may read pauses need not be allowed to read this
			}
			if names[kind], err = known.find(ctx, db, targets); err != nil {
				return nil, err
			}
		}
		out := make(map[string]*string, len(found))
		for _, one := range found {
			if name, ok := names[one.Kind][one.Target]; ok {
				out[one.ID] = &name
			}
		}
		return out, nil
	})
}
