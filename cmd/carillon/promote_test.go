package main_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

// TestPromote takes a workflow over between two environments by command, and back.
func TestPromote(t *testing.T) {
	t.Parallel()
	in := install(t)
	source, target := &client.Client{URL: in.URL(), Key: in.key}, in.environment(t, "live")
	publish := func(subject string) {
		graphQL(t, source, applyConfiguration, object{"d": object{
			"layouts": object{"brand": object{"name": "Brand", "content": "<b>{{ content }}</b>"}},
			"workflows": object{"shipped": object{"name": "Shipped", "steps": []object{
				{"stepId": "mail", "type": "email", "email": object{"subject": subject, "html": "<p>On its way</p>", "layoutId": "brand"}},
			}}},
		}}, nil)
	}
	publish("First")
	promote := func(code int, args ...string) string {
		t.Helper()
		return in.carillon(t, target, code, append([]string{"promote"}, args...)...)
	}
	chosen := []string{"--source-key", in.key, "--part", "workflow/shipped"}
	with := func(command string, more ...string) []string {
		return append(append([]string{command}, chosen...), more...)
	}

	require.Contains(t, promote(1, with("plan")...), "workflow shipped needs layout brand")
	plan := promote(2, with("plan", "--with-dependencies")...)
	require.Contains(t, plan, "+ layout brand\n+ workflow shipped\n")
	require.NotContains(t, promote(0, "list"), "workflow", "a plan changes nothing")
	done := promote(0, with("apply", "--with-dependencies")...)
	id := regexp.MustCompile(`(?m)^promotion ([0-9a-f]{24})$`).FindStringSubmatch(done)
	require.NotNil(t, id, done)
	require.Contains(t, promote(0, with("plan")...), "holds these resources already")
	require.NotContains(t, promote(0, with("apply")...), "promotion ", "what is there already makes no promotion")

	publish("Second")
	stale := fingerprintIn(t, promote(2, with("plan")...))
	publish("Third")
	require.Contains(t, promote(1, with("apply", "--fingerprint", stale)...), "has changed since the plan")
	require.Contains(t, promote(2, with("plan")...), "      - First\n      + Third\n", "nothing was promoted")
	promote(0, with("apply", "--fingerprint", fingerprintIn(t, promote(2, with("plan")...)))...)

	require.Contains(t, promote(1, "undo", id[1]), "has changed since", "a later promotion comes first")
	list := promote(0, "list")
	require.Regexp(t, `(?s)~ workflow shipped.*`+id[1]+` .* from development by .*\n    \+ layout brand\n    \+ workflow shipped\n`, list, "the newest first")
	last := regexp.MustCompile(`^[0-9a-f]{24}`).FindString(list)
	undone := promote(0, "undo", last)
	require.Contains(t, undone, "      - Third\n      + First\n")
	require.Contains(t, promote(1, "undo", last), "undone already")
	require.Contains(t, promote(0, "list"), ", undone by ")
	require.NotContains(t, promote(0, "list", "--count", "1"), id[1])
	var promoted struct {
		Promotions struct {
			Nodes []struct {
				ActorName string
				Actor     struct{ Name string }
			}
		}
	}
	graphQL(t, &client.Client{URL: in.URL(), Key: target}, `{ promotions(first: 1) { nodes { actorName actor { ... on APIKey { name } } } } }`, nil, &promoted)
	require.NotEmpty(t, promoted.Promotions.Nodes[0].Actor.Name)
	require.Equal(t, promoted.Promotions.Nodes[0].ActorName, promoted.Promotions.Nodes[0].Actor.Name)

	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{2, "--source-key", []string{"plan"}},
		{2, "<id>", []string{"undo"}},
		{1, "--part shipped: write a kind and a name", []string{"plan", "--source-key", in.key, "--part", "shipped"}},
		{1, "--part recipe/x: write a kind and a name", []string{"apply", "--source-key", in.key, "--part", "recipe/x"}},
		{1, "the source does not hold workflow none", []string{"plan", "--source-key", in.key, "--part", "workflow/none"}},
		{1, "sourceKey", []string{"plan", "--source-key", "wrong"}},
		{1, "source: is the target", []string{"apply", "--source-key", target}},
		{1, "was not found", []string{"undo", "0123456789abcdef01234567"}},
		{1, "UNAUTHENTICATED", []string{"list", "--key", "wrong"}},
	} {
		require.Contains(t, promote(c.code, c.args...), c.says, "%v", c.args)
	}
}

// TestPromoteWhatIsPublishedMeanwhile: without the fingerprint of a plan whatever the source holds is taken over, although it is published
// anew after each request.
func TestPromoteWhatIsPublishedMeanwhile(t *testing.T) {
	t.Parallel()
	in := install(t)
	source, target := &client.Client{URL: in.URL(), Key: in.key}, in.environment(t, "live")
	var times int
	publish := func() {
		times++
		graphQL(t, source, applyConfiguration, object{"d": object{"feeds": object{"news": object{"name": fmt.Sprint("News ", times)}}}}, nil)
	}
	publish()
	service, err := url.Parse(in.URL())
	require.NoError(t, err)
	forward := httputil.NewSingleHostReverseProxy(service)
	meanwhile := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		forward.ServeHTTP(w, r)
		publish()
	}))
	t.Cleanup(meanwhile.Close)
	stdout, stderr, code := run(t, []string{"CARILLON_API_KEY=" + target, "CARILLON_URL=" + meanwhile.URL}, "promote", "apply", "--source-key", in.key)
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, "+ feed news\n")
	require.Contains(t, in.carillon(t, target, 2, "promote", "plan", "--source-key", in.key), "News 2")
}

const applyConfiguration = `mutation($d: JSON!) { applyConfiguration(input: {document: $d}) { plan { fingerprint } } }`

func fingerprintIn(t *testing.T, plan string) string {
	t.Helper()
	found := regexp.MustCompile(`fingerprint (\S+)\n`).FindStringSubmatch(plan)
	require.NotNil(t, found, plan)
	return found[1]
}
