package engine_test

import (
	"bytes"
	"context"
	"io"
	"net"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgproto3"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// losing is a way to Postgres on which the answer to what contains a mark is lost, once armed, with its connection.
type losing struct {
	network, address string
	mark             []byte
	instead          []byte // what comes instead of the answer
	before           bool   // Postgres does not get it either
	armed            atomic.Bool
}

// through is the address of a database by way of l.
func (l *losing) through(t *testing.T, dsn string) string {
	t.Helper()
	cfg, err := pgconn.ParseConfig(dsn)
	require.NoError(t, err)
	l.network, l.address = pgconn.NetworkAddress(cfg.Host, cfg.Port)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go l.forward(client)
		}
	}()
	u, err := url.Parse(dsn)
	require.NoError(t, err)
	query := u.Query()
	query.Del("host")
	query.Del("port")
	query.Set("sslmode", "disable")
	u.Host, u.RawQuery = listener.Addr().String(), query.Encode()
	return u.String()
}

func (l *losing) forward(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial(l.network, l.address)
	if err != nil {
		return
	}
	var lost atomic.Bool
	go func() {
		defer func() { _ = server.Close() }()
		_, _ = io.Copy(writerFunc(func(p []byte) (int, error) {
			if bytes.Contains(p, l.mark) && l.armed.CompareAndSwap(true, false) {
				lost.Store(true)
				if l.before {
					_, _ = client.Write(l.instead)
					_ = client.Close()
					return 0, io.ErrClosedPipe
				}
			}
			return server.Write(p)
		}), client)
	}()
	_, _ = io.Copy(writerFunc(func(p []byte) (int, error) {
		if lost.Load() { // Postgres answers when it has committed
			_, _ = client.Write(l.instead)
			return 0, io.ErrClosedPipe
		}
		return client.Write(p)
	}), server)
}

type writerFunc func([]byte) (int, error)

func (w writerFunc) Write(p []byte) (int, error) { return w(p) }

// TestLostCommit: when the connection is lost while an event is committed, the client hears that it may repeat its trigger, and the first
// attempts that were stored are made all the same, once and by the process that stored them: no outcome counts as unknown.
func TestLostCommit(t *testing.T) {
	t.Parallel()
	way := &losing{mark: []byte("the lost one")}
	b, a, item := losingCommit(t, way)
	request := accept.Request{Items: []accept.Acceptance{item}}
	_, err := a.Accept(b.ctx, request)
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	require.False(t, way.armed.Load())
	outcomes, err := a.Accept(b.ctx, request)
	require.NoError(t, err)
	require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, outcomes[0], "it was stored")
	b.sentOnce("lost")
}

// TestCommitOfServerThatStops: a server that is stopped ends the connection of a commit that it has made.
func TestCommitOfServerThatStops(t *testing.T) {
	t.Parallel()
	stopped, err := (&pgproto3.ErrorResponse{Severity: "FATAL", Code: "57P01", Message: "terminating connection due to administrator command"}).Encode(nil)
	require.NoError(t, err)
	way := &losing{mark: []byte("the lost one"), instead: stopped}
	b, a, item := losingCommit(t, way)
	outcomes, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{item}})
	require.NoError(t, err, "it looks whether it was stored")
	require.False(t, way.armed.Load())
	require.Equal(t, accept.Outcome{Status: workflow.TriggerProcessed}, outcomes[0])
	b.sentOnce("lost")
}

// TestLostCommitToInbox: the counters of the inbox are lost with the answer, so whoever watches it reads them.
func TestLostCommitToInbox(t *testing.T) {
	t.Parallel()
	way := &losing{mark: []byte("the lost one")}
	b := setupOn(t, pgtest.Open(t, way.through(t, pgtest.NewURL(t))))
	changes := make(chan state.InboxChange, 3)
	b.config.Live = func(_ context.Context, all []state.InboxChange) {
		for _, c := range all {
			changes <- c
		}
	}
	b.onRealTime()
	b.acquainted("u1")
	b.work()
	a := b.accepting(true)
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{inAppStep("{{payload.text}}")}})
	for range 2 { // the workflow is read, then the recipient
		b.offer(a, wf, to("u1"), "")
		require.NotNil(t, await(t, changes).Inbox)
	}
	item := b.acceptance(wf, to("u1"), "lost")
	item.Payload = []byte(`{"text": "the lost one"}`)
	way.armed.Store(true)
	_, err := a.Accept(b.ctx, accept.Request{Items: []accept.Acceptance{item}})
	require.Equal(t, fault.Unavailable, fault.KindOf(err))
	lost := await(t, changes)
	require.Nil(t, lost.Inbox)
	require.Nil(t, lost.New)
	require.Equal(t, "the lost one", b.db.Ent.Message.GetX(b.ctx, lost.MessageID).Content.Text)
}

