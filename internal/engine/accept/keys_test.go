package accept_test

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/engine/accept"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/viewer"
)

// keyOf is an idempotency key of a request that hash tells apart; its reply is the ids of the events.
func (b *acceptBundle) keyOf(t *testing.T, key, hash string) *accept.Key {
	t.Helper()
	organization, err := b.db.Ent.Environment.Get(viewer.SystemContext(t.Context()), b.environment)
	require.NoError(t, err)
	now := time.Now()
	return &accept.Key{
		Claim: pgaccept.KeyClaim{ID: id.New(now), OrganizationID: organization.OrganizationID, Key: key, RequestHash: []byte(hash), Now: now, ExpiresAt: now.Add(time.Minute)},
		Reply: func(outcomes []accept.Outcome) (*pgaccept.KeyReply, error) {
			return &pgaccept.KeyReply{StatusCode: 201, Body: []byte(outcomes[0].EventID), Now: now, ExpiresAt: now.Add(time.Hour)}, nil
		},
	}
}

// answered is the state of a key whose request was answered with an event, at whatever time.
func answered(s pgaccept.KeyState, outcomes []accept.Outcome) pgaccept.KeyState {
	return pgaccept.KeyState{
		RequestHash: []byte("one"), StatusCode: new(201), Body: []byte(outcomes[0].EventID), Since: s.Since, ExpiresAt: s.ExpiresAt,
	}
}

func TestAcceptTakesKeysWithTheEvents(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "good", oneStep)
	request := func(key *accept.Key, workflow, transaction string) ([]accept.Outcome, error) {
		return a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item(workflow, transaction)}, Key: key})
	}
	first := b.keyOf(t, "k", "one")
	outcomes, err := request(first, "good", "t1")
	require.NoError(t, err)
	require.True(t, first.State.Taken)
	again := b.keyOf(t, "k", "another")
	_, err = request(again, "good", "t2")
	require.ErrorIs(t, err, accept.ErrKeyInUse)
	require.Equal(t, answered(again.State, outcomes), again.State)
	require.Equal(t, 1, b.count(t, "events"))

	broken := b.keyOf(t, "broken", "one")
	broken.Reply = func([]accept.Outcome) (*pgaccept.KeyReply, error) { return nil, io.ErrUnexpectedEOF }
	_, err = request(broken, "good", "t2")
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
	require.Equal(t, 1, b.count(t, "events"))
	silent := b.keyOf(t, "broken", "two")
	silent.Reply = func([]accept.Outcome) (*pgaccept.KeyReply, error) { return nil, nil }
	_, err = request(silent, "good", "t3")
	require.NoError(t, err)
	require.Equal(t, 1, b.count(t, "idempotency_records"))

	// Also a request that writes no event has its reply stored.
	_, err = request(b.keyOf(t, "none", "one"), "missing", "t4")
	require.NoError(t, err)
	require.Equal(t, 2, b.count(t, "idempotency_records"))
}

// A key that another transaction holds, one that a request took on the other way meanwhile, and two requests of one commit.
func TestAcceptMeetsKeysUnderWay(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "good", oneStep)
	item := func(transaction string) []accept.Acceptance { return []accept.Acceptance{b.item("good", transaction)} }

	// While its reply is made the request holds its key in its transaction, where another acceptor finds it.
	other := b.acceptor(t)
	slow := b.keyOf(t, "slow", "one")
	reply := slow.Reply
	slow.Reply = func(outcomes []accept.Outcome) (*pgaccept.KeyReply, error) {
		meanwhile := b.keyOf(t, "slow", "one")
		if _, err := other.Accept(t.Context(), accept.Request{Items: item("other"), Key: meanwhile}); !errors.Is(err, accept.ErrKeyInUse) || meanwhile.State.StatusCode != nil {
			t.Errorf("%v %+v", err, meanwhile.State)
		}
		return reply(outcomes)
	}
	_, err := a.Accept(t.Context(), accept.Request{Items: item("t1"), Key: slow})
	require.NoError(t, err)

	// A claim that commits in between wins: nothing of the request happens.
	late, tries := b.keyOf(t, "late", "one"), 0
	reply = late.Reply
	late.Reply = func(outcomes []accept.Outcome) (*pgaccept.KeyReply, error) {
		if tries++; tries == 1 {
			states, err := pgaccept.TakeKeys(t.Context(), b.db, []pgaccept.KeyClaim{b.keyOf(t, "late", "two").Claim})
			if err != nil || !states[0].Taken {
				t.Errorf("%v %+v", err, states)
			}
		}
		return reply(outcomes)
	}
	_, err = a.Accept(t.Context(), accept.Request{Items: item("t2"), Key: late})
	require.ErrorIs(t, err, accept.ErrKeyInUse)
	require.Nil(t, late.State.StatusCode)
	require.Equal(t, 1, tries)
	require.Equal(t, 1, b.count(t, "events"))

	// Of twenty requests at once under one key one is accepted, whether they share a commit or not.
	var wg sync.WaitGroup
	var accepted atomic.Int64
	for n := range 20 {
		wg.Go(func() {
			_, err := []*accept.Acceptor{a, other}[n%2].Accept(t.Context(), accept.Request{Items: item(fmt.Sprint("same", n)), Key: b.keyOf(t, "same", "one")})
			if err == nil {
				accepted.Add(1)
			} else if !errors.Is(err, accept.ErrKeyInUse) {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.EqualValues(t, 1, accepted.Load())
	require.Equal(t, 2, b.count(t, "events"))
}

// Requests at once under a key whose reply is stored all find it, whether they share a commit or not; where the organization does
// without keys all are accepted.
func TestAcceptRepeatsAtOnce(t *testing.T) {
	t.Parallel()
	b := newAcceptBundle(t)
	a := b.acceptor(t)
	b.workflow(t, "good", oneStep)
	atOnce := func(key string) (found []pgaccept.KeyState) {
		keys := make([]*accept.Key, 20)
		var requests sync.WaitGroup
		for n := range keys {
			keys[n] = b.keyOf(t, key, "one")
			requests.Go(func() {
				_, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", fmt.Sprint(key, n))}, Key: keys[n]})
				if err != nil && !errors.Is(err, accept.ErrKeyInUse) {
					t.Error(err)
				}
			})
		}
		requests.Wait()
		for _, k := range keys {
			found = append(found, k.State)
		}
		return found
	}
	first := b.keyOf(t, "k", "one")
	outcomes, err := a.Accept(t.Context(), accept.Request{Items: []accept.Acceptance{b.item("good", "first")}, Key: first})
	require.NoError(t, err)
	for _, state := range atOnce("k") {
		require.Equal(t, answered(state, outcomes), state)
	}
	require.Equal(t, 1, b.count(t, "events"))

	require.NoError(t, b.db.Ent.Organization.UpdateOneID(first.Claim.OrganizationID).SetIdempotency(false).Exec(viewer.SystemContext(t.Context())))
	for _, state := range atOnce("off") {
		require.Equal(t, pgaccept.KeyState{Off: true}, state)
	}
	require.Equal(t, 21, b.count(t, "events"))
}
