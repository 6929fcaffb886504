package workflow

import (
	"slices"
	"strconv"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// ControlText is one template of a step: its position and how it is rendered.
type ControlText struct {
	Key      string // control's name as issues show it, such as subject or body
	Path     string // path within the step, such as email.subject
	Text     string
	HTML     bool // rendered with escaping
	Required bool
	Secrets  bool // may use secret variables of the environment
	Link     bool // what it renders to is opened or loaded by the subscriber's device
}

// Texts lists every template of the step's own content and of its variants.
func (s *Step) Texts() []ControlText {
	content := s.content()
	out := content.texts("")
	if s.Trigger != nil {
		out = dataTexts(out, "payload", "trigger.payload", s.Trigger.Payload)
	}
	if s.Custom != nil {
		out = append(out, customTexts(s.Custom)...)
	}
	for i := range s.Variants {
		v := s.Variants[i].content()
		out = append(out, v.texts("variants."+strconv.Itoa(i))...)
	}
	return out
}

// content is what a step and a variant have in common.
type content struct {
	inApp *InAppControls
	email *EmailControls
	sms   *TextControls
	chat  *TextControls
	push  *PushControls
}

func (s *Step) content() content    { return content{s.InApp, s.Email, s.SMS, s.Chat, s.Push} }
func (v *Variant) content() content { return content{v.InApp, v.Email, v.SMS, v.Chat, v.Push} }

// types are the step types whose content is set.
func (c content) types() []StepType {
	set := []struct {
		t   StepType
		has bool
	}{
		{StepInApp, c.inApp != nil},
		{StepEmail, c.email != nil},
		{StepSMS, c.sms != nil},
		{StepChat, c.chat != nil},
		{StepPush, c.push != nil},
	}
	var types []StepType
	for _, s := range set {
		if s.has {
			types = append(types, s.t)
		}
	}
	return types
}

func (c content) texts(prefix string) []ControlText {
	var out []ControlText
	required := func(parent, key, text string) {
		out = append(out, ControlText{Key: key, Path: jsonvalue.Join(prefix, parent, key), Text: text, Required: true})
	}
	if c.inApp != nil {
		out = append(out, c.inApp.texts(jsonvalue.Join(prefix, "inApp"))...)
	}
	if c.email != nil {
		out = append(out, c.email.texts(jsonvalue.Join(prefix, "email"))...)
	}
	if c.sms != nil {
		required("sms", "body", c.sms.Body)
	}
	if c.chat != nil {
		required("chat", "body", c.chat.Body)
	}
	if c.push != nil {
		required("push", "subject", c.push.Subject)
		required("push", "body", c.push.Body)
		out = dataTexts(out, "data", jsonvalue.Join(prefix, "push.data"), c.push.Data)
	}
	return out
}

func (c *InAppControls) texts(path string) []ControlText {
	out := []ControlText{
		{Key: "subject", Path: jsonvalue.Join(path, "subject"), Text: c.Subject},
		{Key: "body", Path: jsonvalue.Join(path, "body"), Text: c.Body, Required: true},
		{Key: "avatar", Path: jsonvalue.Join(path, "avatar"), Text: c.Avatar, Link: true},
		{Key: "redirect", Path: jsonvalue.Join(path, "redirect"), Text: c.Redirect, Link: true},
	}
	for _, b := range []struct {
		key    string
		button *Button
	}{{"primaryAction", c.Primary}, {"secondaryAction", c.Secondary}} {
		if b.button != nil {
			out = append(out,
				ControlText{Key: b.key + ".label", Path: jsonvalue.Join(path, b.key, "label"), Text: b.button.Label, Required: true},
				ControlText{Key: b.key + ".url", Path: jsonvalue.Join(path, b.key, "url"), Text: b.button.URL, Link: true})
		}
	}
	return dataTexts(out, "data", jsonvalue.Join(path, "data"), c.Data)
}

func (c *EmailControls) texts(path string) []ControlText {
	out := []ControlText{
		{Key: "subject", Path: jsonvalue.Join(path, "subject"), Text: c.Subject, Required: true},
		{Key: "body", Path: jsonvalue.Join(path, "html"), Text: c.HTML, HTML: true, Required: len(c.Blocks) == 0},
		{Key: "text", Path: jsonvalue.Join(path, "text"), Text: c.Text},
		{Key: "preheader", Path: jsonvalue.Join(path, "preheader"), Text: c.Preheader},
		{Key: "senderName", Path: jsonvalue.Join(path, "senderName"), Text: c.SenderName},
		{Key: "from", Path: jsonvalue.Join(path, "from"), Text: c.From},
		{Key: "replyTo", Path: jsonvalue.Join(path, "replyTo"), Text: c.ReplyTo},
	}
	for i, b := range c.Blocks {
		block := jsonvalue.JoinIndex(jsonvalue.Join(path, "blocks"), i)
		out = append(out,
			ControlText{Key: "body", Path: jsonvalue.Join(block, "content"), Text: b.Content, HTML: b.Type != BlockImage, Required: b.Type != BlockImage},
			ControlText{Key: "body", Path: jsonvalue.Join(block, "url"), Text: b.URL, Required: b.Type == BlockButton || b.Type == BlockImage})
	}
	return out
}

func customTexts(c *CustomControls) []ControlText {
	out := []ControlText{
		{Key: "url", Path: "custom.url", Text: c.URL, Required: true},
		{Key: "body", Path: "custom.body", Text: c.Body},
	}
	for _, name := range jsonvalue.SortedKeys(c.Headers) {
		out = append(out, ControlText{Key: "headers", Path: jsonvalue.Join("custom.headers", name), Text: c.Headers[name], Secrets: true})
	}
	return out
}

// dataTexts appends the strings inside decoded JSON.
func dataTexts(out []ControlText, key, path string, v any) []ControlText {
	switch x := v.(type) {
	case string:
		out = append(out, ControlText{Key: key, Path: path, Text: x})
	case map[string]any:
		for _, name := range jsonvalue.SortedKeys(x) {
			out = dataTexts(out, key, jsonvalue.Join(path, name), x[name])
		}
	case []any:
		for i, item := range x {
			out = dataTexts(out, key, jsonvalue.JoinIndex(path, i), item)
		}
	}
	return out
}

// StepIDs lists the author's names of the steps before position i; all of them when i is len(d.Steps).
func (d *Definition) StepIDs(i int) []string {
	ids := make([]string, 0, i)
	for _, s := range d.Steps[:i] {
		ids = append(ids, s.StepID)
	}
	return slices.Clip(ids)
}
