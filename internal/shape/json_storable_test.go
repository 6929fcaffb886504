package shape_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/shape"
)

// TestStorableJSON holds which JSON is kept as it is, which is mended, and which is refused.
func TestStorableJSON(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for raw, want := range map[string]string{ // "": refused
		`{"a":"b\"c"}`:                 `{"a":"b\"c"}`,
		`"\u00e4"`:                     `"\u00e4"`,
		`"\ud83d\ude00"`:               `"\ud83d\ude00"`,
		`"\ud83d"`:                     `"` + "\ufffd" + `"`,
		`"\ude00x"`:                    `"` + "\ufffd" + `x"`,
		`"\ud83d\u0041"`:               `"` + "\ufffd" + `A"`,
		`["\ud83d\ud83d\ude00",1.50]`:  `["` + "\ufffd😀" + `",1.50]`,
		`"\u0000"`:                     "",
		`{"\u0000":1}`:                 "",
		`"\\u0000"`:                    `"\\u0000"`,
		`1e308`:                        `1e308`,
		`1e309`:                        "",
		`-1e309`:                       "",
		`1e-1000`:                      `1e-1000`,
		`1e-1001`:                      "",
		`1` + strings.Repeat("0", 299): `1` + strings.Repeat("0", 299),
		`1` + strings.Repeat("0", 309): "",
		nested(shape.MaxDepth):         nested(shape.MaxDepth),
		nested(shape.MaxDepth + 1):     "",
		`[` + strings.Repeat(`[],`, shape.MaxDepth) + `[]]`: `[` + strings.Repeat(`[],`, shape.MaxDepth) + `[]]`,
	} {
		got, err := shape.StorableJSON([]byte(raw))
		if want == "" {
			require.Error(t, err, raw)
			continue
		}
		require.NoError(t, err, raw)
		require.Equal(t, want, string(got))
	}
}

// TestStorableNumbers takes numbers to the bounds of their digits. Postgres holds each that is let pass.
func TestStorableNumbers(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	zeros := func(n int) string { return strings.Repeat("0", n) }
	for number, storable := range map[string]bool{
		"0." + zeros(16_382) + "1": true, "0." + zeros(16_383) + "1": false,
		"-0." + zeros(16_382) + "1": true, "-0." + zeros(16_383) + "1": false,
		"1." + zeros(16_383): true, "1." + zeros(16_384): false,
		"0." + zeros(15_382) + "1e-1000": true, "0." + zeros(15_383) + "1e-1000": false,
		"0." + zeros(16_392) + "1e10": true, "0." + zeros(16_393) + "1E+10": false,
		"0e131071": true, "0e131072": false, "0.0e131072": false,
		"0e9223372036854775807": false, "0e9223372036854775808": false, "1e-9223372036854775808": false,
	} {
		_, err := shape.StorableJSON([]byte(`{"a":[` + number + `]}`))
		require.Equal(t, storable, err == nil, "%.20s of %d characters", number, len(number))
		if storable {
			_, err = db.Pool.Exec(t.Context(), `SELECT $1::text::jsonb`, `{"a":[`+number+`]}`)
			require.NoError(t, err, "%.20s of %d characters", number, len(number))
		}
	}
}
