package configuration_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// lintOptions are those of a server that runs every step but HTTP steps.
func lintOptions(t *testing.T) configuration.LintOptions {
	t.Helper()
	registry, err := vendors.Registry()
	require.NoError(t, err)
	return configuration.LintOptions{
		Providers: registry, Prefix: "acme",
		Workflows: usecase.WorkflowSettings{
			SupportedSteps: []workflow.StepType{workflow.StepInApp, workflow.StepEmail, workflow.StepSMS},
			Templates:      render.New(render.DefaultLimits()),
		},
	}
}

// mailing is a document with one workflow of one mail step, with further members of the workflow, the step and its mail.
func mailing(sections, ofWorkflow, ofMail string) string {
	return `{` + sections + `"workflows":{"w":{"name":"W"` + ofWorkflow + `,"steps":[{"stepId":"mail","type":"email","email":{"subject":"S","html":"<p>"` + ofMail + `}}]}}}`
}

func TestLintAcceptsAWholeDocument(t *testing.T) {
	t.Parallel()
	findings, err := configuration.Lint(lintOptions(t), input(t, whole).Document)
	require.NoError(t, err)
	require.Empty(t, findings)
}

// TestLintRefuses: everything that a server would refuse, without one, under the path that a reader finds in the files.
func TestLintRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		document string
		want     []string
	}{
		"UnknownSection": {`{"people":{}}`, []string{"document.people"}},
		"NoObject":       {`{"feeds":["f"]}`, []string{"document.feeds"}},
		"WrongTypes":     {`{"feeds":{"f":{"name":1}},"layouts":{"l":{"name":"L","content":"x","default":"yes"}},"topics":{"t":["x"]}}`, []string{"document.feeds.f.name", "document.layouts.l.default", "document.topics.t"}},
		"UnknownMember":  {`{"feeds":{"f":{"nam":"F"}}}`, []string{"document.feeds.f.nam"}},
		"FeedName":       {`{"feeds":{"f":{}}}`, []string{"document.feeds.f.name"}},
		"GroupParent":    {`{"notificationGroups":{"g":{"name":"G","parent":"gone"}}}`, []string{"document.notificationGroups.g.parent"}},
		"OwnParent":      {`{"notificationGroups":{"g":{"name":"G","parent":"g"}}}`, []string{"document.notificationGroups.g.parent"}},
		"GroupCircle": {
			`{"notificationGroups":{"a":{"name":"A","parent":"b"},"b":{"name":"B","parent":"c"},"c":{"name":"C","parent":"b"},"d":{"name":"D"}}}`,
			[]string{"document.notificationGroups.b.parent", "document.notificationGroups.c.parent"},
		},
		"LayoutTemplate":  {`{"layouts":{"l":{"name":"","content":"{% if %}"}}}`, []string{"document.layouts.l.name", "document.layouts.l.content"}},
		"Locale":          {`{"translations":{"not a locale":{"a":"b"}}}`, []string{"document.translations.not a locale.locale"}},
		"TopicKey":        {`{"topics":{"a b":{}}}`, []string{"document.topics.a b.key"}},
		"TopicName":       {`{"topics":{"t":{"name":"` + strings.Repeat("x", 256) + `"}}}`, []string{"document.topics.t.name"}},
		"Description":     {`{"workflows":{"w":{"name":"W","description":"` + strings.Repeat("x", 2049) + `","steps":[]}}}`, []string{"document.workflows.w.description"}},
		"Provider":        {`{"integrations":{"i":{"providerId":"nosuch"}}}`, []string{"document.integrations.i.providerId"}},
		"IntegrationRule": {`{"integrations":{"i":{"providerId":"sendgrid","conditions":[{"type":"GROUP","value":"XOR","children":[]}]}}}`, []string{"document.integrations.i.conditions.0.value", "document.integrations.i.conditions.0.children"}},
		"WorkflowName":    {`{"workflows":{"w":{"steps":[]}}}`, []string{"document.workflows.w.name"}},
		"Identifier":      {`{"workflows":{"a b":{"name":"W","steps":[]}}}`, []string{"document.workflows.a b.identifier"}},
		"Group":           {mailing(`"notificationGroups":{},`, `,"notificationGroup":"gone"`, ""), []string{"document.workflows.w.notificationGroup"}},
		"Template":        {mailing("", "", `,"text":"{{ open"`), []string{"document.workflows.w.steps.0.email.text"}},
		"Layout":          {mailing(`"layouts":{},`, "", `,"layoutId":"gone"`), []string{"document.workflows.w.steps.0.email.layoutId"}},
		"Variables": {
			mailing("", `,"strictVariables":true,"payloadSchema":{"properties":{"a":{}}}`, `,"text":"{{ payload.a }}{{ payload.b }}"`),
			[]string{"document.workflows.w.steps.0.email.text"},
		},
		"SnippetVariables": {
			mailing(`"snippets":{"s":{"name":"S","content":"{{ b }}"}},`, `,"strictVariables":true`, `,"text":"{% render 's', a: 1 %}"`),
			[]string{"document.workflows.w.steps.0.email.text"},
		},
		"Secrets": {
			mailing(`"variables":{"K":{"secret":true}},"layouts":{"l":{"name":"L","content":"{{ env.K }}{{ content }}"}},"snippets":{"s":{"name":"S","content":"{{ env.K }}"}},`, "", `,"text":"{% render 's' %}"`),
			[]string{"document.snippets.s.content", "document.layouts.l.content", "document.workflows.w.steps.0.email.text"},
		},
		"PayloadSchema": {mailing("", `,"payloadSchema":{"type":"nope"}`, ""), []string{"document.workflows.w.payloadSchema"}},
		"StepType":      {`{"workflows":{"w":{"name":"W","steps":[{"stepId":"x","type":"fax"}]}}}`, []string{"document.workflows.w.steps.0.type"}},
		"Unsupported":   {`{"workflows":{"w":{"name":"W","steps":[{"stepId":"x","type":"custom","custom":{"url":"https://a.example"}}]}}}`, []string{"document.workflows.w.steps.0.type"}},
		"Several":       {`{"feeds":{"b":{},"a":{}},"topics":{"x y":{}}}`, []string{"document.feeds.a.name", "document.feeds.b.name", "document.topics.x y.key"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := configuration.Lint(lintOptions(t), input(t, c.document).Document)
			require.Error(t, err)
			require.Equal(t, c.want, notifytest.Paths(t, err))
		})
	}
}

