package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/net/html"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/docs"
	"github.com/carillon/carillon/internal/render"
)

// reader is who follows the guide: one installation, a shell whose variables and directory stay, and what was noted down.
type reader struct {
	*testing.T            // of the page
	guide      *testing.T // of all pages
	where      string     // the block
	dir, home  string     // the reader's files; the installation
	values     []string   // what stands in the pages and what it is here: pairs
	key        string     // that the first start printed
	server     *program
}

// shownKey is how the pages write the environment's API key.
const shownKey = "crl_…"

func newReader(t *testing.T) *reader {
	t.Helper()
	program := filepath.Dir(binary(t))
	g := &reader{T: t, guide: t, dir: t.TempDir(), home: dataDir(t)}
	for _, port := range []string{"8080", "2525"} {
		_, free, err := net.SplitHostPort(freeAddr(t))
		require.NoError(t, err)
		g.values = append(g.values, "127.0.0.1:"+port, "127.0.0.1:"+free, `"`+port+`"`, `"`+free+`"`)
	}
	require.NoError(t, os.WriteFile(g.state(), []byte("export PATH="+program+":$PATH\ncd "+g.dir+"\n"), 0o600))
	return g
}

// state is a script that brings a shell to where the last block left it.
func (g *reader) state() string { return filepath.Join(g.dir, ".state") }

func (g *reader) url() string { return "http://" + g.values[1] }

// follow does what a reader does with a block and returns its answer. last is that of the block before.
func (g *reader) follow(code docs.Code, last *answer) *answer {
	g.Helper()
	text := strings.NewReplacer(append(g.values, shownKey, g.key)...).Replace(code.Text)
	has := func(name string) bool { _, ok := code.Attributes[name]; return ok }
	if name := code.Attributes["file"]; name != "" {
		path := filepath.Join(g.dir, name)
		require.NoError(g, os.MkdirAll(filepath.Dir(path), 0o750))
		require.NoError(g, os.WriteFile(path, []byte(text), 0o600))
	}
	switch {
	case has("output"):
		require.NotNil(g, last, "the block before has an answer")
		g.expect(text, last)
		return last
	case has("serve"):
		g.serve(text)
	case has("background"):
		g.start(text)
	case code.Language == "sh":
		out := g.sh(text, has("fails"))
		return &answer{read: func() string { return out }}
	case code.Language == "graphql":
		return g.graphql(text, code.Attributes["save"], has("fails"))
	default:
		g.check(code.Language, text)
	}
	return nil
}

// answer is what a block answers.
type answer struct {
	read    func() string
	changes bool // whether it may be another one when it is read again, as that of a query is
}

// expect requires the answer that the page shows; that of a query may take a moment to come.
func (g *reader) expect(shown string, last *answer) {
	g.Helper()
	parts := strings.Split(shown, "…")
	for i, part := range parts {
		words := strings.Fields(part)
		for j, word := range words {
			words[j] = regexp.QuoteMeta(word)
		}
		parts[i] = strings.Join(words, `[\s\x{a0}]*`)
	}
	pattern := regexp.MustCompile(`(?s)^\s*` + strings.Join(parts, `.*`) + `\s*$`)
	var answer string
	_ = client.Until(within(g.T, 5*time.Second), 20*time.Millisecond, func(context.Context) (bool, error) {
		answer = last.read()
		return pattern.MatchString(answer) || !last.changes, nil
	})
	assert.Regexp(g, pattern, answer, g.where)
}

// sh runs commands in the reader's shell, which keeps variables and directory, and returns what they print.
func (g *reader) sh(text string, fails bool) string {
	g.Helper()
	script := ". " + g.state() + "\n" + text + "\n__code=$?\n{ export -p; echo cd \"$PWD\"; } >" + g.state() + "\nexit $__code\n"
	cmd := exec.CommandContext(within(g.T, patience), "bash", "-c", script)
	if !fails {
		cmd.Args = []string{"bash", "-e", "-o", "pipefail", "-c", script}
	}
	cmd.Env = g.environment()
	out, err := cmd.CombinedOutput()
	assert.Equal(g, fails, err != nil, "%s\n%s\n%s", g.where, text, out)
	return compact(out)
}

// environment is the reader's: settings of this machine stay out of it.
func (g *reader) environment() []string {
	env := []string{"GOCACHE=" + goEnv("GOCACHE"), "GOMODCACHE=" + goEnv("GOMODCACHE"), "HOME=" + g.dir, "CARILLON_ADDR=" + g.values[1], "CARILLON_DATA_DIR=" + g.home}
	for _, value := range os.Environ() {
		if name, _, _ := strings.Cut(value, "="); name != "HOME" && !strings.HasPrefix(name, "CARILLON_") {
			env = append(env, value)
		}
	}
	return env
}

// goEnv is a directory of the Go tools, which would look for theirs in the reader's home.
func goEnv(name string) string {
	out, _ := exec.Command("go", "env", name).Output() // without Go there is no program of the guide to run
	return strings.TrimSpace(string(out))
}

