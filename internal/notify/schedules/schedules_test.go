package schedules_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/queue"
	enginesched "github.com/carillon/carillon/internal/engine/schedules"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/schedules"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgschedule"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// office is an environment with a published workflow "w", whose clock stands at the beginning of June until the test moves it.
type office struct {
	*notifytest.Audience
	t *testing.T
}

func (o *office) Now(string) time.Time { return o.Audience.Now }

func newOffice(t *testing.T) *office {
	t.Helper()
	o := &office{t: t}
	o.Audience = notifytest.NewAudience(t, func(cfg *usecase.Config) {
		acceptor := accept.NewAcceptor(accept.Config{DB: cfg.DB, Queue: queue.New(), Now: time.Now, Logger: slog.New(slog.DiscardHandler)})
		require.NoError(t, acceptor.Start(t.Context()))
		t.Cleanup(func() { require.NoError(t, acceptor.Stop(context.WithoutCancel(t.Context()))) })
		cfg.Accept = acceptor
	})
	o.Audience.Now = time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)
	w := o.MakeWorkflow(t, "w", func(_ *ent.WorkflowCreate, d *workflow.Definition) { d.Steps = []workflow.Step{notifytest.InAppStep()} })
	v := o.DB.Ent.WorkflowVersion.Create().SetWorkflowID(w.ID).SetNumber(1).SetDefinition(w.Draft).SetSeverity(workflow.SeverityNone).SaveX(o.Ctx)
	w.Update().SetPublishedVersionID(v.ID).SetPublishedNumber(1).ExecX(o.Ctx)
	return o
}

// process is a process that runs schedules.
func (o *office) process(run func(context.Context, state.ScheduleRun) (pgschedule.Result, error)) enginesched.Schedules {
	return enginesched.Schedules{Shared: state.New(state.Config{DB: o.DB, Queue: queue.New(), Logger: slog.New(slog.DiscardHandler), Clock: o, RunSchedule: run})}
}

// at moves the clock and runs what is due; it returns how many schedules were.
func (o *office) at(text string) int {
	o.t.Helper()
	at, err := time.Parse(time.RFC3339, text)
	require.NoError(o.t, err)
	o.Audience.Now = at
	p := o.process(o.Schedules.Run)
	ids, err := p.Due(o.t.Context())
	require.NoError(o.t, err)
	require.NoError(o.t, p.Run(o.t.Context(), ids))
	return len(ids)
}

func (o *office) make(in schedules.CreateTriggerScheduleInput) *ent.TriggerSchedule {
	o.t.Helper()
	in.Name, in.Workflow = "s", "w"
	made, err := o.Schedules.Create(o.Ctx, in)
	require.NoError(o.t, err)
	return made
}

func (o *office) stored(s *ent.TriggerSchedule) *ent.TriggerSchedule {
	return o.DB.Ent.TriggerSchedule.GetX(o.Ctx, s.ID)
}

// made are the events of the environment, the oldest first.
func (o *office) made() []*ent.Event { return o.DB.Ent.Event.Query().Order(event.ByID()).AllX(o.Ctx) }

// TestScheduleRuns: a schedule runs at its instants, once each, and makes up for a stop with one run.
func TestScheduleRuns(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.make(schedules.CreateTriggerScheduleInput{
		StartsAt: "2026-06-01T09:00", TimeZone: new("Europe/Berlin"), RRule: new("FREQ=DAILY;COUNT=6"), Exceptions: []string{"2026-06-02"},
		Payload: map[string]any{"n": 1.5}, To: []*triggers.RecipientInput{{SubscriberID: new("u")}},
	})
	require.Equal(t, "2026-06-01T07:00:00Z", s.DueAt.UTC().Format(time.RFC3339))
	require.Zero(t, o.at("2026-06-01T06:59:59Z"))
	require.Equal(t, 1, o.at("2026-06-01T07:00:00Z"))
	require.Zero(t, o.at("2026-06-01T07:00:01Z"), "it has moved on")
	stored := o.stored(s)
	require.Equal(t, "2026-06-03T07:00:00Z", stored.DueAt.UTC().Format(time.RFC3339), "a day is left out")
	require.Equal(t, workflow.TriggerProcessed, *stored.LastStatus)
	first := o.made()[0]
	require.Equal(t, []any{first.ID, event.KindTrigger, map[string]any{"n": 1.5}}, []any{*stored.LastEventID, first.Kind, first.Payload})
	require.Equal(t, s.ID, schedules.ScheduleOf(first.TransactionID))

	require.Equal(t, 1, o.at("2026-06-05T12:00:00Z"), "after a stop of two runs")
	require.Len(t, o.made(), 2)
	require.Equal(t, "2026-06-06T07:00:00Z", o.stored(s).DueAt.UTC().Format(time.RFC3339))
	require.Equal(t, 1, o.at("2026-06-06T07:00:00Z"))
	require.Nil(t, o.stored(s).DueAt, "that was the last one")
	events, err := o.Schedules.Events(o.Ctx, []string{s.ID, "none"}, new(2))
	require.NoError(t, err)
	require.Len(t, events[s.ID], 2)
	require.Equal(t, o.made()[2].ID, events[s.ID][0].ID, "the latest first")
	require.Empty(t, events["none"])
}