// TestLintSaysWhatAnAuthorWrote: what is of another type is named by its member, in words of YAML and not of Go.
func TestLintSaysWhatAnAuthorWrote(t *testing.T) {
	t.Parallel()
	for document, says := range map[string]string{
		`{"layouts":{"l":{"default":"yes"}}}`:                                "document.layouts.l.default: must be true or false, not a text",
		`{"layouts":["l"]}`:                                                  "must map names to resources",
		`{"topics":{"t":["x"]}}`:                                             "must be an object, not a list",
		`{"translations":{"de":{"n":5}}}`:                                    "document.translations.de.n: must be a text, not a number",
		`{"integrations":{"i":{"rateLimit":true}}}`:                          "document.integrations.i.rateLimit: must be a number, not true or false",
		`{"workflows":{"w":{"name":"W","steps":{}}}}`:                        "document.workflows.w.steps: must be a list, not an object",
		`{"workflows":{"w":{"name":"W","steps":[{"inApp":{"body":12}}]}}}`:   "document.workflows.w.steps.0.inApp.body: must be a text, not a number",
		`{"workflows":{"w":{"name":"W","step":[]}}}`:                         `document.workflows.w.step: unknown field "step"`,
		`{"workflows":{"w":{"published":false,"steps":[{"stepId":false}]}}}`: "document.workflows.w.steps.0.stepId: must be a text, not true or false",
	} {
		_, err := configuration.Lint(lintOptions(t), input(t, document).Document)
		require.ErrorContains(t, err, says)
		require.NotContains(t, err.Error(), "Go ")
	}
}

// TestLintReportsAllMisfits of a resource together, each with the index of its step.
func TestLintReportsAllMisfits(t *testing.T) {
	t.Parallel()
	_, err := configuration.Lint(lintOptions(t), input(t, `{"feeds":{"f":{"Name":"F"}},"workflows":{"w":{"name":"W","tags":[1],"steps":[
		{"stepId":"a","type":"email","email":{"layout":"brand"}},
		{"stepId":"b","type":"email","email":{"subject":["x"],"html":null}},
		{"stepId":"c","type":"custom","custom":{"timeoutSeconds":1.5,"headers":{"a":{}}}}]}}}`).Document)
	require.Equal(t, []string{
		"document.workflows.w.steps.0.email.layout", "document.workflows.w.steps.1.email.subject",
		"document.workflows.w.steps.2.custom.headers.a", "document.workflows.w.steps.2.custom.timeoutSeconds", "document.workflows.w.tags.0",
	}, notifytest.Paths(t, err))
	require.ErrorContains(t, err, "must be a whole number, not 1.5")
}

