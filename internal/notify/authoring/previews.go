package authoring

import (
	"context"
	"encoding/json"
	"maps"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/layout"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/payload"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// PreviewStepInput is a step that need not be saved, and what its templates see.
type PreviewStepInput struct {
	Step    workflow.Step
	Payload map[string]any
	// PayloadSchema makes the payload when none is given.
	PayloadSchema map[string]any
	// DigestItems is how many events a digest before the step has collected; nil: there is no digest.
	DigestItems  *int
	SubscriberID *string           // the operator's identifier; nil: an invented subscriber
	Locale       *string           // of the translations; nil: the subscriber's, else the environment's
	Layout       *string           // source of a layout that need not be saved; nil: the step's
	Snippets     map[string]string // sources of snippets that need not be saved, by identifier
}

// MaxPreviewItems bounds the made-up events of a digest.
const MaxPreviewItems = 100

// StepPreview is what a step would send.
type StepPreview struct {
	Subject    *string
	From       *string
	SenderName *string
	ReplyTo    *string
	Content    *workflow.MessageContent
	CTA        *workflow.CTA
	Avatar     *string
	Data       map[string]any
	Payload    map[string]any // that the templates saw
	Error      *string        // why nothing could be made
}

// Preview renders a step with the renderer of sending. A template that cannot be rendered is an answer, not a failure.
func (w *Workflows) Preview(ctx context.Context, in PreviewStepInput) (*StepPreview, error) {
	if w.settings.Templates == nil {
		return nil, fault.BadRequestf("PREVIEW_UNAVAILABLE", "This server renders nothing.")
	}
	if n := in.DigestItems; n != nil && (*n < 0 || *n > MaxPreviewItems) {
		return nil, fault.Invalidf("digestItems", "must be 0 to %d", MaxPreviewItems)
	}
	return usecase.Read(ctx, w.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*StepPreview, error) {
		vars, err := w.previewVars(ctx, db, in)
		if err != nil {
			return nil, err
		}
		source := ""
		if in.Layout != nil {
			source = *in.Layout
		} else if in.Step.Type == workflow.StepEmail && in.Step.Email != nil && !in.Step.Email.NoLayout {
			if source, err = layoutSource(ctx, db, in.Step.Email.LayoutID); err != nil {
				return nil, err
			}
		}
		out, err := w.preview(ctx, &in.Step, source, vars.Bind())
		if fault.KindOf(err) == fault.Invalid {
			return nil, err
		}
		if err != nil {
			return &StepPreview{Error: new(err.Error())}, nil //nolint:nilerr // it is the answer
		}
		out.Payload = vars.Payload
		return out, nil
	})
}

func (w *Workflows) preview(ctx context.Context, s *workflow.Step, layout string, vars render.Bindings) (*StepPreview, error) {
	templates := w.settings.Templates
	switch {
	case s.Type == workflow.StepInApp && s.InApp != nil:
		out, err := templates.InApp(ctx, s.InApp, vars)
		return &StepPreview{
			Subject: textOrNil(out.Subject), Content: &workflow.MessageContent{Text: out.Body}, CTA: new(out.CTA()), Avatar: textOrNil(out.Avatar), Data: out.Data,
		}, err
	case s.Type == workflow.StepEmail && s.Email != nil:
		out, err := templates.Email(ctx, s.Email, layout, vars)
		return &StepPreview{
			Subject: textOrNil(out.Subject), From: textOrNil(out.From), SenderName: textOrNil(out.SenderName), ReplyTo: textOrNil(out.ReplyTo),
			Content: &workflow.MessageContent{Text: out.Text, HTML: out.HTML, Blocks: out.Blocks},
		}, err
	case s.Type == workflow.StepSMS && s.SMS != nil:
		text, err := templates.SMS(ctx, s.SMS, vars)
		return &StepPreview{Content: &workflow.MessageContent{Text: text}}, err
	case s.Type == workflow.StepChat && s.Chat != nil:
		text, err := templates.Chat(ctx, s.Chat, vars)
		return &StepPreview{Content: &workflow.MessageContent{Text: text}}, err
	case s.Type == workflow.StepPush && s.Push != nil:
		out, err := templates.Push(ctx, s.Push, vars)
		return &StepPreview{Subject: textOrNil(out.Subject), Content: &workflow.MessageContent{Text: out.Body}, Data: out.Data}, err
	}
	return nil, fault.Invalidf("step", "is not a channel step with its controls")
}