// die runs a schedule in a process that ends between the trigger and the move to the next run.
func (o *office) die(s *ent.TriggerSchedule) {
	o.t.Helper()
	dies := errors.New("the process ends")
	dying := o.process(func(ctx context.Context, run state.ScheduleRun) (pgschedule.Result, error) {
		_, err := o.Schedules.Run(ctx, run)
		return pgschedule.Result{}, errors.Join(dies, err)
	})
	require.ErrorIs(o.t, dying.Run(o.t.Context(), []string{s.ID}), dies)
	require.NotNil(o.t, o.stored(s).DueAt, "it is still due")
	_, err := o.DB.Pool.Exec(o.t.Context(), `UPDATE events SET created_at = $1`, o.Audience.Now) // it has that of this machine
	require.NoError(o.t, err)
}

// TestRunsBehindARepeatedOne: what passes between the end of a process in the middle of a run and the repetition of that run is made
// up for, though the repetition itself has no effect.
func TestRunsBehindARepeatedOne(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	o.DB.Ent.Subscriber.Create().SetSubscriberID("berlin").SetTimezone("Europe/Berlin").ExecX(o.Ctx)
	o.DB.Ent.Subscriber.Create().SetSubscriberID("york").SetTimezone("America/New_York").ExecX(o.Ctx)
	began := o.Audience.Now
	for zones, next := range map[bool]string{false: "2026-06-03T09:00:00Z", true: "2026-06-03T07:00:00Z"} {
		o.Audience.Now = began
		s := o.make(schedules.CreateTriggerScheduleInput{StartsAt: "2026-06-01T09:00", RRule: new("FREQ=DAILY"), RecipientsZone: new(zones)})
		o.Audience.Now = *s.DueAt
		before := len(o.made())
		o.die(s)
		for looks := 0; o.at("2026-06-02T20:00:00Z") > 0; looks++ {
			require.Less(t, looks, 3)
		}
		made := o.made()[before:]
		require.Len(t, made, 2, "one for what had come, and one for all that passed since")
		require.Equal(t, next, o.stored(s).DueAt.UTC().Format(time.RFC3339))
		require.Equal(t, made[1].ID, *o.stored(s).LastEventID)
		if zones {
			require.NotContains(t, fmt.Sprint(made[0].Recipients), "America/New_York")
			require.Contains(t, fmt.Sprint(made[1].Recipients), "America/New_York")
		}
		o.DB.Ent.TriggerSchedule.DeleteOneID(s.ID).ExecX(o.Ctx)
	}
}

// TestProcessesRunOnce: two processes, and one that dies between the trigger and the move, make one event.
func TestProcessesRunOnce(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.make(schedules.CreateTriggerScheduleInput{StartsAt: "2026-06-01T09:00"})
	o.Audience.Now = time.Date(2026, 6, 1, 9, 0, 0, 0, time.UTC)
	o.die(s)
	var both sync.WaitGroup
	for range 2 {
		both.Go(func() {
			if err := o.process(o.Schedules.Run).Run(t.Context(), []string{s.ID}); err != nil {
				t.Error(err)
			}
		})
	}
	both.Wait()
	made := o.made()
	require.Len(t, made, 1)
	require.Equal(t, event.KindBroadcast, made[0].Kind)
	require.Nil(t, o.stored(s).DueAt)
	require.Equal(t, workflow.TriggerProcessed, *o.stored(s).LastStatus)
}

