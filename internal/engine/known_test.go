package engine_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// credential is an API key that a test has looked at.
type credential struct {
	check   pgaccess.KeyCheck
	confirm func(*pgaccess.FoundKey) error
}

func (c *credential) Check() *pgaccess.KeyCheck     { return &c.check }
func (c *credential) Confirm(context.Context) error { return c.confirm(c.check.Found()) }
func (c *credential) Reset()                        { c.check.Reset() }

// TestKnownIsVerified: events to a recipient are planned by what was read for the one before, and each change of it counts for the next.
func TestKnownIsVerified(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change string
		want   string // the message's text, or why there is none
		stored event.Status
	}{
		"Nothing":     {`SELECT 1`, "hello Ada", event.StatusFannedOut},
		"Profile":     {`UPDATE subscribers SET first_name = 'Eve'`, "hello Eve", event.StatusFannedOut},
		"Preference":  {`INSERT INTO preferences (id, created_at, updated_at, environment_id, context_keys, scope, subscriber_id, workflow_id, enabled, channels) SELECT id, now(), now(), environment_id, '[]', '', id, '', true, '{"in_app": false}' FROM subscribers`, "preference", event.StatusFannedOut},
		"Translation": {`UPDATE translations SET content = '{"greeting": "hallo"}'`, "hallo Ada", event.StatusFannedOut},
		"Locale":      {`UPDATE environments SET default_locale = 'de'`, "servus Ada", event.StatusFannedOut},
		"Deleted":     {`UPDATE subscribers SET deleted = true`, "hello ", event.StatusFannedOut}, // another one is made
		"Unpublished": {`UPDATE workflows SET active = false`, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			seen := &statements{}
			b := setupOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), seen))
			b.onRealTime()
			b.acquainted("u1")
			b.exec(`UPDATE subscribers SET first_name = 'Ada'`)
			for locale, text := range map[string]string{"en_US": "hello", "de": "servus"} {
				b.db.Ent.Translation.Create().SetLocale(locale).SetContent(map[string]string{"greeting": text}).ExecX(b.ctx)
			}
			b.exec(`UPDATE environments SET default_locale = 'en_US'`)
			a := b.accepting(true)
			wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{'greeting' | t}} {{subscriber.firstName}}")}})
			trips := func(do func()) int {
				t.Helper()
				seen.mu.Lock()
				before := seen.trips
				seen.mu.Unlock()
				do()
				seen.mu.Lock()
				defer seen.mu.Unlock()
				return seen.trips - before
			}
			request := func() accept.Request {
				return accept.Request{Items: []accept.Acceptance{b.acceptance(wf, to("u1"), "")}}
			}
			for range 2 { // the workflow is read, then what belongs to the recipient
				b.offer(a, wf, to("u1"), "")
			}
			fewest := 1000 // since other things happen beside it
			for n := 0; n < 10 && fewest > 1; n++ {
				known := request()
				fewest = min(fewest, trips(func() {
					_, err := a.Accept(b.ctx, known)
					require.NoError(t, err)
				}))
			}
			require.Equal(t, 1, fewest, "nothing is read")

			b.exec(c.change)
			outcomes, err := a.Accept(b.ctx, request())
			require.NoError(t, err)
			if c.stored == "" {
				require.Empty(t, outcomes[0].EventID)
				return
			}
			ev := outcomes[0].EventID
			require.Equal(t, c.stored, b.db.Ent.Event.GetX(b.ctx, ev).Status)
			switch messages := b.messages(ev); {
			case len(messages) == 0:
				require.Equal(t, c.want, string(reasons(b.runs(ev)[0])[0]))
			default:
				require.Equal(t, c.want, messages[0].Content.Text)
			}
		})
	}
}

