package shape_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
)

type guest struct {
	name  string
	diet  string
	vegan *bool
}

type party struct {
	title    string
	guests   []guest
	names    []string
	tables   []string
	extra    map[string]any
	occasion string
}

var guestShape = shape.Object("Guest", "Who comes.",
	shape.Required("name", shape.Text(), "The name.", func(in *guest, v string) { in.name = v }),
	shape.Optional("vegan", shape.Flag(), "Whether without meat.", func(in *guest, v bool) { in.vegan = &v }),
)

var dietShape = shape.Object("Diet", "An unnamed guest.",
	shape.Required("diet", shape.Text(), "The diet.", func(in *guest, v string) { in.diet = v }))

var partyShape = shape.Object("Party", "An evening.",
	shape.Required("title", shape.Text(shape.Between(1, 20)), "The title.", func(in *party, v string) { in.title = v }),
	shape.Optional("guests", shape.List(shape.TextOrObject(
		shape.Matching("^[a-z]+$").Check(func(p *fault.Problems, path, v string) {
			if strings.ToLower(v) != v {
				p.Add(path, v, "must be in small letters")
			}
		}), func(v string) guest { return guest{name: v} }, shape.OneOf("Comer", "A guest, or what one eats.", guestShape, dietShape)), shape.AtMost(3)),
		"The guests.", func(in *party, v []guest) { in.guests = v }),
	shape.Optional("names", shape.List(shape.Text()).Deprecated(), "Use guests.", func(in *party, v []string) { in.names = v }).
		Unless(func(in *party) bool { return in.guests != nil }),
	shape.Expected("tables", shape.OneOrMany(shape.ID(), shape.List(shape.ID())), "The tables.", func(in *party, v []string) { in.tables = v }),
	shape.Optional("extra", shape.Free(), "Anything.", func(in *party, v map[string]any) { in.extra = v }),
	shape.Optional("occasion", shape.Enum("birthday", "wedding", "none"), "Why.", func(in *party, v string) { in.occasion = v }),
)

// problems are the messages of an error by path.
func problems(t *testing.T, err error) map[string]string {
	t.Helper()
	if err == nil {
		return nil
	}
	var invalid *fault.Error
	require.True(t, errors.As(err, &invalid))
	found := map[string]string{}
	for _, f := range invalid.Fields {
		found[f.Path] += f.Message + "|"
	}
	return found
}

func TestObjectsAreReadAndReported(t *testing.T) {
	t.Parallel()
	got, err := partyShape.Read([]byte(`{"title":"T","guests":["ann",{"name":"bob","vegan":true},{"diet":"fish"}],"names":[1],"tables":"x",
		"extra":{"n":12345678901234567890},"occasion":"wedding","unknown":1}`), func(in *party, p *fault.Problems) {
		require.Equal(t, "T", in.title, "the use case sees what was read")
		require.False(t, p.Any())
	})
	require.NoError(t, err)
	require.Equal(t, party{
		title: "T", guests: []guest{{name: "ann"}, {name: "bob", vegan: new(true)}, {diet: "fish"}}, tables: []string{"x"},
		extra: map[string]any{"n": json.Number("12345678901234567890")}, occasion: "wedding",
	}, got)

	for body, want := range map[string]map[string]string{
		`{}`:                                            {"title": "is required|"},
		`{"title":null,"guests":null}`:                  {"title": "is required|"},
		`{"title":1,"extra":[]}`:                        {"title": "must be a string|", "extra": "must be an object|"},
		`{"title":"\u0000"}`:                            {"title": "must not hold the character U+0000|"},
		`{"title":"T","guests":{}}`:                     {"guests": "must be an array|"},
		`{"title":"T","guests":[],"names":[1]}`:         nil,
		`{"title":"T","guests":1,"names":["a",null,2]}`: {"guests": "must be an array|", "names.1": "is required|", "names.2": "must be a string|"},
		`{"title":"T","guests":[null,1,"Ann",{"vegan":"yes","name":[]}]}`: {
			"guests.0": "must be a string or an object|", "guests.1": "must be a string or an object|", "guests.2": "must be in small letters|",
			"guests.3.vegan": "must be a boolean|", "guests.3.name": "must be a string|",
		},
		`{"title":"T","guests":[{}]}`:                     nil, // which members go together is the use case's to say
		`{"title":"T","tables":{}}`:                       {"tables": "must be a string or an array of strings|"},
		`{"title":"T","tables":["a",null,1,"\u0000"]}`:    {"tables.1": "is required|", "tables.2": "must be a string|"},
		`{"title":"T","occasion":"funeral"}`:              {"occasion": "must be birthday, wedding or none|"},
		`{"title":"T","occasion":["wedding"],"title2":1}`: {"occasion": "must be a string|"},
	} {
		_, err := partyShape.Read([]byte(body), func(*party, *fault.Problems) {})
		require.Equal(t, want, problems(t, err), body)
	}
	_, err = partyShape.Read([]byte(`{"title":1}`), func(_ *party, p *fault.Problems) { p.Add("tables", nil, "are too few") })
	require.Equal(t, map[string]string{"title": "must be a string|", "tables": "are too few|"}, problems(t, err), "reported together")
}