// TestLostOutcomes: what a provider has taken is recorded once, whether its commit is lost on its way to Postgres, only the answer is, or
// the statement is cancelled, and is not sent again.
func TestLostOutcomes(t *testing.T) {
	t.Parallel()
	cancelled, err := (&pgproto3.ErrorResponse{Severity: "ERROR", Code: "57014", Message: "canceling statement due to user request"}).Encode(nil)
	require.NoError(t, err)
	for name, way := range map[string]*losing{"Commit": {before: true}, "Answer": {}, "Cancelled": {before: true, instead: cancelled}} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way.mark = []byte("v-lost")
			b := setupOn(t, pgtest.Open(t, way.through(t, pgtest.NewURL(t))))
			b.onRealTime()
			b.vendor.answer = func(*provider.Message) (*provider.Receipt, error) {
				way.armed.Store(true)
				return &provider.Receipt{ID: "v-lost"}, nil
			}
			b.acquainted("u1")
			b.work()
			step := emailStep()
			step.UnknownOutcome = workflow.UnknownStop
			ev := b.offer(b.accepting(true), b.workflow(workflow.Definition{Steps: []workflow.Step{step}}), to("u1"), "")
			m := b.sentMessage(ev)
			require.False(t, way.armed.Load())
			require.Equal(t, workflow.MessageSent, m.Status)
			require.Equal(t, 1, m.Attempts)
			require.Len(t, b.vendor.messages(), 1)
			require.Equal(t, []workflow.Reason{workflow.ReasonQueued, workflow.ReasonSent, workflow.ReasonCompleted}, reasons(b.runs(ev)[0]))
		})
	}
}

// TestLostOutcomesWithoutACall are recorded once as well: a message that ends or waits without a call has one entry for it.
func TestLostOutcomesWithoutACall(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		mark   string
		before bool
		want   workflow.Reason
	}{
		"End":       {mark: "the address is suppressed", want: workflow.ReasonSuppressed},
		"EndUnsent": {mark: "the address is suppressed", before: true, want: workflow.ReasonSuppressed},
		"Wait":      {mark: "the integration is not called", want: workflow.ReasonBreakerOpen},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			way := &losing{mark: []byte(c.mark), before: c.before}
			b := setupOn(t, pgtest.Open(t, way.through(t, pgtest.NewURL(t))))
			if c.want == workflow.ReasonSuppressed {
				b.db.Ent.Suppression.Create().SetChannel(workflow.ChannelEmail).SetAddress("u1@example.com").SetReason(workflow.SuppressionManual).SaveX(b.ctx)
			} else {
				b.db.Ent.Integration.UpdateOneID(b.email).SetBreaker(workflow.BreakerOpen).SetBreakerProbeAt(b.clock.Now("").Add(time.Minute)).ExecX(b.ctx)
			}
			ev := b.triggered(b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}}), withMail("u1"))
			b.fanOut(ev)
			way.armed.Store(true)
			b.wake(pgdue.DueMessages)
			require.False(t, way.armed.Load())
			var entries []int
			for _, e := range b.runs(ev)[0].Trace {
				if e.Reason == c.want {
					entries = append(entries, e.Times())
				}
			}
			require.Equal(t, []int{1}, entries)
			require.Empty(t, b.vendor.messages())
		})
	}
}

// losingCommit prepares an event with the transactionId "lost" whose commit loses its connection on its way.
func losingCommit(t *testing.T, way *losing) (*bundle, *accept.Acceptor, accept.Acceptance) {
	t.Helper()
	b := setupOn(t, pgtest.Open(t, way.through(t, pgtest.NewURL(t))))
	b.onRealTime()
	b.acquainted("u1")
	b.work()
	a := b.accepting(true)
	step := emailStep()
	step.UnknownOutcome = workflow.UnknownStop
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step}})
	for range 2 { // the workflow is read, then the recipient
		b.sentMessage(b.offer(a, wf, to("u1"), ""))
	}
	item := b.acceptance(wf, to("u1"), "lost")
	item.Payload = []byte(`{"text": "the lost one"}`)
	way.armed.Store(true)
	return b, a, item
}

// sentOnce checks that the message of the only event since losingCommit was sent by its first attempt.
func (b *bundle) sentOnce(transactionID string) {
	m := b.sentMessage(b.db.Ent.Event.Query().Where(event.TransactionID(transactionID)).OnlyX(b.ctx).ID)
	require.Equal(b.tb, workflow.MessageSent, m.Status)
	require.Equal(b.tb, 1, m.Attempts)
	require.Len(b.tb, b.vendor.messages(), 3)
}
