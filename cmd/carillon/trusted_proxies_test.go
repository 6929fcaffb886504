package main_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAddressesBehindAProxy: the audit shows the address that a trusted proxy names, up to the last hop that is none. Without
// the setting the headers count for nothing.
func TestAddressesBehindAProxy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ trusted, address string }{
		"Trusted": {"127.0.0.0/8", "198.51.100.7"},
		"Not":     {"", "127.0.0.1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			key := newKey()
			p := serveMigrated(t, key, "CARILLON_TRUSTED_PROXIES="+c.trusted)
			var answer struct {
				Data struct {
					AuditEntries struct{ Nodes []struct{ Address string } }
				}
			}
			for _, query := range []string{
				`mutation { createTopic(input: {key: "news"}) { topic { id } } }`,
				`{ auditEntries(filter: {recordTypeIn: ["Topic"]}) { nodes { address } } }`,
			} {
				r, err := http.NewRequestWithContext(within(t, time.Minute), http.MethodPost, p.URL()+"/graphql", strings.NewReader(fmt.Sprintf(`{"query":%q}`, query)))
				require.NoError(t, err)
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Authorization", "ApiKey "+key)
				r.Header.Set("X-Forwarded-For", "192.0.2.1, 198.51.100.7")
				response, err := http.DefaultClient.Do(r)
				require.NoError(t, err)
				require.NoError(t, json.NewDecoder(response.Body).Decode(&answer))
				require.NoError(t, response.Body.Close())
			}
			require.Len(t, answer.Data.AuditEntries.Nodes, 1)
			require.Equal(t, c.address, answer.Data.AuditEntries.Nodes[0].Address)
		})
	}
}
