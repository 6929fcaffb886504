package run

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgrun"
)

// TestKnownPeopleAreBounded: those who were asked for least lately go first, by what they take, and what is counted is what is kept.
func TestKnownPeopleAreBounded(t *testing.T) {
	t.Parallel()
	k := newKnown()
	of := func(i int, data string) (pgrun.PersonKey, *knownPerson) {
		r := person(fmt.Sprint("u", i))
		r.Data = []byte(data)
		key := pgrun.PersonKey{EnvironmentID: "env", SubscriberID: r.SubscriberID}
		return key, newKnownPerson(&r.SubscriberRow, &pgrun.PersonPrint{PersonKey: key, Print: "p"}, &pgrun.Personal{})
	}
	counted := func() (bytes int64) {
		for _, p := range k.people.Values() {
			bytes += p.bytes()
		}
		return bytes
	}
	heavy := `{"a": "` + strings.Repeat("x", 900) + `"}`
	var adding sync.WaitGroup
	for worker := range 4 {
		adding.Go(func() {
			for i := range 3_000 {
				k.keep(of(i%1_000+worker*500, heavy)) // several keep the same
			}
		})
	}
	adding.Wait()
	require.Equal(t, counted(), k.bytes.Load())
	require.LessOrEqual(t, k.bytes.Load(), int64(maxPeopleBytes))
	require.Greater(t, k.people.Len(), 1_000)
	for i := range knownPeople + 10 {
		k.keep(of(i, ""))
	}
	key, _ := of(knownPeople+9, "")
	require.True(t, k.people.Contains(key))
	key, _ = of(0, "")
	require.False(t, k.people.Contains(key))
	require.Equal(t, counted(), k.bytes.Load())
	k.keep(key, nil)
	k.people.Purge()
	require.Zero(t, k.bytes.Load())
}
