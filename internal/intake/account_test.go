package intake_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/viewer"
)

// within runs fn inside a request that a meter holds to its bounds.
func within(t *testing.T, m *intake.Meter, body string, fn func(r *http.Request)) {
	t.Helper()
	ran := false
	m.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		ran = true
		fn(r)
	})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body)))
	require.True(t, ran)
}

// TestMessages: a message of a connection is held until its account is closed, and counts for its environment.
func TestMessages(t *testing.T) {
	t.Parallel()
	m := intake.New(intake.Config{Memory: 1000})
	within(t, m, "", func(r *http.Request) {
		held := intake.NewAccount(r.Context(), "e")
		text, err := held.ReadMessage(strings.NewReader(strings.Repeat("x", 400)), 1000)
		require.NoError(t, err)
		require.Len(t, text, 400)
		require.EqualValues(t, 400, m.Held())

		other := intake.NewAccount(r.Context(), "e")
		_, err = other.ReadMessage(strings.NewReader(strings.Repeat("x", 101)), 1000)
		require.Equal(t, fault.Unavailable, fault.KindOf(err), "an environment has half of the memory")
		require.EqualValues(t, 400, m.Held(), "nothing is kept of what was refused")
		third := intake.NewAccount(r.Context(), "another")
		_, err = third.ReadMessage(strings.NewReader(strings.Repeat("x", 101)), 1000)
		require.NoError(t, err)
		held.Close()
		held.Close()
		third.Close()
		require.Zero(t, m.Held(), "given back once")
		_, err = held.ReadMessage(strings.NewReader("x"), 1000)
		require.Equal(t, fault.Unavailable, fault.KindOf(err), "a closed account holds nothing more")
	})
}

// TestMessageBounds: what is too long, or ends early, is said as it is of a body.
func TestMessageBounds(t *testing.T) {
	t.Parallel()
	m := intake.New(intake.Config{})
	held := m.Stranger("192.0.2.1")
	t.Cleanup(held.Close)
	_, err := held.ReadMessage(strings.NewReader("12345"), 4)
	require.Equal(t, fault.TooLarge, fault.KindOf(err))
	text, err := held.ReadMessage(strings.NewReader("1234"), 4)
	require.NoError(t, err)
	require.Equal(t, "1234", string(text))
	_, err = held.ReadMessage(iotest.ErrReader(io.ErrUnexpectedEOF), 4)
	require.Equal(t, fault.BadRequest, fault.KindOf(err))
	require.EqualValues(t, 4, m.Held())
}

// Without a meter nothing is bounded but the length: tests and tools have none.
func TestNoMeter(t *testing.T) {
	t.Parallel()
	require.Nil(t, intake.NewAccount(context.Background(), "e"))
	var none *intake.Account
	text, err := none.ReadMessage(strings.NewReader("x"), 1)
	require.NoError(t, err)
	require.Equal(t, "x", string(text))
	require.NoError(t, none.ReserveJSON([]byte(`[`+strings.Repeat("1,", 50_000)+`1]`)))
	none.Close()
	intake.Own(context.Background(), "e")
}

// TestReserveJSON: what a body becomes counts, not what it was sent as, and commas in texts are no values.
func TestReserveJSON(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		body string
		held int64 // beside the body
		kind fault.Kind
	}{
		"Small":       {`[` + strings.Repeat("1,", 1000) + `1]`, 0, 0},
		"Numbers":     {`[` + strings.Repeat("1,", 40_000) + `1]`, 40_002 * 48, 0},
		"OneText":     {`["` + strings.Repeat(",", 80_000) + `"]`, 2 * 48, 0},
		"EscapedEnd":  {`["` + strings.Repeat(`\"`, 40_000) + `,,"]`, 2 * 48, 0},
		"TooMany":     {`[` + strings.Repeat("1,", 2_000_001) + `1]`, 0, fault.TooLarge},
		"Objects":     {`[` + strings.Repeat(`{"a":1},`, 20_000) + `1]`, 60_002 * 48, 0},
		"NoRoomForIt": {`[` + strings.Repeat("1,", 1_500_000) + `1]`, 0, fault.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m := intake.New(intake.Config{Memory: 64 << 20})
			within(t, m, c.body, func(r *http.Request) {
				intake.Own(r.Context(), "e")
				body, err := intake.ReadAll(r, 64<<20)
				require.NoError(t, err)
				before := m.Held()
				err = intake.ReserveJSON(r, body)
				if c.kind != 0 {
					require.Equal(t, c.kind, fault.KindOf(err))
					return
				}
				require.NoError(t, err)
				require.Equal(t, c.held, m.Held()-before)
			})
			require.Zero(t, m.Held(), "all of it ends with the request")
		})
	}
}

