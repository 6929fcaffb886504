package provider

import (
	"bytes"
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestConvert(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		"iconUrl": "icon_url", "userID": "user_id", "htmlURLValue": "html_url_value", "a1B": "a1_b", "plain": "plain",
		"icon_url": "icon_url", "X-Header": "X-Header", "o:tag": "o:tag", "Upper": "Upper", "": "", "ünder": "ünder",
	} {
		require.Equal(t, want, SnakeCase.key(in), in)
	}
	require.Equal(t, "HtmlBody", PascalCase.key("htmlBody"))
	require.Equal(t, "htmlBody", CamelCase.key("htmlBody"))
	style := Style{Case: SnakeCase, Free: []string{"headers"}}
	require.Equal(t,
		map[string]any{"headers": map[string]any{"myKey": 1}, "in_list": []any{map[string]any{"deep_key": 2}}},
		style.Convert(map[string]any{"headers": map[string]any{"myKey": 1}, "inList": []any{map[string]any{"deepKey": 2}}}))
}

func TestMerge(t *testing.T) {
	t.Parallel()
	base := map[string]any{"a": map[string]any{"x": 1, "y": 2}, "list": []any{1, 2}, "gone": true, "s": "t"}
	over := map[string]any{"a": map[string]any{"y": 3, "z": map[string]any{"n": nil, "m": 1}}, "list": []any{9}, "gone": nil, "s": map[string]any{"o": 1}}
	require.Equal(t, map[string]any{
		"a": map[string]any{"x": 1, "y": 3, "z": map[string]any{"m": 1}}, "list": []any{9}, "s": map[string]any{"o": 1},
	}, Merge(base, over))
}

func TestApplyOrder(t *testing.T) {
	t.Parallel()
	m := &Message{
		Overrides: map[string]any{
			"own": "secret", "level": "overrides", "keepMe": 1, "cleared": 1,
			"_passthrough": map[string]any{"body": map[string]any{"level": "first", "camelCase": 1}},
		},
		Merge: map[string]any{
			"level": "merge", "cleared": nil,
			"_passthrough": map[string]any{"body": map[string]any{"level": "last"}, "headers": map[string]any{"host": "evil", "x-a": 1}},
		},
	}
	body := &JSON{Root: []any{map[string]any{"level": "built", "cleared": 0}}}
	r := &Request{Body: body}
	r.Apply(m, Style{Case: SnakeCase}, "own")
	require.Equal(t, []any{map[string]any{"level": "last", "keep_me": 1, "camelCase": 1}}, body.Root)
	require.Equal(t, map[string][]string{"X-A": {"1"}}, map[string][]string(r.Header))
	require.Equal(t, "secret", m.Overrides["own"], "the message is not changed")
}

func TestForm(t *testing.T) {
	t.Parallel()
	f := Form{"a": {"1"}, "b": {"2"}, "c": {"3"}}
	f.merge(map[string]any{"a": []any{"x", 2.5}, "b": nil, "d": map[string]any{"k": 1}, "e": true, "f": json.Number("12345678901234567890")})
	require.Equal(t, Form{"a": {"x", "2.5"}, "c": {"3"}, "d": {`{"k":1}`}, "e": {"true"}, "f": {"12345678901234567890"}}, f)
	var data bytes.Buffer
	kind, err := (&Multipart{
		Fields: url.Values{"b": {"2"}, "a": {"1"}}, Boundary: "XX",
		Files: []FilePart{{Field: "file", Name: `a".txt`, MIME: "text/plain", Data: []byte("hi")}},
	}).encode(&data)
	require.NoError(t, err)
	require.Equal(t, "multipart/form-data; boundary=XX", kind)
	require.Equal(t, "--XX\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\n1\r\n"+
		"--XX\r\nContent-Disposition: form-data; name=\"b\"\r\n\r\n2\r\n"+
		"--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"a\\\".txt\"\r\nContent-Type: text/plain\r\n\r\nhi\r\n--XX--\r\n", data.String())
}

func FuzzMerge(f *testing.F) {
	f.Add(`{"a":{"b":1},"l":[1]}`, `{"a":{"b":null,"c":{"d":2}},"l":null}`)
	f.Add(`{}`, `{"_passthrough":{"body":{"x":1}},"userID":1,"userId":2}`)
	f.Fuzz(func(t *testing.T, rawBase, rawOver string) {
		var base, over map[string]any
		if json.Unmarshal([]byte(rawBase), &base) != nil || json.Unmarshal([]byte(rawOver), &over) != nil {
			return
		}
		before, err := json.Marshal(over)
		require.NoError(t, err)
		for _, c := range []Case{CamelCase, SnakeCase, PascalCase} {
			extra := Extra(&Message{Overrides: base, Merge: over}, Style{Case: c})
			var fresh map[string]any
			require.NoError(t, json.Unmarshal([]byte(rawBase), &fresh))
			merged := Merge(fresh, extra)
			again, err := EncodeJSON(Merge(merged, extra))
			require.NoError(t, err)
			once, err := EncodeJSON(merged)
			require.NoError(t, err)
			require.JSONEq(t, string(once), string(again), "merging twice changes nothing")
		}
		after, err := json.Marshal(over)
		require.NoError(t, err)
		require.Equal(t, before, after, "overrides are not changed")
	})
}

// TestMergeOfTexts: an object of texts, as adapters build headers, is merged like any other.
func TestMergeOfTexts(t *testing.T) {
	t.Parallel()
	base := map[string]string{"X-Order": "1042", "X-Kept": "1"}
	got := Merge(map[string]any{"headers": base}, map[string]any{"headers": map[string]any{"X-Order": "7", "X-Kept": nil}})
	require.Equal(t, map[string]any{"headers": map[string]any{"X-Order": "7"}}, got)
	require.Equal(t, "1042", base["X-Order"])
}
