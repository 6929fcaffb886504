package main

import (
	"testing"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/go/packages"
)

const (
	workflowPackage  = "github.com/carillon/carillon/internal/workflow"
	conditionPackage = "github.com/carillon/carillon/internal/workflow/condition"
)

// newBinder binds a schema to the packages of workflows, the first of which are bound by their names alone.
func newBinder(t *testing.T, schema string, models config.TypeMap) binder {
	t.Helper()
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, workflowPackage, conditionPackage)
	require.NoError(t, err)
	if models == nil {
		models = config.TypeMap{}
	}
	return binder{
		cfg: &config.Config{
			Schema: gqlparser.MustLoadSchema(&ast.Source{Input: "type Query { x: Int }\n" + schema}), Models: models,
			AutoBind: []string{workflowPackage},
		},
		packages: loaded,
	}
}

func (b binder) bound(t *testing.T, name string) config.TypeMapEntry {
	t.Helper()
	definition := b.cfg.Schema.Types[name]
	b.bindModel(definition)
	require.NoError(t, b.bindValues(definition))
	b.bindFields(definition)
	return b.cfg.Models[name]
}

// TestModels: what a type binds to by its name, and what gqlgen.yml says goes before every rule.
func TestModels(t *testing.T) {
	t.Parallel()
	b := newBinder(t, `
		input TopicOrder { x: Int }  enum TopicOrderField { ID }
		type ConditionReasonNode { x: Int }
		input ButtonInput { label: String }  input Button2Input { x: Int }
		input SlugInput { x: Int }  type Nothing { x: Int }  input Given { x: Int }`,
		config.TypeMap{"Given": {Model: config.StringList{"a.B"}}})
	for name, want := range map[string]string{
		"TopicOrder":          orderType,
		"TopicOrderField":     columnType,
		"ConditionReasonNode": conditionPackage + ".ReasonNode",
		"ButtonInput":         workflowPackage + ".Button",
		"Button2Input":        "",
		"SlugInput":           "",
		"Nothing":             "",
		"Given":               "a.B",
	} {
		definition := b.cfg.Schema.Types[name]
		b.bindModel(definition)
		got := ""
		if model := b.cfg.Models[name].Model; len(model) > 0 {
			got = model[0]
		}
		require.Equal(t, want, got, name)
	}
}

// TestValues: a value is the constant that spells the same word, and a value without one is refused by name.
func TestValues(t *testing.T) {
	t.Parallel()
	b := newBinder(t, `
		enum DigestType { REGULAR BACKOFF TIMED }  enum EndpointType { SLACK_CHANNEL MS_TEAMS_USER }
		enum Severity { HIGH EXTREME }  enum Elsewhere { A }`, nil)
	require.Equal(t, map[string]config.EnumValue{
		"REGULAR": {Value: workflowPackage + ".DigestRegular"}, "BACKOFF": {Value: workflowPackage + ".DigestBackoff"},
		"TIMED": {Value: workflowPackage + ".DigestTimed"},
	}, b.bound(t, "DigestType").EnumValues)
	require.Equal(t, workflowPackage+".EndpointMSTeamsUser", b.bound(t, "EndpointType").EnumValues["MS_TEAMS_USER"].Value)
	require.Empty(t, b.bound(t, "Elsewhere").EnumValues, "a marshaler reads and writes it")
	require.ErrorContains(t, b.bindValues(b.cfg.Schema.Types["Severity"]), "has no constant for Severity.EXTREME")
}

// TestFields: a record shows its global id, and what may be without a value is read by the method that says so.
func TestFields(t *testing.T) {
	t.Parallel()
	b := newBinder(t, `
		type TraceEntry { stepId: String  reason: String  attempt: Int }
		type Record { id: ID  internalId: ID  name: String }
		type Plain { id: ID }`, config.TypeMap{"Record": {Fields: map[string]config.TypeMapField{"id": {FieldName: "Own"}}}})
	require.Equal(t, map[string]config.TypeMapField{
		"stepId": {FieldName: "StepIDOrNil"}, "attempt": {FieldName: "AttemptOrNil"},
	}, b.bound(t, "TraceEntry").Fields)
	require.Equal(t, map[string]config.TypeMapField{
		"id": {FieldName: "Own"}, "internalId": {FieldName: "ID"},
	}, b.bound(t, "Record").Fields, "what gqlgen.yml says stays")
	require.Empty(t, b.bound(t, "Plain").Fields)
}

// An input cannot be written to a method, so that only fields of the shared type are taken over.
func TestWrittenFields(t *testing.T) {
	t.Parallel()
	b := newBinder(t, "", nil)
	entry := b.find("TraceEntry")
	require.Equal(t, map[string]config.TypeMapField{"stepId": {FieldName: "StepID"}}, entry.written(map[string]config.TypeMapField{
		"stepId": {FieldName: "StepID"}, "attempt": {FieldName: "AttemptOrNil"}, "none": {FieldName: "None"}, "empty": {},
	}))
	require.Nil(t, b.find("NoSuchType").member("x"))
	require.Equal(t, conditionPackage+".StepFilter", b.find("condition.StepFilter").path())
	require.Nil(t, b.find("StepFilter").TypeName, "not a package of autobind")
	require.Equal(t, "NONCRITICAL2", letters("nonCritical_2"))
	require.Equal(t, letters("NON_CRITICAL_2"), letters("nonCritical2"))
}
