package render_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestEscapingPerChannel: only the HTML of an e-mail is escaped; what a device or a phone shows as text is not.
func TestEscapingPerChannel(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"x":"<b>Tom & \"Ann\"</b>"}`)
	const template, want = "{{ payload.x }}!", `<b>Tom & "Ann"</b>!`
	const escaped = "&lt;b&gt;Tom &amp; &#34;Ann&#34;&lt;/b&gt;!"
	sms, err := e.SMS(t.Context(), &workflow.TextControls{Body: template}, b)
	require.NoError(t, err)
	chat, err := e.Chat(t.Context(), &workflow.TextControls{Body: template}, b)
	require.NoError(t, err)
	push, err := e.Push(t.Context(), &workflow.PushControls{Subject: template, Body: template, Data: map[string]any{"k": template}}, b)
	require.NoError(t, err)
	inApp, err := e.InApp(t.Context(), &workflow.InAppControls{Subject: template, Body: template, Data: map[string]any{"k": []any{template}}}, b)
	require.NoError(t, err)
	mail, err := e.Email(t.Context(), &workflow.EmailControls{Subject: template, SenderName: template, HTML: template, Text: template}, "", b)
	require.NoError(t, err)
	for _, got := range []any{sms, chat, push.Subject, push.Body, push.Data["k"], inApp.Subject, inApp.Body, inApp.Data["k"].([]any)[0], mail.Subject, mail.SenderName, mail.Text} {
		require.Equal(t, want, got)
	}
	require.Equal(t, escaped, mail.HTML)
}

// TestFailuresNameTheControl whose template is wrong, so that its author finds it.
func TestFailuresNameTheControl(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{}`)
	const bad = "{{ x | nope }}"
	deep := map[string]any{"k": []any{map[string]any{"l": bad}}}
	email := func(c workflow.EmailControls, layout string) error {
		_, err := e.Email(t.Context(), &c, layout, b)
		return err
	}
	inApp := func(c workflow.InAppControls) error {
		_, err := e.InApp(t.Context(), &c, b)
		return err
	}
	push := func(c workflow.PushControls) error {
		_, err := e.Push(t.Context(), &c, b)
		return err
	}
	_, sms := e.SMS(t.Context(), &workflow.TextControls{Body: bad}, b)
	for control, errs := range map[string][]error{
		"subject":             {email(workflow.EmailControls{Subject: bad}, ""), inApp(workflow.InAppControls{Subject: bad, Body: bad}), push(workflow.PushControls{Subject: bad})},
		"body":                {sms, email(workflow.EmailControls{HTML: bad}, ""), inApp(workflow.InAppControls{Body: bad}), push(workflow.PushControls{Body: bad})},
		"from":                {email(workflow.EmailControls{From: bad}, "")},
		"senderName":          {email(workflow.EmailControls{SenderName: bad}, "")},
		"replyTo":             {email(workflow.EmailControls{ReplyTo: bad}, "")},
		"preheader":           {email(workflow.EmailControls{Preheader: bad}, "")},
		"text":                {email(workflow.EmailControls{Text: bad}, "")},
		"blocks":              {email(workflow.EmailControls{Blocks: []workflow.EmailBlock{{Content: bad}}}, ""), email(workflow.EmailControls{Blocks: []workflow.EmailBlock{{URL: bad}}}, "")},
		"layout":              {email(workflow.EmailControls{HTML: "x"}, bad)},
		"avatar":              {inApp(workflow.InAppControls{Avatar: bad})},
		"redirect":            {inApp(workflow.InAppControls{Redirect: bad})},
		"primaryAction.label": {inApp(workflow.InAppControls{Primary: &workflow.Button{Label: bad}})},
		"secondaryAction.url": {inApp(workflow.InAppControls{Secondary: &workflow.Button{URL: bad}})},
		"data":                {inApp(workflow.InAppControls{Data: deep}), push(workflow.PushControls{Data: deep})},
	} {
		for _, err := range errs {
			require.ErrorContains(t, err, control+`: template line 1: undefined filter "nope"`)
		}
	}
}

