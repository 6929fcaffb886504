package coding_test

import (
	"bytes"
	"compress/gzip"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/coding"
)

const least = 1_000

// TestNegotiation: which coding a long and a short body have for an Accept-Encoding (RFC 9110, 12.5.3).
func TestNegotiation(t *testing.T) {
	t.Parallel()
	long, short := strings.Repeat("a text ", 200), "short"
	for name, c := range map[string]struct {
		accepted            []string
		longGzip, shortGzip bool
	}{
		"no header":                      {nil, false, false},
		"an empty header":                {[]string{""}, false, false},
		"gzip":                           {[]string{"gzip"}, true, false},
		"its older name":                 {[]string{"x-gzip"}, true, false},
		"large letters":                  {[]string{"GZip"}, true, false},
		"a weight in large letters":      {[]string{"GZIP; Q=0.5, Identity;Q=0.7"}, false, false},
		"what browsers send":             {[]string{"gzip, deflate, br, zstd"}, true, false},
		"several headers":                {[]string{"br", "deflate, gzip"}, true, false},
		"others alone":                   {[]string{"br, deflate"}, false, false},
		"the smallest weight":            {[]string{"gzip;q=0.001"}, true, false},
		"refused":                        {[]string{"gzip;q=0"}, false, false},
		"refused in three places":        {[]string{"gzip;q=0.000, br"}, false, false},
		"refused among all":              {[]string{"gzip;q=0, *"}, false, false},
		"all":                            {[]string{"*"}, true, false},
		"nothing":                        {[]string{"*;q=0"}, false, false},
		"bare text preferred":            {[]string{"gzip;q=0.5, identity"}, false, false},
		"bare text by a weight":          {[]string{"gzip;q=0.2, identity;q=0.3"}, false, false},
		"bare text equal":                {[]string{"identity, gzip"}, true, false},
		"gzip by a weight":               {[]string{"identity;q=0.2; x=y, gzip ; q = 0.3"}, true, false},
		"all others preferred":           {[]string{"gzip;q=0.5, *;q=0.8"}, false, false},
		"bare text refused":              {[]string{"gzip, identity;q=0"}, true, true},
		"bare text refused, any other":   {[]string{"identity;q=0, *"}, true, true},
		"all but gzip refused":           {[]string{"gzip;q=0.1, *;q=0"}, true, true},
		"everything that we can refused": {[]string{"identity;q=0, gzip;q=0, br"}, false, false},
		"a weight that is no number":     {[]string{"gzip;q=much"}, false, false},
		"a weight below nothing":         {[]string{"gzip;q=-1"}, false, false},
		"a weight that is none":          {[]string{"gzip;q=NaN"}, false, false},
		"a weight beyond 1 is 1":         {[]string{"gzip, identity;q=7"}, true, false},
	} {
		for body, zipped := range map[string]bool{long: c.longGzip, short: c.shortGzip} {
			header := http.Header{"Vary": {"Origin"}}
			sent := coding.Apply(header, c.accepted, []byte(body), least)
			require.Equal(t, []string{"Origin", "Accept-Encoding"}, header.Values("Vary"), "%s: caches keep an answer for each", name)
			require.Equal(t, strconv.Itoa(len(sent)), header.Get("Content-Length"), name)
			if !zipped {
				require.Empty(t, header.Values("Content-Encoding"), "%s, %d bytes", name, len(body))
				require.Equal(t, body, string(sent), name)
				continue
			}
			require.Equal(t, []string{"gzip"}, header.Values("Content-Encoding"), "%s, %d bytes", name, len(body))
			require.Equal(t, body, unpacked(t, sent), name)
		}
	}
}

// TestLeast: a body is packed from so many bytes on.
func TestLeast(t *testing.T) {
	t.Parallel()
	for size, coded := range map[int]string{0: "", least - 1: "", least: "gzip", least + 1: "gzip"} {
		header := http.Header{}
		coding.Apply(header, []string{"gzip"}, make([]byte, size), least)
		require.Equal(t, coded, header.Get("Content-Encoding"), size)
	}
}

// TestPackersAreShared: bodies that are packed at the same time do not mix, and none is left in the next.
func TestPackersAreShared(t *testing.T) {
	t.Parallel()
	for i := range 20 {
		t.Run(strconv.Itoa(i), func(t *testing.T) {
			t.Parallel()
			for n := range 50 {
				body := strings.Repeat(strconv.Itoa(i)+" ", least+n)
				require.Equal(t, body, unpacked(t, coding.Apply(http.Header{}, []string{"gzip"}, []byte(body), least)))
			}
		})
	}
}

func unpacked(t *testing.T, sent []byte) string {
	t.Helper()
	reader, err := gzip.NewReader(bytes.NewReader(sent))
	require.NoError(t, err)
	body, err := io.ReadAll(reader)
	require.NoError(t, err)
	require.NoError(t, reader.Close())
	return string(body)
}
