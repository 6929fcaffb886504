// Package docs holds the documents that Carillon's code, settings and error texts cite, and serves them at /docs. The
// Markdown files are the one place to read and to change them.
package docs

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
)

//go:embed *.md
var files embed.FS

// parts list the documents as readers meet them, with one sentence each: the guide, which one reads in its order, and the
// reference.
var parts = []struct {
	title   string
	entries []entry
}{
	{"Guide", []entry{
		{"start", "From an empty machine to the first notification, and where one sees what happened."},
		{"first-workflow", "A workflow of one's own: steps, conditions, the payload's schema, a preview."},
		{"first-provider", "Sending for real: SMTP, SendGrid, Twilio, and the setting that lets private addresses be called."},
		{"inbox", "The inbox in a page of one's own: tokens, CORS, live updates, React, Vue and Svelte."},
		{"topics", "Topics, digests and preferences: one event for many, one message for many events, and who wants none."},
		{"languages", "Languages: texts by locale, plural forms, and how numbers, amounts and dates are written."},
		{"templates", "Templates: the tags, filters and operators of Liquid in Carillon, and what differs from other engines."},
		{"files", "Workflows, layouts, translations, topics and integrations as files, planned and applied."},
		{"graphql", "GraphQL by examples."},
		{"rest", "The documented REST API, and the clients it was tried with."},
		{"receipts", "What providers report after they took a message, and the addresses they report to."},
		{"webhooks", "Outgoing webhooks: endpoints, signatures, retries, replays, and the body of every event."},
		{"delivery", "What is guaranteed, and what a crash, a refusal or a lost answer does to a message."},
		{"prove", "`carillon prove`: kills, freezes, failing providers and networks, and what is checked after them."},
		{"migrate", "Moving from another deployment of the documented API: importing, comparing, and export folders."},
		{"mcp", "Assistants: the tools that `carillon mcp` offers over the Model Context Protocol."},
		{"deploy", "Installing, upgrading, backing up, scaling and watching Carillon."},
		{"monitoring", "What to watch, and what to look at when something is wrong."},
		{"security", "Keys, tokens, secrets, egress, and what to check before strangers reach the service."},
		{"threats", "What is defended, from whom, by which mechanism and which test, and what is not defended."},
		{"growth", "What one notification costs, what stops scaling first, and what to do then."},
	}},
	{"Reference", []entry{
		{"api", "The documented REST API, route by route."},
		{"compatibility", "What a new release may change in the GraphQL API, and how long deprecated parts stay."},
		{"clients", "What programs and pages install: Go, Node.js, and the inbox for React, Vue, Svelte and plain pages."},
		{"settings", "Every setting with its default."},
		{"metrics", "Every figure of /metrics."},
		{"codes", "Every code of an error, and every reason in a trace."},
		{"semantics", "How triggers, steps, digests, delays, throttles, preferences, schedules and retries behave."},
		{"decisions", "Every point on which the API document is silent, decided."},
		{"glossary", "Every term of the domain and of the code, in one sentence each."},
		{"architecture", "How Carillon is built: its packages, its data, and the way of a trigger, a due run and a list query."},
		{"email", "What the e-mail adapters know of each provider's interface."},
		{"sms", "What the SMS adapters know of each provider's interface."},
		{"push-chat", "What the push, chat and in-app adapters know of each provider's interface."},
		{"changelog", "What changed for users and operators, version by version."},
	}},
}

type entry struct{ name, summary string }

// Parts are the titles of the parts, in reading order.
func Parts() []string {
	titles := make([]string, len(parts))
	for i, part := range parts {
		titles[i] = part.title
	}
	return titles
}

// Document is one Markdown file.
type Document struct {
	Name     string // of its file, without the ending; also its address below /docs
	Title    string
	Summary  string // one sentence
	Part     string // one of Parts
	Sections []Section

	source []byte
	root   ast.Node
}

// Markdown returns the document's source.
func (d *Document) Markdown() string { return string(d.source) }

// Section is a heading with the text below it, or a numbered rule of a list.
type Section struct {
	Anchor string // the fragment of its address
	Number string // "3", "3.15"; empty without one
	Title  string // of the heading; empty for a rule
	Level  int    // of the heading, 1 to 6; 0 for a rule
	Text   string // plain text, white space folded, without that of the sections below it
}

// markdown reads GitHub's tables besides CommonMark.
var markdown = goldmark.New(goldmark.WithExtensions(extension.Table))

