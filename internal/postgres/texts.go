package postgres

import (
	"context"
	"encoding/binary"
	"errors"
	"reflect"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/multitracer"
	"github.com/jackc/pgx/v5/pgtype"
)

// textArrays encodes arrays of texts, which nearly all rows are written by, in one go. pgx plans each element by itself, and its buffer
// grows by a quarter at a time: together with the buffer of a connection (see room) that was a third of what a broadcast allocated.
type textArrays struct{ *pgtype.ArrayCodec }

// newTextArrays is what encodes text[] on a connection with the given types.
func newTextArrays(types *pgtype.Map) *pgtype.Type {
	text, _ := types.TypeForOID(pgtype.TextOID) // always known
	return &pgtype.Type{Name: "_text", OID: pgtype.TextArrayOID, Codec: textArrays{&pgtype.ArrayCodec{ElementType: text}}}
}

// PlanEncode is pgx's, except for what rows are written by.
func (c textArrays) PlanEncode(types *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if format == pgtype.BinaryFormatCode {
		switch value.(type) {
		case []string:
			return textsPlan[string]{func(v string) (string, bool) { return v, true }}
		case []*string:
			return textsPlan[*string]{func(v *string) (string, bool) {
				if v == nil {
					return "", false
				}
				return *v, true
			}}
		}
	}
	return c.ArrayCodec.PlanEncode(types, oid, format, value)
}

// textsPlan encodes a list whose elements are texts, or NULL where there is none.
type textsPlan[V any] struct{ text func(V) (string, bool) }

// Encode appends the binary form of an array (array_recv in Postgres's arrayfuncs.c) to buf.
func (p textsPlan[V]) Encode(value any, buf []byte) ([]byte, error) {
	list, _ := value.([]V) // PlanEncode saw to it
	size, nulls := arrayHeader, uint32(0)
	for _, v := range list {
		text, ok := p.text(v)
		if size += arrayElement + len(text); !ok {
			nulls = 1
		}
	}
	buf = grown(buf, size)
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

// grown is buf with room for n bytes more. When it has to be moved it gets room for twice its length besides: the arguments of one statement
// share a buffer.
func grown(buf []byte, n int) []byte {
	if cap(buf)-len(buf) >= n {
		return buf
	}
	return slices.Grow(buf, n+2*len(buf))
}

// makeRoom makes the buffer of a connection large enough for what is about to be sent, which pgx tells its tracers of.
type makeRoom struct{}

// tracers are makeRoom and the given one, unless that is nil.
func tracers(other pgx.QueryTracer) pgx.QueryTracer {
	if other == nil {
		return makeRoom{}
	}
	return multitracer.New(makeRoom{}, other)
}

func (makeRoom) TraceBatchStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	size := 0
	for _, q := range data.Batch.QueuedQueries {
		size += statementSize(q.Arguments)
	}
	reserve(conn, room(size))
	return ctx
}

func (makeRoom) TraceQueryStart(ctx context.Context, conn *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	reserve(conn, room(statementSize(data.Args)))
	return ctx
}

func (makeRoom) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (makeRoom) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}
func (makeRoom) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData)     {}

// room is a message that sends nothing, and makes the buffer of a connection large enough for this many bytes of others.
type room int

// reserve makes room on a connection, unless so little is needed that its buffer grows as fast.
func reserve(conn *pgx.Conn, n room) {
	if n > leastRoom {
		conn.PgConn().Frontend().Send(n)
	}
}

const leastRoom = 4 << 10 // bytes

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
	}
	const fixed = 12 // of a number or an instant, with its length
	if v := reflect.ValueOf(arg); v.Kind() == reflect.Slice {
		return arrayHeader + fixed*v.Len()
	}
	return fixed
}