// TestLintNamesASecretOnce: a published workflow is refused, a draft is saved with an issue.
func TestLintNamesASecretOnce(t *testing.T) {
	t.Parallel()
	for published, issues := range map[string]int{"true": 0, "false": 1} {
		document := mailing(`"variables":{"K":{"secret":true}},`, `,"published":`+published, `,"text":"{{ env.K }}"`)
		findings, err := configuration.Lint(lintOptions(t), input(t, document).Document)
		require.Len(t, findings.Issues, issues)
		require.Equal(t, issues == 0, err != nil)
	}
}

// TestLintTakesTheRestForThere: what a section that is left out may hold on the server is no fault.
func TestLintTakesTheRestForThere(t *testing.T) {
	t.Parallel()
	for name, document := range map[string]string{
		"Layout":      mailing("", "", `,"layoutId":"elsewhere"`),
		"Group":       mailing("", `,"notificationGroup":"elsewhere"`, ""),
		"Draft":       `{"workflows":{"w":{"name":"W","published":false,"steps":[{"stepId":"x","type":"custom","custom":{"url":"https://a.example"}}]}}}`,
		"Prefixed":    `{"integrations":{"i":{"providerId":"sendgrid"}}}`,
		"ParentBelow": `{"notificationGroups":{"a":{"name":"A","parent":"b"},"b":{"name":"B"}}}`,
		"Empty":       `{}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			findings, err := configuration.Lint(lintOptions(t), input(t, document).Document)
			require.NoError(t, err)
			require.Empty(t, findings)
		})
	}
}

// TestLintIssues: what is saved all the same, but is worth a look.
func TestLintIssues(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		document string
		says     string
	}{
		"Variable":        {mailing("", `,"payloadSchema":{"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":false}`, `,"text":"{{payload.b}}"`), "payload.b"},
		"Empty":           {`{"workflows":{"w":{"name":"W","steps":[{"stepId":"mail","type":"email","email":{"subject":"","html":"<p>"}}]}}}`, "subject"},
		"Feed":            {`{"feeds":{},"workflows":{"w":{"name":"W","steps":[{"stepId":"mail","type":"in_app","inApp":{"body":"x","feedId":"gone"}}]}}}`, "gone"},
		"NoSectionOfFeed": {`{"workflows":{"w":{"name":"W","steps":[{"stepId":"mail","type":"in_app","inApp":{"body":"x","feedId":"elsewhere"}}]}}}`, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			findings, err := configuration.Lint(lintOptions(t), input(t, c.document).Document)
			require.NoError(t, err)
			if c.says == "" {
				require.Empty(t, findings)
				return
			}
			issues := findings.Issues
			require.Len(t, issues, 1)
			require.Equal(t, []string{"w", "mail"}, []string{issues[0].Workflow, issues[0].StepID})
			require.Contains(t, issues[0].Message, c.says)
		})
	}
}

// TestLintMissingTranslations: one for each locale and key, with every template that uses it.
func TestLintMissingTranslations(t *testing.T) {
	t.Parallel()
	const templates = `"layouts":{"l":{"name":"L","content":"\n{{ 'a' | t }}"}},"snippets":{"s":{"name":"S","content":"{{ 'b' | t }}"}},
		"workflows":{"w":{"name":"W","steps":[{"stepId":"mail","type":"email","email":{"subject":"{{ 'a' | t }}","html":"{{ 'c' | t }}"}}]}}`
	opts := lintOptions(t)
	opts.DefaultLocale = "fr"
	findings, err := configuration.Lint(opts, input(t, `{"translations":{"en":{"b":"B","c":"C"},"de":{"a":"A","b":"B","d":"D"}},`+templates+`}`).Document)
	require.NoError(t, err)
	require.Empty(t, findings.Issues)
	a := []configuration.TranslationUsage{{Path: "layouts.l.content", Line: 2}, {Path: "workflows.w.steps.0.email.subject", Line: 1}}
	b := []configuration.TranslationUsage{{Path: "snippets.s.content", Line: 1}}
	c := []configuration.TranslationUsage{{Path: "workflows.w.steps.0.email.html", Line: 1}}
	require.Equal(t, []configuration.MissingTranslation{
		{Locale: "en", Key: "a", Usages: a},
		{Locale: "fr", Key: "a", Usages: a},
		{Locale: "fr", Key: "b", Usages: b},
		{Locale: "de", Key: "c", Usages: c},
		{Locale: "fr", Key: "c", Usages: c},
		{Locale: "en", Key: "d"},
		{Locale: "fr", Key: "d"},
	}, findings.Missing)
	findings, err = configuration.Lint(opts, input(t, `{`+templates+`}`).Document)
	require.NoError(t, err)
	require.Empty(t, findings, "translations may be elsewhere")
}

// TestNormal: documents that mean the same have one form, by which files are found unchanged.
func TestNormal(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ document, want string }{
		"Defaults": {
			`{"workflows":{"w":{"name":"W","active":true,"published":true,"severity":"none","versioning":"pinned","critical":false,"tags":[],"description":"",
				"steps":[{"stepId":"x","name":"x","active":true,"type":"sms","sms":{"body":"B"},"shouldStopOnFail":false}]}}}`,
			`{"workflows":{"w":{"name":"W","steps":[{"stepId":"x","type":"sms","sms":{"body":"B"}}]}}}`,
		},
		"OtherThanTheDefault": {
			`{"workflows":{"w":{"name":"W","active":false,"steps":[{"stepId":"x","name":"Text","active":false,"type":"sms","sms":{"body":"B"}}]}}}`,
			`{"workflows":{"w":{"name":"W","active":false,"steps":[{"stepId":"x","name":"Text","active":false,"type":"sms","sms":{"body":"B"}}]}}}`,
		},
		"Ids": {
			`{"workflows":{"w":{"name":"W","steps":[{"id":"0123456789abcdef01234567","stepId":"x","type":"sms","sms":{"body":"B"}}]}}}`,
			`{"workflows":{"w":{"name":"W","steps":[{"stepId":"x","type":"sms","sms":{"body":"B"}}]}}}`,
		},
		"Integration": {
			`{"integrations":{"i":{"providerId":"sendgrid","active":true},"j":{"providerId":"sendgrid","active":false}}}`,
			`{"integrations":{"i":{"providerId":"sendgrid"},"j":{"providerId":"sendgrid","active":false}}}`,
		},
		"Others": {`{"topics":{"t":{"name":""}},"translations":{"en":{"a":""}}}`, `{"topics":{"t":{}},"translations":{"en":{"a":""}}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			normal, err := configuration.Normal(input(t, c.document).Document)
			require.NoError(t, err)
			raw, err := json.Marshal(normal)
			require.NoError(t, err)
			require.JSONEq(t, c.want, string(raw))
			again, err := configuration.Normal(normal)
			require.NoError(t, err)
			require.Equal(t, normal, again, "the normal form of itself")
		})
	}
	_, err := configuration.Normal(input(t, `{"topics":[]}`).Document)
	require.Equal(t, []string{"document.topics"}, notifytest.Paths(t, err))
}