// previewVars are what the templates see.
func (w *Workflows) previewVars(ctx context.Context, db *ent.Client, in PreviewStepInput) (render.Vars, error) {
	env, err := environmentOf(ctx, db)
	if err != nil {
		return render.Vars{}, err
	}
	who := map[string]any{
		"subscriberId": "jane", "firstName": "Jane", "lastName": "Doe", "email": "jane@example.com", "phone": "+4915112345678", "data": map[string]any{},
	}
	locale := env.DefaultLocale
	if in.SubscriberID != nil && *in.SubscriberID != "" {
		found, err := previewedSubscriber(ctx, db, *in.SubscriberID)
		if err != nil {
			return render.Vars{}, err
		}
		if who, err = subscriberView(found); err != nil {
			return render.Vars{}, err
		}
		if found.Locale != nil {
			locale = *found.Locale
		}
	}
	if in.Locale != nil && *in.Locale != "" {
		locale = *in.Locale
	}
	sample, err := samplePayload(in.Payload, in.PayloadSchema)
	if err != nil {
		return render.Vars{}, err
	}
	texts, err := storedTranslations(ctx, db)
	if err != nil {
		return render.Vars{}, err
	}
	snippets, err := snippetSources(ctx, db)
	if err != nil {
		return render.Vars{}, err
	}
	maps.Copy(snippets, in.Snippets)
	vars := render.Vars{Subscriber: who, Payload: sample, Context: map[string]any{}, Snippets: snippets}
	if in.DigestItems != nil {
		collected := plan.Collected{Total: *in.DigestItems, Events: slices.Repeat([]any{any(sample)}, *in.DigestItems)}
		vars.Step = collected.View()
	}
	if vars.Now, err = w.Instant(ctx); err != nil {
		return render.Vars{}, err
	}
	if vars.Env, err = plainVariables(ctx, db); err != nil {
		return render.Vars{}, err
	}
	vars.Texts = texts.For(locale, env.DefaultLocale)
	return vars, nil
}

// previewedSubscriber is whom a preview is for. A template shows every field of a profile, which takes the right to read profiles.
func previewedSubscriber(ctx context.Context, db *ent.Client, subscriberID string) (*ent.Subscriber, error) {
	if _, err := usecase.Require(ctx, usecase.ReadAudience); err != nil {
		return nil, err
	}
	return usecase.LivingSubscriber(ctx, db, subscriberID)
}

// samplePayload is the payload that is given, else one that the schema makes.
func samplePayload(given, schema map[string]any) (map[string]any, error) {
	if given == nil {
		given = payload.Example(schema)
	}
	return plainJSON(given)
}

// subscriberView is a subscriber as templates see one.
func subscriberView(s *ent.Subscriber) (map[string]any, error) {
	columns, err := plainJSON(s)
	view := map[string]any{"_id": s.ID, "subscriberId": s.SubscriberID}
	if s.Data != nil {
		view["data"] = columns["data"]
	}
	for _, text := range workflow.ProfileTexts() {
		if value, given := columns[text.Column]; given {
			view[text.Name] = value
		}
	}
	return view, err
}

func layoutSource(ctx context.Context, db *ent.Client, identifier string) (string, error) {
	which := layout.IsDefault(true)
	if identifier != "" {
		which = layout.Identifier(identifier)
	}
	found, err := db.Layout.Query().Where(which).First(ctx)
	if ent.IsNotFound(err) && identifier == "" {
		return "", nil
	}
	if err != nil {
		return "", usecase.NotFound(err, "There is no such layout.")
	}
	return found.Content, nil
}

// plainJSON is a value as templates take it: maps, lists, texts and numbers only, which are those of a run.
func plainJSON(value any) (map[string]any, error) {
	raw, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	var out map[string]any
	err = jsonnum.Unmarshal(raw, &out)
	return out, err
}

func textOrNil(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}