// TestAssumedKeyIsVerified: the key of a request is taken for what it was for the one before, and the commit finds out when it is not.
func TestAssumedKeyIsVerified(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.acquainted("u1")
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	hash := []byte("the hash of a key")
	b.db.Ent.APIKey.Create().SetName("k").SetHash(hash).SetHint("k").SetScopes([]viewer.Grant{viewer.GrantTrigger}).ExecX(b.ctx)
	refused := errors.New("refused")
	for _, c := range []struct{ change, back string }{
		{`UPDATE api_keys SET revoked_at = now()`, `UPDATE api_keys SET revoked_at = NULL`},
		{`UPDATE api_keys SET name = 'other'`, `UPDATE api_keys SET name = 'k'`},
		{`UPDATE environments SET suspended = true`, `UPDATE environments SET suspended = false`},
		{`UPDATE organizations SET suspended = true`, `UPDATE organizations SET suspended = false`},
		{`UPDATE organizations SET move = 'leaving'`, `UPDATE organizations SET move = 'none'`},
		{`DELETE FROM api_keys`, ``},
	} {
		a := b.accepting(true)
		var assumed []bool // of each time that a key was judged
		accepted := func() error {
			key := &credential{check: pgaccess.KeyCheck{Hash: hash}}
			key.confirm = func(found *pgaccess.FoundKey) error {
				if found == nil {
					return nil // no plan: it would be looked up
				}
				assumed = append(assumed, key.check.Assumed() != nil)
				if !found.OK || found.RevokedAt != nil || found.Name != "k" || found.Suspended != "" || found.Move != "none" {
					return refused
				}
				return nil
			}
			_, err := a.Accept(b.ctx, accept.Request{Credential: key, Items: []accept.Acceptance{b.acceptance(wf, to("u1"), "")}})
			return err
		}
		stored := b.db.Ent.Event.Query().CountX(b.ctx)
		for range 3 { // the workflow is read, with the key, then all that the recipient has
			require.NoError(t, accepted(), c.change)
		}
		require.Equal(t, stored+3, b.db.Ent.Event.Query().CountX(b.ctx))
		require.True(t, !assumed[0] && assumed[len(assumed)-1], c.change)

		assumed = nil
		b.exec(c.change)
		require.ErrorIs(t, accepted(), refused, c.change)
		require.Equal(t, []bool{true, false}, assumed, "%s: it was read once its commit had failed", c.change)
		require.Equal(t, stored+3, b.db.Ent.Event.Query().CountX(b.ctx), "%s: nothing is stored", c.change)
		if c.back != "" {
			b.exec(c.back)
			require.NoError(t, accepted(), c.change)
		}
	}
}

// TestCredentialIsReadWithThePlan: the key of a request is read with what its events depend on, and nothing is stored when it is refused.
func TestCredentialIsReadWithThePlan(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.onRealTime()
	b.acquainted("u1")
	a := b.accepting(true)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("x")}})
	b.offer(a, wf, to("u1"), "") // so that the workflow is known
	hash := []byte("the hash of a key")
	b.db.Ent.APIKey.Create().SetName("k").SetHash(hash).SetHint("k").SetScopes([]viewer.Grant{viewer.GrantTrigger}).ExecX(b.ctx)
	for i, refusal := range []error{errors.New("refused"), nil} {
		c := &credential{check: pgaccess.KeyCheck{Hash: hash}}
		c.confirm = func(found *pgaccess.FoundKey) error {
			require.True(t, found.OK)
			require.Equal(t, b.scope, found.Scope)
			require.Equal(t, 1, b.db.Ent.Event.Query().CountX(b.ctx), "nothing is stored before")
			return refusal
		}
		_, err := a.Accept(b.ctx, accept.Request{Credential: c, Items: []accept.Acceptance{b.acceptance(wf, to("u1"), "")}})
		require.ErrorIs(t, err, refusal)
		require.Equal(t, 1+i, b.db.Ent.Event.Query().CountX(b.ctx))
	}
}

// TestChangedProfileIsForgotten: after an event that changes a profile the next one to its subscriber is planned by what is read, whatever
// workflow it follows, and whether the subscriber was a recipient or the actor: no commit fails.
func TestChangedProfileIsForgotten(t *testing.T) {
	t.Parallel()
	seen := &refusals{}
	b := setupOn(t, pgtest.OpenTraced(t, pgtest.NewURL(t), seen))
	b.onRealTime()
	b.acquainted("u1", "boss")
	a := b.accepting(true)
	one := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("for {{subscriber.firstName}}")}})
	two := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("for {{subscriber.firstName}} by {{actor.firstName}}")}})
	offer := func(p published, recipient, actor string) string {
		r := to("u1")
		if recipient != "" {
			r.Direct[0].FirstName = workflow.Given(recipient)
		}
		item := b.acceptance(p, r, "")
		if item.Actor = []byte(`{"subscriberId": "boss"}`); actor != "" {
			item.Actor = []byte(`{"subscriberId": "boss", "firstName": "` + actor + `"}`)
		}
		outcomes, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{item}})
		require.NoError(t, err)
		ev := outcomes[0].EventID
		require.Equal(t, event.StatusFannedOut, b.db.Ent.Event.GetX(b.ctx, ev).Status)
		return b.messages(ev)[0].Content.Text
	}
	for range 2 { // the workflows are read, then the people
		offer(one, "Ada", "Bea")
		offer(two, "", "")
	}
	for _, name := range []string{"Eve", "Joy"} {
		offer(one, name, "")
		require.Equal(t, "for "+name+" by Bea", offer(two, "", ""))
	}
	for _, name := range []string{"Amy", "Zoe"} {
		offer(one, "", name)
		require.Equal(t, "for Joy by "+name, offer(two, "", ""))
	}
	require.Zero(t, seen.n.Load())
}
