package main_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/pquerna/otp/totp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/stall"
)

// TestCredentialsStaySecret uses every credential by which people and programs reach Carillon, rightly and wrongly, and every
// secret of its settings, and looks for them in logs, traces, figures, rows and all answers but the one that gives them out.
func TestCredentialsStaySecret(t *testing.T) {
	t.Parallel()
	seen, asked := &evidence{}, &evidence{}
	away := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Content-Type") == "application/x-protobuf" {
			raw, _ := io.ReadAll(r.Body)
			seen.add("trace", raw)
			return
		}
		text := echo(r)
		asked.add("request", []byte(text))
		http.Error(w, text, http.StatusBadRequest) // an OpenID Connect issuer and an HTTP step's server that tell all
	}))
	t.Cleanup(away.Close)
	dir, s := dataDir(t), &credentials{seen: seen, away: away.URL}
	p := serve(t, child.Config{DataDir: dir, Key: s.secret("key-of-an-environment"), Log: seen.writer("log"), Env: []string{
		"CARILLON_DATABASE_URL=", "CARILLON_LOG_LEVEL=debug", "CARILLON_OTLP_ENDPOINT=" + away.URL, "CARILLON_EGRESS_ALLOW=127.0.0.0/8",
		"CARILLON_BOOTSTRAP_ORGANIZATION_KEY=" + s.secret("key-of-an-organization"), "CARILLON_METRICS_TOKEN=" + s.secret("token-of-metrics"),
		"CARILLON_PUBLIC_URL=http://127.0.0.1", "CARILLON_SMTP_URL=smtp://user:" + s.secret("password-of-the-relay") + "@127.0.0.1:1",
		"CARILLON_SMTP_FROM=a@example.org", "CARILLON_OIDC_ISSUER=" + away.URL, "CARILLON_OIDC_CLIENT_ID=c",
		"CARILLON_OIDC_CLIENT_SECRET=" + s.secret("secret-of-the-client"), "CARILLON_DEMO_SMS_ACCOUNT_SID=a", "CARILLON_DEMO_SMS_FROM=1",
		"CARILLON_DEMO_SMS_TOKEN=" + s.secret("token-of-the-demo"), "CARILLON_DEMO_EMAIL_SMTP_URL=smtp://u:" + s.secret("password-of-the-demo") + "@127.0.0.1:1",
		"CARILLON_DEMO_EMAIL_FROM=a@example.org",
	}})
	s.url = p.URL()
	s.people(t)
	s.programs(t)
	s.strangers(t)
	s.steps(t)
	reader := &secrets{vendors: &vendors{client: s.as("ApiKey "+s.markers[0], true)}, seen: seen}
	reader.read(t)
	reader.dump(t, dir)
	require.NoError(t, p.Stop(stall.Limit(patience))) // the last traces
	require.Positive(t, seen.bytes("trace"))
	require.Greater(t, len(s.markers), 30)
	require.NotEmpty(t, asked.find("Bearer MARKER-variable-"), "the step sends its secret")
	for _, marker := range s.markers {
		for _, form := range []string{marker, url.QueryEscape(marker)} {
			require.Empty(t, seen.find(form), marker)
		}
	}
}

// credentials are those that were given or made, all of them markers.
type credentials struct {
	seen      *evidence
	url, away string
	markers   []string
}

// secret is a new one that nothing may show.
func (c *credentials) secret(name string) string { return c.keep("MARKER-" + name + "-9f3a") }

// keep takes one that Carillon made.
func (c *credentials) keep(secret string) string {
	c.markers = append(c.markers, secret)
	return secret
}

// as calls with a credential; all answers but those that give secrets out are overheard.
func (c *credentials) as(authorization string, heard bool) *client.Client {
	transport := http.DefaultTransport
	if heard {
		transport = overhearing{c.seen}
	}
	return &client.Client{URL: c.url, HTTP: &http.Client{Transport: authorized{transport, authorization}}}
}

// authorized sends a credential of any scheme.
type authorized struct {
	next          http.RoundTripper
	authorization string
}

// RoundTrip is part of http.RoundTripper.
func (a authorized) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", a.authorization)
	if a.authorization == "" {
		r.Header.Del("Authorization")
	}
	return a.next.RoundTrip(r)
}

// made runs an operation that gives secrets out, and keeps the texts at the members with these names.
func (c *credentials) made(t *testing.T, by *client.Client, query string, variables object, names ...string) map[string]string {
	t.Helper()
	var data map[string]any
	graphQL(t, by, query, variables, &data)
	found := map[string]string{}
	var walk func(name string, v any)
	walk = func(name string, v any) {
		switch v := v.(type) {
		case map[string]any:
			for name, member := range v {
				walk(name, member)
			}
		case []any:
			for _, member := range v {
				walk(name, member)
			}
		case string:
			for _, wanted := range names {
				if name == wanted {
					found[name] = c.keep(v)
				}
			}
		}
	}
	walk("", data)
	require.Len(t, found, len(names), query)
	return found
}