// A document may not hold more resources of a kind than are ever read back.
func TestDocumentsAreBounded(t *testing.T) {
	t.Parallel()
	topics := map[string]any{}
	for i := range configuration.MaxResources + 1 {
		topics[fmt.Sprint("t", i)] = map[string]any{}
	}
	_, err := configuration.Lint(lintOptions(t), map[string]any{"topics": topics})
	require.Equal(t, []string{"document.topics"}, notifytest.Paths(t, err))
	delete(topics, "t0")
	_, err = configuration.Lint(lintOptions(t), map[string]any{"topics": topics})
	require.NoError(t, err)
}

// TestLintMessages: what templates do not give to texts of any locale, and doubtful plural forms; a strict workflow is refused.
func TestLintMessages(t *testing.T) {
	t.Parallel()
	const translations = `"translations":{"en":{"cart":"{n, plural, one {#} other {#}} {name}"},"pl":{"cart":"{n, plural, one {#} other {#}} {who}"}},`
	const template = `,"text":"{{ 'cart' | t: n: payload.n, name: 'x' }}"`
	findings, err := configuration.Lint(lintOptions(t), input(t, mailing(translations, "", template)).Document)
	require.NoError(t, err)
	require.Len(t, findings.Issues, 1)
	require.Contains(t, findings.Issues[0].Message, "The translation of cart for pl needs the argument who")
	require.Len(t, findings.Doubts, 1)
	require.Equal(t, "pl", findings.Doubts[0].Locale)
	_, err = configuration.Lint(lintOptions(t), input(t, mailing(translations, `,"strictVariables":true`, template)).Document)
	require.ErrorContains(t, err, "needs the argument who")
	_, err = configuration.Lint(lintOptions(t), input(t, mailing(`"translations":{"en":{"cart":"{n, plural, one {#}}"}},`, "", "")).Document)
	require.ErrorContains(t, err, "is no well-formed message")
}
