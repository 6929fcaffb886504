package configfiles_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/configfiles"
)

func document(t require.TestingT, text string) map[string]any {
	out := map[string]any{}
	require.NoError(t, json.Unmarshal([]byte(text), &out))
	return out
}

const small = `{
	"feeds": {"alerts": {"name": "Alerts"}},
	"layouts": {"plain": {"name": "Plain", "content": "<p>{{content}}</p>\n"}},
	"translations": {"no": {"yes": "ja", "off": "av"}},
	"topics": {"orders:all": {"name": "Orders"}, "ada@example.com": {}},
	"workflows": {"order-shipped": {"name": "Order shipped",
		"steps": [
			{"stepId": "bell", "type": "in_app", "inApp": {"body": "On its way"}},
			{"stepId": "mail", "type": "email", "email": {"subject": "Order", "html": "<b>Shipped</b>", "text": "Shipped"},
				"variants": [{"name": "In German", "filters": [], "email": {"subject": "Bestellung", "html": "<b>Unterwegs</b>"}}]}
		]}}
}`

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(name)] = string(raw)
		return err
	}))
	return out
}

func TestWriteAndRead(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := configfiles.Write(dir, document(t, small), configfiles.Same)
	require.NoError(t, err)
	written := files(t, dir)
	require.Equal(t, `# yaml-language-server: $schema=../../.schemas/workflow.json
name: Order shipped
steps:
  - stepId: bell
    type: in_app
    inApp:
      body: On its way
  - stepId: mail
    type: email
    email:
      subject: Order
      html@: mail.html
      text@: mail.txt
    variants:
      - name: In German
        filters: []
        email:
          subject: Bestellung
          html@: mail.In-German.html
`, written["workflows/order-shipped/workflow.yaml"])
	require.Equal(t, "<b>Unterwegs</b>", written["workflows/order-shipped/mail.In-German.html"])
	require.Equal(t, "<p>{{content}}</p>\n", written["layouts/plain.html"])
	read, err := configfiles.Read(dir)
	require.NoError(t, err)
	require.Equal(t, document(t, small), read.Document)
	require.Equal(t, "workflows/order-shipped/mail.html", read.File("document.workflows.order-shipped.steps.1.email.html"))
	require.Equal(t, "workflows/order-shipped/workflow.yaml", read.File("document.workflows.order-shipped.steps.1.email.subject"))
	require.Equal(t, "topics.yaml", read.File("document.topics.orders:all.name"))
	require.Empty(t, read.File("general"))
}

// TestWriteKeepsWhatIsTheSame holds that comments and the author's own form survive, and that files of resources that are gone go.
func TestWriteKeepsWhatIsTheSame(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := configfiles.Write(dir, document(t, small), configfiles.Same)
	require.NoError(t, err)
	workflow := filepath.Join(dir, "workflows", "order-shipped", "workflow.yaml")
	raw, err := os.ReadFile(workflow)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(workflow, append([]byte("# ours\n"), raw...), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "README.md"), []byte("ours"), 0o600))

	again, err := configfiles.Write(dir, document(t, small), configfiles.Same)
	require.NoError(t, err)
	require.Equal(t, &configfiles.Written{}, again)
	require.Contains(t, files(t, dir)["workflows/order-shipped/workflow.yaml"], "# ours")

	changed := document(t, small)
	changed["workflows"] = map[string]any{}
	changed["layouts"].(map[string]any)["plain"].(map[string]any)["content"] = "<div>{{content}}</div>"
	gone, err := configfiles.Write(dir, changed, configfiles.Same)
	require.NoError(t, err)
	require.Equal(t, &configfiles.Written{
		Changed: []string{"layouts/plain.html"},
		Removed: []string{
			"workflows/order-shipped/mail.In-German.html", "workflows/order-shipped/mail.html", "workflows/order-shipped/mail.txt",
			"workflows/order-shipped/workflow.yaml",
		},
	}, gone)
	require.NoDirExists(t, filepath.Dir(workflow))
	require.Equal(t, "ours", files(t, dir)["README.md"])
}

// TestAnyTextIsReadBack writes texts of every kind, at every place that can be a file or not, and reads them back.
func TestAnyTextIsReadBack(t *testing.T) {
	t.Parallel()
	root, cases := t.TempDir(), atomic.Int64{}
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringMatching(`[ \t\n\r'"#:@{}&*!|>%-]{0,8}[a-z]?[ \n:#-]{0,4}`),
			rapid.SampledFrom([]string{"", "no", "null", "~", "1e3", "0x1f", "- a", "a: b", "|\n  x", " lead", "trail ", "tab\tin", "\n\n", "a\n \nb\n", "é\u2028x", "---", "...", "\u0085"}))
		name := rapid.StringMatching(`[a-zA-Z0-9._-]{1,12}`).Draw(r, "name")
		want := map[string]any{
			"layouts":      map[string]any{name: map[string]any{"name": text.Draw(r, "layout"), "content": text.Draw(r, "content")}},
			"translations": map[string]any{"en": map[string]any{text.Draw(r, "key") + "k": text.Draw(r, "value")}},
			"workflows": map[string]any{name: map[string]any{"name": text.Draw(r, "workflow"), "steps": []any{map[string]any{
				"stepId": text.Draw(r, "step"), "type": "sms", "sms": map[string]any{"body": text.Draw(r, "body")},
				"data": map[string]any{"n": rapid.Float64Range(-1e6, 1e6).Draw(r, "n"), "list": []any{true, nil, text.Draw(r, "item")}},
			}}}},
		}
		dir := filepath.Join(root, strconv.Itoa(int(cases.Add(1))))
		_, err := configfiles.Write(dir, want, configfiles.Same)
		require.NoError(r, err)
		read, err := configfiles.Read(dir)
		require.NoError(r, err)
		require.True(r, configfiles.Same(want, read.Document), "%#v\n%#v", want, read.Document)
	})
}