// people invites a person, who logs in, sets up a second factor and changes the password, and fails at each of them.
func (c *credentials) people(t *testing.T) {
	t.Helper()
	const logIn = `mutation($input: LogInInput!) { logIn(input: $input) { token device } }`
	owner := c.as("ApiKey "+c.markers[1], false)
	stranger, heard := c.as("", false), c.as("", true)
	invited := c.made(t, owner, `mutation { createInvitation(input: {email: "ada@example.org", role: ADMIN}) { token url } }`, nil, "token")
	_, _ = heard.Do(t.Context(), http.MethodGet, "/dashboard/invitation?token="+invited["token"], nil, nil)
	_, _ = heard.Do(t.Context(), http.MethodGet, "/graphql?"+url.Values{
		"query": {`query($t: String!) { invitationOffer(token: $t) { email } }`}, "variables": {`{"t":"` + invited["token"] + `"}`},
	}.Encode(), nil, nil)
	password := c.secret("password")
	for _, token := range []string{c.secret("invitation"), invited["token"]} {
		_ = heard.GraphQL(t.Context(), `mutation($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { email } }`,
			object{"input": object{"token": token, "password": password}}, nil)
	}
	person := object{"email": "ada@example.org", "password": password}
	session := c.made(t, stranger, logIn, object{"input": person}, "token", "device")
	ada := c.as("Bearer "+session["token"], false)
	factor := c.made(t, ada, `mutation($p: String!) { beginSecondFactor(password: $p) { secret uri } }`, object{"p": password}, "secret", "uri")
	code, err := totp.GenerateCode(factor["secret"], time.Now())
	require.NoError(t, err)
	c.made(t, ada, `mutation($c: String!) { confirmSecondFactor(code: $c) { recoveryCodes } }`, object{"c": code}, "recoveryCodes")
	overheard := c.as("Bearer "+session["token"], true)
	for _, wrong := range []struct {
		query     string
		variables object
	}{
		{logIn, object{"input": object{"email": "ada@example.org", "password": c.secret("wrong-password")}}},
		{logIn, object{"input": object{"email": "ada@example.org", "password": password, "code": c.secret("wrong-code"), "device": c.secret("device")}}},
		{`mutation($p: String!) { beginSecondFactor(password: $p) { uri } }`, object{"p": c.secret("wrong-again")}},
		{`mutation($i: RemoveSecondFactorInput!) { removeSecondFactor(input: $i) { user { id } } }`, object{"i": object{"code": c.secret("wrong-recovery-code")}}},
		{`mutation($i: ResetPasswordInput!) { resetPassword(input: $i) { email } }`, object{"i": object{"token": c.secret("reset"), "password": c.secret("short")}}},
		{`mutation($i: SetPasswordInput!) { setPassword(input: $i) { user { id } } }`, object{"i": object{"currentPassword": c.secret("not-mine"), "password": c.secret("unused")}}},
		{`mutation { requestPasswordReset(email: "ada@example.org") { accepted } }`, nil}, // the relay is away
	} {
		_ = overheard.GraphQL(t.Context(), wrong.query, wrong.variables, nil)
	}
	for _, credential := range []string{password, c.secret("password-of-the-page")} {
		_, _ = heard.Do(t.Context(), http.MethodPost, "/dashboard/session", object{"email": "ada@example.org", "password": credential, "code": c.secret("code-" + credential[7:])}, nil)
	}
	_, _ = heard.Do(t.Context(), http.MethodGet, "/dashboard/oidc", nil, nil) // the issuer answers with what it was asked
	graphQL(t, overheard, `mutation($i: SetPasswordInput!) { setPassword(input: $i) { user { id } } }`, object{"i": object{"currentPassword": password, "password": c.secret("new-password")}}, nil)
}

