package configuration

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/jsonnum"
)

// differences are what differs of two JSON values, as "path: before -> after"; "-" for what is absent.
func differences(t *testing.T, before, after string) (list []string) {
	t.Helper()
	var x, y any
	require.NoError(t, jsonnum.Unmarshal([]byte(before), &x))
	require.NoError(t, jsonnum.Unmarshal([]byte(after), &y))
	fields, err := fieldChanges(x, y)
	require.NoError(t, err)
	text := func(s *string) string {
		if s == nil {
			return "-"
		}
		return *s
	}
	for _, f := range fields {
		list = append(list, f.Path+": "+text(f.Before)+" -> "+text(f.After))
	}
	return list
}

// TestFieldChanges: people read what differs, so named items are followed by their names wherever they moved.
func TestFieldChanges(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		before, after string
		want          []string
	}{
		"Same":            {`{"a":1,"b":[{"stepId":"x"}]}`, `{"b":[{"stepId":"x"}],"a":1}`, nil},
		"Text":            {`{"a":"x"}`, `{"a":"<b>\"y\"</b>"}`, []string{`a: x -> <b>"y"</b>`}},
		"Added":           {`{}`, `{"a":{"b":1}}`, []string{`a: - -> {"b":1}`}},
		"Removed":         {`{"a":false}`, `{}`, []string{`a: false -> -`}},
		"NullIsAbsent":    {`{"a":null}`, `{}`, nil},
		"Markup":          {`{"a":[]}`, `{"a":["<b>&"]}`, []string{`a: [] -> ["<b>&"]`}},
		"LargeNumber":     {`{"a":12345678901234567890}`, `{"a":12345678901234567891}`, []string{`a: 12345678901234567890 -> 12345678901234567891`}},
		"TypeChanged":     {`{"a":1}`, `{"a":"1"}`, []string{`a: 1 -> 1`}},
		"ObjectToText":    {`{"a":{"b":1}}`, `{"a":"x"}`, []string{`a: {"b":1} -> x`}},
		"PlainList":       {`{"a":[1,2]}`, `{"a":[2,1]}`, []string{`a: [1,2] -> [2,1]`}},
		"Sorted":          {`{"b":1,"a":1,"c":{"z":1,"y":1}}`, `{"b":2,"a":2,"c":{"z":2,"y":2}}`, []string{"a: 1 -> 2", "b: 1 -> 2", "c.y: 1 -> 2", "c.z: 1 -> 2"}},
		"StepChanged":     {`{"s":[{"stepId":"x","n":1},{"stepId":"y"}]}`, `{"s":[{"stepId":"x","n":2},{"stepId":"y"}]}`, []string{"s[x].n: 1 -> 2"}},
		"StepMoved":       {`{"s":[{"stepId":"x"},{"stepId":"y"}]}`, `{"s":[{"stepId":"y"},{"stepId":"x"}]}`, []string{`s.order: ["x","y"] -> ["y","x"]`}},
		"StepRenamed":     {`{"s":[{"stepId":"x","n":1}]}`, `{"s":[{"stepId":"z","n":1}]}`, []string{`s[x]: {"n":1,"stepId":"x"} -> -`, `s[z]: - -> {"n":1,"stepId":"z"}`}},
		"StepAdded":       {`{"s":[{"stepId":"x"}]}`, `{"s":[{"stepId":"y"},{"stepId":"x"}]}`, []string{`s[y]: - -> {"stepId":"y"}`}},
		"AddedAndMoved":   {`{"s":[{"stepId":"x"},{"stepId":"y"}]}`, `{"s":[{"stepId":"y"},{"stepId":"z"},{"stepId":"x"}]}`, []string{`s[z]: - -> {"stepId":"z"}`, `s.order: ["x","y"] -> ["y","x"]`}},
		"VariantOfAStep":  {`{"s":[{"stepId":"x","v":[{"name":"a","n":1}]}]}`, `{"s":[{"stepId":"x","v":[{"name":"a","n":2}]}]}`, []string{"s[x].v[a].n: 1 -> 2"}},
		"TwiceTheName":    {`{"v":[{"name":"a"},{"name":"a"}]}`, `{"v":[{"name":"a"}]}`, []string{`v: [{"name":"a"},{"name":"a"}] -> [{"name":"a"}]`}},
		"NameIsNoText":    {`{"v":[{"name":1}]}`, `{"v":[{"name":2}]}`, []string{`v: [{"name":1}] -> [{"name":2}]`}},
		"ListBecomesNone": {`{"s":[{"stepId":"x"}]}`, `{"s":[]}`, []string{`s[x]: {"stepId":"x"} -> -`}},
		"ListFromNothing": {`{}`, `{"s":[{"stepId":"x"}]}`, []string{`s: - -> [{"stepId":"x"}]`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, differences(t, c.before, c.after))
		})
	}
}

