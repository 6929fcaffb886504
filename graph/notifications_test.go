package graph_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// TestNotificationsByProviderMessageID: what a vendor calls a message finds its notification, in its own environment only.
func TestNotificationsByProviderMessageID(t *testing.T) {
	t.Parallel()
	b := setup(t)
	mine, other := pgtest.Fill(t, b.db, ""), pgtest.Fill(t, b.db, "")
	for _, rows := range []pgtest.Rows{mine, other} {
		_, err := b.db.Pool.Exec(t.Context(), `UPDATE attempts SET provider_message_id = 'vendor-1', message_id = $2, integration_id = $3 WHERE id = $1`,
			rows.IDs["attempts"], rows.IDs["messages"], rows.IDs["integrations"])
		require.NoError(t, err)
		_, err = b.db.Pool.Exec(t.Context(), `UPDATE messages SET notification_id = $2, provider_message_id = 'vendor-1' WHERE id = $1`, rows.IDs["messages"], rows.IDs["notifications"])
		require.NoError(t, err)
	}
	for id, want := range map[string][]string{"vendor-1": {mine.IDs["notifications"]}, "vendor-2": {}} {
		page, err := b.services.Notifications.List(viewer.InScope(t.Context(), mine.Scope), usecase.Page{}, nil, &activity.NotificationFilter{ProviderMessageID: &id})
		require.NoError(t, err)
		got := []string{}
		for _, n := range page.Nodes() {
			got = append(got, n.ID)
		}
		require.Equal(t, want, got, id)
	}
}
