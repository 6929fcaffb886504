package usecase_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// TestOddCursors gives lists cursors that no list made: they are refused as such, and never reach the database.
func TestOddCursors(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	a.MakeSubscribers(t, 1)
	id := strings.Repeat("a", 24)
	for _, cursor := range []string{
		"\x00", "\xff", "x", id + "0", id[1:], "id\x00" + id + "\x00", packedCursor("id", id[1:], ""), packedCursor("name", id, ""),
		packedCursor("created_at", id, "x"), packedCursor("created_at", id, "9223372036854775807"), packedCursor("created_at", id, "-9223372036854775808"),
		packedCursor("created_at", id, "1\x00"), packedCursor("created_at", id, "\xff"),
	} {
		for _, page := range []usecase.Page{{After: &cursor}, {Before: &cursor}} {
			_, err := a.Subscribers.List(a.Ctx, page, &usecase.Order{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderDesc}, nil)
			var refusal *fault.Error
			require.ErrorAs(t, err, &refusal, "%q", cursor)
			require.Equal(t, "INVALID_CURSOR", refusal.Code, "%q", cursor)
		}
	}
	upper := packedCursor("created_at", strings.ToUpper(id), "1")
	list, err := a.Subscribers.List(a.Ctx, usecase.Page{After: &upper}, &usecase.Order{Field: usecase.ColumnCreatedAt, Direction: usecase.OrderAsc}, nil)
	require.NoError(t, err)
	require.Len(t, list.Edges, 1)
}

func packedCursor(parts ...string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(strings.Join(parts, "\x00")))
}