// TestOwn: what a stranger's request holds is the environment's from the moment that its credential is known.
func TestOwn(t *testing.T) {
	t.Parallel()
	m := intake.New(intake.Config{Memory: 1000})
	within(t, m, strings.Repeat("x", 250), func(r *http.Request) {
		_, err := intake.ReadAll(r, 1000)
		require.NoError(t, err)
		within(t, m, "x", func(second *http.Request) {
			_, err := intake.ReadAll(second, 1000)
			require.Equal(t, fault.Unavailable, fault.KindOf(err), "strangers share a quarter")
			intake.Own(r.Context(), "e")
			within(t, m, "x", func(third *http.Request) {
				_, err := intake.ReadAll(third, 1000)
				require.NoError(t, err)
			})
		})
		require.EqualValues(t, 250, m.Held())
	})
	require.Zero(t, m.Held())
}

// TestCallersShareStrangersMemory: one caller who shows no credential leaves room for others, whatever address of its network it uses.
func TestCallersShareStrangersMemory(t *testing.T) {
	t.Parallel()
	m := intake.New(intake.Config{Memory: 256 << 20})
	send := func(address string, size int64) error {
		held := m.Stranger(address)
		t.Cleanup(held.Close)
		_, err := held.ReadMessage(io.LimitReader(zeros{}, size), size)
		return err
	}
	for _, address := range []string{"2001:db8:1::1", "2001:db8:1::2", "2001:db8:1:2::3", "2001:db8:1:3::4"} {
		require.NoError(t, send(address, 4<<20))
	}
	require.Equal(t, fault.Unavailable, fault.KindOf(send("2001:db8:1:4::5", 1)), "a caller has a quarter of what strangers have")
	require.EqualValues(t, 16<<20, m.Held())
	require.NoError(t, send("2001:db8:2::1", 4<<20))
	require.NoError(t, send("192.0.2.1", 16<<20))
	require.NoError(t, send("192.0.2.2", 16<<20))
	require.Equal(t, fault.Unavailable, fault.KindOf(send("192.0.2.3", 12<<20+1)), "all strangers have a quarter")
	within(t, m, "x", func(r *http.Request) {
		intake.Own(r.Context(), "e")
		_, err := intake.ReadAll(r, 1)
		require.NoError(t, err, "who has shown a credential is none of them")
	})

	small := intake.New(intake.Config{Memory: 64 << 20}).Stranger("192.0.2.1")
	t.Cleanup(small.Close)
	_, err := small.ReadMessage(io.LimitReader(zeros{}, 10<<20), 10<<20)
	require.NoError(t, err, "a small memory has room for a whole mail")
}

// TestAnswersShareMemory: answers hold memory of their own; what is alone has room, whatever its size.
func TestAnswersShareMemory(t *testing.T) {
	t.Parallel()
	m := intake.New(intake.Config{Memory: 1 << 20})
	answering := func(address, environment string, sizes ...int) (last error) {
		m.Handler(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			intake.Own(r.Context(), environment)
			held := intake.NewAccount(r.Context(), environment)
			t.Cleanup(held.Close)
			for _, size := range sizes {
				last = held.Answer(size)
			}
		})).ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/", nil).WithContext(viewer.WithAddress(t.Context(), address)))
		return last
	}
	require.NoError(t, answering("192.0.2.1", "e", 200<<10))
	require.Equal(t, fault.Unavailable, fault.KindOf(answering("192.0.2.1", "e", 1)), "a caller has a quarter of its environment's")
	require.NoError(t, answering("192.0.2.1", "another", 100<<10))
	require.NoError(t, answering("192.0.2.2", "e", 300<<10))
	require.Equal(t, fault.Unavailable, fault.KindOf(answering("192.0.2.3", "e", 13<<10)), "an environment has half")
	require.NoError(t, answering("192.0.2.3", "", 60<<10))
	require.Equal(t, fault.Unavailable, fault.KindOf(answering("192.0.2.3", "", 5<<10)), "a stranger has a quarter of a quarter")
	require.Zero(t, m.Held(), "bodies have theirs")

	for range 2 {
		within(t, m, "", func(r *http.Request) {
			require.NoError(t, intake.Answer(r.Context(), 100<<10), "given back with the request")
		})
	}
	require.NoError(t, intake.Answer(context.Background(), 1), "without a meter nothing is bounded")
}

// zeros are bytes without end.
type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

// The rest of a refused body is read, so that its sender reads the answer.
func TestDiscard(t *testing.T) {
	t.Parallel()
	within(t, intake.New(intake.Config{}), strings.Repeat("x", 100_000), func(r *http.Request) {
		_, err := intake.ReadAll(r, 10)
		require.Equal(t, fault.TooLarge, fault.KindOf(err))
		intake.Discard(r)
		n, err := io.Copy(io.Discard, r.Body)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// TestNestedTooDeep tells nesting from other faults of a JSON text.
func TestNestedTooDeep(t *testing.T) {
	t.Parallel()
	var v any
	err := json.Unmarshal([]byte(strings.Repeat("[", 10_001)+strings.Repeat("]", 10_001)), &v)
	require.Equal(t, fault.Invalid, fault.KindOf(intake.NestedTooDeep(err)))
	require.ErrorContains(t, intake.NestedTooDeep(err), "10000 levels")
	require.NoError(t, intake.NestedTooDeep(json.Unmarshal([]byte("["), &v)))
	require.NoError(t, intake.NestedTooDeep(io.EOF))
}
