package authoring_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPreviews renders steps of each channel that were never saved, as sending would.
func TestPreviews(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	a.DB.Ent.Subscriber.Create().SetSubscriberID("ada").SetFirstName("Ada").SetLocale("de").SaveX(a.Ctx)
	_, err := a.Translations.Create(a.Ctx, authoring.CreateTranslationInput{Locale: "de", Content: map[string]string{"hi": "Hallo"}})
	require.NoError(t, err)
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Default", Content: "<i>{{content}}</i>", IsDefault: new(true)})
	require.NoError(t, err)
	_, err = a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Bold", Content: "<b>{{content}}</b>"})
	require.NoError(t, err)
	_, err = a.Snippets.Create(a.Ctx, authoring.CreateSnippetInput{Name: "Stored", Content: "(c)"})
	require.NoError(t, err)
	email := func(layout string, without bool) workflow.Step {
		return workflow.Step{Type: workflow.StepEmail, Email: &workflow.EmailControls{Subject: "S", HTML: "<p>H</p>", LayoutID: layout, NoLayout: without}}
	}
	text := func(typ workflow.StepType, c *workflow.TextControls) workflow.Step {
		s := workflow.Step{Type: typ}
		if typ == workflow.StepSMS {
			s.SMS = c
		} else {
			s.Chat = c
		}
		return s
	}
	greeting := &workflow.TextControls{Body: "Hi {{subscriber.firstName}}"}
	for name, c := range map[string]struct {
		in      authoring.PreviewStepInput
		subject string
		text    string
		html    string // part of it
		without string // no part of it
	}{
		"SMS to somebody invented": {in: authoring.PreviewStepInput{Step: text(workflow.StepSMS, greeting)}, text: "Hi Jane"},
		"SMS to a subscriber":      {in: authoring.PreviewStepInput{Step: text(workflow.StepSMS, greeting), SubscriberID: new("ada")}, text: "Hi Ada"},
		"an empty subscriber":      {in: authoring.PreviewStepInput{Step: text(workflow.StepSMS, greeting), SubscriberID: new("")}, text: "Hi Jane"},
		"chat":                     {in: authoring.PreviewStepInput{Step: text(workflow.StepChat, greeting)}, text: "Hi Jane"},
		"in-app": {
			in:   authoring.PreviewStepInput{Step: notifytest.InAppStep(), Payload: map[string]any{"name": "Bob"}},
			text: "Hello Bob",
		},
		"a long number": {
			in: authoring.PreviewStepInput{
				Step: text(workflow.StepSMS, &workflow.TextControls{Body: "{{ payload.order }}"}), Payload: map[string]any{"order": json.Number("12345678901234567890")},
			},
			text: "12345678901234567890",
		},
		"push": {
			in: authoring.PreviewStepInput{Step: workflow.Step{
				Type: workflow.StepPush, Push: &workflow.PushControls{Subject: "{{subscriber.lastName}}", Body: "B"},
			}}, subject: "Doe", text: "B",
		},
		"the subscriber's language": {
			in: authoring.PreviewStepInput{Step: text(workflow.StepSMS, &workflow.TextControls{Body: `{{ "hi" | t }}`}), SubscriberID: new("ada")}, text: "Hallo",
		},
		"e-mail, default layout": {in: authoring.PreviewStepInput{Step: email("", false)}, subject: "S", html: "<i><p>H</p></i>"},
		"e-mail, its layout":     {in: authoring.PreviewStepInput{Step: email("bold", false)}, subject: "S", html: "<b><p>H</p></b>"},
		"e-mail, no layout":      {in: authoring.PreviewStepInput{Step: email("bold", true)}, subject: "S", html: "<p>H</p>", without: "<b>"},
		"e-mail, unsaved snippets": {
			in: authoring.PreviewStepInput{
				Step: workflow.Step{Type: workflow.StepEmail, Email: &workflow.EmailControls{
					Subject: "S", HTML: `{% render "stored" %} {% render "new", who: payload.name %}`, NoLayout: true,
				}},
				Payload: map[string]any{"name": "<Bob>"}, Snippets: map[string]string{"new": "Hi {{ who }}{{ payload.name }}"},
			},
			subject: "S", html: "(c) Hi &lt;Bob&gt;", without: "<Bob>",
		},
		"e-mail, unsaved layout": {
			in: authoring.PreviewStepInput{Step: email("bold", false), Layout: new("<u>{{content}}</u>")}, subject: "S", html: "<u><p>H</p></u>", without: "<b>",
		},
	} {
		got, err := a.Workflows.Preview(a.Ctx, c.in)
		require.NoError(t, err, name)
		require.Nil(t, got.Error, name)
		require.Equal(t, c.subject, usecase.Text(got.Subject), name)
		if c.html != "" {
			require.Contains(t, got.Content.HTML, c.html, name)
		} else {
			require.Equal(t, c.text, got.Content.Text, name)
		}
		if c.without != "" {
			require.NotContains(t, got.Content.HTML, c.without, name)
		}
	}

	broken, err := a.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: text(workflow.StepSMS, &workflow.TextControls{Body: "{% if %}"})})
	require.NoError(t, err, "what cannot be rendered is an answer")
	require.NotNil(t, broken.Error)
	require.Nil(t, broken.Content)
	for name, step := range map[string]workflow.Step{"no controls": {Type: workflow.StepSMS}, "no channel": {Type: workflow.StepDelay}, "nothing": {}} {
		require.Equal(t, []string{"step"}, notifytest.Paths(t, notifytest.Err(a.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: step}))), name)
	}
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: email("none", false)})))
	notifytest.RequireKind(t, fault.NotFound, notifytest.Err(a.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: email("", false), SubscriberID: new("nobody")})))

	other := notify.New(usecase.Config{DB: a.DB})
	_, err = other.Workflows.Preview(a.Ctx, authoring.PreviewStepInput{Step: email("", false)})
	require.Equal(t, "PREVIEW_UNAVAILABLE", notifytest.Code(err))
}

