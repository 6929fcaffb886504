package client_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

func TestEventInput(t *testing.T) {
	t.Parallel()
	var event map[string]any
	require.NoError(t, json.Unmarshal([]byte(`{"name": "w", "payload": {"n": 1}, "to": ["u1", {"subscriberId": "u2", "email": "a@b.c"},
		{"type": "Topic", "topicKey": "news", "exclude": ["u3"]}], "actor": "u4", "tenant": "acme",
		"context": {"region": "eu", "shop": {"id": "s1", "data": {"x": 1}}}, "bridgeUrl": "ignored"}`), &event))
	got, err := json.Marshal(client.EventInput(event, false))
	require.NoError(t, err)
	require.JSONEq(t, `{"name": "w", "payload": {"n": 1}, "to": [{"subscriberId": "u1"}, {"subscriber": {"subscriberId": "u2", "email": "a@b.c"}},
		{"topic": {"topicKey": "news", "exclude": ["u3"]}}], "actor": {"subscriberId": "u4"}, "tenantIdentifier": "acme",
		"context": [{"type": "region", "id": "eu"}, {"type": "shop", "id": "s1", "data": {"x": 1}}]}`, string(got))
	require.Equal(t, map[string]any{"name": "w", "to": []any{map[string]any{"subscriberId": "u"}}}, client.EventInput(map[string]any{"name": "w", "to": "u"}, false))
	require.NotContains(t, client.EventInput(event, true), "to")
}

// TestReadEvent: what follows the object is refused rather than passed over, and numbers keep their digits.
func TestReadEvent(t *testing.T) {
	t.Parallel()
	event, err := client.ReadEvent(strings.NewReader("\ufeff{\"name\": \"hello\", \"payload\": {\"n\": 12345678901234567890}}\n"))
	require.NoError(t, err)
	require.Equal(t, map[string]any{"name": "hello", "payload": map[string]any{"n": json.Number("12345678901234567890")}}, event)
	for text, says := range map[string]string{
		"":                              "nothing was given",
		" \n":                           "nothing was given",
		"null":                          "must be a JSON object, such as",
		"[1]":                           "must be a JSON object, such as",
		"{\"name\": \"a\",\n \"to\": }": "line 2: invalid character",
		`{"name": "a"} {"name": "b"}`:   "line 1: invalid character",
		`{"name": "a"`:                  "line 1: unexpected end of JSON input",
	} {
		_, err := client.ReadEvent(strings.NewReader(text))
		require.ErrorContains(t, err, says, text)
		require.NotContains(t, err.Error(), "Go value")
	}
}