// TestPlainPart: the text of an e-mail follows from its HTML: links by their words and address, lists, no styles.
func TestPlainPart(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{}`)
	for html, want := range map[string]string{
		"<p>One</p><p>Two</p>":                                 "One\n\nTwo",
		"a<br>b<br/>c":                                         "a\nb\nc",
		"<ul><li>Tea</li><li>Cup</li></ul>":                    " - Tea\n - Cup",
		`Go <a href="https://x.example/?a=1&amp;b=2">here</a>`: "Go here <https://x.example/?a=1&b=2>",
		"<style>p{color:red}</style><script>x()</script>Text":  "Text",
		"<head><title>T</title></head><body>Body</body>":       "Body",
		"Tom &amp; Ann &lt;3 &euro;&nbsp;5 &#8364;":            "Tom & Ann <3 €\u00a05 €",
		"<p>a</p><br><br><br><br><p>b</p>":                     "a\n\nb",
		"":                                                     "",
		"<!-- hidden -->shown":                                 "shown",
	} {
		got, err := e.Email(t.Context(), &workflow.EmailControls{Subject: "s", HTML: html, Text: " \n "}, "", b)
		require.NoError(t, err)
		assert.Equal(t, want, got.Text, html)
	}
}

// TestPreheader: the preview is the first thing in the body, hidden and escaped, and not in the plain part.
func TestPreheader(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"p":"5 < 6"}`)
	const hidden = `<div style="display:none;max-height:0;overflow:hidden">Now 5 &lt; 6</div>`
	for html, want := range map[string]string{
		"<p>x</p>": hidden + "<p>x</p>",
		"<html><head></head><body class=\"a\"><p>x</p></body></html>": `<html><head></head><body class="a">` + hidden + "<p>x</p></body></html>",
		"<HTML><BODY>x</BODY></HTML>":                                 "<HTML><BODY>" + hidden + "x</BODY></HTML>",
	} {
		got, err := e.Email(t.Context(), &workflow.EmailControls{Subject: "s", HTML: html, Preheader: "Now {{ payload.p }}"}, "", b)
		require.NoError(t, err)
		require.Equal(t, want, got.HTML)
		require.Equal(t, "x", got.Text)
		got, err = e.Email(t.Context(), &workflow.EmailControls{Subject: "s", HTML: html}, "", b)
		require.NoError(t, err)
		require.Equal(t, html, got.HTML, "without a preheader nothing is added")
	}
}

// TestButtonsOfEmails: a mail program opens a link, it does not run one.
func TestButtonsOfEmails(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"evil":"javascript:alert(1)"}`)
	for link, want := range map[string]string{
		"https://x.example/?a=1&b=\"2\"": "https://x.example/?a=1&amp;b=&#34;2&#34;", "mailto:a@b.example": "mailto:a@b.example", "TEL:+49": "TEL:+49",
		"sms:+49": "sms:+49", "/path": "/path", " https://x.example ": "https://x.example", "": "",
		"javascript:alert(1)": "#", " JavaScript:alert(1)": "#", "data:text/html,x": "#", "vbscript:x": "#", "java\nscript:alert(1)": "#", "{{ payload.evil }}": "#", "%zz://": "#",
	} {
		got, err := e.Email(t.Context(), &workflow.EmailControls{Subject: "s", Blocks: []workflow.EmailBlock{
			{Type: workflow.BlockButton, Content: "Go", URL: link, Styles: &workflow.EmailBlockStyles{TextAlign: `right"onclick="x`}},
		}}, "", b)
		require.NoError(t, err)
		require.Contains(t, got.HTML, `<a href="`+want+`" style=`, link)
		require.Contains(t, got.HTML, `text-align:right&#34;onclick=&#34;x;`, "a style cannot leave its attribute")
	}
}

