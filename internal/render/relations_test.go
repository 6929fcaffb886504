package render_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/workflow"
)

// TestRelations: what is equal, and what comes before what.
func TestRelations(t *testing.T) {
	t.Parallel()
	var payload map[string]any
	require.NoError(t, jsonnum.Unmarshal([]byte(`{"n":7,"text":"12","word":"b","none":null,"yes":true,"no":false,"blank":" ","list":[1,"a",{"k":[1]}],"same":[1,"a",{"k":[1]}],
		"o":{"a":1,"b":{"c":null}},"p":{"b":{"c":null},"a":1},"q":{"a":1,"b":{"c":2}},"e":{},
		"long":12.34567890123456789,"longer":12.345678901234567890123,"id":9007199254740993,"next":9007199254740992,"sum":"12.5"}`), &payload))
	for condition, want := range map[string]bool{
		"payload.n <> 7": false, "payload.n <> 8": true, "payload.n<>payload.text": true, "payload.n == 7.0": true, "payload.n == '7'": false,
		"payload.n > '6'": true, "payload.text > 6": true, "payload.text >= 12": true, "payload.text <= 11.9": false, "payload.text < '2'": true,
		"payload.sum > payload.text": true, "payload.sum > payload.n": true,
		"payload.none < 6": false, "payload.none > 6": false, "payload.none >= 0": false, "payload.nope <= 0": false, "payload.word > 6": false,
		"payload.word < 6": false, "payload.word >= 'b'": true, "payload.word < 'c'": true, "payload.yes > payload.no": true, "payload.yes >= payload.yes": true,
		"payload.o == payload.p": true, "payload.o != payload.q": true, "payload.o == payload.e": false, "payload.o <> payload.o": false, "payload.e == empty": true,
		"payload.list == payload.same": true, "payload.list == payload.o": false, "payload.o > payload.p": false, "payload.list >= payload.same": false,
		"payload.o == 'x'": false, "payload.n == payload.o": false, "payload.no == nil": false, "payload.nope == null": true, "payload.nope == false": false,
		"payload.long > 12": true, "payload.long < 12.4": true, "payload.long == payload.longer": false, "payload.long < payload.longer": true, "payload.long == payload.long": true,
		"payload.longer >= payload.long": true, "payload.id > payload.next": true, "payload.id == payload.next": false, "payload.id > 9007199254740992": true,
		"not payload.no": true, "not payload.n == 7": false, "not payload.nope and payload.yes": true, "payload.yes and not payload.no": true, "not not payload.yes": true,
		"payload.no or not (payload.yes and payload.n > 8)": true, "not payload.text contains '1'": false, "not payload.yes or payload.yes": true,
		"payload.text.size > 1 and payload.list.size <= 3": true, "payload.word == 'not' or payload.word == '<>'": false,
		"(payload.n > 6 and payload.n < 8) or payload.no": true, "payload.blank == blank and blank != payload.word": true,
	} {
		template := "{% if " + condition + " %}true{% else %}false{% endif %} {{ " + condition + " }}{% assign x = " + condition + " %} {{ x }}"
		got, err := newEngine().HTML(t.Context(), template, render.Vars{Payload: payload}.Bind())
		if assert.NoError(t, err, condition) {
			assert.Equal(t, map[bool]string{true: "true true true", false: "false false false"}[want], got, condition)
		}
		assert.Empty(t, newEngine().Analyze(template, workflow.TemplateScope{}), condition)
	}
}

// TestSortAcrossKinds: sort, where and the like compare as conditions do.
func TestSortAcrossKinds(t *testing.T) {
	t.Parallel()
	var payload map[string]any
	require.NoError(t, jsonnum.Unmarshal([]byte(`{"l":[12.34567890123456789, 3, "4", 12.3], "o":[{"k":{"a":1},"n":1},{"k":{"a":2},"n":2}],"k":{"a":2}}`), &payload))
	got, err := newEngine().Text(t.Context(), "{{ payload.l | sort | join }} {{ payload.o | where: 'k', payload.k | map: 'n' | join }}", render.Vars{Payload: payload}.Bind())
	require.NoError(t, err)
	require.Equal(t, "3 4 12.3 12.34567890123456789 2", got)
}
