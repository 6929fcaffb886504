package provider_test

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider"
)

// TestCredentialForms: a credential means the same in each form in which forms, JSON and files bring it.
func TestCredentialForms(t *testing.T) {
	t.Parallel()
	c := provider.Credentials{
		"text": " a b ", "int": 7, "float": 1e6, "number": json.Number("12345678901234567890"), "yes": true, "null": nil, "list": []any{"x"},
		"Yes": " YES ", "one": "1", "on": "on", "no": "no", "empty": "", "odd": "maybe",
		"object": map[string]any{"a": 1.0}, "objectText": `{"a":1}`, "noObject": "[1]", "brokenObject": "{", "nullObject": "null",
		"url": "example.com/a//", "plainURL": "http://example.com/", "hook": "example.com/a/",
	}
	for name, want := range map[string]string{"text": "a b", "int": "7", "float": "1000000", "number": "12345678901234567890", "yes": "true", "null": "", "list": "", "missing": ""} {
		require.Equal(t, want, c.String(name), name)
	}
	require.Equal(t, " a b ", c.Secret("text"), "a password may begin or end with a blank")
	for name, want := range map[string]bool{"yes": true, "Yes": true, "one": true, "on": true, "no": false, "empty": false, "odd": false, "missing": false, "int": false} {
		require.Equal(t, want, c.Bool(name), name)
	}
	for _, name := range []string{"object", "objectText"} {
		require.Equal(t, map[string]any{"a": 1.0}, c.Object(name), name)
	}
	for _, name := range []string{"noObject", "brokenObject", "nullObject", "empty", "missing", "int"} {
		require.Nil(t, c.Object(name), name)
	}
	require.Equal(t, "https://example.com/a", c.URL("url", "f"))
	require.Equal(t, "http://example.com", c.URL("plainURL", "f"))
	require.Equal(t, "f", c.URL("missing", "f"))
	require.Equal(t, "https://example.com/a/", c.Address("hook"), "in full: a webhook's last slash counts")
	require.Empty(t, c.Address("missing"))
}

// TestValidate has one field of each rule, and a value that keeps and one that breaks it.
func TestValidate(t *testing.T) {
	t.Parallel()
	fields := []provider.Field{
		{Name: "required", Label: "Required", Kind: provider.KindString, Required: true},
		{Name: "aliased", Label: "Aliased", Kind: provider.KindString, Required: true, Alias: "old"},
		{Name: "switch", Label: "Switch", Kind: provider.KindBool},
		{Name: "depends", Label: "Depends", Kind: provider.KindString, RequiredIf: "switch"},
		{Name: "number", Label: "Number", Kind: provider.KindNumber},
		{Name: "object", Label: "Object", Kind: provider.KindObject},
		{Name: "url", Label: "URL", Kind: provider.KindURL},
		{Name: "text", Label: "Text", Kind: provider.KindText},
		{Name: "option", Label: "Option", Kind: provider.KindString, Options: []string{"eu", "us"}},
		{Name: "hello", Label: "Hello", Kind: provider.KindString, Check: provider.CheckHello},
	}
	d := provider.Definition{Credentials: fields}
	good := provider.Credentials{"required": "r", "aliased": "a"}
	require.NoError(t, d.Validate(good))
	for _, c := range []struct {
		name   string
		value  any
		says   string // "" when the value is taken
		others provider.Credentials
	}{
		{"required", nil, "Required is required", nil},
		{"required", "  ", "Required is required", nil},
		{"required", "two\nlines", "must be a single line", nil},
		{"required", true, "Required must be a text", nil},
		{"aliased", "", "Aliased is required", nil},
		{"aliased", "", "", provider.Credentials{"old": "x"}},
		{"switch", "yes", "", provider.Credentials{"depends": "d"}},
		{"switch", "maybe", "Switch must be a boolean", nil},
		{"switch", 1, "Switch must be a boolean", nil},
		{"depends", "", "Depends is required", provider.Credentials{"switch": "true"}},
		{"depends", "", "", provider.Credentials{"switch": "false"}},
		{"number", "25", "", nil},
		{"number", 25.0, "", nil},
		{"number", json.Number("25"), "", nil},
		{"number", 2.5, "Number must be a whole number", nil},
		{"number", "MARKER", "Number must be a whole number", nil},
		{"object", map[string]any{}, "", nil},
		{"object", `{"a":1}`, "", nil},
		{"object", "[]", "Object must be a JSON object", nil},
		{"object", 1, "Object must be a JSON object", nil},
		{"url", "example.com/MARKER", "", nil},
		{"url", " https://example.com ", "", nil},
		{"url", "https://u:MARKER@example.com", "URL must be a http or https address without user name and password", nil},
		{"url", "ftp://MARKER.example.com", "URL must be", nil},
		{"url", 7, "URL must be", nil},
		{"text", "two\nlines", "", nil},
		{"text", []any{"MARKER"}, "Text must be a text", nil},
		{"option", " eu ", "", nil},
		{"option", "MARKER", "Option must be one of eu, us", nil},
		{"hello", "mail.example.com", "", nil},
		{"hello", "localhost", "", nil},
		{"hello", "[192.0.2.1]", "", nil},
		{"hello", "[IPv6:2001:db8::1]", "", nil},
		{"hello", "[MARKER]", "Hello must be a host name", nil},
		{"hello", "[192.0.2.1", "Hello must be", nil},
		{"hello", "under_score", "Hello must be", nil},
		{"hello", "-a.example.com", "Hello must be", nil},
		{"hello", strings.Repeat("a", 64) + ".example.com", "Hello must be", nil},
		{"hello", "a..b", "Hello must be", nil},
	} {
		given := maps.Clone(good)
		maps.Copy(given, c.others)
		given[c.name] = c.value
		err := d.Validate(given)
		if c.says == "" {
			require.NoError(t, err, "%s %v", c.name, c.value)
			continue
		}
		var f *fault.Error
		require.ErrorAs(t, err, &f, "%s %v", c.name, c.value)
		require.Len(t, f.Fields, 1, "%s %v", c.name, c.value)
		require.Equal(t, "credentials."+c.name, f.Fields[0].Path)
		require.Contains(t, f.Fields[0].Message, c.says)
		require.NotContains(t, err.Error(), "MARKER", "the value is not quoted")
		require.Nil(t, f.Fields[0].Value)
	}
}

