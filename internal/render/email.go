package render

import (
	"context"
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"

	"github.com/carillon/carillon/internal/workflow"
)

// EmailContent is a rendered e-mail. HTML holds the layout; Blocks are the rendered blocks of a block e-mail, as the
// message's content shows them.
type EmailContent struct {
	Subject, HTML, Text       string
	From, SenderName, ReplyTo string
	Blocks                    []workflow.EmailBlock
}

// Email renders an e-mail. layout is the Liquid source of its layout, "" for none; it receives the e-mail's body as
// content and besides all that the body sees, also subject and preheader.
func (e *Engine) Email(ctx context.Context, c *workflow.EmailControls, layout string, b Bindings) (EmailContent, error) {
	r := renderer{ctx: ctx, engine: e, vars: b}
	out := EmailContent{
		Subject: singleLine(r.text("subject", c.Subject)), From: singleLine(r.text("from", c.From)),
		SenderName: singleLine(r.text("senderName", c.SenderName)), ReplyTo: singleLine(r.text("replyTo", c.ReplyTo)),
	}
	preheader := r.text("preheader", c.Preheader)
	body := r.html("body", c.HTML)
	if len(c.Blocks) > 0 {
		out.Blocks = r.blocks(c.Blocks)
		body = blocksHTML(out.Blocks)
	}
	if layout != "" {
		vars := b.with("content", escaped(body))
		vars["subject"], vars["preheader"] = out.Subject, preheader
		r.vars = Bindings{vars}
		body = r.html("layout", layout)
		r.vars = b
	}
	out.Text = r.text("text", c.Text)
	if r.err == nil && strings.TrimSpace(c.Text) == "" {
		out.Text = plainText(body)
	}
	out.HTML = withPreheader(body, preheader)
	return out, r.err
}

// singleLine keeps header values in one line: a payload must not be able to add headers.
func singleLine(s string) string {
	if !strings.ContainsAny(s, "\r\n") {
		return s
	}
	return strings.Join(strings.Fields(s), " ")
}

// blocks renders the blocks of an e-mail, which have the size and the time of one text together.
func (r *renderer) blocks(blocks []workflow.EmailBlock) []workflow.EmailBlock {
	timed, cancel := context.WithTimeoutCause(r.ctx, r.engine.limits.Time, ErrTooManySteps)
	defer cancel()
	within := renderer{ctx: timed, engine: r.engine, vars: r.vars, err: r.err}
	out, left := make([]workflow.EmailBlock, len(blocks)), r.engine.limits.Output
	for i, b := range blocks {
		out[i] = within.block(b)
		if left -= len(out[i].Content) + len(out[i].URL); left < 0 && within.err == nil {
			within.err = fmt.Errorf("blocks: %w", ErrOutputTooLarge)
		}
	}
	r.err = within.err
	return out
}

func (r *renderer) block(b workflow.EmailBlock) workflow.EmailBlock {
	address, ok := r.address("blocks", b.URL)
	if !ok {
		address = "#"
	}
	if b.Type == workflow.BlockImage {
		return workflow.EmailBlock{Type: workflow.BlockText, Content: imageHTML(address, r.text("blocks", b.Content)), Styles: b.Styles}
	}
	return workflow.EmailBlock{Type: b.Type, Content: r.html("blocks", b.Content), URL: address, Styles: b.Styles}
}

// imageHTML shows a picture no wider than the mail. Its texts are of one line: the lines of a text become HTML of their own.
func imageHTML(address, alternative string) string {
	return `<img src="` + html.EscapeString(safeURL(singleLine(address))) + `" alt="` + html.EscapeString(singleLine(alternative)) +
		`" style="max-width:100%;height:auto;border:0">`
}

func blocksHTML(blocks []workflow.EmailBlock) string {
	var b strings.Builder
	for _, block := range blocks {
		align := "left"
		if block.Styles != nil && block.Styles.TextAlign != "" {
			align = block.Styles.TextAlign
		}
		b.WriteString(`<div style="text-align:` + html.EscapeString(align) + `;margin:0 0 16px">`)
		if block.Type == workflow.BlockButton {
			b.WriteString(`<a href="` + html.EscapeString(safeURL(block.URL)) + `" style="display:inline-block;padding:10px 20px;` +
				`background:#1a1a1a;color:#ffffff;text-decoration:none;border-radius:4px">` + block.Content + `</a>`)
		} else {
			b.WriteString(strings.ReplaceAll(block.Content, "\n", "<br>"))
		}
		b.WriteString("</div>\n")
	}
	return b.String()
}

// safeURL drops links that a mail program would run instead of open.
func safeURL(raw string) string {
	raw = strings.TrimSpace(raw)
	u, err := url.Parse(raw)
	if err != nil {
		return "#"
	}
	switch strings.ToLower(u.Scheme) {
	case "", "http", "https", "mailto", "tel", "sms":
		return raw
	}
	return "#"
}

var bodyTag = regexp.MustCompile(`(?i)<body[^>]*>`)

// withPreheader puts the preview text where mail programs look for it, invisible in the mail itself.
func withPreheader(body, preheader string) string {
	if preheader == "" {
		return body
	}
	hidden := `<div style="display:none;max-height:0;overflow:hidden">` + html.EscapeString(preheader) + `</div>`
	if at := bodyTag.FindStringIndex(body); at != nil {
		return body[:at[1]] + hidden + body[at[1]:]
	}
	return hidden + body
}
