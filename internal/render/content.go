package render

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/carillon/carillon/internal/workflow"
)

// InAppContent is a rendered in-app message.
type InAppContent struct {
	Subject, Body    string
	Avatar, Redirect string
	Primary          *workflow.Button
	Secondary        *workflow.Button
	Data             map[string]any
}

// CTA is the call to action as messages store it: pending when there are buttons (decisions.md §17).
func (c *InAppContent) CTA() workflow.CTA {
	var cta workflow.CTA
	if c.Redirect != "" {
		cta.Type = "redirect"
		cta.Data = &workflow.CTAData{URL: c.Redirect}
	}
	for _, b := range []struct {
		kind   string
		button *workflow.Button
	}{{"primary", c.Primary}, {"secondary", c.Secondary}} {
		if b.button == nil {
			continue
		}
		if cta.Action == nil {
			cta.Action = &workflow.CTAAction{Status: workflow.ActionPending}
		}
		cta.Action.Buttons = append(cta.Action.Buttons,
			workflow.CTAButton{Type: b.kind, Content: b.button.Label, URL: b.button.URL})
	}
	return cta
}

// PushContent is a rendered push message.
type PushContent struct {
	Subject, Body string
	Data          map[string]any
}

// renderer renders the texts of one message and keeps the first failure.
type renderer struct {
	ctx    context.Context // lives for one message
	engine *Engine
	vars   Bindings
	err    error
}

func (r *renderer) text(control, source string) string { return r.one(control, source, textMode) }
func (r *renderer) html(control, source string) string { return r.one(control, source, htmlMode) }
func (r *renderer) chat(control, source string) string { return r.one(control, source, chatMode) }

func (r *renderer) one(control, source string, m mode) string {
	if r.err != nil || source == "" {
		return ""
	}
	s, err := r.engine.render(r.ctx, source, m, r.vars)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", control, err)
	}
	return s
}

// link renders a URL that the subscriber's device opens or loads; one that must not be is left out, because a payload may
// have brought it.
func (r *renderer) link(control, source string) string {
	if link, ok := r.address(control, source); ok && workflow.SafeLink(link) {
		return link
	}
	return ""
}

// address renders a URL of a text that is sent. Where the template names a server, a value that would change it spoils the address.
func (r *renderer) address(control, source string) (address string, ok bool) {
	start := strings.ToLower(strings.TrimSpace(source))
	if r.err != nil || !strings.HasPrefix(start, "https://") && !strings.HasPrefix(start, "http://") {
		return r.text(control, source), true
	}
	address, err := r.engine.URL(r.ctx, source, r.vars)
	switch {
	case errors.Is(err, ErrValueOfHost):
		return "", false
	case err != nil:
		r.err = fmt.Errorf("%s: %w", control, err)
	}
	return address, true
}

func (r *renderer) button(control string, b *workflow.Button) *workflow.Button {
	if b == nil {
		return nil
	}
	return &workflow.Button{Label: r.text(control+".label", b.Label), URL: r.link(control+".url", b.URL)}
}

func (r *renderer) data(control string, data map[string]any) map[string]any {
	if r.err != nil || len(data) == 0 {
		return data
	}
	out, err := r.engine.Data(r.ctx, data, r.vars)
	if err != nil {
		r.err = fmt.Errorf("%s: %w", control, err)
	}
	return out
}

// InApp renders an in-app message. The subscriber's device shows it as text, so nothing is escaped.
func (e *Engine) InApp(ctx context.Context, c *workflow.InAppControls, b Bindings) (InAppContent, error) {
	r := renderer{ctx: ctx, engine: e, vars: b}
	out := InAppContent{
		Subject: r.text("subject", c.Subject), Body: r.text("body", c.Body),
		Avatar: r.link("avatar", c.Avatar), Redirect: r.link("redirect", c.Redirect),
		Primary: r.button("primaryAction", c.Primary), Secondary: r.button("secondaryAction", c.Secondary),
		Data: r.data("data", c.Data),
	}
	return out, r.err
}

// SMS renders the text of an SMS.
func (e *Engine) SMS(ctx context.Context, c *workflow.TextControls, b Bindings) (string, error) {
	r := renderer{ctx: ctx, engine: e, vars: b}
	return r.text("body", c.Body), r.err
}

// Chat renders the text of a chat message. What would notify everybody of a chat in a value does not, unless it went through the
// filter raw.
func (e *Engine) Chat(ctx context.Context, c *workflow.TextControls, b Bindings) (string, error) {
	r := renderer{ctx: ctx, engine: e, vars: b}
	return r.chat("body", c.Body), r.err
}

// Push renders a push message.
func (e *Engine) Push(ctx context.Context, c *workflow.PushControls, b Bindings) (PushContent, error) {
	r := renderer{ctx: ctx, engine: e, vars: b}
	out := PushContent{Subject: r.text("subject", c.Subject), Body: r.text("body", c.Body), Data: r.data("data", c.Data)}
	return out, r.err
}

// Data renders the strings inside decoded JSON, keys excepted; together they have the size and the time of one text. Data without any
// template is handed back as it is.
func (e *Engine) Data(ctx context.Context, data map[string]any, b Bindings) (map[string]any, error) {
	if !hasTemplate(data, e.limits.Depth) {
		return data, nil
	}
	timed, cancel := context.WithTimeoutCause(ctx, e.limits.Time, ErrTooManySteps)
	defer cancel()
	d := dataRenderer{engine: e, ctx: timed, vars: b, left: e.limits.Output}
	out, err := d.value(data, e.limits.Depth)
	object, _ := out.(map[string]any)
	return object, err
}

// dataRenderer is one rendering of data.
type dataRenderer struct {
	engine *Engine
	ctx    context.Context //nolint:containedctx // lives for one rendering
	vars   Bindings
	left   int // bytes that texts may still have
}

func (d *dataRenderer) value(v any, depth int) (any, error) {
	if depth < 0 {
		return nil, ErrTooDeep
	}
	switch x := v.(type) {
	case string:
		text, err := d.engine.Text(d.ctx, x, d.vars)
		if d.left -= len(text); err == nil && d.left < 0 {
			err = ErrOutputTooLarge
		}
		return text, err
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, item := range x {
			rendered, err := d.value(item, depth-1)
			if err != nil {
				return nil, err
			}
			out[k] = rendered
		}
		return out, nil
	case []any:
		out := make([]any, len(x))
		for i, item := range x {
			rendered, err := d.value(item, depth-1)
			if err != nil {
				return nil, err
			}
			out[i] = rendered
		}
		return out, nil
	}
	return v, nil
}

func hasTemplate(v any, depth int) bool {
	if depth < 0 {
		return true // let rendering refuse it
	}
	switch x := v.(type) {
	case string:
		return !isLiteral(x)
	case map[string]any:
		for _, item := range x {
			if hasTemplate(item, depth-1) {
				return true
			}
		}
	case []any:
		for _, item := range x {
			if hasTemplate(item, depth-1) {
				return true
			}
		}
	}
	return false
}
