package jsonvalue_test

import (
	"cmp"
	"encoding/json"
	"math"
	"math/big"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func TestLookup(t *testing.T) {
	t.Parallel()
	data := workflowtest.Object(t, `{"a":{"b":["x",{"c":1}]},"":"unnamed","n":null,"1":"by name","s":"text","false":false}`)
	for path, want := range map[string]any{
		"":          data,
		"a.b.0":     "x",
		"a.b.1.c":   1.0,
		"1":         "by name", // a member may be named like a position
		"false":     false,
		"a.b.2":     nil,
		"a.b.-1":    nil,
		"a.b.01":    map[string]any{"c": 1.0},
		"a.b.first": nil,
		"n.x":       nil,
		"s.0":       nil, // texts have no positions
		"a..b":      nil,
		"a.":        nil,
		"A":         nil, // names are exact
	} {
		require.Equal(t, want, jsonvalue.Lookup(data, path), path)
	}
	require.Equal(t, "y", jsonvalue.Lookup([]any{"x", "y"}, "1"))
	require.Nil(t, jsonvalue.Lookup(nil, "a"))
}

// A member that is really called "payload" goes before the prefix that people write.
func TestLookupPayload(t *testing.T) {
	t.Parallel()
	plain := map[string]any{"at": "outer", "deep": map[string]any{"at": "inner"}}
	require.Equal(t, "outer", jsonvalue.LookupPayload(plain, "at"))
	require.Equal(t, "outer", jsonvalue.LookupPayload(plain, "payload.at"))
	require.Equal(t, "inner", jsonvalue.LookupPayload(plain, "payload.deep.at"))
	require.Nil(t, jsonvalue.LookupPayload(plain, "payload"))
	require.Nil(t, jsonvalue.LookupPayload(plain, "subscriber.at"))

	nested := map[string]any{"at": "outer", "payload": map[string]any{"at": "inner"}}
	require.Equal(t, "inner", jsonvalue.LookupPayload(nested, "payload.at"))
}

func TestMergeDeep(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ base, over, want string }{
		"ObjectsMerge":         {`{"a":{"x":1,"y":2}}`, `{"a":{"y":3,"z":4}}`, `{"a":{"x":1,"y":3,"z":4}}`},
		"ListsReplace":         {`{"a":[1,2,3]}`, `{"a":[4]}`, `{"a":[4]}`},
		"ScalarReplacesObject": {`{"a":{"x":1}}`, `{"a":5}`, `{"a":5}`},
		"ObjectReplacesScalar": {`{"a":5}`, `{"a":{"x":1}}`, `{"a":{"x":1}}`},
		"NullReplaces":         {`{"a":{"x":1},"b":2}`, `{"a":null}`, `{"a":null,"b":2}`},
		"EmptyObjectKeeps":     {`{"a":{"x":1}}`, `{"a":{}}`, `{"a":{"x":1}}`},
		"Deep":                 {`{"a":{"b":{"c":{"x":1}}}}`, `{"a":{"b":{"c":{"y":2}}}}`, `{"a":{"b":{"c":{"x":1,"y":2}}}}`},
		"EmptyBase":            {`{}`, `{"a":1}`, `{"a":1}`},
		"EmptyOver":            {`{"a":1}`, `{}`, `{"a":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			base, over := workflowtest.Object(t, c.base), workflowtest.Object(t, c.over)
			require.Equal(t, workflowtest.Object(t, c.want), jsonvalue.MergeDeep(base, over))
			require.Equal(t, workflowtest.Object(t, c.base), base, "the base does not change")
			require.Equal(t, workflowtest.Object(t, c.over), over, "what lies above does not change")
		})
	}
}

// Numbers, texts that are numbers, and canonical texts: one table, since conditions rest on all three.
func TestNumbersAndTexts(t *testing.T) {
	t.Parallel()
	type reading struct {
		number, parsed any // nil: none
		text           any
	}
	read := func(v any) (r reading) {
		if f, ok := jsonvalue.Number(v); ok {
			r.number = f
		}
		if f, ok := jsonvalue.ParseNumber(v); ok {
			r.parsed = f
		}
		if s, ok := jsonvalue.ScalarText(v); ok {
			r.text = s
		}
		return r
	}
	for name, c := range map[string]struct {
		v    any
		want reading
	}{
		"Whole":        {5.0, reading{5.0, 5.0, "5"}},
		"Fraction":     {2.5, reading{2.5, 2.5, "2.5"}},
		"Large":        {1e21, reading{1e21, 1e21, "1000000000000000000000"}},
		"Small":        {1e-7, reading{1e-7, 1e-7, "0.0000001"}},
		"Int":          {7, reading{7.0, 7.0, "7"}},
		"Int64":        {int64(math.MaxInt64), reading{float64(math.MaxInt64), float64(math.MaxInt64), "9223372036854775807"}},
		"Float32":      {float32(0.5), reading{0.5, 0.5, "0.5"}},
		"JSONNumber":   {json.Number("1.50"), reading{1.5, 1.5, "1.50"}},
		"Bool":         {true, reading{nil, nil, "true"}},
		"Text":         {"x", reading{nil, nil, "x"}},
		"NumericText":  {" 12.5 ", reading{nil, 12.5, " 12.5 "}},
		"EmptyText":    {"", reading{nil, nil, ""}},
		"NaNText":      {"NaN", reading{nil, nil, "NaN"}},
		"InfinityText": {"-Inf", reading{nil, nil, "-Inf"}},
		"TooLargeText": {"1e999", reading{nil, nil, "1e999"}},
		"Null":         {nil, reading{}},
		"List":         {[]any{1.0}, reading{}},
		"Object":       {map[string]any{}, reading{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, c.want, read(c.v))
		})
	}
}

// TestCompareDigits compares numbers with what exact arithmetic says, in every form in which they are given.
func TestCompareDigits(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		digits := rapid.StringMatching(`-?[1-9][0-9]{14,24}`).Draw(rt, "digits")
		near, ok := new(big.Int).SetString(digits, 10)
		require.True(rt, ok)
		near.Add(near, big.NewInt(rapid.Int64Range(-300, 300).Draw(rt, "distance")))
		behind := rapid.IntRange(0, 14).Draw(rt, "behind the point")
		x, y := given(rt, shifted(digits, behind), "first"), given(rt, shifted(near.String(), behind), "second")
		f, okX := jsonvalue.ParseNumber(x)
		g, okY := jsonvalue.ParseNumber(y)
		require.True(rt, okX && okY)
		a, okA := new(big.Rat).SetString(digits)
		require.True(rt, okA)
		want := a.Cmp(new(big.Rat).SetInt(near))
		require.Equal(rt, want, cmp.Or(cmp.Compare(f, g), jsonvalue.CompareDigits(x, y)), "%v %v", x, y)
		require.Equal(rt, -want, cmp.Or(cmp.Compare(g, f), jsonvalue.CompareDigits(y, x)), "%v %v", y, x)
	})

	for name, c := range map[string]struct {
		a, b any
		want int
	}{
		"Small":          {"1.0", 1, 0},
		"Rounded":        {"9007199254740993", 9007199254740992.0, 0},
		"Exponent":       {"9007199254740993", "9007199254740992e0", 0},
		"Hexadecimal":    {"9007199254740993", "0x20000000000000", 0},
		"Fraction":       {"9007199254740993", "9007199254740992.5", 1},
		"LongFraction":   {json.Number("0.10000000000000000001"), "0.1", 1},
		"NegativePart":   {"-0.10000000000000000001", "-0.1", -1},
		"Zeros":          {"-0.00", int64(0), 0},
		"AboveZero":      {"0." + strings.Repeat("0", 400) + "1", "0", 1},
		"BelowZero":      {"-0." + strings.Repeat("0", 400) + "1", "0." + strings.Repeat("0", 400) + "1", -1},
		"ZeroFraction":   {"9007199254740993.00", "9007199254740992.", 1},
		"ZerosBefore":    {"009007199254740993", " 9007199254740993 ", 0},
		"Plus":           {"+9007199254740992", int64(9007199254740993), -1},
		"Negative":       {"-9007199254740992", json.Number("-9007199254740993"), 1},
		"AnotherLength":  {"9999999999999999", "10000000000000000", -1},
		"BeyondAnyLimit": {"1" + strings.Repeat("0", 300), "1" + strings.Repeat("0", 299) + "1", -1},
	} {
		require.Equal(t, c.want, jsonvalue.CompareDigits(c.a, c.b), name)
	}
}

// shifted is a whole number with a point before its last digits.
func shifted(digits string, behind int) string {
	if behind == 0 {
		return digits
	}
	return digits[:len(digits)-behind] + "." + digits[len(digits)-behind:]
}

// given is a number in one of the forms that keep its digits.
func given(rt *rapid.T, digits, label string) any {
	zeros := ".0"
	if strings.Contains(digits, ".") {
		zeros = "0"
	}
	forms := []any{
		digits, " " + digits + "\n", digits + zeros, json.Number(digits), strings.Replace("+"+digits, "+-", "-000", 1),
	}
	if whole, err := strconv.ParseInt(digits, 10, 64); err == nil {
		forms = append(forms, whole)
	}
	return rapid.SampledFrom(forms).Draw(rt, label)
}

func TestWholeNumber(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		v    any
		want int
		ok   bool
	}{
		{3.0, 3, true},
		{-3.0, -3, true},
		{0.0, 0, true},
		{float64(1 << 53), 1 << 53, true},
		{json.Number("12"), 12, true},
		{3.5, 0, false},
		{1e300, 0, false},
		{math.NaN(), 0, false},
		{math.Inf(-1), 0, false},
		{"3", 0, false},
		{nil, 0, false},
		{true, 0, false},
	} {
		n, ok := jsonvalue.WholeNumber(c.v)
		require.Equal(t, c.ok, ok, "%v", c.v)
		require.Equal(t, c.want, n, "%v", c.v)
	}
}

// Paths name fields in errors, so an empty part must not leave a dot behind.
func TestJoin(t *testing.T) {
	t.Parallel()
	require.Equal(t, "steps.2.filters", jsonvalue.Join(jsonvalue.JoinIndex("steps", 2), "filters"))
	require.Equal(t, "a.c", jsonvalue.Join("a", "", "c"))
	require.Equal(t, "c", jsonvalue.Join("", "", "c"))
	require.Equal(t, "0", jsonvalue.JoinIndex("", 0))
	require.Empty(t, jsonvalue.Join(""))
}

func TestOrNil(t *testing.T) {
	t.Parallel()
	require.Nil(t, jsonvalue.OrNil(""))
	require.Nil(t, jsonvalue.OrNil(0))
	require.Equal(t, "x", *jsonvalue.OrNil("x"))
	require.Equal(t, []string{"a", "b", "c"}, jsonvalue.SortedKeys(map[string]int{"c": 1, "a": 2, "b": 3}))
}
