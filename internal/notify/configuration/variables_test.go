package configuration_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/configuration"
	"github.com/carillon/carillon/internal/notify/notifytest"
)

func ofVariables(section map[string]any) configuration.Input {
	return configuration.Input{Document: map[string]any{"variables": section}, Prune: notifytest.Yes()}
}

// TestVariablesOfADocument holds that plain variables are applied, and that secret ones are named only.
func TestVariablesOfADocument(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.Variables.Create(a.Ctx, authoring.CreateVariableInput{Name: "KEY", Value: "very-secret", Secret: notifytest.Yes()})
	require.NoError(t, err)
	wanted := map[string]any{"SHOP": map[string]any{"value": "x"}, "KEY": map[string]any{"secret": true}}
	plan, err := a.Configurations.Apply(a.Ctx, ofVariables(wanted))
	require.NoError(t, err)
	require.Equal(t, []string{"CREATE VARIABLE SHOP"}, did(plan.Changes))
	read, err := a.Configurations.Read(a.Ctx, []configuration.Kind{configuration.KindVariable})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"variables": wanted}, read.Document)

	plan, err = a.Configurations.Apply(a.Ctx, ofVariables(map[string]any{"SHOP": map[string]any{"value": "y"}}))
	require.NoError(t, err)
	require.Equal(t, []string{"UPDATE VARIABLE SHOP"}, did(plan.Changes), "KEY stays, although it is not in the document")

	for path, section := range map[string]map[string]any{
		"document.variables.NEW.secret":  {"NEW": map[string]any{"secret": true}},
		"document.variables.SHOP.secret": {"SHOP": map[string]any{"secret": true}},
		"document.variables.KEY.value":   {"KEY": map[string]any{"secret": true, "value": "x"}},
		"document.variables.1ST.name":    {"1ST": map[string]any{"value": "x"}},
	} {
		require.Equal(t, []string{path}, notifytest.Paths(t, notifytest.Err(a.Configurations.Apply(a.Ctx, ofVariables(section)))))
	}
}

// TestPromotionNeedsVariables holds that a promotion takes no variable over, and is refused when the target lacks one.
func TestPromotionNeedsVariables(t *testing.T) {
	t.Parallel()
	a, source, target, from := twoEnvironments(t)
	_, err := a.Variables.Create(source, authoring.CreateVariableInput{Name: "SHOP", Value: "development"})
	require.NoError(t, err)
	edit(t, a, source, "{{ env.SHOP }} sends", true)

	_, err = a.Promotions.Promote(target, from)
	notifytest.RequireKind(t, fault.Invalid, err)
	require.ErrorContains(t, err, "workflow order-shipped needs the variable SHOP")
	_, err = a.Promotions.Plan(target, from)
	require.ErrorContains(t, err, "workflow order-shipped needs the variable SHOP", "a plan finds it too")

	_, err = a.Variables.Create(target, authoring.CreateVariableInput{Name: "SHOP", Value: "live"})
	require.NoError(t, err)
	_, err = a.Promotions.Promote(target, from)
	require.NoError(t, err)
	there, err := a.Variables.ByName(target, "SHOP")
	require.NoError(t, err)
	require.Equal(t, "live", *there.Value)

	from.Parts = part(configuration.KindVariable, "SHOP")
	require.Equal(t, []string{"parts"}, notifytest.Paths(t, notifytest.Err(a.Promotions.Promote(target, from))))
}
