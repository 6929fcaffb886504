package coding

import (
	"bytes"
	"compress/gzip"
	"net/http"
	"strings"
	"sync"
)

// Files sends files that do not change while the process runs, each packed once. The zero value is ready.
type Files struct{ packed sync.Map }

// leastFile is from how many bytes on a file is packed.
const leastFile = 1_024

// Choose returns a file as it is sent, and says in the header how that is. It is packed by gzip where the client's Accept-Encoding prefers
// that and it saves something, unless a part is asked for. A strong ETag that the header has becomes that of the packed form.
func (f *Files) Choose(header http.Header, r *http.Request, name string, content []byte) []byte {
	header.Add("Vary", "Accept-Encoding")
	zipped, bare := encodingWeights(r.Header.Values("Accept-Encoding"))
	if zipped <= 0 || zipped < bare || len(content) < leastFile || r.Header.Get("Range") != "" {
		return content
	}
	packed := f.pack(name, content)
	if len(packed) > len(content)*9/10 { // a font or a picture
		return content
	}
	header.Set("Content-Encoding", "gzip")
	if etag, strong := strings.CutSuffix(header.Get("ETag"), `"`); strong {
		header.Set("ETag", etag+`-gzip"`)
	}
	return packed
}

func (f *Files) pack(name string, content []byte) []byte {
	if kept, found := f.packed.Load(name); found {
		return kept.([]byte) //nolint:forcetypeassert // it holds nothing else
	}
	var out bytes.Buffer
	p, _ := gzip.NewWriterLevel(&out, gzip.BestCompression) // a level that there is
	_, _ = p.Write(content)                                 // into memory
	_ = p.Close()
	kept, _ := f.packed.LoadOrStore(name, out.Bytes())
	return kept.([]byte) //nolint:forcetypeassert // it holds nothing else
}