// TestPreviewMakesData: without a payload one is made from the schema, and a digest's events are as many as asked for.
func TestPreviewMakesData(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	in := authoring.PreviewStepInput{
		Step: workflow.Step{Type: workflow.StepSMS, SMS: &workflow.TextControls{
			Body: "{{ payload.name }} {{ step.total_count }}{% for e in step.events %} {{ e.name }}{% endfor %}",
		}},
		PayloadSchema: map[string]any{"properties": map[string]any{"name": map[string]any{"default": "Tea"}}},
		DigestItems:   new(2),
	}
	text := func() string {
		t.Helper()
		out, err := a.Workflows.Preview(a.Ctx, in)
		require.NoError(t, err)
		return out.Content.Text
	}
	require.Equal(t, "Tea 2 Tea Tea", text())
	in.Payload = map[string]any{"name": "Cup"}
	require.Equal(t, "Cup 2 Cup Cup", text(), "a payload that is given is kept")
	in.Payload, in.DigestItems = map[string]any{}, nil
	require.Equal(t, " ", text(), "an empty one as well")
	for _, n := range []int{-1, authoring.MaxPreviewItems + 1} {
		in.DigestItems = &n
		require.Equal(t, []string{"digestItems"}, notifytest.Paths(t, notifytest.Err(a.Workflows.Preview(a.Ctx, in))))
	}
}

// TestPreviewsForASubscriber show the profile, which takes the right to read it.
func TestPreviewsForASubscriber(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	a.DB.Ent.Subscriber.Create().SetSubscriberID("ada").SetEmail("ada@example.org").SetTimezone("Asia/Tokyo").SaveX(a.Ctx)
	mine, _ := viewer.FromContext(a.Ctx)
	preview := func(who string, grants ...viewer.Grant) (step, wait error) {
		ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: mine.Scope, Role: viewer.RoleKey, APIKeyID: "k", Grants: viewer.GrantsOf(grants...)})
		body := &workflow.TextControls{Body: "{{subscriber.email}}"}
		_, step = a.Workflows.Preview(ctx, authoring.PreviewStepInput{Step: workflow.Step{Type: workflow.StepSMS, SMS: body}, SubscriberID: &who})
		hour := &workflow.DelayControls{Type: workflow.DelayRegular, Amount: 1, Unit: workflow.UnitHours}
		_, wait = a.Workflows.PreviewWait(ctx, authoring.PreviewWaitInput{Delay: hour, SubscriberID: &who})
		return step, wait
	}
	for _, who := range []string{"ada", "unknown"} {
		step, wait := preview(who, viewer.GrantContent)
		for _, err := range []error{step, wait} {
			require.EqualError(t, err, "This needs a key with the scope audience:read.", who)
		}
	}
	step, wait := preview("ada", viewer.GrantContentRead, viewer.GrantAudienceRead)
	require.NoError(t, step)
	require.NoError(t, wait)
}
