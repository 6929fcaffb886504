package main_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/embedded"
	"github.com/carillon/carillon/internal/stall"
)

// TestSecretsStaySecret plants a marker in every secret of every provider, lets vendors echo what they are given, and looks
// for the markers in all that comes out of Carillon and in all that it keeps.
func TestSecretsStaySecret(t *testing.T) {
	t.Parallel()
	var failing atomic.Bool
	proxy := newInterceptor(t, func(r *http.Request) (int, string) {
		if !failing.Load() || strings.HasSuffix(r.URL.Path, "token") {
			return vendorAnswer(r)
		}
		return http.StatusBadRequest, echo(r)
	})
	seen := &evidence{}
	collector := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		seen.add("trace", raw)
	}))
	t.Cleanup(collector.Close)
	dir, key := dataDir(t), newKey()
	p := serve(t, child.Config{DataDir: dir, Key: key, Log: seen.writer("log"), Env: []string{
		"CARILLON_DATABASE_URL=", "HTTPS_PROXY=" + proxy.URL, "HTTP_PROXY=" + proxy.URL, "NO_PROXY=127.0.0.1", "SSL_CERT_FILE=" + proxy.CertFile,
		"CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_LOG_LEVEL=debug", "CARILLON_OTLP_ENDPOINT=" + collector.URL,
	}})
	c := &client.Client{URL: p.URL(), Key: key, HTTP: &http.Client{Transport: overhearing{seen}}}
	s := &secrets{vendors: &vendors{client: c, proxy: proxy, relay: startRelay(t, proxy)}, seen: seen}
	var shown struct{ Providers []vendorProvider }
	graphQL(t, c, `{ providers { id channel credentials { name kind required secret options } } }`, nil, &shown)
	for _, channel := range []string{"EMAIL", "SMS", "CHAT", "PUSH"} {
		s.workflow(t, channel)
	}
	for i := range shown.Providers {
		failing.Store(false)
		id := s.plant(t, &shown.Providers[i])
		for _, fails := range []bool{false, true} {
			failing.Store(fails)
			s.send(t, &shown.Providers[i], id)
		}
	}
	require.Greater(t, len(s.markers), 100, "markers were planted")
	s.read(t)
	s.dump(t, dir)
	require.NoError(t, p.Stop(stall.Limit(patience))) // the last traces
	require.Positive(t, seen.bytes("trace"))
	for what, markers := range map[string][]string{"secret": s.markers, "hook": s.hooks, "address": s.addresses} {
		for _, marker := range markers {
			for _, form := range []string{marker, url.QueryEscape(marker), base64.StdEncoding.EncodeToString([]byte(marker))} {
				for _, found := range seen.find(form) {
					// What users gave as an address of their own they get back where the API document has it, and nowhere else.
					if what == "address" && (strings.HasPrefix(found, "row") || strings.HasPrefix(found, "answer")) {
						continue
					}
					if what == "hook" && strings.HasPrefix(found, "answer") { // sealed where it is stored
						continue
					}
					t.Errorf("the %s %s is in the %s", what, marker, found)
				}
			}
		}
	}
}

// echo is what careless vendors answer: the whole request, credentials and all.
func echo(r *http.Request) string {
	body, _ := io.ReadAll(r.Body)
	var b strings.Builder
	fmt.Fprintf(&b, "cannot use %s", r.URL)
	for name, values := range r.Header {
		fmt.Fprintf(&b, " %s: %s", name, strings.TrimPrefix(strings.Join(values, " "), "Basic "))
		if _, password, ok := r.BasicAuth(); ok && name == "Authorization" {
			fmt.Fprintf(&b, " (%s)", password)
		}
	}
	text := b.String() + " " + string(body)
	return fmt.Sprintf(`{"message":%q,"error":{"message":%q,"code":%q},"errors":[{"message":%q}],"code":%q}`, text, text, text, text, text)
}

// evidence is all that came out of Carillon.
type evidence struct {
	mu    sync.Mutex
	texts map[string][]byte // by where it was found
}

func (e *evidence) add(where string, text []byte) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.texts == nil {
		e.texts = map[string][]byte{}
	}
	e.texts[where] = append(append(e.texts[where], text...), '\n')
}

func (e *evidence) bytes(where string) int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return len(e.texts[where])
}

// find returns where a text is, with the text around it.
func (e *evidence) find(text string) (places []string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for where, all := range e.texts {
		if at := bytes.Index(all, []byte(text)); at >= 0 {
			places = append(places, fmt.Sprintf("%s: %q", where, all[max(0, at-200):min(len(all), at+100)]))
		}
	}
	return places
}