// A single object beside a text needs its members; of several objects the use case says which it wants.
func TestTextOrOneObject(t *testing.T) {
	t.Parallel()
	type list struct{ guests []guest }
	only := shape.Object("List", "", shape.Required("guests",
		shape.List(shape.TextOrObject(shape.Text(), func(v string) guest { return guest{name: v} }, guestShape)), "", func(in *list, v []guest) { in.guests = v }))
	_, err := only.Read([]byte(`{"guests":["a",{}]}`), func(*list, *fault.Problems) {})
	require.Equal(t, map[string]string{"guests.1.name": "is required|"}, problems(t, err))
}

// TestSchemasSayWhatIsRead compiles the documented schema and holds bodies against it and against the reader.
func TestSchemasSayWhatIsRead(t *testing.T) {
	t.Parallel()
	d := &shape.Document{Schemas: map[string]shape.Schema{}}
	require.Equal(t, shape.Ref("Party"), partyShape.Schema(d))
	raw, err := json.Marshal(map[string]any{"components": map[string]any{"schemas": d.Schemas}})
	require.NoError(t, err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(raw)))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("file:///d.json", document))
	compiled, err := compiler.Compile("file:///d.json#/components/schemas/Party")
	require.NoError(t, err)
	for body, good := range map[string]bool{
		`{"title":"T","tables":["a"]}`: true, `{"title":"T","tables":"a","guests":["ann",{"name":"b"},{"diet":"c"}],"occasion":"none"}`: true,
		`{"tables":"a"}`: false, `{"title":"T","tables":1}`: false, `{"title":"T","tables":"a","guests":[1]}`: false,
		`{"title":"T","tables":"a","guests":["Ann"]}`: false, `{"title":"T","tables":"a","names":[1]}`: false,
		`{"title":"T","tables":"a","occasion":"x"}`: false, `{"title":"T","tables":"a","extra":1}`: false,
	} {
		instance, err := jsonschema.UnmarshalJSON(strings.NewReader(body))
		require.NoError(t, err)
		described := compiled.Validate(instance)
		_, read := partyShape.Read([]byte(body), func(*party, *fault.Problems) {})
		require.Equal(t, good, described == nil, "%s: %v", body, described)
		require.Equal(t, good, read == nil, "%s: %v", body, read)
	}
	party := d.Schemas["Party"]["properties"].(shape.Schema)            //nolint:forcetypeassert // of an object
	require.Equal(t, 20, party["title"].(shape.Schema)["maxLength"])    //nolint:forcetypeassert // of a text
	require.Equal(t, 3, party["guests"].(shape.Schema)["maxItems"])     //nolint:forcetypeassert // of a list
	require.Equal(t, true, party["names"].(shape.Schema)["deprecated"]) //nolint:forcetypeassert // of a list
	require.Equal(t, []string{"title", "tables"}, d.Schemas["Party"]["required"])
}

type listing struct {
	word, cursor, side string
	words, joined      []string
	on                 bool
	limit, offset      int
	sides              []string
}

var listingShape = shape.Query[listing]{
	shape.Param("word", shape.Word(), "A word.", func(q *listing, v string) { q.word = v }),
	shape.Param("words", shape.Words(), "Words.", func(q *listing, v []string) { q.words = v }),
	shape.Param("joined", shape.JoinedWords(), "Words.", func(q *listing, v []string) { q.joined = v }),
	shape.Param("on", shape.Switch(), "On.", func(q *listing, v bool) { q.on = v }),
	shape.Param("limit", shape.Whole(10, shape.Between(1, 100)), "At most.", func(q *listing, v int) { q.limit = v }),
	shape.Param("offset", shape.Whole(0, shape.AtLeast(0)), "Skipped.", func(q *listing, v int) { q.offset = v }),
	shape.Param("side", shape.Choice("left", "left", "right"), "The side.", func(q *listing, v string) { q.side = v }),
	shape.Param("sides", shape.Choices("left", "right"), "Sides.", func(q *listing, v []string) { q.sides = v }),
	shape.Param("cursor", shape.Cursor(func(s string) bool { return s == "good" }, fault.BadRequestf("BAD", "No.")), "A cursor.", func(q *listing, v string) { q.cursor = v }),
}