// All returns the documents in reading order.
func All() ([]*Document, error) {
	var all []*Document
	for _, part := range parts {
		for _, entry := range part.entries {
			source, err := files.ReadFile(entry.name + ".md")
			if err != nil {
				return nil, fmt.Errorf("document %s: %w", entry.name, err)
			}
			d := parse(entry.name, entry.summary, source)
			d.Part = part.title
			all = append(all, d)
		}
	}
	return all, nil
}

// parse reads a document and gives each heading and each numbered rule its anchor.
func parse(name, summary string, source []byte) *Document {
	d := &Document{Name: name, Title: name, Summary: summary, source: source}
	d.root = markdown.Parser().Parse(text.NewReader(source))
	d.linkPages()
	taken := map[string]bool{}
	for node := d.root.FirstChild(); node != nil; node = node.NextSibling() {
		switch n := node.(type) {
		case *ast.Heading:
			d.addHeading(n, taken)
		case *ast.List:
			d.addList(n, taken)
		default:
			d.addText(plain(node, source))
		}
	}
	return d
}

var toDocument = regexp.MustCompile(`^([a-z-]+)\.md(#.*)?$`)

// linkPages points links to files beside this one, which work in the repository, at the pages served.
func (d *Document) linkPages() {
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback returns no error
		if link, ok := n.(*ast.Link); ok && entering {
			link.Destination = toDocument.ReplaceAll(link.Destination, []byte(Prefix+"/$1$2"))
		}
		return ast.WalkContinue, nil
	})
}

var headingNumber = regexp.MustCompile(`^(\d+(?:\.\d+)*)\.? +(.+)$`)

func (d *Document) addHeading(n *ast.Heading, taken map[string]bool) {
	s := Section{Title: plain(n, d.source), Level: n.Level}
	if m := headingNumber.FindStringSubmatch(s.Title); m != nil {
		s.Number, s.Title = m[1], m[2]
	}
	s.Anchor = unused(taken, s.Number, s.Title)
	n.SetAttributeString("id", []byte(s.Anchor))
	if n.Level == 1 {
		d.Title = s.Title
	}
	d.Sections = append(d.Sections, s)
}

// addList makes each item of an ordered list in a numbered section a rule with a number of its own (semantics.md §3.15).
func (d *Document) addList(list *ast.List, taken map[string]bool) {
	section := d.heading()
	if !list.IsOrdered() || section == nil || section.Number == "" {
		d.addText(plain(list, d.source))
		return
	}
	number, next := section.Number, list.Start
	for item := list.FirstChild(); item != nil; item = item.NextSibling() {
		rule := Section{Number: number + "." + strconv.Itoa(next), Text: plain(item, d.source)}
		rule.Anchor = unused(taken, rule.Number, "")
		item.SetAttributeString("id", []byte(rule.Anchor))
		d.Sections = append(d.Sections, rule)
		next++
	}
}

// heading returns the newest section that is a heading, nil before the first.
func (d *Document) heading() *Section {
	for i := range slices.Backward(d.Sections) {
		if d.Sections[i].Level > 0 {
			return &d.Sections[i]
		}
	}
	return nil
}

// addText adds to the section that the text is in.
func (d *Document) addText(text string) {
	if s := d.heading(); s != nil {
		s.Text = strings.TrimSpace(s.Text + " " + text)
	}
}

var notInAnchor = regexp.MustCompile(`[^a-z0-9]+`)

// unused returns the section's number, or its title as a slug, made unique in the document.
func unused(taken map[string]bool, number, title string) string {
	anchor := number
	if anchor == "" {
		anchor = strings.Trim(notInAnchor.ReplaceAllString(strings.ToLower(title), "-"), "-")
	}
	for base, i := anchor, 2; taken[anchor]; i++ {
		anchor = base + "-" + strconv.Itoa(i)
	}
	taken[anchor] = true
	return anchor
}

// plain returns the text of a node without markup, white space folded.
func plain(node ast.Node, source []byte) string {
	var b strings.Builder
	_ = ast.Walk(node, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback returns no error
		if !entering {
			if n.Type() == ast.TypeBlock {
				b.WriteByte(' ')
			}
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			b.Write(n.Segment.Value(source))
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.FencedCodeBlock, *ast.CodeBlock:
			lines := n.Lines()
			for i := range lines.Len() {
				line := lines.At(i)
				b.Write(line.Value(source))
			}
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