// programs makes keys, tokens and stored secrets, and uses them.
func (c *credentials) programs(t *testing.T) {
	t.Helper()
	quiet, heard := c.as("ApiKey "+c.markers[0], false), c.as("ApiKey "+c.markers[0], true)
	var made struct {
		CreateAPIKey struct {
			APIKey struct{ ID string } `json:"apiKey"`
			Key    string
		} `json:"createApiKey"`
	}
	graphQL(t, quiet, `mutation { createApiKey(input: {name: "k", preset: SERVER}) { apiKey { id } key } }`, nil, &made)
	key := c.keep(made.CreateAPIKey.Key)
	c.made(t, quiet, `mutation($id: ID!) { rotateApiKey(id: $id) { key } }`, object{"id": made.CreateAPIKey.APIKey.ID}, "key")
	token := c.made(t, quiet, `mutation { createSubscriberToken(input: {subscriberId: "ada"}) { token } }`, nil, "token")["token"]
	for _, credential := range []string{"ApiKey " + key, "Bearer " + token, "Bearer " + c.secret("bearer"), "ApiKey " + c.secret("api-key"), "Basic " + c.secret("basic"), c.secret("scheme") + " x"} {
		by := c.as(credential, true)
		_ = by.GraphQL(t.Context(), `{ inboxMessages(first: 1) { totalCount } }`, nil, nil)
		for _, path := range []string{"/v1/channel-endpoints", "/v2/workflows", "/metrics", "/nothing"} {
			_, _ = by.Do(t.Context(), http.MethodGet, path, nil, nil)
		}
	}
	for _, credential := range []string{token, c.secret("socket")} {
		dialer := websocket.Dialer{Subprotocols: []string{"graphql-transport-ws"}}
		conn, resp, err := dialer.DialContext(t.Context(), "ws"+strings.TrimPrefix(c.url, "http")+"/graphql", nil)
		require.NoError(t, err)
		_ = resp.Body.Close()
		require.NoError(t, conn.WriteJSON(object{"type": "connection_init", "payload": object{"Authorization": "Bearer " + credential}}))
		_, text, _ := conn.ReadMessage() // an acknowledgement, or the end
		c.seen.add("answer", text)
		_ = conn.Close()
	}
	const variable = `mutation($input: CreateVariableInput!) { createVariable(input: $input) { variable { id name value } } }`
	for range 2 { // the second time there is one of the name
		_ = heard.GraphQL(t.Context(), variable, object{"input": object{"name": "KEY", "value": c.secret("variable"), "secret": true}}, nil)
	}
	graphQL(t, heard, `mutation { createIntegration(input: {providerId: "slack", identifier: "team", credentials: {clientId: "c", secretKey: "`+c.secret("application")+`"}}) { integration { id } } }`, nil, nil)
	_ = heard.GraphQL(t.Context(), `mutation($input: CreateConnectedWorkspaceInput!) { createConnectedWorkspace(input: $input) { connectedWorkspace { id hasAccessToken } } }`,
		object{"input": object{"integration": "team", "workspaceId": "w", "accessToken": c.secret("access-token")}}, nil)
	graphQL(t, heard, `{ variables(first: 9) { nodes { name value } } connectedWorkspaces(first: 9) { nodes { id hasAccessToken } } apiKeys(first: 9) { nodes { id name } } }`, nil, nil)
}

// strangers send credentials where none belong: in addresses, cookies, broken bodies and names.
func (c *credentials) strangers(t *testing.T) {
	t.Helper()
	for _, path := range []string{"/v1/inbound/", "/v1/unsubscribe/", "/dashboard/reset-password?token=", "/graphql?access_token=", "/v2/workflows?token="} {
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r, err := http.NewRequestWithContext(t.Context(), method, c.url+path+c.secret("address-"+strings.ToLower(method)+strings.Map(letters, path)), strings.NewReader(`{"password": "`+c.secret("body")+`", broken`))
			require.NoError(t, err)
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Cookie", "carillon_session="+c.secret("cookie")+"; carillon_device="+c.secret("device-cookie"))
			resp, err := http.DefaultClient.Do(r)
			require.NoError(t, err)
			_ = resp.Body.Close() // whoever asks knows the address; the error may name it
		}
	}
}

func letters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

// steps runs an HTTP step whose header holds a secret variable, at a server that answers with what it was sent.
func (c *credentials) steps(t *testing.T) {
	t.Helper()
	by := c.as("ApiKey "+c.markers[0], true)
	graphQL(t, by, `mutation($input: CreateWorkflowInput!) { createWorkflow(input: $input) { workflow { id } } }`, object{"input": object{
		"identifier": "asks", "name": "Asks", "definition": object{"steps": []object{{
			"stepId": "ask", "type": "CUSTOM", "custom": object{"url": c.away + "/ask", "headers": object{"Authorization": "Bearer {{ env.KEY }}"}},
		}}},
	}}, nil)
	_, err := by.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "asks", "to": "ada", "payload": object{}, "transactionId": "asks-1"}, nil)
	require.NoError(t, err)
	until(t, patience, "the step has ended", func(ctx context.Context) (bool, error) {
		var out struct {
			Notifications struct{ Nodes []json.RawMessage }
		}
		err := by.GraphQL(ctx, `{ notifications(first: 1, filter: {transactionId: "asks-1", statusIn: [FAILED, COMPLETED]}) { nodes { id status trace { reason detail data } } } }`, nil, &out)
		return err == nil && len(out.Notifications.Nodes) == 1, err
	})
}
