package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgtype"
)

// textArrays encodes arrays of texts, which nearly all rows are written by, in one go. pgx plans each element by itself, and its buffer
// grows by a quarter at a time: together with the buffer of a connection (see room) that was a third of what a broadcast allocated.
type textArrays struct {
	*pgtype.ArrayCodec
	arguments *arguments
}

// newTextArrays is what encodes text[] on a connection with the given types.
func newTextArrays(types *pgtype.Map) *pgtype.Type {
	text, _ := types.TypeForOID(pgtype.TextOID) // always known
	return &pgtype.Type{Name: "_text", OID: pgtype.TextArrayOID, Codec: textArrays{&pgtype.ArrayCodec{ElementType: text}, &arguments{}}}
}

// PlanEncode is pgx's, except for what rows are written by.
func (c textArrays) PlanEncode(types *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if format == pgtype.BinaryFormatCode {
		switch value.(type) {
		case []string:
			return textsPlan[string, string]{c.arguments, func(v string) (string, bool) { return v, true }}
		case []*string:
			return textsPlan[*string, string]{c.arguments, func(v *string) (string, bool) {
				if v == nil {
					return "", false
				}
				return *v, true
			}}
		case [][]byte: // of JSON
			return textsPlan[[]byte, []byte]{c.arguments, func(v []byte) ([]byte, bool) { return v, v != nil }}
		}
	}
	return c.ArrayCodec.PlanEncode(types, oid, format, value)
}

// textsPlan encodes a list whose elements are texts, or NULL where there is none.
type textsPlan[V any, S string | []byte] struct {
	arguments *arguments
	text      func(V) (S, bool)
}

// Encode appends the binary form of an array (array_recv in Postgres's arrayfuncs.c) to buf.
func (p textsPlan[V, S]) Encode(value any, buf []byte) ([]byte, error) {
	list, _ := value.([]V) // PlanEncode saw to it
	size, nulls := arrayHeader, uint32(0)
	for _, v := range list {
		text, ok := p.text(v)
		if size += arrayElement + len(text); !ok {
			nulls = 1
		}
	}
	buf = p.arguments.grown(buf, size)
	be := binary.BigEndian
	for _, field := range [...]uint32{1, nulls, pgtype.TextOID, uint32(len(list)), 1} { // dimensions, whether there are nulls, type; length, first index
		buf = be.AppendUint32(buf, field)
	}
	for _, v := range list {
		text, ok := p.text(v)
		if !ok {
			buf = be.AppendUint32(buf, null)
			continue
		}
		buf = append(be.AppendUint32(buf, uint32(len(text))), text...)
	}
	return buf, nil
}

const (
	null         = ^uint32(0) // instead of the length of an element
	arrayHeader  = 20         // bytes
	arrayElement = 4          // bytes, without its text
)

// arguments is where the arguments of a connection's large statements are encoded, one statement after the other: pgx copies those of one into
// the buffer of its connection before it encodes those of the next. Its own space for them begins with 256 bytes each time.
type arguments struct {
	space *[]byte // nil unless large statements are under way
}

// spaces are those of connections without large statements. In a broadcast they save a fifth of what would have to be allocated.
var spaces = sync.Pool{New: func() any { return new([]byte) }}

const (
	large    = 4 << 10 // bytes of statements; pgx's buffers have grown to that soon
	mostKept = 1 << 20 // bytes of a space
)

// begin is for statements of which the largest takes about size bytes.
func (a *arguments) begin(size int) {
	if size <= large || a.space != nil {
		return
	}
	a.space, _ = spaces.Get().(*[]byte)
	if cap(*a.space) < size {
		*a.space = make([]byte, 0, size)
	}
}

// end is for when the statements have been sent.
func (a *arguments) end() {
	if a.space != nil && cap(*a.space) <= mostKept {
		spaces.Put(a.space)
	}
	a.space = nil
}

// grown is buf, which holds what is encoded of a statement's arguments, with room for n bytes more.
func (a *arguments) grown(buf []byte, n int) []byte {
	switch {
	case cap(buf)-len(buf) >= n:
		return buf
	case a.space != nil && cap(*a.space) > cap(buf) && cap(*a.space)-len(buf) >= n: // so it is not buf itself
		return append((*a.space)[:0], buf...)
	}
	return slices.Grow(buf, n+2*len(buf)) // what follows finds room, too
}

// argumentsOf are those of a connection; nil when it encodes texts as pgx does.
func argumentsOf(conn *pgx.Conn) *arguments {
	if texts, known := conn.TypeMap().TypeForOID(pgtype.TextArrayOID); known {
		if c, ours := texts.Codec.(textArrays); ours {
			return c.arguments
		}
	}
	return nil
}

// makeRoom makes room for what is about to be sent, which pgx tells its tracers of.
type makeRoom struct{}

// tracers are makeRoom and the given one, unless that is nil.
func tracers(other pgx.QueryTracer) pgx.QueryTracer {
	if other == nil {
		return makeRoom{}
	}
	return multitracer.New(makeRoom{}, other)
}

func (makeRoom) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	size, largest := 0, 0
	for _, q := range data.Batch.QueuedQueries {
		n := statementSize(q.Arguments)
		size, largest = size+n, max(largest, n)
	}
	reserve(conn, size, largest)
	return ctx
}

func (makeRoom) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	size := statementSize(data.Args)
	reserve(conn, size, size)
	return ctx
}

func (makeRoom) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

func (makeRoom) TraceBatchEnd(_ context.Context, conn *pgx.Conn, _ pgx.TraceBatchEndData) {
	release(conn)
}

func (makeRoom) TraceQueryEnd(_ context.Context, conn *pgx.Conn, _ pgx.TraceQueryEndData) {
	release(conn)
}

// reserve makes room on a connection for statements of this size, of which the largest has that size.
func reserve(conn *pgx.Conn, size, largest int) {
	if size > large {
		conn.PgConn().Frontend().Send(room(size))
	}
	if a := argumentsOf(conn); a != nil {
		a.begin(largest)
	}
}

// release gives back what was reserved.
func release(conn *pgx.Conn) {
	if a := argumentsOf(conn); a != nil {
		a.end()
	}
}

// room is a message that sends nothing, and makes the buffer of a connection large enough for this many bytes of others.
type room int

func (n room) Encode(buf []byte) ([]byte, error) { return slices.Grow(buf, int(n)), nil }

// Decode is of what Postgres sends.
func (room) Decode([]byte) error { return errors.ErrUnsupported }

// Frontend marks what is sent to Postgres.
func (room) Frontend() {}

// statementSize is about how many bytes a statement with these arguments takes.
func statementSize(args []any) int {
	const statement, argument = 256, 8 // without what is in its arguments
	n := statement
	for _, arg := range args {
		n += argument + argumentSize(arg)
	}
	return n
}

func argumentSize(arg any) (n int) {
	switch v := arg.(type) {
	case string:
		return len(v)
	case []byte:
		return len(v)
	case *string:
		if v != nil {
			n = len(*v)
		}
		return n
	case []string:
		for i := range v {
			n += arrayElement + len(v[i])
		}
		return n + arrayHeader
	case []*string:
		for _, text := range v {
			n += arrayElement + argumentSize(text)
		}
		return n + arrayHeader
	case [][]byte:
		for i := range v {
			n += arrayElement + len(v[i])
		}
		return n + arrayHeader
	}
	const fixed = 12 // of a number or an instant, with its length
	if v := reflect.ValueOf(arg); v.Kind() == reflect.Slice {
		return arrayHeader + fixed*v.Len()
	}
	return fixed
}
