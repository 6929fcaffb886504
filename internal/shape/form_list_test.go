package shape_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/shape"
)

type seat struct {
	table, wine string
	seated      bool
}

type seating struct {
	people, tables []string
	wines          []string
	dropped        map[string]string
}

func (s *seating) person(v seat) {
	s.people = append(s.people, v.table)
	s.wines = append(s.wines, v.wine)
}

func (s *seating) table(v seat) { s.tables = append(s.tables, v.table) }

func (s *seating) drop(path, reason string) {
	if s.dropped == nil {
		s.dropped = map[string]string{}
	}
	s.dropped[path] = reason
}

var seatKey = shape.Parsed(shape.Text(shape.AtLeast(1)), "must be a name", func(text string) (string, bool) { return text + "!", text != "" })

func seatNamed(v *seat, name string) { v.table = name }

var (
	personShape = shape.Object("Person", "One who comes.",
		shape.Key("person", seatKey, "The name.", seatNamed), shape.Tag[seat]("type", "Person", "May be left out."),
		shape.Optional("wine", shape.Listed("Wine", "must be a wine of the cellar"), "", func(v *seat, wine string) { v.wine = wine }),
	).Then(func(v *seat) { v.seated = true })

	seatingShape = shape.FormList[seating]{
		Name: "Seat", Text: "A person or a table.", Object: "SeatObject", ObjectText: "Either.", Items: "seats", ListText: "Several.", Most: 3, Drop: (*seating).drop,
		Forms: []shape.Form[seating]{
			shape.FormOf(personShape, (*seating).person),
			shape.FormOf(shape.Object("Table", "A table.", shape.Key("table", seatKey, "Its name.", seatNamed),
				shape.Tag[seat]("type", "Table", "May be left out.")), (*seating).table),
		},
	}.Type()

	cellar = shape.Lists{"Wine": func(text string) (string, bool) { return "old " + text, text == "port" }}
)

// What is of no form, or has no valid key, is dropped; what else is wrong with an item is refused, in the words of the list
// that only the server knows.
func TestFormListsDropAndRefuse(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]struct {
		read     seating
		problems map[string]string
	}{
		`"a"`:               {read: seating{people: []string{"a!"}, wines: []string{""}}},
		`{"table":"t"}`:     {read: seating{tables: []string{"t!"}}},
		`[]`:                {},
		`["a","b","c","d"]`: {problems: map[string]string{"at": "must not hold more than 3 seats|"}},
		`[{"person":"a","wine":"port"},{"type":"Person","person":"b","table":"both"},{"type":"Table","table":"c"}]`: {
			read: seating{people: []string{"a!"}, wines: []string{"old port"}, tables: []string{"both!", "c!"}},
		},
		`["",1,{"type":"Chair","person":"a"}]`: {read: seating{dropped: map[string]string{
			"at.0": "no valid person", "at.1": "must be a string or an object", "at.2": "type must be Table or Person",
		}}},
		`[{"table":""},{"person":null,"wine":1},null]`: {read: seating{dropped: map[string]string{
			"at.0": "no valid table", "at.1": "no valid person", "at.2": "must be a string or an object",
		}}},
		`[{"person":"a","wine":"beer"}]`: {
			read:     seating{people: []string{"a!"}, wines: []string{""}},
			problems: map[string]string{"at.0.wine": "must be a wine of the cellar|"},
		},
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(raw), &value))
		var p fault.Problems
		read, _ := seatingShape.ParseWith(cellar, &p, "at", value)
		require.Equal(t, want.problems, problems(t, p.Err()), raw)
		require.Equal(t, want.read, read, raw)
	}
	d := &shape.Document{Schemas: map[string]shape.Schema{}}
	require.Len(t, seatingShape.Schema(d)["oneOf"], 2)
	require.Equal(t, []shape.Schema{{"type": "string", "minLength": 1}, shape.Ref("SeatObject")}, d.Schemas["Seat"]["oneOf"])
	require.Equal(t, []shape.Schema{shape.Ref("Person"), shape.Ref("Table")}, d.Schemas["SeatObject"]["oneOf"])
	require.Equal(t, []string{"table"}, d.Schemas["Table"]["required"])
}

func TestKeyOrObject(t *testing.T) {
	t.Parallel()
	one := shape.KeyOr(personShape, "must be a person")
	for raw, want := range map[string]struct {
		read     seat
		problems map[string]string
	}{
		`"a"`:            {read: seat{table: "a!"}},
		`{"person":"a"}`: {read: seat{table: "a!", seated: true}},
		`""`:             {problems: map[string]string{"at": "must be a name|"}},
		`1`:              {problems: map[string]string{"at": "must be a person|"}},
		`{"wine":"beer"}`: {
			read:     seat{seated: true},
			problems: map[string]string{"at.person": "must be a name|", "at.wine": "must be a wine of the cellar|"},
		},
	} {
		var value any
		require.NoError(t, json.Unmarshal([]byte(raw), &value))
		var p fault.Problems
		read, _ := one.ParseWith(cellar, &p, "at", value)
		require.Equal(t, want.problems, problems(t, p.Err()), raw)
		require.Equal(t, want.read, read, raw)
	}
}

// Members that come as JSON are decoded as far as they are declared, and kept where they are declared so.
func TestMembersAreReadFromJSON(t *testing.T) {
	t.Parallel()
	type note struct {
		size json.RawMessage
		tags []bool
	}
	noteShape := shape.Object("Note", "",
		shape.Required("size", shape.RawObject(), "", func(n *note, v json.RawMessage) { n.size = v }),
		shape.Optional("tags", shape.Few(shape.Flag().Missing("must be said"), 2), "", func(n *note, v []bool) { n.tags = v }))
	for raw, want := range map[string]struct {
		read     note
		problems map[string]string
	}{
		`{"size":{"n":1.50},"tags":[true]}`:    {read: note{json.RawMessage(`{"n":1.50}`), []bool{true}}},
		`{"size":null,"tags":[null]}`:          {read: note{tags: []bool{false}}, problems: map[string]string{"size": "is required|", "tags.0": "must be said|"}},
		`{"size":"{","tags":[true,true,true]}`: {problems: map[string]string{"size": "must be an object|", "tags": "must not hold more than 2 items|"}},
	} {
		var members map[string]json.RawMessage
		require.NoError(t, json.Unmarshal([]byte(raw), &members))
		var p fault.Problems
		var read note
		noteShape.ReadMembers(&read, nil, &p, members)
		require.Equal(t, want.problems, problems(t, p.Err()), raw)
		require.Equal(t, want.read, read, raw)
	}
}