// TestImagesOfEmails: neither the address of an image nor its alternative text leaves its attribute, and messages hold a text.
func TestImagesOfEmails(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"evil":"\"><script>\nx","code":"a&b"}`)
	for address, want := range map[string]string{
		"https://x.example/images/k?a=1&b=2": "https://x.example/images/k?a=1&amp;b=2", "https://x.example/{{ payload.code | url_encode }}": "https://x.example/a%26b",
		"javascript:alert(1)": "#", "data:image/svg+xml,x": "#", `"onerror="x`: "&#34;onerror=&#34;x",
	} {
		got, err := e.Email(t.Context(), &workflow.EmailControls{Subject: "s", Blocks: []workflow.EmailBlock{
			{Type: workflow.BlockImage, Content: "Logo {{ payload.evil }}", URL: address, Styles: &workflow.EmailBlockStyles{TextAlign: "center"}},
		}}, "", b)
		require.NoError(t, err)
		shown := `<img src="` + want + `" alt="Logo &#34;&gt;&lt;script&gt; x" style="max-width:100%;height:auto;border:0">`
		require.Contains(t, got.HTML, `<div style="text-align:center;margin:0 0 16px">`+shown+`</div>`, address)
		require.Equal(t, []workflow.EmailBlock{{Type: workflow.BlockText, Content: shown, Styles: &workflow.EmailBlockStyles{TextAlign: "center"}}}, got.Blocks)
	}
}

// TestHeadersAreOneLine: a payload adds no header to an e-mail.
func TestHeadersAreOneLine(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"x":"a\r\nBcc: evil@x.example\n\n b"}`)
	got, err := newEngine().Email(t.Context(), &workflow.EmailControls{
		Subject: "{{ payload.x }}", From: "{{ payload.x }}", SenderName: "{{ payload.x }}", ReplyTo: "{{ payload.x }}", HTML: "h",
	}, "", b)
	require.NoError(t, err)
	for _, header := range []string{got.Subject, got.From, got.SenderName, got.ReplyTo} {
		require.Equal(t, "a Bcc: evil@x.example b", header)
	}
	kept, err := newEngine().Email(t.Context(), &workflow.EmailControls{Subject: " two  blanks ", HTML: "h"}, "", b)
	require.NoError(t, err)
	require.Equal(t, " two  blanks ", kept.Subject, "a subject of one line is left as it is written")
}

// TestLayout sees what the body sees, and the body only as HTML that is done; what it assigns stays in it.
func TestLayout(t *testing.T) {
	t.Parallel()
	b := bind(t, `{"name":"<Ada>"}`)
	got, err := newEngine().Email(t.Context(), &workflow.EmailControls{
		Subject: "Hi & bye", HTML: "<p>{{ payload.name }}</p>", Preheader: "P", Text: "[{{ subject }}{{ content }}]",
	}, "<h1>{{ subject }}|{{ preheader }}</h1>{% if content %}{{ content }}{% endif %}<i>{{ payload.name }}</i>", b)
	require.NoError(t, err)
	require.Contains(t, got.HTML, "<h1>Hi &amp; bye|P</h1><p>&lt;Ada&gt;</p><i>&lt;Ada&gt;</i>")
	require.Equal(t, "[]", got.Text, "only the layout knows subject and content")
}

// TestLocales: the exact tag, its language, the fallback and its language, without regard to case and "_".
func TestLocales(t *testing.T) {
	t.Parallel()
	texts := render.Translations{
		"DE-at": {"a": "at"}, "de": {"a": "de", "b": "de"}, "en_GB": {"a": "gb", "c": "gb"}, "en": {"a": "en", "b": "en", "c": "en", "d": "en"},
	}
	for locales, want := range map[[2]string]string{
		{"de-AT", "en-GB"}: "at de gb en e", {"de_at", "en"}: "at de en en e", {"de-CH", "en"}: "de de en en e", {"DE", ""}: "de de c d e",
		{"fr", "en-gb"}: "gb en gb en e", {"", "en"}: "en en en en e", {"", ""}: "a b c d e", {"en", "en"}: "en en en en e", {"xx-YY", "zz"}: "a b c d e",
	} {
		tr := texts.For(locales[0], locales[1])
		var got []string
		for _, key := range []string{"a", "b", "c", "d", "e"} {
			got = append(got, tr.Text(key))
		}
		require.Equal(t, want, strings.Join(got, " "), locales)
		_, known := tr.Lookup("e")
		require.False(t, known)
	}
	require.Equal(t, "key", (*render.Translator)(nil).Text("key"), "without texts keys are shown as they are")
}