// TestCompareOrder: what others refer to is made first and deleted last.
func TestCompareOrder(t *testing.T) {
	t.Parallel()
	one := &Document{
		NotificationGroups: map[string]NotificationGroup{"g": {Name: "G"}}, Feeds: map[string]Feed{"f": {Name: "F"}},
		Layouts: map[string]Layout{"l": {Name: "L"}}, Translations: map[string]Translation{"en": {"a": "b"}},
		Integrations: map[string]Integration{"i": {ProviderID: "p"}}, Topics: map[string]Topic{"t": {}},
		Workflows: map[string]Workflow{"w": {Name: "W"}, "a": {Name: "A"}},
	}
	changes := func(found, wanted *Document, pruned ...Kind) (list []string) {
		all, err := compare(found, wanted, pruned)
		require.NoError(t, err)
		for _, c := range all {
			list = append(list, string(c.Action)+" "+string(c.Kind)+" "+c.Name)
		}
		return list
	}
	require.Equal(t, []string{
		"CREATE NOTIFICATION_GROUP g", "CREATE FEED f", "CREATE LAYOUT l", "CREATE TRANSLATION en", "CREATE INTEGRATION i", "CREATE TOPIC t",
		"CREATE WORKFLOW a", "CREATE WORKFLOW w",
	}, changes(&Document{}, one))
	require.Equal(t, []string{
		"DELETE WORKFLOW w", "DELETE WORKFLOW a", "DELETE TOPIC t", "DELETE INTEGRATION i", "DELETE TRANSLATION en", "DELETE LAYOUT l",
		"DELETE FEED f", "DELETE NOTIFICATION_GROUP g",
	}, changes(one, &Document{}, Kinds()...))
	require.Empty(t, changes(one, &Document{}), "what a document does not name stays")
	require.Empty(t, changes(one, one, Kinds()...))

	renamed := *one
	renamed.Layouts = map[string]Layout{"m": {Name: "L"}}
	require.Equal(t, []string{"CREATE LAYOUT m", "DELETE LAYOUT l"}, changes(one, &renamed, KindLayout), "made before the old one goes")
}

// Equal documents have equal fingerprints, whatever way they were built, and others have not.
func TestFingerprint(t *testing.T) {
	t.Parallel()
	of := func(d *Document) string {
		text, err := fingerprint(d)
		require.NoError(t, err)
		return text
	}
	names := []string{"a", "b", "c", "d", "e", "f"}
	forward, backward := map[string]Topic{}, map[string]Topic{}
	for i := range names {
		forward[names[i]], backward[names[len(names)-1-i]] = Topic{}, Topic{}
	}
	require.Equal(t, of(&Document{Topics: forward}), of(&Document{Topics: backward}))
	require.NotEqual(t, of(&Document{Topics: forward}), of(&Document{}))
	backward["a"] = Topic{Name: "A"}
	require.NotEqual(t, of(&Document{Topics: forward}), of(&Document{Topics: backward}))
	_, err := fingerprint(&Document{Integrations: map[string]Integration{"i": {Credentials: map[string]any{"x": func() {}}}}})
	require.ErrorContains(t, err, "encode a configuration")
}