// TestScheduleChanges: a schedule that is disabled does not run, and runs from when it is enabled again; what is wrong with a run is
// shown, and does not end it.
func TestScheduleChanges(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	s := o.make(schedules.CreateTriggerScheduleInput{StartsAt: "2026-06-01T09:00", RRule: new("FREQ=DAILY")})
	change := func(in schedules.UpdateTriggerScheduleInput) *ent.TriggerSchedule {
		t.Helper()
		in.ID = s.ID
		updated, err := o.Schedules.Update(o.Ctx, in)
		require.NoError(t, err)
		return updated
	}
	require.Nil(t, change(schedules.UpdateTriggerScheduleInput{Enabled: new(false)}).DueAt)
	require.Zero(t, o.at("2026-06-03T12:00:00Z"))
	require.Equal(t, "2026-06-04T09:00:00Z", change(schedules.UpdateTriggerScheduleInput{Enabled: new(true)}).DueAt.UTC().Format(time.RFC3339))
	moved := change(schedules.UpdateTriggerScheduleInput{StartsAt: new("2026-06-01T10:30"), PerSecond: graphql.OmittableOf(new(7))})
	require.Equal(t, "2026-06-04T10:30:00Z", moved.DueAt.UTC().Format(time.RFC3339))
	require.Equal(t, []any{"s", 7}, []any{moved.Name, *moved.PerSecond}, "the rest stays")

	preview, err := o.Schedules.Preview(o.Ctx, schedules.TriggerSchedulePreviewInput{StartsAt: "2026-06-01T10:30", RRule: new("FREQ=WEEKLY")})
	require.NoError(t, err)
	require.Len(t, preview.Runs, 10)
	runs, err := o.Schedules.NextRuns(o.Ctx, moved, new(3))
	require.NoError(t, err)
	require.Equal(t, moved.DueAt.UTC(), *runs[0])

	ran, err := o.Schedules.RunNow(o.Ctx, s.ID)
	require.NoError(t, err)
	require.Equal(t, workflow.TriggerProcessed, ran.Result.Status)
	require.Equal(t, moved.DueAt.UTC(), ran.TriggerSchedule.DueAt.UTC(), "its next run stays")
	require.Equal(t, *ran.Result.EventID, *ran.TriggerSchedule.LastEventID)

	o.DB.Ent.Workflow.Update().SetActive(false).ExecX(o.Ctx)
	require.Equal(t, 1, o.at("2026-06-04T10:30:00Z"))
	require.Equal(t, workflow.TriggerNotActive, *o.stored(s).LastStatus)
	require.Equal(t, "2026-06-05T10:30:00Z", o.stored(s).DueAt.UTC().Format(time.RFC3339))

	_, err = o.Workflows.Delete(o.Ctx, "w")
	notifytest.RequireKind(t, fault.Conflict, err)
	require.Equal(t, "WORKFLOW_IS_SCHEDULED", notifytest.Code(err))
	_, err = o.Schedules.Delete(o.Ctx, s.ID)
	require.NoError(t, err)
	_, err = o.Workflows.Delete(o.Ctx, "w")
	require.NoError(t, err)
}

