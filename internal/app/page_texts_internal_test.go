package app

import (
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/workflow"
)

// TestPageTexts: every language has every text, with the workflow where it belongs, and a name for every channel.
func TestPageTexts(t *testing.T) {
	t.Parallel()
	var raw map[string]map[string]any
	require.NoError(t, json.Unmarshal(pagesText, &raw))
	require.Len(t, raw, len(pageLanguages))
	for name, texts := range raw {
		require.Contains(t, pageLanguages, name)
		require.Len(t, texts, len(raw["en"]), name)
		for key, english := range raw["en"] {
			require.NotEmpty(t, texts[key], "%s of %s", key, name)
			if english, is := english.(string); is {
				require.Equal(t, strings.Count(english, "{workflow}"), strings.Count(texts[key].(string), "{workflow}"), "%s of %s", key, name) //nolint:forcetypeassert // fails
			}
		}
		for _, c := range workflow.Channels() {
			require.NotEmpty(t, pagesByLanguage[name].Channels[c], "%s of %s", c, name)
		}
	}
}

// TestPagesInTheReadersLanguage: a page is in the language that the browser asks for, and else in English.
func TestPagesInTheReadersLanguage(t *testing.T) {
	t.Parallel()
	a := &App{log: slog.New(slog.DiscardHandler)}
	for accepted, want := range map[string]string{
		"": "en", "de-AT,de;q=0.9,en;q=0.5": "de", "fi,pl;q=0.7,de;q=0.3": "pl", "de;q=0.2,fr-CA": "fr", "pt-BR": "pt", "fi": "en", "*": "en", "gsw": "de",
		"ar-EG": "ar", ";;q=": "en", "en-GB,de": "en", "de;q=0": "en", strings.Repeat("x-", 10_000): "en", "nl-BE," + strings.Repeat("de,", 10_000): "nl",
	} {
		r := httptest.NewRequest(http.MethodGet, "/v1/unsubscribe/x", nil)
		r.Header.Set("Accept-Language", accepted)
		texts := pagesByLanguage[want]
		w := httptest.NewRecorder()
		a.writeUnsubscribe(w, r, &integrations.Unsubscription{Workflow: "<News>"}, nil)
		require.Contains(t, w.Body.String(), `<html lang="`+want+`" dir="`+texts.Dir+`">`, "%.40s", accepted)
		require.Contains(t, w.Body.String(), strings.Replace(texts.Ask, "{workflow}", "<bdi>&lt;News&gt;</bdi>", 1), "%.40s", accepted)
		w = httptest.NewRecorder()
		a.writePreferences(w, r, &integrations.PreferencePage{}, nil)
		require.Contains(t, w.Body.String(), "<title>"+texts.Title+"</title>")
		require.Contains(t, w.Body.String(), texts.Nothing)
		for text, err := range map[string]error{
			texts.Link: fault.NotFoundf("x"), texts.Critical: fault.BadRequestf(audience.CodeCriticalWorkflow, "x"), texts.Later: http.ErrAbortHandler,
		} {
			w = httptest.NewRecorder()
			a.writeUnsubscribe(w, r, nil, err)
			require.Contains(t, w.Body.String(), text)
		}
	}
}