func (e *evidence) writer(where string) io.Writer { return hearing{e, where} }

type hearing struct {
	evidence *evidence
	where    string
}

// Write keeps what is written.
func (h hearing) Write(b []byte) (int, error) {
	h.evidence.add(h.where, b)
	return len(b), nil
}

// overhearing keeps every answer that a client gets.
type overhearing struct{ evidence *evidence }

// RoundTrip is part of http.RoundTripper.
func (o overhearing) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	o.evidence.add("answer", body)
	resp.Body = io.NopCloser(bytes.NewReader(body))
	return resp, err
}

// secrets plants markers and makes Carillon talk.
type secrets struct {
	*vendors
	seen      *evidence
	markers   []string // that nobody may see
	hooks     []string // that only their owners may see, and no table may hold
	addresses []string // that only their owners may see
}

// plant makes an integration whose secrets are all markers, changes it, and gives its id.
func (s *secrets) plant(t *testing.T, provider *vendorProvider) string {
	t.Helper()
	if slices.Contains(insideProviders, provider.ID) {
		return ""
	}
	values, formed := s.credentials(t, provider), s.special(t, provider)
	for _, field := range provider.Credentials {
		if !field.Secret || field.Kind == "BOOL" {
			continue
		}
		marker := "MARKER-" + provider.ID + "-" + field.Name + "-9f3a"
		given, isText := formed[field.Name].(string)
		switch {
		case isText && len(given) > 40: // a key of a certain form: its middle is the marker
			marker = strings.Fields(given[len(given)/2-16 : len(given)/2+16])[0]
		case isText:
			continue
		case field.Kind == "URL":
			values[field.Name] = "https://" + provider.ID + ".vendor.example/hooks/" + marker
		case field.Kind == "OBJECT":
			values[field.Name] = object{"key": marker}
		case !field.Required && (field.Kind == "TEXT" || field.Name == "secretKey"):
			continue // keys of a certain form
		default:
			values[field.Name] = marker
		}
		if field.Name == "baseUrl" { // shown as it is (decisions.md §6), and nowhere else
			s.addresses = append(s.addresses, marker)
			continue
		}
		s.markers = append(s.markers, marker)
	}
	var made struct {
		CreateIntegration struct{ Integration struct{ ID string } }
	}
	graphQL(t, s.client, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": object{
		"providerId": provider.ID, "identifier": provider.ID, "credentials": values, "primary": primary(provider.Channel),
		"configurations": object{"inboundWebhookEnabled": true, "inboundWebhookSigningKey": "MARKER-" + provider.ID + "-signing"},
	}}, &made)
	s.markers = append(s.markers, "MARKER-"+provider.ID+"-signing")
	id := made.CreateIntegration.Integration.ID
	graphQL(t, s.client, `mutation($input: UpdateIntegrationInput!) { updateIntegration(input: $input) { integration { id } } }`,
		object{"input": object{"id": id, "name": provider.ID, "credentials": values}}, nil)
	broken := maps.Clone(values)
	for _, field := range provider.Credentials {
		if field.Required && !field.Secret {
			broken[field.Name] = ""
		}
	}
	// An error names the field; what was given stays out of it.
	_ = s.client.GraphQL(t.Context(), `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { id } } }`, object{"input": object{
		"providerId": provider.ID, "identifier": provider.ID + "-broken", "credentials": broken,
	}}, nil)
	return id
}