// TestWebhookURLsOfOverrides: they are sealed where they are stored and in clear where they are used, and what is shown of one keeps it.
func TestWebhookURLsOfOverrides(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	const one, two = "https://hooks.example/one", "https://hooks.example/two"
	overrides := func(urls ...string) map[string]any {
		out := map[string]any{"chat": map[string]any{"webhookUrl": urls[0]}}
		if len(urls) > 1 {
			out["channels"] = map[string]any{"chat": map[string]any{"webhookUrl": urls[1]}}
		}
		return out
	}
	s := o.make(schedules.CreateTriggerScheduleInput{StartsAt: "2026-06-01T09:00", RRule: new("FREQ=DAILY"), Overrides: overrides(one, two)})
	check := func(want ...string) {
		t.Helper()
		s = o.stored(s)
		raw, err := json.Marshal(s.Overrides)
		require.NoError(t, err)
		require.NotContains(t, string(raw), "hooks.example")
		require.Contains(t, string(raw), secret.SealedPrefix)
		opened, err := o.WebhookURLs.OpenOverrides(s.EnvironmentID, s.Overrides)
		require.NoError(t, err)
		require.Equal(t, overrides(want...), opened)
	}
	check(one, two)
	update := func(given map[string]any) error {
		_, err := o.Schedules.Update(o.Ctx, schedules.UpdateTriggerScheduleInput{ID: s.ID, Overrides: graphql.OmittableOf(given)})
		return err
	}
	_, err := o.Schedules.Update(o.Ctx, schedules.UpdateTriggerScheduleInput{ID: s.ID, Name: new("named")})
	require.NoError(t, err)
	check(one, two)
	shown := o.WebhookURLs.Overrides(s.EnvironmentID, s.Overrides)
	require.Equal(t, overrides("https://hooks.example/"+usecase.Mask, "https://hooks.example/"+usecase.Mask), shown)
	require.NoError(t, update(shown))
	check(one, two)
	require.NoError(t, update(overrides("https://hooks.example/"+usecase.Mask)))
	check(one)
	require.Equal(t, []string{"overrides"}, notifytest.Paths(t, update(shown)), "nothing is stored at the second place any more")

	require.Equal(t, 1, o.at("2026-06-01T09:00:00Z"))
	made := o.DB.Ent.Event.Query().OnlyX(o.Ctx)
	require.Empty(t, o.stored(s).LastError)
	opened, err := o.WebhookURLs.OpenOverrides(made.EnvironmentID, made.Overrides)
	require.NoError(t, err)
	require.Equal(t, overrides(one), opened)
	require.NotContains(t, made.Overrides["chat"].(map[string]any)["webhookUrl"], "hooks")
}

// TestRecipientsZones: each recipient is notified when the clock of their own zone shows the time.
func TestRecipientsZones(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for id, zone := range map[string]*string{"ny": new("America/New_York"), "berlin": new("Europe/Berlin"), "rome": new("Europe/Rome"), "nowhere": nil} {
		o.DB.Ent.Subscriber.Create().SetSubscriberID(id).SetNillableTimezone(zone).ExecX(o.Ctx)
	}
	all := o.make(schedules.CreateTriggerScheduleInput{StartsAt: "2026-06-01T09:00", TimeZone: new("UTC"), RRule: new("FREQ=DAILY"), RecipientsZone: new(true)})
	named := o.make(schedules.CreateTriggerScheduleInput{StartsAt: "2026-06-01T09:00", RecipientsZone: new(true), To: []*triggers.RecipientInput{
		{SubscriberID: new("ny")}, {SubscriberID: new("rome")}, {SubscriberID: new("new")},
	}})
	chosen := func(e *ent.Event) (ids []string) {
		for _, id := range []string{"ny", "berlin", "rome", "nowhere"} {
			s := o.DB.Ent.Subscriber.Query().Where().AllX(o.Ctx)
			for _, one := range s {
				if one.SubscriberID != id {
					continue
				}
				view := map[string]any{"subscriberId": id}
				if one.Timezone != nil {
					view["timezone"] = *one.Timezone
				}
				list, _ := e.Recipients["audiences"].([]any)
				for _, a := range list {
					rule, _ := a.(map[string]any)["rule"].(map[string]any)
					if (&workflow.AudienceRecipient{Rule: rule}).Chooses(view) {
						ids = append(ids, id)
					}
				}
			}
		}
		list, _ := e.Recipients["direct"].([]any)
		for _, d := range list {
			ids = append(ids, d.(map[string]any)["subscriberId"].(string))
		}
		return ids
	}
	reached := func(s *ent.TriggerSchedule) []string {
		made, err := o.Schedules.Events(o.Ctx, []string{s.ID}, new(1))
		require.NoError(t, err)
		require.Len(t, made[s.ID], 1)
		return chosen(made[s.ID][0])
	}
	require.Equal(t, 2, o.at("2026-06-01T07:00:00Z"))
	require.Equal(t, []string{"berlin", "rome"}, reached(all))
	require.Equal(t, []string{"rome"}, reached(named))
	require.Equal(t, 2, o.at("2026-06-01T09:00:00Z"))
	require.Equal(t, []string{"nowhere"}, reached(all))
	require.Equal(t, []string{"new"}, reached(named))
	require.Equal(t, 2, o.at("2026-06-01T13:00:00Z"))
	require.Equal(t, []string{"ny"}, reached(all))
	require.Equal(t, []string{"ny"}, reached(named))
	require.Nil(t, o.stored(named).DueAt)
	require.Equal(t, 1, o.at("2026-06-02T18:00:00Z"), "after a stop")
	require.Equal(t, []string{"ny", "berlin", "rome", "nowhere"}, reached(all))
}

