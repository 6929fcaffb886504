package provider_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/provider"
)

// TestTransportRepeatsNothing: a request whose connection is lost may have arrived, so its outcome is unknown and it is not sent again
// behind the back of the attempt. The transport repeats some by itself: those by GET, and those that name a key of idempotency.
func TestTransportRepeatsNothing(t *testing.T) {
	t.Parallel()
	for name, r := range map[string]provider.Request{
		"GET":             {Method: http.MethodGet, Query: url.Values{"text": {"hi"}}},
		"POST":            {},
		"DELETE":          {Method: http.MethodDelete},
		"IdempotencyKey":  {Header: http.Header{"Idempotency-Key": {"m-1"}}, Body: provider.Raw{Data: []byte("x")}},
		"XIdempotencyKey": {Header: http.Header{"X-Idempotency-Key": {"m-1"}}, Body: provider.Raw{Data: []byte("x")}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var arrived atomic.Int32
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				if arrived.Add(1) == 1 {
					return
				}
				if len(r.TransferEncoding) != 0 {
					t.Error("a body of unknown length")
				}
				conn, _, err := w.(http.Hijacker).Hijack()
				if err == nil {
					_ = conn.Close()
				}
			}))
			t.Cleanup(server.Close)
			transport := &http.Transport{}
			t.Cleanup(transport.CloseIdleConnections)
			client := provider.Deps{Vendor: transport}.Client()
			r.URL = server.URL
			ans, err := client.Do(t.Context(), &r)
			require.NoError(t, err)
			require.True(t, ans.OK())
			_, err = client.Do(t.Context(), &r)
			require.Error(t, err)
			require.Equal(t, provider.Unknown, provider.AsError(err).Class)
			require.Equal(t, int32(2), arrived.Load())
		})
	}
}
