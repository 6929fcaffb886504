package main_test

import (
	"context"
	"io"
	"net/http"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/stall"
)

var (
	printedCurl = regexp.MustCompile(`(?s)curl -X POST .*?"World"}}'`)
	printedKey  = regexp.MustCompile(`crl_[0-9A-Za-z]{43}`)
)

// TestOtherCommandsMakeNoInstallation: a mistyped data directory must not give a second, empty installation.
func TestOtherCommandsMakeNoInstallation(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	env := []string{"CARILLON_DATABASE_URL=", "CARILLON_DATA_DIR=" + dir}
	for _, command := range [][]string{
		{"keys", "list"},
		{"keys", "create"},
		{"keys", "environments"},
		{"keys", "create-environment", "second"},
		{"users", "create", "ada@example.com"},
		{"types", "--lang", "ts"},
		{"migrate"},
	} {
		stdout, stderr, code := run(t, env, command...)
		require.Equal(t, 1, code, "%v: %s%s", command, stdout, stderr)
		require.Contains(t, stderr, "no Carillon installation yet in the data directory "+dir, command)
		require.NoFileExists(t, dir+"/postgres/PG_VERSION", command)
	}
}

// TestFirstServePrintsALineThatWorks after other commands made the installation, a key included.
func TestFirstServePrintsALineThatWorks(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	env := []string{"CARILLON_DATABASE_URL=", "CARILLON_DATA_DIR=" + dir}
	listed, stderr, code := run(t, env, "keys", "list", "--init")
	require.Zero(t, code, stderr)
	require.Equal(t, 1, strings.Count(listed, "\n"), "only the heading: %s", listed)
	before, stderr, code := run(t, env, "keys", "create", "--name", "\x1b[2Jours\nand this")
	require.Zero(t, code, stderr)
	listed, stderr, code = run(t, env, "keys", "list")
	require.Zero(t, code, stderr)
	require.Contains(t, listed, `  \u001b[2Jours\nand this  `, "names do nothing to a terminal")

	p := serve(t, child.Config{DataDir: dir, Env: env})
	var line string
	until(t, patience, "the curl line is printed", func(context.Context) (bool, error) {
		line = printedCurl.FindString(p.Output())
		return line != "", nil
	})
	require.NotContains(t, p.Output(), strings.TrimSpace(before))
	out, err := exec.CommandContext(within(t, patience), "bash", "-c", line).CombinedOutput()
	require.NoError(t, err, "%s", out)
	require.Contains(t, string(out), `"acknowledged":true`)
	require.NoError(t, p.Stop(stall.Limit(patience)))

	again := serve(t, child.Config{DataDir: dir, Env: env})
	require.NoError(t, again.Stop(stall.Limit(patience)))
	require.NotContains(t, again.Output(), "curl")
	require.NotRegexp(t, printedKey, again.Output())
}

// TestChosenKeyIsNotPrinted, and the page at / is for browsers only.
func TestChosenKeyIsNotPrinted(t *testing.T) {
	t.Parallel()
	key := newKey()
	p := serveMigrated(t, key, "CARILLON_LOG_LEVEL=debug")
	until(t, patience, "the curl line is printed", func(context.Context) (bool, error) {
		return printedCurl.MatchString(p.Output()), nil
	})
	require.NotContains(t, p.Output(), key)

	ask := func(accept string) (status int, text string) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL()+"/", nil)
		require.NoError(t, err)
		req.Header.Set("Accept", accept)
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		body, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return resp.StatusCode, string(body)
	}
	status, body := ask("*/*")
	require.Equal(t, http.StatusNotFound, status)
	require.Contains(t, body, `"statusCode":404`)
	status, body = ask("text/html,*/*;q=0.8")
	require.Equal(t, http.StatusOK, status)
	for _, link := range regexp.MustCompile(`href="(/[^"]*)"`).FindAllStringSubmatch(body, -1) {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, p.URL()+link[1], nil)
		require.NoError(t, err)
		req.Header.Set("Accept", "text/html,*/*;q=0.8")
		followed, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, followed.Body.Close())
		require.Equal(t, http.StatusOK, followed.StatusCode, link[1])
	}
}
