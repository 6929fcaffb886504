package admission_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/viewer"
)

func TestSeatsAreShared(t *testing.T) {
	t.Parallel()
	seats := admission.NewSeats(1600)
	flood := func(take func() (*admission.Seat, error)) (taken []*admission.Seat) {
		for range 2000 {
			seat, err := take()
			if err != nil {
				require.Equal(t, fault.Unavailable, fault.KindOf(err))
				break
			}
			taken = append(taken, seat)
		}
		return taken
	}
	of := func(environment, subscriber string) func() (*admission.Seat, error) {
		return func() (*admission.Seat, error) {
			return seats.Viewer(viewer.Viewer{Scope: viewer.Scope{EnvironmentID: environment}, SubscriberID: subscriber})
		}
	}
	one := flood(func() (*admission.Seat, error) { return seats.Stranger("192.0.2.1") })
	require.Len(t, one, 100, "of one address")
	n := 0
	strangers := flood(func() (*admission.Seat, error) { n++; return seats.Stranger(fmt.Sprintf("192.0.2.1%d", n)) })
	require.Len(t, strangers, 300, "with the one address a quarter")
	ada := flood(of("a", "ada"))
	require.Len(t, ada, 200, "of one subscriber")
	require.Len(t, flood(of("a", "")), 600, "with the subscriber's, half of all")
	last := flood(of("b", ""))
	require.Len(t, last, 400, "what is left")
	require.Equal(t, 1600, seats.Taken())
	last[0].Leave()
	last[0].Leave() // twice is once
	require.Equal(t, 1599, seats.Taken())
	for _, seat := range one {
		seat.Leave()
	}
	_, err := seats.Stranger("192.0.2.1")
	require.NoError(t, err)

	for _, seat := range strangers {
		seat.Leave()
	}
	n = 0
	many := flood(func() (*admission.Seat, error) { n++; return seats.Stranger(fmt.Sprintf("2001:db8:1:%x::1", n)) })
	require.Len(t, many, 100, "of one network of IPv6, whose addresses one caller has")

	var none *admission.Seats
	seat, err := none.Stranger("192.0.2.1")
	require.NoError(t, err)
	seat.Leave()
}
