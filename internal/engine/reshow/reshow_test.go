package reshow

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pginbox"
)

// TestChanges: a message that was deleted meanwhile changes no inbox.
func TestChanges(t *testing.T) {
	t.Parallel()
	kept := &pginbox.InboxMessage{ID: "1", Read: true}
	gone := Message{StepKey: pginbox.StepKey{StepID: "gone"}}
	l := Messages{gone, {StepKey: pginbox.StepKey{StepID: "bell"}, Before: kept, After: pginbox.InboxMessage{ID: "1"}}}
	changes := l.Changes()
	require.Len(t, changes, 1)
	require.Same(t, kept, changes[0].Before)
	require.Same(t, &l[1].After, changes[0].After)
	require.NoError(t, Messages{gone}.Store(t.Context(), nil, nil, nil), "nothing is written")
	require.NoError(t, Messages{}.Lock(t.Context(), nil), "nothing is read")
}
