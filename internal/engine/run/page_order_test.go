package run

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// twoPages are the first two pages of a broadcast.
func (b *streaming) twoPages() (s *EventContext, first, second *page) {
	b.t.Helper()
	s, at, err := b.fanOut.open(b.ctx, b.accepted(nil))
	require.NoError(b.t, err)
	first, err = b.fanOut.plan(b.ctx, s, at, s.leftOut())
	require.NoError(b.t, err)
	second, err = b.fanOut.plan(b.ctx, s, first.after, s.leftOut())
	require.NoError(b.t, err)
	second.earlier = first.progress
	return s, first, second
}

// write writes a page; the channel gives its error.
func (b *streaming) write(ctx context.Context, s *EventContext, p *page) <-chan error {
	done := make(chan error, 1)
	go func() { done <- b.fanOut.writePage(ctx, s, p) }()
	return done
}

// TestPagesCommitInOrder: a page that is written before its turn waits, and one whose predecessor does not come is not stored.
func TestPagesCommitInOrder(t *testing.T) {
	t.Parallel()
	b := newStreaming(t)
	s, first, second := b.twoPages()
	late := b.write(b.ctx, s, second)
	require.NoError(t, <-b.write(b.ctx, s, first))
	require.NoError(t, <-late, "its checkpoint begins where that of the first ends")
	names, _ := b.reached(s.ID)
	require.Len(t, names, 2)

	s, first, second = b.twoPages()
	first.locked.set() // and then it fails
	ctx, cancel := context.WithCancel(b.ctx)
	late = b.write(ctx, s, second)
	<-second.locked.done
	cancel()
	require.ErrorIs(t, <-late, context.Canceled)
	names, _ = b.reached(s.ID)
	require.Empty(t, names)
}

// TestPagesGiveWay: the first page waits for another transaction, which waits for the second page, which waits for the first.
func TestPagesGiveWay(t *testing.T) {
	t.Parallel()
	b := newStreaming(t)
	s, first, second := b.twoPages()
	blocked := second.batch.runs[0].subscriber.ID
	b.db.Ent.InboxState.Create().SetSubscriberID(blocked).SetContextKeys([]string{}).ExecX(b.ctx)
	other, err := b.db.Pool.Begin(b.ctx)
	require.NoError(t, err)
	_, err = other.Exec(b.ctx, `UPDATE events SET updated_at = now() WHERE id = $1`, s.ID)
	require.NoError(t, err)
	written, late := b.write(b.ctx, s, first), b.write(b.ctx, s, second)
	<-second.locked.done
	began := time.Now()
	_, err = other.Exec(b.ctx, `UPDATE inbox_states SET updated_at = now() WHERE subscriber_id = $1`, blocked)
	require.NoError(t, err)
	require.Greater(t, time.Since(began), pagePatience/2, "it has waited for the second page")
	require.NoError(t, other.Commit(b.ctx))
	require.NoError(t, <-written)
	require.NoError(t, <-late)
	names, _ := b.reached(s.ID)
	require.Len(t, names, 2)
}
