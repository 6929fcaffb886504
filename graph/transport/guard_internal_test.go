package transport

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGuardCountsGenerations: a credential that was read before a change of keys and tokens is checked again, one that was
// read after it is not, and the other environments' connections are left alone.
func TestGuardCountsGenerations(t *testing.T) {
	t.Parallel()
	g := newGuard(nil, nil, nil)
	g.sessions["env"], g.sessions["other"] = map[*session]struct{}{}, map[*session]struct{}{}
	first, second, foreign := &session{header: "1"}, &session{header: "2"}, &session{header: "3"}

	since := g.current()
	require.False(t, g.add("env", first, since), "no change since the credential was read")
	require.False(t, g.add("other", foreign, since))
	require.Equal(t, []*session{first}, g.present("env"))
	require.True(t, g.add("env", second, since), "keys changed between the reading and the adding")
	require.False(t, g.add("env", second, g.current()))
	require.ElementsMatch(t, []*session{first, second}, g.present("env"))
	require.Equal(t, []*session{foreign}, g.present("other"))
}

// TestGuardEndsWithItsLastConnection: an environment is guarded while it has connections, and the next one begins anew.
func TestGuardEndsWithItsLastConnection(t *testing.T) {
	t.Parallel()
	g := newGuard(nil, nil, nil)
	g.sessions["env"] = map[*session]struct{}{}
	s := &session{}
	g.add("env", s, g.current())
	require.NotNil(t, g.present("env"))
	g.remove("env", s)
	g.remove("env", s)
	require.Contains(t, g.sessions, "env", "the goroutine that guards it ends it")
	before := g.current()
	require.Nil(t, g.present("env"))
	require.NotContains(t, g.sessions, "env")
	require.Equal(t, before+1, g.current(), "who is added meanwhile is checked")
	g.remove("env", s)
	require.Nil(t, g.present("never"))
}
