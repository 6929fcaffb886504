package usecase_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

// A subscriber's credential meets only needs of calls on its own behalf, and stays a subscriber's while it calls.
func TestSubscribersMeetOnlyTheirOwnNeeds(t *testing.T) {
	t.Parallel()
	scope := "app:web"
	free := viewer.Viewer{Role: viewer.RoleSubscriber, SubscriberID: "s", ExternalID: "u1"}
	bound := free
	bound.ContextScope = &scope
	for name, c := range map[string]struct {
		v    viewer.Viewer
		need usecase.Need
		met  bool
	}{
		"nobody's call":            {free, usecase.ReadAudience, false},
		"a call that names nobody": {free, usecase.WriteAudience.OrSelf(nil), false},
		"its own":                  {free, usecase.WriteAudience.OrSelf(nil, " u1 "), true},
		"its own, in any context":  {free, usecase.ReadAudience.OrSelf([]string{"app:ios"}, "u1"), true},
		"another's":                {free, usecase.ReadAudience.OrSelf(nil, "u2"), false},
		"its own and another's":    {free, usecase.ReadAudience.OrSelf(nil, "u1", "u2"), false},
		"no subscriber named":      {free, usecase.ReadAudience.OrSelf(nil, "u1", ""), false},
		"bound, in its context":    {bound, usecase.ReadAudience.OrSelf([]string{"app:web"}, "u1"), true},
		"bound, in another":        {bound, usecase.ReadAudience.OrSelf([]string{"app:ios"}, "u1"), false},
		"bound, in none":           {bound, usecase.ReadAudience.OrSelf([]string{}, "u1"), false},
		"bound, no context named":  {bound, usecase.ReadAudience.OrSelf(nil, "u1"), true},
		"a member":                 {viewer.Viewer{Role: viewer.RoleEditor, UserID: "m"}, usecase.WriteAudience.OrSelf(nil, "u2"), true},
		"a member of a lower role": {viewer.Viewer{Role: viewer.RoleViewer, UserID: "m"}, usecase.WriteAudience.OrSelf(nil, "u2"), false},
	} {
		got, err := usecase.Require(viewer.NewContext(t.Context(), c.v), c.need)
		require.Equal(t, c.v.Role, got.Role, name)
		if c.met {
			require.NoError(t, err, name)
		} else {
			require.Equal(t, fault.Forbidden, fault.KindOf(err), name)
		}
	}
	_, err := usecase.Require(t.Context(), usecase.ReadAudience.OrSelf(nil, "u1"))
	require.Equal(t, fault.Unauthenticated, fault.KindOf(err))
}
