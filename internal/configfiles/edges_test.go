package configfiles_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/configfiles"
)

// directory makes a directory of files, by path.
func directory(t *testing.T, texts map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range texts {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o750))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	return dir
}

// write makes a directory hold a document, and returns what changed.
func write(t *testing.T, dir, text string) *configfiles.Written {
	t.Helper()
	written, err := configfiles.Write(dir, document(t, text), configfiles.Same)
	require.NoError(t, err)
	for i := 0; i < len(written.Changed); {
		if strings.HasPrefix(written.Changed[i], ".schemas/") {
			written.Changed = append(written.Changed[:i], written.Changed[i+1:]...)
			continue
		}
		i++
	}
	return written
}

// read returns a directory's document as JSON.
func read(t *testing.T, dir string) string {
	t.Helper()
	got, err := configfiles.Read(dir)
	require.NoError(t, err)
	raw, err := json.Marshal(got.Document)
	require.NoError(t, err)
	return string(raw)
}

// A directory says nothing of sections that it does not have: they stay as they are on the server.
func TestSectionsThatAreNotThere(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		want  string
	}{
		"Nothing":          {nil, `{}`},
		"EmptyFile":        {map[string]string{"topics.yaml": ""}, `{"topics":{}}`},
		"OnlyAComment":     {map[string]string{"topics.yaml": "# none yet\n"}, `{"topics":{}}`},
		"ByteOrderMark":    {map[string]string{"topics.yaml": "\ufeffa: {name: A}\r\n"}, `{"topics":{"a":{"name":"A"}}}`},
		"EndOfDocument":    {map[string]string{"topics.yaml": "---\na: {name: A}\n---\n"}, `{"topics":{"a":{"name":"A"}}}`},
		"BareName":         {map[string]string{"topics.yaml": "orders:\n"}, `{"topics":{"orders":{}}}`},
		"EmptyDirectory":   {map[string]string{"layouts/.keep": ""}, `{"layouts":{}}`},
		"OtherFiles":       {map[string]string{"README.md": "x", "layouts/notes.txt": "x"}, `{"layouts":{}}`},
		"FileAmongFolders": {map[string]string{"workflows/notes.txt": "name: x"}, `{"workflows":{}}`},
		"HiddenFolder":     {map[string]string{"workflows/.old/workflow.yaml": "name: x"}, `{"workflows":{}}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.JSONEq(t, c.want, read(t, directory(t, c.files)))
		})
	}
}

// TestTextsOfFiles: a member whose name ends in @ is the text of a file beside it, wherever in the resource it is.
func TestTextsOfFiles(t *testing.T) {
	t.Parallel()
	dir := directory(t, map[string]string{
		"layouts/plain.yaml":            "name: Plain\ncontent@: shared/frame.html\n",
		"layouts/shared/frame.html":     "<main>{{content}}</main>\n",
		"translations/de.yaml":          "terms:\n  - text@: ../texts/terms.txt\n",
		"texts/terms.txt":               "Bedingungen",
		"feeds.yaml":                    "'@': {name: At}\n",
		"workflows/a%2Fb/workflow.yaml": "name@: name.txt\n",
		"workflows/a%2Fb/name.txt":      "",
	})
	require.JSONEq(t, `{
		"layouts": {"plain": {"name": "Plain", "content": "<main>{{content}}</main>\n"}},
		"translations": {"de": {"terms": [{"text": "Bedingungen"}]}},
		"feeds": {"@": {"name": "At"}},
		"workflows": {"a/b": {"name": ""}}}`, read(t, dir))

	got, err := configfiles.Read(dir)
	require.NoError(t, err)
	require.Equal(t, []string{"layouts/plain.yaml", "layouts/shared/frame.html"}, got.Files["layouts.plain"])
	require.Equal(t, []string{"workflows/a%2Fb/workflow.yaml", "workflows/a%2Fb/name.txt"}, got.Files["workflows.a/b"])
	require.Equal(t, map[string]string{
		"layouts.plain.content": "layouts/shared/frame.html", "translations.de.terms.0.text": "texts/terms.txt", "workflows.a/b.name": "workflows/a%2Fb/name.txt",
	}, got.Texts)
	require.Equal(t, "layouts/shared/frame.html", got.File("document.layouts.plain.content"))
	require.Equal(t, "layouts/plain.yaml", got.File("document.layouts.plain.name"))
}

// TestReadRefuses: the error names the file that has to be mended, and what is wrong there.
func TestReadRefuses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		files map[string]string
		says  []string
	}{
		"NoDocument":     {map[string]string{"workflows/a/other.txt": ""}, []string{"workflows/a/workflow.yaml"}},
		"BadYAML":        {map[string]string{"layouts/a.yaml": "name: [\n"}, []string{"layouts/a.yaml"}},
		"TwiceTheSame":   {map[string]string{"layouts/a.yaml": "name: x\nname: y\n"}, []string{"layouts/a.yaml", "name"}},
		"TextAndFile":    {map[string]string{"layouts/a.yaml": "content: x\ncontent@: a.html\n", "layouts/a.html": ""}, []string{"layouts/a.yaml", "has both content and content@"}},
		"NoFileName":     {map[string]string{"layouts/a.yaml": "content@: {a: b}\n"}, []string{"layouts/a.yaml", "content@ must be the name of a file"}},
		"NoSuchFile":     {map[string]string{"layouts/a.yaml": "content@: gone.html\n"}, []string{"layouts/a.yaml", "content@", "gone.html"}},
		"Outside":        {map[string]string{"layouts/a.yaml": "content@: ../../../../etc/passwd\n"}, []string{"layouts/a.yaml", "content@"}},
		"AList":          {map[string]string{"topics.yaml": "- a\n- b\n"}, []string{"topics.yaml", "must map names to resources"}},
		"AText":          {map[string]string{"feeds.yaml": "alerts\n"}, []string{"feeds.yaml", "must map names to resources"}},
		"TooLarge":       {map[string]string{"layouts/a.yaml": "content@: a.html\n", "layouts/a.html": strings.Repeat("x", 1<<20+1)}, []string{"layouts/a.yaml", "layouts/a.html", "larger than 1048576 bytes"}},
		"AFileOfMany":    {map[string]string{"topics.yaml": "a: {name@: gone.txt}\n"}, []string{"topics.yaml", "name@", "gone.txt", "no such file"}},
		"NotUTF8":        {map[string]string{"layouts/a.yaml": "content@: a.html\n", "layouts/a.html": "\xff\xfea\x00"}, []string{"layouts/a.yaml", "layouts/a.html: is no UTF-8 text"}},
		"TwoDocuments":   {map[string]string{"layouts/a.yaml": "name: a\n---\nname: b\n"}, []string{"layouts/a.yaml: has more than one YAML document"}},
		"SameName":       {map[string]string{"layouts/a.yaml": "name: a\n", "layouts/%61.yaml": "name: b\n"}, []string{"layouts/a.yaml", "same name", "layouts/%61.yaml"}},
		"OtherEnding":    {map[string]string{"layouts/a.yml": "name: a\n"}, []string{"layouts/a.yml: is not read: name it layouts/a.yaml"}},
		"OtherEndingOne": {map[string]string{"topics.yml": "a: {}\n"}, []string{"topics.yml: is not read: name it topics.yaml"}},
		"OneWorkflow":    {map[string]string{"workflow/a/workflow.yaml": "name: a\n"}, []string{"workflow: is not read: name it workflows/"}},
		"OneTopic":       {map[string]string{"topic.yaml": "a: {}\n"}, []string{"topic.yaml: is not read: name it topics.yaml"}},
		"LargeLetters":   {map[string]string{"Layouts/a.yaml": "name: a\n"}, []string{"Layouts: is not read: name it layouts/"}},
		"AFileForMany":   {map[string]string{"translations.yaml": "a: b\n"}, []string{"translations.yaml: is not read: name it translations/"}},
		"ADirForOne":     {map[string]string{"feeds/news.yaml": "{}\n"}, []string{"feeds: is not read: name it feeds.yaml"}},
		"PlainWorkflow":  {map[string]string{"workflows/a.yaml": "name: a\n"}, []string{"workflows/a.yaml: is not read: name it workflows/a/workflow.yaml"}},
		"UnreadableName": {map[string]string{"layouts/a%ZZ.yaml": "name: x\n"}, []string{"a%ZZ", "the name cannot be read"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := configfiles.Read(directory(t, c.files))
			require.Error(t, err)
			for _, part := range c.says {
				require.ErrorContains(t, err, part)
			}
		})
	}
	_, err := configfiles.Read(filepath.Join(t.TempDir(), "gone"))
	require.ErrorContains(t, err, "open the directory")
}

// TestOtherNames: what is beside the configuration may be another program's; a directory without any is known from an environment
// without any.
func TestOtherNames(t *testing.T) {
	t.Parallel()
	beside := map[string]string{"README.md": "x", "compose.yaml": "a: 1\n", "scripts/topics.sh": "", ".github/workflow/a.yaml": "b: 2\n", "topics.md": "", "workflow.txt": ""}
	got, err := configfiles.Read(directory(t, beside))
	require.NoError(t, err)
	require.False(t, got.Holds())
	beside[".schemas/topics.json"] = "{}"
	got, err = configfiles.Read(directory(t, beside))
	require.NoError(t, err)
	require.True(t, got.Holds(), "pulled from an empty environment")
}

// A link out of the directory is not followed, so that a configuration from elsewhere cannot read this machine's files.
func TestLinksLeadNowhereElse(t *testing.T) {
	t.Parallel()
	secret := filepath.Join(t.TempDir(), "secret.txt")
	require.NoError(t, os.WriteFile(secret, []byte("hidden"), 0o600))
	dir := directory(t, map[string]string{"layouts/a.yaml": "content@: a.html\n"})
	require.NoError(t, os.Symlink(secret, filepath.Join(dir, "layouts", "a.html")))
	_, err := configfiles.Read(dir)
	require.ErrorContains(t, err, "layouts/a.yaml")
	require.NotContains(t, err.Error(), "hidden")
}

// TestWriteRenames: a resource under a new name leaves no file of the old one, and files of others stay.
func TestWriteRenames(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	step := `{"stepId":"m","type":"email","email":{"subject":"s","html":"<p>"}}`
	write(t, dir, `{"workflows":{"old":{"name":"W","steps":[`+step+`]},"kept":{"name":"K","steps":[]}}}`)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "workflows", "kept", "notes.txt"), []byte("mine"), 0o600))

	written := write(t, dir, `{"workflows":{"new":{"name":"W","steps":[`+step+`]},"kept":{"name":"K","steps":[]}}}`)
	require.Equal(t, []string{"workflows/new/m.html", "workflows/new/workflow.yaml"}, written.Changed)
	require.Equal(t, []string{"workflows/old/m.html", "workflows/old/workflow.yaml"}, written.Removed)
	require.NoDirExists(t, filepath.Join(dir, "workflows", "old"))

	written = write(t, dir, `{"workflows":{"new":{"name":"W","steps":[`+step+`]}}}`)
	require.Equal(t, []string{"workflows/kept/workflow.yaml"}, written.Removed)
	require.FileExists(t, filepath.Join(dir, "workflows", "kept", "notes.txt"), "what someone else put there stays")
}

// TestWriteFollowsTheSteps: the text of a step that is gone or renamed goes with it.
func TestWriteFollowsTheSteps(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	workflow := func(steps ...string) string {
		return `{"workflows":{"w":{"name":"W","steps":[` + strings.Join(steps, ",") + `]}}}`
	}
	mail := func(id, html string) string {
		return `{"stepId":"` + id + `","type":"email","email":{"subject":"s","html":"` + html + `"}}`
	}
	write(t, dir, workflow(mail("a", "1"), mail("b", "2")))
	require.Empty(t, write(t, dir, workflow(mail("a", "1"), mail("b", "2"))).Changed, "the same document changes nothing")

	written := write(t, dir, workflow(mail("b", "2"), mail("c", "1")))
	require.Equal(t, []string{"workflows/w/c.html", "workflows/w/workflow.yaml"}, written.Changed)
	require.Equal(t, []string{"workflows/w/a.html"}, written.Removed)

	written = write(t, dir, workflow(mail("b", "3"), mail("c", "1")))
	require.Contains(t, written.Changed, "workflows/w/b.html")
	require.NotContains(t, written.Changed, "workflows/w/c.html", "its text is the same")
	require.Empty(t, written.Removed)
	require.JSONEq(t, workflow(mail("b", "3"), mail("c", "1")), read(t, dir))
}

// Texts whose files would have one name get two.
func TestTextsWithTheSameName(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	text := `{"workflows":{"w":{"name":"W","steps":[
		{"stepId":"a","type":"email","email":{"subject":"s","html":"1","text":"plain"},"variants":[
			{"name":"in German","filters":[],"email":{"subject":"s","html":"2"}},
			{"name":"in-German","filters":[],"email":{"subject":"s","html":"3"}},
			{"name":"../../up","filters":[],"email":{"subject":"s","html":"4"}}]},
		{"stepId":"b","type":"sms","sms":{"body":"one line"}},
		{"stepId":"c","type":"sms","sms":{"body":"two\nlines"}}]}}}`
	written := write(t, dir, text)
	require.Equal(t, []string{
		"workflows/w/a.%2E.%2F..%2Fup.html", "workflows/w/a.html", "workflows/w/a.in-German-2.html", "workflows/w/a.in-German.html",
		"workflows/w/a.txt", "workflows/w/c.liquid", "workflows/w/workflow.yaml",
	}, written.Changed)
	require.JSONEq(t, text, read(t, dir))
}

// A section that is empty in the document is emptied; one that it leaves out is left alone.
func TestWriteEmptiesSections(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, `{"topics":{"a":{"name":"A"}},"feeds":{"f":{"name":"F"}},"layouts":{"l":{"name":"L","content":"x"}}}`)
	written := write(t, dir, `{"topics":{},"layouts":{}}`)
	require.Empty(t, written.Changed)
	require.Equal(t, []string{"layouts/l.html", "layouts/l.yaml", "topics.yaml"}, written.Removed)
	require.JSONEq(t, `{"feeds":{"f":{"name":"F"}},"layouts":{}}`, read(t, dir))
	require.Empty(t, write(t, dir, `{"topics":{}}`).Removed, "there is nothing left to remove")
}

// A directory that cannot be read is not written over: its author would lose what is in it.
func TestWriteKeepsWhatItCannotRead(t *testing.T) {
	t.Parallel()
	dir := directory(t, map[string]string{"topics.yaml": "- mine\n"})
	_, err := configfiles.Write(dir, document(t, `{"topics":{"a":{"name":"A"}}}`), configfiles.Same)
	require.ErrorContains(t, err, "topics.yaml")
	require.Equal(t, map[string]string{"topics.yaml": "- mine\n"}, files(t, dir))
}

// TestFileOfAPath: a fault in the document is shown in the file that it is in.
func TestFileOfAPath(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write(t, dir, `{"workflows":{"order":{"name":"A","steps":[]},"order.shipped":{"name":"B","steps":[]}},"topics":{"a":{"name":"A"}}}`)
	got, err := configfiles.Read(dir)
	require.NoError(t, err)
	for path, want := range map[string]string{
		"document.workflows.order.steps.0.name": "workflows/order/workflow.yaml",
		"document.workflows.order.shipped.name": "workflows/order.shipped/workflow.yaml",
		"workflows.order":                       "workflows/order/workflow.yaml",
		"document.workflows.orders":             "",
		"document.topics.a.name":                "topics.yaml",
		"document.topics":                       "",
		"document":                              "",
	} {
		require.Equal(t, want, got.File(path), path)
	}
}

// Numbers are compared by what they are, however they were written.
func TestSame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b any
		want bool
	}{
		{map[string]any{"n": 1}, map[string]any{"n": json.Number("1.0")}, true},
		{map[string]any{"n": uint64(1)}, map[string]any{"n": 1.0}, true},
		{map[string]any{"n": 1}, map[string]any{"n": "1"}, false},
		{map[string]any{"n": int64(9007199254740993)}, map[string]any{"n": uint64(9007199254740993)}, true},
		{map[string]any{"n": int64(9007199254740993)}, map[string]any{"n": uint64(9007199254740992)}, false}, // one double
		{map[string]any{"n": nil}, map[string]any{}, false},
		{[]any{}, nil, false},
		{[]any{1, 2}, []any{2, 1}, false},
		{func() {}, func() {}, false},
	} {
		require.Equal(t, c.want, configfiles.Same(c.a, c.b), "%v %v", c.a, c.b)
	}
}
