package intake

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/carillon/carillon/internal/fault"
)

const (
	firstPart   = 4 << 10  // of a body whose length is promised; a promise costs no more
	smallPart   = 512      // the first part of any other
	largestPart = 64 << 10 // parts double up to this
)

// ReadAll reads the body of a request. Memory is taken as bytes arrive, whatever length was promised. Errors are faults:
// TooLarge beyond limit bytes, Unavailable when too much is held already, TooSlow, and BadRequest for a body that ended early.
func ReadAll(r *http.Request, limit int64) ([]byte, error) {
	if r.ContentLength > limit {
		return nil, tooLarge(limit)
	}
	first := smallPart
	if r.ContentLength > 0 {
		first = int(min(r.ContentLength, limit+1, firstPart))
	}
	return accountOf(r.Context()).read(r.Body, limit, first)
}

// ReadMessage reads one message of a connection into an account, as ReadAll does.
func (a *Account) ReadMessage(r io.Reader, limit int64) ([]byte, error) {
	if a != nil {
		r = &message{Reader: r, meter: a.meter, began: time.Now()}
	}
	return a.read(r, limit, smallPart)
}

// message is a message that has to arrive in time, on a connection that lives longer.
type message struct {
	io.Reader
	meter    *Meter
	began    time.Time
	received int64
}

func (m *message) Read(p []byte) (int, error) {
	n, err := m.Reader.Read(p)
	m.received += int64(n)
	if err == nil && time.Now().After(m.meter.deadline(m.began, m.received)) {
		return n, &fault.Error{Kind: fault.TooSlow, Message: "The message did not arrive in time."}
	}
	return n, err
}

var (
	unpackers sync.Pool
	// largestParts holds parts of largestPart bytes, pointers to arrays: what is read next writes over what they held.
	largestParts = sync.Pool{New: func() any { return new([largestPart]byte) }}
	// unpacking bounds how many bodies are unpacked at a time: each may become as large as the limit.
	unpacking = make(chan struct{}, 2)
)

// ErrEncoding is what ReadEncoded says of a body in an encoding that it does not unpack.
var ErrEncoding = errors.New("Only gzip is accepted as content encoding.") //nolint:revive,staticcheck // shown to callers as a sentence

// ReadEncoded reads the body of a request in the encoding that its header names, none or gzip, as ReadAll and Unpack do.
func ReadEncoded(r *http.Request, limit int64) ([]byte, error) {
	switch strings.ToLower(strings.TrimSpace(r.Header.Get("Content-Encoding"))) {
	case "", "identity":
		return ReadAll(r, limit)
	case "gzip", "x-gzip":
		return Unpack(r, limit)
	}
	return nil, ErrEncoding
}

// Unpack is ReadAll for a body in gzip, of which the unpacked bytes count. A body without a byte is empty. What arrived is
// unpacked once it is complete, which takes no time of the caller's.
func Unpack(r *http.Request, limit int64) ([]byte, error) {
	packed, err := ReadAll(r, limit)
	if err != nil || len(packed) == 0 {
		return nil, err
	}
	select {
	case unpacking <- struct{}{}:
		defer func() { <-unpacking }()
	case <-r.Context().Done():
		return nil, broken(context.Cause(r.Context()))
	}
	unpacker, _ := unpackers.Get().(*gzip.Reader)
	if unpacker == nil {
		unpacker = new(gzip.Reader)
	}
	defer unpackers.Put(unpacker)
	if err := unpacker.Reset(bytes.NewReader(packed)); err != nil {
		return nil, broken(err)
	}
	return accountOf(r.Context()).read(unpacker, limit, smallPart)
}

// read gathers parts that double in size, and joins them once: a buffer that grows would be copied again and again, and leave
// as much garbage as it holds. Of large bodies the parts are used again, so that nothing but what is kept waits for the collector.
func (a *Account) read(r io.Reader, limit int64, first int) (whole []byte, err error) {
	var parts [][]byte
	part, total, taken := make([]byte, 0, first), int64(0), int64(0)
	defer func() {
		if err != nil {
			a.give(taken) // nothing of it is kept
		}
		reuse(append(parts, part))
	}()
	for {
		if len(part) == cap(part) {
			parts = append(parts, part)
			part = newPart(2 * cap(part))
		}
		n, err := r.Read(part[len(part):cap(part)])
		part, total = part[:len(part)+n], total+int64(n)
		if total > limit {
			return nil, tooLarge(limit)
		}
		if refused := a.take(n); refused != nil {
			return nil, refused
		}
		taken += int64(n)
		switch {
		case errors.Is(err, io.EOF):
			return join(parts, part, total), nil
		case err != nil:
			return nil, broken(err)
		}
	}
}

// newPart returns an empty part for size bytes, at most largestPart.
func newPart(size int) []byte {
	if size < largestPart {
		return make([]byte, 0, size)
	}
	return largestParts.Get().(*[largestPart]byte)[:0]
}

// reuse gives the largest parts back, which join has copied.
func reuse(parts [][]byte) {
	for _, part := range parts {
		if cap(part) == largestPart {
			largestParts.Put((*[largestPart]byte)(part[:largestPart]))
		}
	}
}

func tooLarge(limit int64) error {
	return &fault.Error{Kind: fault.TooLarge, Message: fmt.Sprintf("The body is too large, at most %d bytes are allowed.", limit)}
}

func join(parts [][]byte, last []byte, total int64) []byte {
	if len(parts) == 0 {
		return last
	}
	whole := make([]byte, 0, total)
	for _, part := range parts {
		whole = append(whole, part...)
	}
	return append(whole, last...)
}

// broken is a body that ended early or cannot be unpacked.
func broken(err error) error {
	if fault.KindOf(err) == fault.TooSlow {
		return err
	}
	return &fault.Error{Kind: fault.BadRequest, Code: "MALFORMED_BODY", Message: "The body could not be read to its end.", Cause: err}
}