// send sends a message and a test message through the integration, and does not mind whether they arrive.
func (s *secrets) send(t *testing.T, provider *vendorProvider, integration string) {
	t.Helper()
	if integration == "" {
		return
	}
	who := "reader-of-" + provider.ID
	marker := "MARKER-" + provider.ID + "-address"
	hook := "https://" + provider.ID + ".vendor.example/hooks/" + marker
	settings := channelSettings(provider)
	to := object{"EMAIL": who + "@b.example", "SMS": "+4930901820", "PUSH": "device", "CHAT": hook}[provider.Channel]
	s.hooks = append(s.hooks, marker)
	body := object{"name": strings.ToLower(provider.Channel), "payload": object{"vendor": provider.ID}, "to": object{
		"subscriberId": who, "email": who + "@b.example", "phone": "+4930901820",
	}}
	_, err := s.client.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "hello", "to": who, "payload": object{}}, nil)
	require.NoError(t, err)
	until(t, patience, "there is a subscriber", func(ctx context.Context) (bool, error) {
		return s.client.GraphQL(ctx, `query($id: String!) { subscriberBySubscriberId(subscriberId: $id) { id } }`, object{"id": who}, nil) == nil, nil
	})
	if settings != nil {
		if provider.Channel == "CHAT" {
			settings["webhookUrl"] = hook
		}
		graphQL(t, s.client, `mutation($input: SetSubscriberChannelInput!) { setSubscriberChannel(input: $input) { subscriberChannel { id } } }`, object{"input": object{
			"subscriberId": who, "providerId": provider.ID, "integrationIdentifier": provider.ID, "credentials": settings,
		}}, nil)
	}
	if provider.Channel == "CHAT" && settings != nil {
		s.hook(t, provider, who, hook, body)
	}
	var answer struct{ TransactionID string }
	_, err = s.client.Do(t.Context(), http.MethodPost, "/v1/events/trigger", body, &answer)
	require.NoError(t, err)
	_ = s.client.GraphQL(t.Context(), `mutation($id: ID!, $to: String!) { testIntegration(input: {id: $id, to: $to}) { attempt { outcome errorText code } } }`,
		object{"id": integration, "to": to}, nil)
	until(t, patience, provider.ID, func(ctx context.Context) (bool, error) {
		var out struct {
			Messages struct{ Nodes []struct{ Attempts int } }
		}
		err := s.client.GraphQL(ctx, `query($t: String!) { messages(first: 1, filter: {transactionId: $t}) { nodes { attempts: attemptCount } } }`, object{"t": answer.TransactionID}, &out)
		return err == nil && len(out.Messages.Nodes) == 1 && out.Messages.Nodes[0].Attempts > 0, err
	})
}

// hook gives a webhook URL through the other doors that take one: an endpoint, and a trigger's recipient and overrides.
func (s *secrets) hook(t *testing.T, provider *vendorProvider, who, hook string, body object) {
	t.Helper()
	graphQL(t, s.client, `mutation($input: CreateChannelEndpointInput!) { createChannelEndpoint(input: $input) { channelEndpoint { id } } }`, object{"input": object{
		"subscriberId": who, "integration": provider.ID, "endpoint": object{"webhook": object{"url": hook}},
	}}, nil)
	to, _ := body["to"].(object)
	to["channels"] = []object{{"providerId": provider.ID, "integrationIdentifier": provider.ID, "credentials": object{"webhookUrl": hook}}}
	body["overrides"] = object{"providers": object{provider.ID: object{"webhookUrl": hook}}}
}

// read asks for whatever may show a secret.
func (s *secrets) read(t *testing.T) {
	t.Helper()
	for _, query := range []string{
		`{ integrations(first: 100) { nodes { id name identifier credentials { apiKey secretKey token password user host from baseUrl clientId serviceAccount webhookUrl applicationId }
			configurations { inboundWebhookEnabled inboundWebhookSigningKey } breaker breakerCause } } }`,
		`{ attempts(first: 100) { nodes { providerId outcome httpStatus code errorText class providerMessageId } } }`,
		`{ messages(first: 100) { nodes { providerId status errorId errorText directWebhookUrl overrides } } }`,
		`{ subscriberChannels(first: 100) { nodes { providerId credentials { webhookUrl } } } }`,
		`{ events(first: 100) { nodes { overrides recipients trace { reason detail data } } } }`,
		`{ notifications(first: 100) { nodes { status trace { reason detail data } } } }`,
		`{ auditEntries(first: 100) { nodes { action recordType changes } } }`,
	} {
		graphQL(t, s.client, query, nil, nil)
	}
	for _, path := range []string{"/v1/integrations", "/v1/messages?limit=100", "/v1/notifications?limit=100", "/metrics", "/readyz", "/dashboard/"} {
		_, _ = s.client.Do(t.Context(), http.MethodGet, path, nil, nil)
	}
}

// dump reads every row of the database.
func (s *secrets) dump(t *testing.T, dir string) {
	t.Helper()
	dsn, err := embedded.Running(t.Context(), dir, "carillon")
	require.NoError(t, err)
	db, err := pgx.Connect(t.Context(), dsn)
	require.NoError(t, err)
	defer func() { _ = db.Close(context.WithoutCancel(t.Context())) }()
	rows, err := db.Query(t.Context(), `SELECT table_name FROM information_schema.tables WHERE table_schema = 'public'`)
	require.NoError(t, err)
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(t, err)
	require.Greater(t, len(tables), 20)
	for _, table := range tables {
		rows, err := db.Query(t.Context(), `SELECT t::text FROM `+pgx.Identifier{table}.Sanitize()+` t`)
		require.NoError(t, err)
		texts, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err)
		s.seen.add("row of "+table, []byte(strings.Join(texts, "\n")))
	}
}