// graphql sends an operation with the environment's key, and notes down the value at a path of the answer.
func (g *reader) graphql(text, save string, fails bool) *answer {
	g.Helper()
	ask := func() []byte {
		body, err := json.Marshal(object{"query": text})
		require.NoError(g, err)
		req, err := http.NewRequestWithContext(g.Context(), http.MethodPost, g.url()+"/graphql", bytes.NewReader(body))
		require.NoError(g, err)
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Authorization", "ApiKey "+g.key)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(g, err)
		defer func() { _ = resp.Body.Close() }()
		body, err = io.ReadAll(resp.Body)
		require.NoError(g, err)
		return body
	}
	first := ask()
	var read struct{ Data, Errors any }
	require.NoError(g, json.Unmarshal(first, &read), "%s", first)
	assert.Equal(g, fails, read.Errors != nil, "%s\n%s\n%s", g.where, text, first)
	if name, path, ok := strings.Cut(save, ":"); ok {
		value := read.Data
		for member := range strings.SplitSeq(path, ".") {
			fields, isObject := value.(object)
			require.True(g, isObject, "%s in %s", path, first)
			value = fields[member]
		}
		require.IsType(g, "", value)
		g.values = append(g.values, name, value.(string))
	}
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "mutation") {
		return &answer{read: func() string { return compact(first) }}
	}
	return &answer{read: func() string { return compact(ask()) }, changes: true}
}

// compact is text without the white space of JSON, if it is JSON.
func compact(text []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, text) == nil {
		return out.String()
	}
	return string(text)
}

// check holds what a reader does not run against its language.
func (g *reader) check(language, text string) {
	g.Helper()
	var value any
	switch language {
	case "json":
		var err error
		for read := json.NewDecoder(strings.NewReader(text)); err == nil; { // one value, or a line of each
			err = read.Decode(&value)
		}
		require.ErrorIs(g, err, io.EOF)
	case "yaml":
		require.NoError(g, yaml.Unmarshal([]byte(text), &value))
	case "liquid":
		_, err := render.New(render.DefaultLimits()).Variables(text, false)
		require.NoError(g, err)
	case "html":
		g.page(text)
	case "js":
		g.sh("cat >.checked.mjs <<'END'\n"+text+"END\nnode --check .checked.mjs", false)
	case "go":
		path := filepath.Join(g.dir, "main.go")
		require.NoError(g, os.WriteFile(path, []byte(text), 0o600))
		g.sh("(cd "+repository(g.T)+" && go run "+path+")", false)
	case "", "text":
	default:
		g.Errorf("a block in the language %q, which no test knows", language)
	}
}

// repository is the root of the module, whose packages the Go programs of the guide import.
func repository(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	return root
}

// page checks that what a page loads from the server is there.
func (g *reader) page(text string) {
	g.Helper()
	root, err := html.Parse(strings.NewReader(text))
	require.NoError(g, err)
	for node := range root.Descendants() {
		for _, a := range node.Attr {
			if a.Key == "src" {
				require.Contains(g, a.Val, g.url())
				g.sh("curl --fail --silent --output /dev/null "+a.Val, false)
			}
		}
	}
}

// program is one that runs while later blocks are followed.
type program struct {
	cmd  *exec.Cmd
	mu   sync.Mutex
	out  bytes.Buffer
	done chan struct{}
}

// Write keeps what the program prints.
func (p *program) Write(b []byte) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.Write(b)
}

func (p *program) output() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.out.String()
}

// stop ends the program as ^C does.
func (p *program) stop() {
	_ = syscall.Kill(-p.cmd.Process.Pid, syscall.SIGINT)
	<-p.done
}

// start runs a program until the end of the test.
func (g *reader) start(text string) *program {
	g.Helper()
	p := &program{done: make(chan struct{})}
	p.cmd = exec.Command("bash", "-c", ". "+g.state()+"\n"+text)
	p.cmd.Env, p.cmd.Stdout, p.cmd.Stderr = g.environment(), p, p
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	require.NoError(g, p.cmd.Start())
	go func() {
		defer close(p.done)
		_ = p.cmd.Wait()
	}()
	g.guide.Cleanup(p.stop)
	return p
}

// serve starts the service, in place of the one before, and notes down the key that the first start prints.
func (g *reader) serve(text string) {
	g.Helper()
	if g.server != nil {
		g.server.stop()
	}
	g.server = g.start(text)
	until(g.T, patience, "it serves", func(ctx context.Context) (bool, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, g.url()+"/readyz", nil)
		if err != nil {
			return false, err
		}
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false, nil //nolint:nilerr // not yet
		}
		return resp.StatusCode == http.StatusOK, resp.Body.Close()
	})
	if g.key == "" {
		until(g.T, patience, "it prints the key", func(context.Context) (bool, error) {
			g.key = printedKey.FindString(g.server.output())
			return g.key != "", nil
		})
	}
}
