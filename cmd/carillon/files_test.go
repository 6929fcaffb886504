package main_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestFiles keeps an environment as files: pulled, changed, planned, applied, pulled again.
func TestFiles(t *testing.T) {
	t.Parallel()
	key := newKey()
	p := serveMigrated(t, key)
	dir := filepath.Join(t.TempDir(), "notifications")
	env := []string{"CARILLON_API_KEY=" + key, "CARILLON_URL=" + p.URL(), "RELAY_PASSWORD=geheim"}
	carillon := func(code int, args ...string) string {
		t.Helper()
		stdout, stderr, got := run(t, env, args...)
		require.Equal(t, code, got, "%v\n%s%s", args, stdout, stderr)
		return stdout + stderr
	}
	put := func(name, text string) {
		t.Helper()
		file := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for _, args := range [][]string{{"lint"}, {"plan"}, {"apply"}} {
		require.Contains(t, carillon(1, append(args, t.TempDir())...), "holds no configuration", args)
	}
	carillon(0, "pull", dir)
	require.FileExists(t, filepath.Join(dir, "workflows", "hello", "workflow.yaml"), "what every installation begins with")
	require.Contains(t, carillon(0, "plan", dir), "holds these files already")

	put("integrations/relay.yaml", "# ours\nproviderId: nodemailer\ncredentials:\n  host: mail.example\n  port: \"25\"\n  password: ${RELAY_PASSWORD}\n  from: a@shop.example\n")
	put("workflows/shipped/workflow.yaml", "name: Shipped\nsteps:\n  - stepId: mail\n    type: email\n    email:\n      subject: Shipped\n      html@: mail.html\n")
	put("workflows/shipped/mail.html", "<p>On its way</p>\n<p>Bye</p>\n")
	require.Contains(t, carillon(0, "lint", dir), "no faults")
	put("translations/de.yaml", "bye: Bis bald\n")
	put("workflows/shipped/mail.html", "<p>On its way</p>\n<p>{{ 'bye' | t }}{{ 'greeting' | t }}</p>\n")
	missing := carillon(0, "lint", dir)
	require.Contains(t, missing, "translations/de.yaml: there is no text of greeting for the locale de, which workflows/shipped/mail.html:2 uses\n")
	require.Contains(t, missing, "translations: there is no text of bye for the locale en, which workflows/shipped/mail.html:2 uses\n")
	require.Contains(t, missing, "no faults, 3 issues")
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "translations")))
	put("workflows/shipped/mail.html", "<p>On its way</p>\n<p>Bye</p>\n")
	plan := carillon(2, "plan", dir)
	require.Contains(t, plan, "+ integration relay\n+ workflow shipped\n")
	require.NotContains(t, plan, "geheim")
	api := &client.Client{URL: p.URL(), Key: key}
	var found struct {
		Workflow    *struct{ PublishedNumber int }
		Integration *struct{ Credentials object }
	}
	const ask = `{ workflow: workflowByIdentifier(identifier: "shipped") { publishedNumber } integration: integrationByIdentifier(identifier: "relay") { credentials { password } } }`
	carillon(0, "apply", dir)
	graphQL(t, api, ask, nil, &found)
	require.Equal(t, 1, found.Workflow.PublishedNumber)
	require.Equal(t, "********", found.Integration.Credentials["password"])
	require.Contains(t, carillon(0, "apply", dir), "holds these files already", "applied twice changes nothing")
	require.Contains(t, carillon(0, "pull", dir), "0 files changed, 0 removed", "comments and variables stay")

	put("workflows/counted/workflow.yaml", "name: Counted\ndata:\n  account: 9007199254740993\nsteps: []\n")
	carillon(0, "apply", dir)
	require.NoError(t, os.RemoveAll(filepath.Join(dir, "workflows", "counted")))
	carillon(0, "pull", dir)
	require.Contains(t, carillon(0, "plan", dir), "holds these files already", "long numbers keep their digits")

	put("workflows/shipped/mail.html", "<p>On its way</p>\n<p>Good bye</p>\n")
	changed := carillon(2, "plan", dir)
	require.Contains(t, changed, "      -<p>Bye</p>\n      +<p>Good bye</p>\n")
	require.Contains(t, carillon(1, "apply", dir, "--fingerprint", "of-another-plan"), "has changed since the plan")
	put("workflows/shipped/mail.html", "{{ open")
	for _, command := range []string{"lint", "plan", "apply"} {
		require.Contains(t, carillon(1, command, dir), "workflows/shipped/mail.html: workflows.shipped.steps.0.email.html: is no valid template")
	}
	require.Contains(t, carillon(1, "plan", dir, "--key", newKey()), "key", "another key opens nothing")

	require.NoError(t, os.RemoveAll(filepath.Join(dir, "workflows", "shipped")))
	require.Contains(t, carillon(0, "plan", dir), "holds these files already")
	require.Contains(t, carillon(2, "plan", dir, "--prune"), "- workflow shipped\n")
	carillon(0, "apply", dir, "--prune")
	var left struct{ Configuration struct{ Document object } }
	graphQL(t, api, `{ configuration(kinds: [WORKFLOW]) { document } }`, nil, &left)
	require.NotContains(t, left.Configuration.Document["workflows"], "shipped")
	require.Contains(t, carillon(0, "plan", dir, "--prune"), "holds these files already")
}