func TestQueriesAreReadAndReported(t *testing.T) {
	t.Parallel()
	base := listing{limit: 10, side: "left"}
	for query, change := range map[string]func(*listing){
		"":                            func(*listing) {},
		"word=a&word=b%20c":           func(q *listing) { q.word = "b c" },
		"word=%zz":                    func(q *listing) { q.word = "%zz" },
		"words[]=a&words[1]=b,c":      func(q *listing) { q.words = []string{"a", "b,c"} },
		"joined=a,,b&joined=c":        func(q *listing) { q.joined = []string{"a", "b", "c"} },
		"joined=":                     func(q *listing) { q.joined = []string{} },
		"on=true":                     func(q *listing) { q.on = true },
		"on=1":                        func(*listing) {},
		"limit=100&offset=0":          func(q *listing) { q.limit = 100 },
		"offset=99999999999999999999": func(q *listing) { q.offset = 1<<63 - 1 },
		"side=right&sides=right,left": func(q *listing) { q.side, q.sides = "right", []string{"right", "left"} },
		"cursor=good":                 func(q *listing) { q.cursor = "good" },
		"cursor=good&cursor=":         func(*listing) {},
		"other=1":                     func(*listing) {},
	} {
		want := base
		change(&want)
		got, err := listingShape.Read(query, nil)
		require.NoError(t, err, query)
		require.Equal(t, want, got, query)
	}
	for query, want := range map[string]map[string]string{
		"word=%00&words=%ff":         {"word": "must be UTF-8 without the character U+0000|", "words": "must be UTF-8 without the character U+0000|"},
		"limit=0&offset=-1":          {"limit": "must be between 1 and 100|", "offset": "must be at least 0|"},
		"limit=1e3&offset=":          {"limit": "must be an integer|", "offset": "must be an integer|"},
		"side=up&sides=left,up,down": {"side": "must be one of left, right|", "sides": "must be one of left, right|must be one of left, right|"},
		"limit=0&cursor=bad":         {"limit": "must be between 1 and 100|"},
	} {
		_, err := listingShape.Read(query, nil)
		require.Equal(t, want, problems(t, err), query)
	}
	_, err := listingShape.Read("limit=99999999999999999999&offset=-007", nil)
	var f *fault.Error
	require.ErrorAs(t, err, &f)
	require.Equal(t, []any{"99999999999999999999", -7}, []any{f.Fields[0].Value, f.Fields[1].Value}, "what was given, not the nearest number")
	_, err = listingShape.Read("cursor=bad", nil)
	require.Equal(t, fault.BadRequest, fault.KindOf(err), "refused as a whole when no field is wrong")
	_, err = listingShape.Read("cursor=bad", func(_ *listing, p *fault.Problems) { p.Add("word", nil, "is rude") })
	require.Equal(t, map[string]string{"word": "is rude|"}, problems(t, err))
}

func TestParametersSayWhatIsRead(t *testing.T) {
	t.Parallel()
	var shown []string
	for _, p := range listingShape.Parameters(&shape.Document{Schemas: map[string]shape.Schema{}}) {
		s := p["schema"].(shape.Schema) //nolint:forcetypeassert // of a parameter
		require.Equal(t, p["description"], s["description"])
		shown = append(shown, fmt.Sprint(p["name"], " ", s["type"], " ", s["default"], " ", s["minimum"], " ", s["maximum"], " ", p["explode"]))
	}
	require.Equal(t, []string{
		"word string <nil> <nil> <nil> <nil>", "words array <nil> <nil> <nil> true", "joined array <nil> <nil> <nil> true",
		"on boolean <nil> <nil> <nil> <nil>", "limit integer 10 1 100 <nil>", "offset integer 0 0 <nil> <nil>",
		"side string left <nil> <nil> <nil>", "sides array <nil> <nil> <nil> true", "cursor string <nil> <nil> <nil> <nil>",
	}, shown)
}
