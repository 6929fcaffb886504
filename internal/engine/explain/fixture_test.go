package explain_test

import (
	"context"
	"encoding/json"
	"log/slog"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/explain"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// noon is the time of every environment in these tests, a Saturday.
var noon = time.Date(2025, 3, 1, 12, 0, 0, 0, time.UTC)

// bundle is an explainer on a database of its own, with an environment whose integrations serve in-app and e-mail.
type bundle struct {
	t         *testing.T
	ctx       context.Context //nolint:containedctx // of the test
	db        *postgres.DB
	scope     viewer.Scope
	explainer *explain.Explainer
}

func setup(t *testing.T) *bundle {
	t.Helper()
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	b := &bundle{t: t, db: pgtest.New(t), ctx: viewer.SystemContext(t.Context())}
	org := b.db.Ent.Organization.Create().SetName("acme").SaveX(b.ctx)
	env := b.db.Ent.Environment.Create().SetName("test").SetIdentifier("test").SetOrganizationID(org.ID).SaveX(b.ctx)
	b.scope = viewer.Scope{OrganizationID: org.ID, EnvironmentID: env.ID}
	b.ctx = viewer.InScope(b.ctx, b.scope)
	for channel, providerID := range map[workflow.Channel]string{workflow.ChannelInApp: "svc", workflow.ChannelEmail: "nodemailer"} {
		b.db.Ent.Integration.Create().SetIdentifier("own-" + providerID).SetName(providerID).SetProviderID(providerID).SetChannel(channel).
			SetPrimary(true).SaveX(b.ctx)
	}
	b.explainer = explain.New(explain.Config{
		DB: b.db, Now: func() time.Time { return noon }, Logger: slog.New(slog.DiscardHandler), Secrets: keeper,
	})
	return b
}

// publish stores a workflow, all of whose steps are on, as its first published version.
func (b *bundle) publish(identifier string, d workflow.Definition) *ent.Workflow {
	b.t.Helper()
	for i := range d.Steps {
		d.Steps[i].ID, d.Steps[i].Active = id.New(time.Now()), true
	}
	w := b.db.Ent.Workflow.Create().SetIdentifier(identifier).SetName(identifier).SetDraft(&d).SaveX(b.ctx)
	v := b.db.Ent.WorkflowVersion.Create().SetWorkflowID(w.ID).SetNumber(1).SetDefinition(&d).SetSeverity(workflow.SeverityNone).SaveX(b.ctx)
	return w.Update().SetPublishedVersionID(v.ID).SaveX(b.ctx)
}

func (b *bundle) subscriber(subscriberID string) *ent.Subscriber {
	b.t.Helper()
	return b.db.Ent.Subscriber.Create().SetSubscriberID(subscriberID).SetEmail(subscriberID + "@example.com").SetFirstName("stored").SaveX(b.ctx)
}

// topic stores a topic with subscribers, each with one subscription that is called after both.
func (b *bundle) topic(key string, members ...*ent.Subscriber) *ent.Topic {
	b.t.Helper()
	topic := b.db.Ent.Topic.Create().SetKey(key).SetName(key).SaveX(b.ctx)
	for _, s := range members {
		b.subscribe(topic, s, key+"-"+s.SubscriberID)
	}
	return topic
}

func (b *bundle) subscribe(topic *ent.Topic, s *ent.Subscriber, identifier string) *ent.Subscription {
	b.t.Helper()
	return b.db.Ent.Subscription.Create().SetTopicID(topic.ID).SetSubscriberID(s.ID).SetIdentifier(identifier).SaveX(b.ctx)
}

// unless lets a subscription pass only events of a workflow whose text is another one.
func (b *bundle) unless(sub *ent.Subscription, w *ent.Workflow, text string) {
	b.t.Helper()
	b.db.Ent.SubscriptionPreference.Create().SetSubscriptionID(sub.ID).SetWorkflowID(w.ID).SetEnabled(true).SetPosition(0).
		SetCondition(map[string]any{"!=": []any{map[string]any{"var": "payload.text"}, text}}).SaveX(b.ctx)
}

// item is a trigger with the text hello.
func (b *bundle) item(identifier string, recipients *workflow.Recipients) accept.Acceptance {
	b.t.Helper()
	return accept.Acceptance{
		EnvironmentID: b.scope.EnvironmentID, Kind: event.KindTrigger, Workflow: identifier, TransactionID: "t-1",
		Payload: []byte(`{"text":"hello"}`), Recipients: b.raw(recipients), Reachable: true, Topics: len(recipients.Topics) > 0,
	}
}

func (b *bundle) broadcast(identifier string) accept.Acceptance {
	b.t.Helper()
	item := b.item(identifier, &workflow.Recipients{})
	item.Kind, item.Recipients = event.KindBroadcast, nil
	return item
}

func (b *bundle) raw(v any) []byte {
	b.t.Helper()
	raw, err := json.Marshal(v)
	require.NoError(b.t, err)
	return raw
}

func (b *bundle) explain(item accept.Acceptance) *explain.Explanation {
	b.t.Helper()
	out, err := b.explainer.Explain(b.ctx, item, explain.Page{Limit: 100})
	require.NoError(b.t, err)
	return out
}

// pages are the subscribers of every page of an explanation, those that are not reached in brackets.
func (b *bundle) pages(item accept.Acceptance, limit int) (pages [][]string) {
	b.t.Helper()
	for page := (explain.Page{Limit: limit}); ; {
		out, err := b.explainer.Explain(b.ctx, item, page)
		require.NoError(b.t, err)
		pages = append(pages, names(out))
		if out.Next == nil {
			return pages
		}
		require.Less(b.t, len(pages), 50, "the pages do not end")
		page.After = *out.Next
	}
}

func names(x *explain.Explanation) []string {
	list := []string{}
	for _, r := range x.Recipients {
		name := r.SubscriberID
		if !r.Reached {
			name = "[" + name + "]"
		}
		list = append(list, name)
	}
	return list
}

// told are the decisions about a subscriber's run, each as its step, decision and reason, with the minutes since noon.
func told(r *explain.ExplainedRecipient) (list []string) {
	for _, s := range r.Steps {
		name := "run"
		if s.Step != nil {
			name = s.Step.StepID
		}
		list = append(list, name+" "+string(s.Decision)+" "+string(s.Reason)+" "+s.At.Sub(noon).String())
	}
	return list
}

// to names subscribers directly.
func to(ids ...string) *workflow.Recipients {
	r := &workflow.Recipients{}
	for _, s := range ids {
		r.Direct = append(r.Direct, workflow.SubscriberInput{SubscriberID: s})
	}
	return r
}

// topics names topics.
func topics(keys ...string) *workflow.Recipients {
	r := &workflow.Recipients{}
	for _, key := range keys {
		r.Topics = append(r.Topics, workflow.TopicRecipient{TopicKey: key})
	}
	return r
}

func bell(body string) workflow.Step {
	return workflow.Step{StepID: "bell", Type: workflow.StepInApp, InApp: &workflow.InAppControls{Body: body}}
}

func mail() workflow.Step {
	return workflow.Step{StepID: "mail", Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "Hi", HTML: "<p>{{payload.text}}</p>"}}
}
