package intake

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
)

func TestDecodedValuesCount(t *testing.T) {
	t.Parallel()
	require.Equal(t, 1, values([]byte(`"a,[{:\"," `)))
	require.Equal(t, 7, values([]byte(`{"a":[1,2],"b":3}`)), "the names that follow a comma count as well")
	m := New(Config{Memory: 32 << 20})
	a := &Account{meter: m, holder: holder{environment: "a"}}
	require.NoError(t, a.ReserveJSON([]byte("["+strings.Repeat("0,", 40_000)+"0]")))
	require.EqualValues(t, 48*40_002, m.Held())
	require.NoError(t, a.ReserveJSON([]byte(`"`+strings.Repeat(",", 1<<20)+`"`)), "a long text is one value")
	require.Equal(t, fault.Unavailable, fault.KindOf(a.ReserveJSON([]byte("["+strings.Repeat("0,", 400_000)+"0]"))))
	require.Equal(t, fault.TooLarge, fault.KindOf(a.ReserveJSON([]byte("["+strings.Repeat("0,", maxValues)+"0]"))))
	a.Close()
	require.Zero(t, m.Held())
}
