// Package coding sends bodies in the content coding that a client accepts (RFC 9110, 8.4 and 12.5.3).
package coding

import (
	"bytes"
	"compress/gzip"
	"math"
	"net/http"
	"strconv"
	"strings"
	"sync"
)

var packers = sync.Pool{New: func() any { p, _ := gzip.NewWriterLevel(nil, gzip.BestSpeed); return p }}

// Apply returns a body as it is sent, and says in the header how that is and how long it is. It is packed by gzip where the client's
// Accept-Encoding prefers that and the body has at least so many bytes, or where the client takes nothing else.
func Apply(header http.Header, accepted []string, body []byte, least int) []byte {
	header.Add("Vary", "Accept-Encoding")
	zipped, bare := encodingWeights(accepted)
	if zipped > 0 && zipped >= bare && (len(body) >= least || bare == 0) {
		header.Set("Content-Encoding", "gzip")
		body = pack(body)
	}
	header.Set("Content-Length", strconv.Itoa(len(body)))
	return body
}

func pack(body []byte) []byte {
	var out bytes.Buffer
	p := packers.Get().(*gzip.Writer) //nolint:forcetypeassert // the pool holds nothing else
	defer packers.Put(p)
	p.Reset(&out)
	_, _ = p.Write(body) // into memory
	_ = p.Close()
	return out.Bytes()
}

// encodingWeights are the weights that a caller's Accept-Encoding gives to gzip and to the bare text (RFC 9110, 12.5.3).
// Bare text that is not named weighs least, but more than nothing.
func encodingWeights(values []string) (zipped, bare float64) {
	weights := map[string]float64{}
	for offer := range strings.SplitSeq(strings.Join(values, ","), ",") {
		name, parameters, _ := strings.Cut(offer, ";")
		weights[strings.TrimPrefix(strings.ToLower(strings.TrimSpace(name)), "x-")] = weightOf(parameters)
	}
	others, wildcard := weights["*"]
	zipped, given := weights["gzip"]
	if !given {
		zipped = others
	}
	if bare, given = weights["identity"]; given {
		return zipped, bare
	}
	if wildcard {
		return zipped, others
	}
	return zipped, math.SmallestNonzeroFloat64
}

// weightOf is the weight among the parameters of an offer: 1 when there is none, 0 when it is no number.
func weightOf(parameters string) float64 {
	for parameter := range strings.SplitSeq(parameters, ";") {
		name, value, _ := strings.Cut(parameter, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			if err != nil || !(q >= 0) {
				return 0
			}
			return min(q, 1)
		}
	}
	return 1
}
