package rest_test

import (
	"fmt"
	"net/http"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// list is a page of channel endpoints.
type list struct {
	identifiers    []string
	next, previous string // "" for null
}

func (b *bundle) list(t *testing.T, query string) (page list) {
	t.Helper()
	w := b.ask(http.MethodGet, "/v1/channel-endpoints?"+query, "")
	require.Equal(t, http.StatusOK, w.Code, w.Body)
	body := decoded(t, w).(map[string]any)      //nolint:forcetypeassert // an object
	for _, item := range body["data"].([]any) { //nolint:forcetypeassert // a list
		page.identifiers = append(page.identifiers, item.(map[string]any)["identifier"].(string)) //nolint:forcetypeassert // an endpoint
	}
	page.next, _ = body["next"].(string)
	page.previous, _ = body["previous"].(string)
	return page
}

// TestWalks goes through a list from its front to its end and back, in every order and in pages of several sizes: all
// records come, each once, always in the same order, and the cursors are null exactly at the ends.
func TestWalks(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	ctx := viewer.InScope(t.Context(), b.scope)
	_, err := b.db.Ent.ChannelEndpoint.Delete().Exec(ctx)
	require.NoError(t, err)
	const n = 23
	for i := range n { // several at each moment, and changed in another order than made
		require.NoError(t, b.db.Ent.ChannelEndpoint.Create().SetID(fixed(0x100+i)).SetIdentifier(fmt.Sprintf("e%02d", i)).
			SetSubscriberID(fixed(0x101)).SetSubscriberExternalID(fmt.Sprint("u", i%2)).SetIntegrationID(fixed(0x505)).
			SetType(workflow.EndpointSlackUser).SetEndpoint(workflow.EndpointData{UserID: "U"}).SetContextKeys(workflow.ContextSet{}).
			SetCreatedAt(hours(i/4)).SetUpdatedAt(hours(i*7%n/3)).Exec(ctx))
	}
	for _, order := range []string{"createdAt", "updatedAt", "_id"} {
		for _, direction := range []string{"ASC", "DESC"} {
			sorted := b.list(t, fmt.Sprintf("orderBy=%s&orderDirection=%s&limit=100", order, direction))
			require.Len(t, slices.Compact(slices.Sorted(slices.Values(sorted.identifiers))), n)
			require.Empty(t, sorted.next+sorted.previous)
			for _, size := range []int{1, 5, n - 1, n} {
				query := fmt.Sprintf("orderBy=%s&orderDirection=%s&limit=%d", order, direction, size)
				page := b.list(t, query)
				seen := page.identifiers
				require.Empty(t, page.previous)
				for page.next != "" {
					require.Len(t, page.identifiers, size)
					page = b.list(t, query+"&after="+page.next)
					seen = append(seen, page.identifiers...)
					require.NotEmpty(t, page.previous)
				}
				require.Equal(t, sorted.identifiers, seen, query)
				back := page.identifiers
				for page.previous != "" {
					page = b.list(t, query+"&before="+page.previous)
					back = append(slices.Clone(page.identifiers), back...)
					require.NotEmpty(t, page.next)
				}
				require.Equal(t, sorted.identifiers, back, query)
			}
			b.around(t, fmt.Sprintf("orderBy=%s&orderDirection=%s&limit=3&", order, direction), sorted.identifiers)
		}
	}
}

// around holds the pages next to one record: the record itself may be part of them, and may lie outside the filters.
func (b *bundle) around(t *testing.T, query string, sorted []string) {
	t.Helper()
	i, cursor := slices.Index(sorted, "e11"), fixed(0x100+11)
	require.Equal(t, sorted[i+1:min(i+4, len(sorted))], b.list(t, query+"after="+cursor).identifiers)
	require.Equal(t, sorted[i:min(i+3, len(sorted))], b.list(t, query+"after="+cursor+"&includeCursor=true").identifiers)
	require.Equal(t, sorted[max(i-3, 0):i], b.list(t, query+"before="+cursor).identifiers)
	require.Equal(t, sorted[max(i-2, 0):i+1], b.list(t, query+"before="+cursor+"&includeCursor=true").identifiers)
	others := slices.DeleteFunc(slices.Clone(sorted[i+1:]), func(identifier string) bool { return identifier[2]%2 == 1 })
	require.Equal(t, others[:min(3, len(others))], b.list(t, query+"subscriberId=u0&includeCursor=true&after="+cursor).identifiers)
}
