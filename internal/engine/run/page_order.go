package run

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/engine/pace"
	"github.com/carillon/carillon/internal/postgres/pgfanout"
)

// pageWriters is how many pages of a stream are written at once, each over a connection of its own. They have no subscriber in
// common.
const pageWriters = 2

// progress is how far the writing of a page is. The rows of several pages are written at once, but pages take the locks of their
// inboxes one after the other, as one transaction would, and commit one after the other, each with its checkpoint.
type progress struct {
	locked mark // the page has the locks of its inboxes
	stored mark // the page is committed, and the next may be
}

func newProgress() *progress { return &progress{newMark(), newMark()} }

// begun is the progress of what comes before the first page.
var begun = func() *progress {
	p := newProgress()
	p.locked.set()
	p.stored.set()
	return p
}()

// mark is set once, and can be waited for.
type mark struct {
	set  func()
	done chan struct{}
}

func newMark() mark {
	done := make(chan struct{})
	return mark{sync.OnceFunc(func() { close(done) }), done}
}

func (m mark) await(ctx context.Context) error {
	select {
	case <-m.done:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func (m mark) isSet() bool {
	select {
	case <-m.done:
		return true
	default:
		return false
	}
}

// pagePatience is how long a page holds its locks while the one before it is not stored. That one may wait for a transaction that
// waits for these locks, which Postgres cannot see.
const pagePatience = time.Second

// errHeldUp says that the page before took longer than pagePatience.
var errHeldUp = errors.New("the page before is not stored yet")

// awaitBriefly is await for who holds locks.
func (m mark) awaitBriefly(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, pagePatience, errHeldUp)
	defer cancel()
	return m.await(ctx)
}

// writePage stores a page. The event's checkpoint is moved from where the page began; when it is elsewhere, another
// worker has taken the event over and nothing is written.
func (f *FanOut) writePage(ctx context.Context, s *EventContext, p *page) error {
	// Who waits here has no connection yet: that of the page before may be the last one that the pool has.
	before := p.earlier.locked
	if p.plan != nil { // by rows that pages share
		before = p.earlier.stored
	}
	if err := before.await(ctx); err != nil {
		return err
	}
	repaced, err := f.tryPage(ctx, s, p)
	if errors.Is(err, errHeldUp) {
		if err := p.earlier.stored.await(ctx); err != nil {
			return err
		}
		repaced, err = f.tryPage(ctx, s, p)
	}
	if err != nil {
		return err
	}
	if !repaced { // the pages after it were read for the pace that was
		p.stored.set()
	}
	p.batch.publish(ctx)
	if repaced {
		return errPaced
	}
	return nil
}

// tryPage is writePage unless the page before holds it up. repaced reports that the event has another pace now.
func (f *FanOut) tryPage(ctx context.Context, s *EventContext, p *page) (repaced bool, err error) {
	err = f.InTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := f.boundPage(ctx, tx); err != nil {
			return err
		}
		if p.plan != nil {
			if err := p.plan(ctx, tx); err != nil {
				return err
			}
		}
		if err := p.batch.lock(ctx, tx); err != nil {
			return err
		}
		p.locked.set()
		q := &pgx.Batch{}
		p.batch.queue(q)
		if !p.earlier.stored.isSet() {
			if err := tx.SendBatch(ctx, q).Close(); err != nil {
				return fmt.Errorf("store a page: %w", err)
			}
			q = &pgx.Batch{}
			if err := p.earlier.stored.awaitBriefly(ctx); err != nil {
				return err
			}
		}
		return p.batch.finish(ctx, tx, q, func(q *pgx.Batch) {
			pgfanout.MoveEvent(q, f.move(s, p), func(moved bool, perSecond *int) error {
				repaced = !p.last && pace.Differs(perSecond, s.PerSecond)
				if !moved {
					return errTaken
				}
				return nil
			})
		})
	})
	return repaced, err
}