// regions are contexts of that many types.
func regions(n int) (contexts []*triggers.TriggerContextInput) {
	for i := range n {
		contexts = append(contexts, &triggers.TriggerContextInput{Type: "region" + strconv.Itoa(i), ID: "eu"})
	}
	return contexts
}

func TestScheduleProblems(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	for path, in := range map[string]schedules.CreateTriggerScheduleInput{
		"startsAt":            {StartsAt: "2026-05-01T09:00"},
		"rrule":               {StartsAt: "2026-05-01T09:00", RRule: new("FREQ=SECONDLY")},
		"timeZone":            {StartsAt: "2026-07-01T09:00", TimeZone: new("Mars/Olympus")},
		"to":                  {StartsAt: "2026-07-01T09:00", To: []*triggers.RecipientInput{}},
		"to.0.audience":       {StartsAt: "2026-07-01T09:00", To: []*triggers.RecipientInput{{Audience: new("none")}}},
		"perSecond":           {StartsAt: "2026-07-01T09:00", PerSecond: new(0)},
		"recipientsZone":      {StartsAt: "2026-07-01T09:00", RRule: new("FREQ=HOURLY"), RecipientsZone: new(true)},
		"actorId":             {StartsAt: "2026-07-01T09:00", ActorID: new("")},
		"tenantIdentifier":    {StartsAt: "2026-07-01T09:00", TenantIdentifier: new("")},
		"contexts":            {StartsAt: "2026-07-01T09:00", Contexts: regions(6)},
		"contexts.1.id":       {StartsAt: "2026-07-01T09:00", Contexts: []*triggers.TriggerContextInput{{Type: "region", ID: "eu"}, {Type: "app", ID: ""}}},
		"payload.attachments": {StartsAt: "2026-07-01T09:00", Payload: map[string]any{"attachments": []any{}}},
	} {
		in.Name, in.Workflow = "s", "w"
		_, err := o.Schedules.Create(o.Ctx, in)
		require.Contains(t, notifytest.Paths(t, err), path)
	}
	_, err := o.Schedules.Create(o.Ctx, schedules.CreateTriggerScheduleInput{Name: "s", Workflow: "none", StartsAt: "2026-07-01T09:00"})
	notifytest.RequireKind(t, fault.NotFound, err)
	for text, want := range map[string]string{
		"schedule_6650f6f0c1a2b3c4d5e6f708_20260601T090000.000000Z": "6650f6f0c1a2b3c4d5e6f708", "schedule_x_y": "", "schedule_6650f6f0c1a2b3c4d5e6f708": "", "txn_1": "",
	} {
		require.Equal(t, want, schedules.ScheduleOf(text), text)
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	o := newOffice(t)
	const none = "6650f6f0c1a2b3c4d5e6f708"
	p := notifytest.Permissions{}
	p.Add(viewer.GrantActivityRead, viewer.RoleViewer, map[string]notifytest.Call{
		"triggerSchedules": func(c context.Context) error { return notifytest.Err(o.Schedules.List(c, usecase.Page{}, nil)) },
		"triggerSchedule":  func(c context.Context) error { return notifytest.Err(o.Schedules.Get(c, none)) },
		"triggerSchedulePreview": func(c context.Context) error {
			return notifytest.Err(o.Schedules.Preview(c, schedules.TriggerSchedulePreviewInput{StartsAt: "2026-07-01T09:00"}))
		},
	})
	p.Add(viewer.GrantTrigger, viewer.RoleEditor, map[string]notifytest.Call{
		"createTriggerSchedule": func(c context.Context) error {
			return notifytest.Err(o.Schedules.Create(c, schedules.CreateTriggerScheduleInput{}))
		},
		"updateTriggerSchedule": func(c context.Context) error {
			return notifytest.Err(o.Schedules.Update(c, schedules.UpdateTriggerScheduleInput{ID: none}))
		},
		"deleteTriggerSchedule": func(c context.Context) error { return notifytest.Err(o.Schedules.Delete(c, none)) },
		"runTriggerSchedule":    func(c context.Context) error { return notifytest.Err(o.Schedules.RunNow(c, none)) },
	})
	notifytest.RequirePermissions(t, o.Scope, p)
}