func TestSplitSender(t *testing.T) {
	t.Parallel()
	type sender struct {
		address, name string
		ok            bool
	}
	for text, want := range map[string]sender{
		"shop@example.com":                      {"shop@example.com", "", true},
		" shop@example.com ":                    {"shop@example.com", "", true},
		"Shop <shop@example.com>":               {"shop@example.com", "Shop", true},
		`"Shop, Inc." <s@example.com>`:          {"s@example.com", "Shop, Inc.", true},
		"=?utf-8?q?B=C3=BCcher?= <b@x.example>": {"b@x.example", "Bücher", true},
		"<shop@example.com>":                    {"shop@example.com", "", true},
		`"a b"@example.com`:                     {`"a b"@example.com`, "", true},
		"shop":                                  {"shop", "", false},
		"":                                      {"", "", false},
		"a@example.com, b@example.com":          {"a@example.com, b@example.com", "", false},
	} {
		address, name, ok := provider.SplitSender(text)
		require.Equal(t, want, sender{address, name, ok}, text)
	}
}

// TestOverrideLayers: what is nearer to the step wins; a null there still takes the field away.
func TestOverrideLayers(t *testing.T) {
	t.Parallel()
	m := &provider.Message{
		Overrides: map[string]any{"a": "far", "b": "far", "n": 7, "deep": map[string]any{"x": 1, "y": 2}, "gone": "g", "_passthrough": map[string]any{
			"body": map[string]any{"p": "far", "deep": map[string]any{"z": 3}}, "headers": map[string]any{"X-A": "far"},
		}},
		Merge: map[string]any{"a": "near", "b": "", "deep": map[string]any{"y": nil}, "gone": nil, "_passthrough": map[string]any{
			"body": map[string]any{"p": "near"}, "headers": map[string]any{"X-B": "near"},
		}},
	}
	for name, want := range map[string]string{"a": "near", "b": "far", "n": "7", "deep": "", "missing": ""} {
		require.Equal(t, want, provider.Override(m, name), name)
	}
	require.Equal(t, map[string]any{
		"a": "near", "b": "", "n": 7, "deep": map[string]any{"x": 1, "y": nil}, "gone": nil,
	}, provider.Extra(m, provider.Style{}))
	require.Equal(t, map[string]any{"b": "", "n": 7, "gone": nil}, provider.Extra(m, provider.Style{}, "a", "deep"))
	require.Equal(t, map[string]any{
		"a": "near", "b": "", "n": 7, "deep": map[string]any{"x": 1, "y": nil, "z": 3}, "gone": nil,
		"p": "near", "headers": map[string]any{"X-A": "far", "X-B": "near"},
	}, provider.InputOverrides(m))
	require.Equal(t, map[string]any{"x": 1, "y": 2}, m.Overrides["deep"], "the message is not changed")
	require.Empty(t, provider.InputOverrides(&provider.Message{}))
}

// TestStyleKeeps: keys that the vendor writes its own way are kept, and the caller's own keys below a free one.
func TestStyleKeeps(t *testing.T) {
	t.Parallel()
	style := provider.Style{Case: provider.PascalCase, Free: []string{"Headers"}, Keep: []string{"toAddress"}}
	require.Equal(t,
		map[string]any{"toAddress": map[string]any{"FirstName": "Ada"}, "Headers": map[string]any{"myKey": 1}, "HtmlBody": "x", "List": []any{map[string]any{"A": 1}, "b"}},
		style.Convert(map[string]any{"toAddress": map[string]any{"firstName": "Ada"}, "headers": map[string]any{"myKey": 1}, "htmlBody": "x", "list": []any{map[string]any{"a": 1}, "b"}}))
}
