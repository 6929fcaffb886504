package render

import (
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// dashboardWords are what the dashboard completes in templates.
const dashboardWords = "../dashboard/web/src/code/liquid-words.json"

// languageWords are the words of the language that templates are written in. Of filters: the least number of arguments.
type languageWords struct {
	Tags       []string       `json:"tags"`
	Filters    map[string]int `json:"filters"`
	Subscriber []string       `json:"subscriber"`
	Tenant     []string       `json:"tenant"`
	Step       []string       `json:"step"`
}

// TestDashboardOffersTheLanguage: the dashboard completes the tags, filters and fields that there are. With
// CARILLON_WRITE_WORDS set it writes them there.
func TestDashboardOffersTheLanguage(t *testing.T) {
	t.Parallel()
	words := languageWords{Filters: map[string]int{}, Subscriber: subscriberFields, Tenant: tenantFields, Step: stepFields}
	for name, s := range signatures {
		words.Filters[name] = s.min
	}
	grammar := reflect.ValueOf(New(DefaultLimits()).configs[htmlMode]).FieldByName("grammar")
	for _, kind := range []string{"tags", "blockDefs"} { // the library lists them nowhere else
		for _, name := range grammar.FieldByName(kind).MapKeys() {
			if tag := name.String(); tag != "include" && !strings.HasPrefix(strings.TrimPrefix(tag, "end"), "_") {
				words.Tags = append(words.Tags, tag)
			}
		}
	}
	words.Tags = append(words.Tags, scannedTags...)
	slices.Sort(words.Tags)
	want, err := json.MarshalIndent(words, "", "  ")
	require.NoError(t, err)
	if os.Getenv("CARILLON_WRITE_WORDS") != "" {
		require.NoError(t, os.WriteFile(dashboardWords, append(want, '\n'), 0o600))
	}
	got, err := os.ReadFile(dashboardWords)
	require.NoError(t, err)
	require.JSONEq(t, string(want), string(got), "write it anew: CARILLON_WRITE_WORDS=1 go test ./internal/render -run TestDashboardOffersTheLanguage")
}

// TestDocumentationListsTheLanguage: the page of the language names every tag, filter and field of loops, and no other filter.
func TestDocumentationListsTheLanguage(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../docs/templates.md")
	require.NoError(t, err)
	raw, err := os.ReadFile(dashboardWords)
	require.NoError(t, err)
	var words languageWords
	require.NoError(t, json.Unmarshal(raw, &words))
	for _, word := range slices.Concat(words.Tags, slices.Collect(maps.Keys(words.Filters)), slices.Collect(maps.Keys(tableFields(loopFields(0, 1), 0, 1, 1)))) {
		require.Contains(t, string(page), word+"`", word)
	}
	_, filters, _ := strings.Cut(string(page), "## 4. Filters")
	filters, _, _ = strings.Cut(filters, "A filter of lists")
	for _, found := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(filters, -1) {
		require.True(t, found[1] == "false" || hasFilter(found[1]), found[1])
	}
}

func hasFilter(name string) bool {
	_, has := signatures[name]
	return has
}
