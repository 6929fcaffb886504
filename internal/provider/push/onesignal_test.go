package push

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// oneSignalSent is what the vendor gets for a message.
func oneSignalSent(t *testing.T, m *provider.Message) (sent map[string]any) {
	t.Helper()
	a, err := oneSignal.New(provider.Deps{Vendor: roundTrip(func(r *http.Request) (*http.Response, error) {
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.NoError(t, json.Unmarshal(body, &sent))
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"id":"os-1"}`))}, nil
	})}, provider.Credentials{"applicationId": "app-1", "apiKey": "os_v2_key"})
	require.NoError(t, err)
	_, err = a.Send(t.Context(), m)
	require.NoError(t, err)
	return sent
}

func TestOneSignalEvaluatesNothing(t *testing.T) {
	t.Parallel()
	sent := oneSignalSent(t, message(func(m *provider.Message) {
		m.Content.Title, m.Content.Body = "{{ first_name }}", "{% if true %}"
		m.Overrides = map[string]any{"subtitle": "{{ city }}"}
	}))
	require.Equal(t, map[string]any{"en": "{\u200b{ first_name }}"}, sent["headings"])
	require.Equal(t, map[string]any{"en": "{\u200b% if true %}"}, sent["contents"])
	require.Equal(t, map[string]any{"en": "{{ city }}"}, sent["subtitle"], "of who triggers")
	sent = oneSignalSent(t, message(func(m *provider.Message) {
		m.Content.Title, m.Overrides = "{{ message.custom_data.city }}", map[string]any{"customData": map[string]any{"city": "Rome"}}
	}))
	require.Equal(t, map[string]any{"en": "{{ message.custom_data.city }}"}, sent["headings"], "the author writes for the vendor's templates")
}

func TestOneSignalAliasesStandAlone(t *testing.T) {
	t.Parallel()
	sent := oneSignalSent(t, message(func(m *provider.Message) {
		m.Merge = map[string]any{"includeAliases": map[string]any{"external_id": []any{"ada"}}}
	}))
	require.Equal(t, map[string]any{"external_id": []any{"ada"}}, sent["include_aliases"])
	require.Equal(t, "push", sent["target_channel"])
	require.NotContains(t, sent, "include_player_ids")
}