// TestSchemasDescribeTheFiles holds that what is written meets the schema that its first line names, and that misspelled
// members do not.
func TestSchemasDescribeTheFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, err := configfiles.Write(dir, document(t, small), configfiles.Same)
	require.NoError(t, err)
	checked := 0
	for name, text := range files(t, dir) {
		if filepath.Ext(name) != ".yaml" {
			continue
		}
		checked++
		first, _, _ := strings.Cut(text, "\n")
		named := strings.TrimPrefix(first, "# yaml-language-server: $schema=")
		schema, err := jsonschema.NewCompiler().Compile(filepath.Join(dir, filepath.Dir(name), filepath.FromSlash(named)))
		require.NoError(t, err, name)
		var value any
		require.NoError(t, yaml.Unmarshal([]byte(text), &value))
		raw, err := json.Marshal(value)
		require.NoError(t, err)
		value, err = jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		require.NoError(t, err)
		require.NoError(t, schema.Validate(value), name)
		if strings.HasPrefix(name, "translations/") {
			continue // any key is a text
		}
		value.(map[string]any)["misspelled"] = 1
		require.Error(t, schema.Validate(value), name)
	}
	require.Equal(t, 5, checked)
}

func TestReadSaysWhatIsWrong(t *testing.T) {
	t.Parallel()
	outside := filepath.Join(t.TempDir(), "secret")
	require.NoError(t, os.WriteFile(outside, []byte("secret"), 0o600))
	for name, c := range map[string]struct{ file, text, says string }{
		"no YAML":            {"feeds.yaml", "a: [", "feeds.yaml: [1:"},
		"a key twice":        {"topics.yaml", "a: {}\na: {}\n", "topics.yaml: [2:1] mapping key \"a\" already defined"},
		"no map":             {"topics.yaml", "- a\n", "topics.yaml: must map names to resources"},
		"no such template":   {"layouts/a.yaml", "name: A\ncontent@: b.html\n", "layouts/a.yaml: content@: "},
		"a path that leaves": {"layouts/a.yaml", "name: A\ncontent@: ../../" + filepath.Base(filepath.Dir(outside)) + "/secret\n", "layouts/a.yaml: content@: "},
		"an absolute path":   {"layouts/a.yaml", "name: A\ncontent@: " + outside + "\n", "layouts/a.yaml: content@: "},
		"text and file":      {"layouts/a.yaml", "content: x\ncontent@: a.html\n", "has both content and content@"},
		"no name of a file":  {"layouts/a.yaml", "content@: [a]\n", "content@ must be the name of a file"},
		"an unreadable name": {"layouts/a%zz.yaml", "name: A\n", "the name cannot be read"},
		"a file of ten MiB":  {"feeds.yaml", string(make([]byte, 10<<20)), "is larger than"},
		"a missing workflow": {"workflows/a/mail.html", "x", "workflow.yaml"},
	} {
		dir := t.TempDir()
		file := filepath.Join(dir, filepath.FromSlash(c.file))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o700))
		require.NoError(t, os.WriteFile(file, []byte(c.text), 0o600))
		_, err := configfiles.Read(dir)
		require.ErrorContains(t, err, c.says, name)
	}
}

func TestNamesArePaths(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	names := map[string]any{}
	for _, name := range []string{".", "..", "a/b", "a:b", "A b", "ä", ".hidden", "x@y", "%41", "con.yaml"} {
		names[name] = map[string]any{"name": name}
	}
	want := map[string]any{"integrations": names, "workflows": names}
	_, err := configfiles.Write(dir, want, configfiles.Same)
	require.NoError(t, err)
	read, err := configfiles.Read(dir)
	require.NoError(t, err)
	require.Equal(t, want, read.Document)
}

// TestPlaceNamesLines: of fields, of the part around a field that is missing, and none where a text has a file of its own.
func TestPlaceNamesLines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"workflows/w/workflow.yaml": "\ufeff# yaml\nname: W\nsteps:\n  - stepId: a\n    type: email\n    email:\n      html@: a.html\n      subject: >-\n        long\n        text\n" +
			"  - {stepId: b, type: sms}\ntags: &t !!seq\n  - x\n",
		"workflows/w/a.html":   "<b>",
		"translations/de.yaml": "ship.body: x\n\"a b\": y\n",
		"topics.yaml":          "\n\nnews:\n  name: News\n",
	} {
		file := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	read, err := configfiles.Read(dir)
	require.NoError(t, err)
	for path, place := range map[string]string{
		"document.workflows.w.name":                  "workflows/w/workflow.yaml:2",
		"document.workflows.w.steps.0.type":          "workflows/w/workflow.yaml:5",
		"document.workflows.w.steps.0.email.html":    "workflows/w/a.html",
		"document.workflows.w.steps.0.email.subject": "workflows/w/workflow.yaml:8",
		"document.workflows.w.steps.1":               "workflows/w/workflow.yaml:11",
		"document.workflows.w.steps.1.sms.body":      "workflows/w/workflow.yaml:11",
		"document.workflows.w.tags.0":                "workflows/w/workflow.yaml:13",
		"document.workflows.w.description":           "workflows/w/workflow.yaml",
		"document.translations.de.ship.body":         "translations/de.yaml:1",
		"document.translations.de.a b":               "translations/de.yaml:2",
		"document.topics.news.key":                   "topics.yaml:3",
		"document.feeds.none":                        "",
	} {
		require.Equal(t, place, read.Place(path), path)
	}
}
