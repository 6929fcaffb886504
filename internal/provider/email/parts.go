package email

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	htmltext "html"
	"io"
	"maps"
	"mime"
	"mime/quotedprintable"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/provider"
)

// part is one entity of a mail: a text, a file, or several entities in a multipart of its kind.
type part struct {
	kind   string            // media type
	params map[string]string // of the media type
	header map[string]string // beside the type and the encoding
	text   string
	file   []byte
	base64 bool
	inside []*part
}

// parts is the tree of a mail: plain text before HTML, images beside the HTML that shows them, files around all.
func (l *letter) parts() *part {
	files, images := l.split()
	root := textPart("text/html", plainIDs(l.html, images.attachments))
	if l.html == "" {
		root = textPart("text/plain", l.text)
	}
	root = root.with("multipart/related", images.attachments)
	if l.html != "" && l.text != "" {
		root = &part{kind: "multipart/alternative", inside: []*part{textPart("text/plain", l.text), root}}
	}
	return root.with("multipart/mixed", files.attachments)
}

// plainID is a Content-ID that every reader compares with an address in the HTML as it is.
var plainID = regexp.MustCompile("^[A-Za-z0-9!#$&'*+/=?^_`{|}~.@-]+$")

// plainIDs gives images another Content-ID where theirs, which may be the name of a file, has letters or blanks that no header may hold
// (RFC 5322 §3.6.4), and returns the HTML with the new one in the place of the old.
func plainIDs(html string, images []provider.Attachment) string {
	made := map[string]string{}
	for i := range images {
		if id := contentID(images[i]); !plainID.MatchString(id) {
			sum := sha256.Sum256([]byte(id))
			made[id] = hex.EncodeToString(sum[:12])
			images[i].CID = made[id]
		}
	}
	// The longest first: one may begin like another.
	for _, id := range slices.SortedFunc(maps.Keys(made), func(a, b string) int { return cmp.Compare(len(b), len(a)) }) {
		for _, written := range []string{id, url.PathEscape(id), htmltext.EscapeString(id)} {
			html = strings.ReplaceAll(html, "cid:"+written, "cid:"+made[id])
		}
	}
	return html
}

// size is about how many bytes the mail takes, with its head.
func (l *letter) size() int {
	const head = 2 << 10
	n := head + len(l.html) + len(l.text) // few characters of a text are encoded
	for i := range l.attachments {
		n += len(l.attachments[i].File) * 7 / 5 // in lines of base64
	}
	return n
}

// textParams are the parameters of every text; they are only read.
var textParams = map[string]string{"charset": "UTF-8"}

func textPart(kind, text string) *part { return &part{kind: kind, params: textParams, text: text} }

// with is p with files behind it; p alone when there are none.
func (p *part) with(kind string, files []provider.Attachment) *part {
	if len(files) == 0 {
		return p
	}
	all := &part{kind: kind, inside: []*part{p}}
	if kind == "multipart/related" {
		all.params = map[string]string{"type": p.kind} // that of the part to begin with (RFC 2387)
	}
	for _, f := range files {
		all.inside = append(all.inside, filePart(f))
	}
	return all
}

// filePart names a file in the parameters of its headers, in which other letters are written by RFC 2231: the encoded
// words of RFC 2047 have no place there.
func filePart(f provider.Attachment) *part {
	kind, params, err := mime.ParseMediaType(mimeType(f))
	// A file is one entity, whatever it holds, and the types of composed ones must not be encoded (RFC 2045 §6.4).
	if err != nil || strings.HasPrefix(kind, "multipart/") || strings.HasPrefix(kind, "message/") {
		kind, params = "application/octet-stream", map[string]string{}
	}
	shown := mime.FormatMediaType(disposition(f), map[string]string{"filename": fileName(f)})
	if len(shown) <= longestWord {
		params["name"] = fileName(f)
	} else {
		shown = disposition(f) + continued("filename", fileName(f))
	}
	p := &part{kind: kind, params: params, file: f.File, base64: true, header: map[string]string{"Content-Disposition": shown}}
	if inline(f) {
		p.header["Content-ID"] = "<" + contentID(f) + ">"
	}
	return p
}

// continued is a parameter that no line can hold, in pieces (RFC 2231 §3).
func continued(name, value string) string {
	var b strings.Builder
	n := 0
	for piece := range slices.Chunk([]byte(value), headerLine/4) {
		fmt.Fprintf(&b, "; %s*%d*=", name, n)
		if n++; n == 1 {
			b.WriteString("utf-8''")
		}
		for _, c := range piece {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// write writes p with its head. That of the root is part of the mail's own head.
func (p *part) write(to *bytes.Buffer) error {
	params, boundary := p.params, ""
	if p.inside == nil {
		writeHeader(to, "Content-Transfer-Encoding", p.encoding())
	} else {
		boundary = rand.Text()
		params = map[string]string{"boundary": boundary}
		maps.Copy(params, p.params)
	}
	writeHeader(to, "Content-Type", mime.FormatMediaType(p.kind, params))
	for _, name := range slices.Sorted(maps.Keys(p.header)) {
		writeHeader(to, name, p.header[name])
	}
	to.WriteString("\r\n")
	if p.inside == nil {
		return p.writeContent(to)
	}
	for _, inner := range p.inside {
		to.WriteString("\r\n--" + boundary + "\r\n")
		if err := inner.write(to); err != nil {
			return err
		}
	}
	to.WriteString("\r\n--" + boundary + "--\r\n")
	return nil
}

func (p *part) encoding() string {
	if p.base64 {
		return "base64"
	}
	return "quoted-printable"
}

func (p *part) writeContent(to *bytes.Buffer) error {
	if p.base64 {
		writeBase64(to, p.file)
		return nil
	}
	w := quotedprintable.NewWriter(to)
	if _, err := io.WriteString(w, p.text); err != nil {
		return err
	}
	return w.Close()
}

// base64Line is how many bytes a line of 76 characters holds.
const base64Line = 57

func writeBase64(to *bytes.Buffer, file []byte) {
	for line := range slices.Chunk(file, base64Line) {
		to.Write(base64.StdEncoding.AppendEncode(to.AvailableBuffer(), line))
		to.WriteString("\r\n")
	}
}
