package jsonnum_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/jsonnum"
)

func TestUnmarshal(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]any{
		`1`: 1.0, `-1.50`: -1.5, `9007199254740991`: 9007199254740991.0, `9007199254740992`: int64(9007199254740992), `9007199254740993`: int64(9007199254740993),
		`-9223372036854775808`: int64(-9223372036854775808), `9223372036854775807`: int64(9223372036854775807),
		`12345678901234567890`: json.Number("12345678901234567890"), `100000000000000000000`: 1e20, `1234567890123456800`: int64(1234567890123456800), `9007199254740992.0`: 9007199254740992.0,
		`0.1000000000000000055`: json.Number("0.1000000000000000055"), `0.10000000000000000`: 0.1, `1e300`: 1e300,
		`"12345678901234567890"`: "12345678901234567890", `null`: nil, `true`: true,
	} {
		var got any
		require.NoError(t, jsonnum.Unmarshal([]byte(raw), &got), raw)
		require.Equal(t, want, got, raw)
		var object map[string]any
		require.NoError(t, jsonnum.Unmarshal([]byte(`{"a":[{"b":`+raw+`}]}`), &object), raw)
		require.Equal(t, map[string]any{"a": []any{map[string]any{"b": want}}}, object, raw)
		var list []any
		require.NoError(t, jsonnum.Unmarshal([]byte(`[`+raw+`]`), &list), raw)
		require.Equal(t, []any{want}, list, raw)
		var objects []map[string]any
		require.NoError(t, jsonnum.Unmarshal([]byte(`[{"b":`+raw+`}]`), &objects), raw)
		require.Equal(t, []map[string]any{{"b": want}}, objects, raw)
	}
	var n int64
	require.NoError(t, jsonnum.Unmarshal([]byte(`9007199254740993`), &n), "typed values are read as ever")
	require.Equal(t, int64(9007199254740993), n)
	require.Error(t, jsonnum.Unmarshal([]byte(`{"a":12345678901234567890`), new(any)))
	require.Error(t, jsonnum.Unmarshal([]byte(`{`), new(any)))
	require.Error(t, jsonnum.Unmarshal([]byte(`[12345678901234567890] x`), new(any)))
}

// Values of a type keep the digits of what they hold as plain Go values.
func TestUnmarshalTyped(t *testing.T) {
	t.Parallel()
	type inner struct {
		Any    any
		Number json.Number
		Short  float64
	}
	type outer struct {
		Object  map[string]any
		List    []any
		Inner   *inner
		Inners  []inner
		ByName  map[string]inner
		None    *inner
		Bytes   json.RawMessage
		At      time.Time
		private any
	}
	const long = `9007199254740993`
	var got outer
	require.NoError(t, jsonnum.Unmarshal([]byte(`{"object":{"a":[`+long+`, 1.5]},"list":[`+long+`],"inner":{"any":`+long+`,"number":`+long+`,"short":1},
		"inners":[{"any":{"b":`+long+`}}],"byName":{"x":{"any":`+long+`}},"bytes":`+long+`,"at":"2026-01-02T03:04:05Z"}`), &got))
	whole := int64(9007199254740993)
	require.Equal(t, outer{
		Object: map[string]any{"a": []any{whole, 1.5}}, List: []any{whole}, Inner: &inner{Any: whole, Number: long, Short: 1},
		Inners: []inner{{Any: map[string]any{"b": whole}}}, ByName: map[string]inner{"x": {Any: whole}},
		Bytes: json.RawMessage(long), At: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC), private: nil,
	}, got)
	require.Error(t, jsonnum.Unmarshal([]byte(`{"list":[`+long+`]} x`), &got))
}

// Whole numbers come back as they were, whatever their length.
func TestWholeNumbersComeBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		raw := rapid.StringMatching(`-?[1-9][0-9]{0,40}`).Draw(rt, "number")
		var got map[string]any
		require.NoError(rt, jsonnum.Unmarshal([]byte(`{"n":`+raw+`}`), &got))
		back, err := json.Marshal(got)
		require.NoError(rt, err)
		var wanted, seen json.Number
		require.NoError(rt, json.Unmarshal([]byte(raw), &wanted))
		require.NoError(rt, json.Unmarshal(back[5:len(back)-1], &seen))
		if f, err := seen.Float64(); err == nil && len(raw) > 21 && seen != wanted { // spelled with an exponent
			g, _ := wanted.Float64()
			require.InDelta(rt, g, f, 0)
			return
		}
		require.Equal(rt, wanted, seen)
	})
}