// TestDataKeepsItsShape: strings are rendered at any depth, keys and everything else stay, and the given data is not changed.
func TestDataKeepsItsShape(t *testing.T) {
	t.Parallel()
	e, b := newEngine(), bind(t, `{"x":"v"}`)
	given := map[string]any{"{{ payload.x }}": "{{ payload.x }}", "l": []any{1.5, true, nil, map[string]any{"k": "{{ payload.x }}!"}}}
	got, err := e.Data(t.Context(), given, b)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"{{ payload.x }}": "v", "l": []any{1.5, true, nil, map[string]any{"k": "v!"}}}, got)
	require.Equal(t, "{{ payload.x }}", given["{{ payload.x }}"])
	nested := func(depth int) map[string]any {
		var v any = "{{ payload.x }}"
		for range depth {
			v = []any{v}
		}
		return map[string]any{"k": v}
	}
	_, err = e.Data(t.Context(), nested(49), b)
	require.NoError(t, err)
	_, err = e.Data(t.Context(), nested(50), b)
	require.ErrorIs(t, err, render.ErrTooDeep)
	for _, plain := range []map[string]any{nil, {}, {"k": "text", "n": 1.0}} {
		got, err = e.Data(t.Context(), plain, b)
		require.NoError(t, err)
		require.Equal(t, plain, got)
	}
}

// TestCallToAction: buttons wait for a click, a redirect alone does not.
func TestCallToAction(t *testing.T) {
	t.Parallel()
	one, two := &workflow.Button{Label: "One", URL: "/1"}, &workflow.Button{Label: "Two"}
	for name, c := range map[string]struct {
		content render.InAppContent
		want    workflow.CTA
	}{
		"None":     {render.InAppContent{}, workflow.CTA{}},
		"Redirect": {render.InAppContent{Redirect: "/r"}, workflow.CTA{Type: "redirect", Data: &workflow.CTAData{URL: "/r"}}},
		"Second": {render.InAppContent{Secondary: two}, workflow.CTA{Action: &workflow.CTAAction{
			Status: workflow.ActionPending, Buttons: []workflow.CTAButton{{Type: "secondary", Content: "Two"}},
		}}},
		"Both": {render.InAppContent{Primary: one, Secondary: two}, workflow.CTA{Action: &workflow.CTAAction{
			Status: workflow.ActionPending, Buttons: []workflow.CTAButton{{Type: "primary", Content: "One", URL: "/1"}, {Type: "secondary", Content: "Two"}},
		}}},
	} {
		require.Equal(t, c.want, c.content.CTA(), name)
	}
}

// TestPlainAndLiquidAgree: a template of variables alone takes a shorter way to the same text.
func TestPlainAndLiquidAgree(t *testing.T) {
	t.Parallel()
	e := newEngine()
	b := bind(t, `{"s":"<x>","n":12345678,"f":0.5,"t":true,"z":null,"l":[1,"a"],"o":{"k":{"d":"deep"}},"size":"own","e":1e21}`)
	for _, path := range []string{
		"payload.s", "payload.n", "payload.f", "payload.t", "payload.z", "payload.l", "payload.o", "payload.o.k.d", "payload.o.x.y", "payload.e",
		"payload", "nothing", "payload.s.x", "subscriber.firstName", "context.region.id", "_texts", "_budget",
	} {
		for _, render := range []func(source string) (string, error){
			func(source string) (string, error) { return e.Text(t.Context(), source, b) },
			func(source string) (string, error) { return e.HTML(t.Context(), source, b) },
		} {
			short, err := render("[{{ " + path + " }}]")
			require.NoError(t, err)
			long, err := render("{% if true %}[{{ " + path + " }}]{% endif %}")
			require.NoError(t, err)
			require.Equal(t, long, short, path)
		}
	}
}
