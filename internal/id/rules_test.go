package id_test

import (
	"encoding/base64"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/id"
)

// TestConcurrentBatches: each ascends, and no id is made twice.
func TestConcurrentBatches(t *testing.T) {
	t.Parallel()
	at := time.Now().Truncate(time.Second).Add(time.Second - time.Microsecond) // the microseconds carry into the seconds
	batches := make([][]id.ID, 8)
	var all sync.WaitGroup
	for i := range batches {
		all.Go(func() { batches[i] = id.Batch(at, 500) })
	}
	all.Wait()
	var together []id.ID
	for _, batch := range batches {
		require.Len(t, batch, 500)
		require.True(t, slices.IsSorted(batch))
		require.GreaterOrEqual(t, batch[0], id.Floor(at))
		together = append(together, batch...)
	}
	slices.Sort(together)
	require.Len(t, slices.Compact(together), 4000)
}

// TestCodes of known identifiers, and texts that are no code of one.
func TestCodes(t *testing.T) {
	t.Parallel()
	for record, code := range map[id.ID]string{
		"000000000000000000000000": "0", "00000000000000000000000a": "A", "00000000000000000000003d": "z",
		"00000000000000000000003e": "10", "0000000000000000ffffffff": "4gfFC3", "ffffffffffffffffffffffff": "1f2SI9UJPXvb7vdJ1",
	} {
		require.Equal(t, code, id.Code(record))
		back, ok := id.ParseCode(code)
		require.True(t, ok, code)
		require.Equal(t, record, back)
	}
	require.Equal(t, "A", id.Code("00000000000000000000000A"), "in either case")
	require.Empty(t, id.Code("no identifier"))
	for _, wrong := range []string{"", "-1", "a b", "ä", "zzzzzzzzzzzzzzzzz", "1f2SI9UJPXvb7vdJ2", strings.Repeat("0", 18)} {
		_, ok := id.ParseCode(wrong)
		require.False(t, ok, wrong)
	}
}

func TestValid(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"65f1a0b1c2d3e4f5a6b7c8d9": true, "65F1A0B1C2D3E4F5A6B7C8D9": true, "": false, "65f1a0b1c2d3e4f5a6b7c8d": false,
		"65f1a0b1c2d3e4f5a6b7c8d9a": false, "65f1a0b1c2d3e4f5a6b7c8dg": false, "65f1a0b1c2d3e4f5a6b7c8d\n": false, "65f1a0b1c2d3e4f5a6b7c8d9\n": false,
	} {
		require.Equal(t, want, id.Valid(text), "%q", text)
		require.Equal(t, !want, id.Time(text).IsZero(), "%q", text)
	}
}

// TestGlobalIDs: padding is tolerated, anything else that Global does not make is refused.
func TestGlobalIDs(t *testing.T) {
	t.Parallel()
	const record = "65f1a0b1c2d3e4f5a6b7c8d9"
	encode := base64.URLEncoding.EncodeToString
	for global, want := range map[string]bool{
		id.Global("Topic", record): true, encode([]byte("Topic:" + record)): true, encode([]byte("Topic:" + strings.ToUpper(record))): true,
		encode([]byte(":" + record)): false, encode([]byte(record)): false, encode([]byte("Topic:")): false,
		encode([]byte("Topic:more:" + record)): false, "": false, "=": false, "VG9w aWM6": false, record: false,
	} {
		typ, got, ok := id.ParseGlobal(global)
		require.Equal(t, want, ok, global)
		if want {
			require.Equal(t, []string{"Topic", record}, []string{typ, strings.ToLower(got)})
		}
	}
	require.NotContains(t, id.Global("T?>", record), "=", "no padding, and no sign that a URL escapes")
	require.NotContains(t, id.Global("T?>", record), "/")
}

// TestSlugsOfAnyName: the last mark of the kind counts, whatever the name holds.
func TestSlugsOfAnyName(t *testing.T) {
	t.Parallel()
	const record = "00000000000000000000003e"
	for name, slug := range map[string]string{
		"": "_wf_10", "Order": "order_wf_10", "--a  b--": "a-b_wf_10", "Größe": "gr-e_wf_10", "wf_wf_1": "wf-wf-1_wf_10", "日本": "_wf_10",
	} {
		require.Equal(t, slug, id.Slug(name, "wf", record), name)
	}
	for slug, want := range map[string]bool{
		"renamed_wf_10": true, "a_wf_!_wf_10": true, "_wf_10": true, "wf_10": false, "a_WF_10": false, "a_st_10": false, "a_wf_10_": false,
	} {
		got, ok := id.ParseSlug(slug, "wf")
		require.Equal(t, want, ok, slug)
		if want {
			require.Equal(t, record, got, slug)
		}
	}
}
