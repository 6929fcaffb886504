package graph_test

import (
	"context"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/auditentry"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
)

const (
	tokenForUnknown = `mutation($who: String!) { createSubscriberToken(input: {subscriberId: $who}) { token subscriber { subscriberId } } }`
	ownInbox        = `{ inbox { subscriber { subscriberId } state { total } } }`
)

// TestTokenMakesAnUnknownSubscriber: whoever logs in before the first trigger has an inbox.
func TestTokenMakesAnUnknownSubscriber(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx := viewer.SystemContext(t.Context())

	var wait sync.WaitGroup
	tokens := make(chan string, 8)
	for range cap(tokens) {
		wait.Go(func() {
			r := b.ask(t, b.key, tokenForUnknown, map[string]any{"who": " grace@example.org "})
			if len(r.Errors) == 0 {
				tokens <- at(t, r.Data, "createSubscriberToken", "token").(string)
			}
		})
	}
	wait.Wait()
	close(tokens)
	require.Len(t, tokens, cap(tokens))
	for token := range tokens {
		_, r := b.post(t, "Bearer "+token, `{"query": "`+ownInbox+`"}`)
		require.Empty(t, r.Errors)
		require.Equal(t, "grace@example.org", at(t, r.Data, "inbox", "subscriber", "subscriberId"))
	}
	made := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("grace@example.org")).OnlyX(ctx)
	require.Equal(t, 1, b.db.Ent.AuditEntry.Query().Where(auditentry.RecordID(made.ID)).CountX(ctx))

	for _, wrong := range []string{"", "two words", strings.Repeat("x", 256), "line\nbreak"} {
		r := b.ask(t, b.key, tokenForUnknown, map[string]any{"who": wrong})
		require.Equal(t, "VALIDATION", r.code(), wrong)
		require.Equal(t, "subscriberId", at(t, r.Errors[0].Extensions["fields"].([]any)[0], "path"))
	}

	b.db.Ent.Subscriber.UpdateOne(made).SetDeleted(true).ExecX(ctx)
	b.must(t, tokenForUnknown, map[string]any{"who": "grace@example.org"})
	again := b.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID("grace@example.org"), subscriber.Deleted(false)).OnlyX(ctx)
	require.NotEqual(t, made.ID, again.ID, "the deleted one's history stays with it")
}

// TestHashMakesAnUnknownSubscriber, unless it is wrong, or names one that was deleted.
func TestHashMakesAnUnknownSubscriber(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	admin := viewer.NewContext(t.Context(), viewer.Viewer{Scope: g.mine.Scope, Role: viewer.RoleAdmin})
	key, err := g.services.SubscriberTokens.RotateInboxSecret(admin)
	require.NoError(t, err)
	credential := func(secret, who string) string {
		return auth.SubscriberCredential(g.mine.Scope.EnvironmentID, who, auth.SubscriberHash([]byte(secret), who))
	}
	known := func(who string) int {
		return g.db.Ent.Subscriber.Query().Where(subscriber.SubscriberID(who)).CountX(viewer.SystemContext(t.Context()))
	}
	for _, refused := range []string{credential("another", "grace"), credential(key, "two words"), credential(key, " grace")} {
		status, _ := g.askAs(t, refused, ownInbox)
		require.Equal(t, http.StatusUnauthorized, status)
	}
	require.Zero(t, known("grace"))

	strict := auth.New(auth.Config{DB: g.db, Now: time.Now, Logger: slog.New(slog.DiscardHandler), Secrets: g.keeper, RefuseUnknown: true})
	t.Cleanup(func() { require.NoError(t, strict.Close(context.WithoutCancel(t.Context()))) })
	_, err = strict.AuthenticateAny(t.Context(), credential(key, "grace"))
	require.Error(t, err)
	require.Zero(t, known("grace"))

	for range 2 {
		_, r := g.askAs(t, credential(key, "grace"), ownInbox)
		require.Empty(t, r.Errors)
		require.Equal(t, "grace", at(t, r.Data, "inbox", "subscriber", "subscriberId"))
	}
	require.Equal(t, 1, known("grace"))

	g.db.Ent.Subscriber.Update().Where(subscriber.SubscriberID("grace")).SetDeleted(true).ExecX(viewer.SystemContext(t.Context()))
	status, _ := g.askAs(t, credential(key, "grace"), ownInbox)
	require.Equal(t, http.StatusUnauthorized, status, "an erased person does not come back by an old hash")
}

// TestUnknownSubscribersAreRefused where the operator wishes it.
func TestUnknownSubscribersAreRefused(t *testing.T) {
	t.Parallel()
	g := newGuest(t)
	strict := notify.New(usecase.Config{DB: g.db, Now: time.Now, Secrets: g.keeper, RefuseUnknown: true})
	admin := viewer.NewContext(t.Context(), viewer.Viewer{Scope: g.mine.Scope, Role: viewer.RoleAdmin})
	_, err := strict.SubscriberTokens.Create(admin, access.CreateSubscriberTokenInput{SubscriberID: "grace"})
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	_, err = strict.SubscriberTokens.Create(admin, access.CreateSubscriberTokenInput{SubscriberID: "ada"})
	require.NoError(t, err)
	stranger := viewer.NewContext(t.Context(), viewer.Viewer{Scope: g.mine.Scope, Role: viewer.RoleSubscriber, SubscriberID: g.ada.ID, ExternalID: "ada"})
	_, err = g.services.SubscriberTokens.Create(stranger, access.CreateSubscriberTokenInput{SubscriberID: "grace"})
	require.Equal(t, fault.Forbidden, fault.KindOf(err), "only a server makes tokens")
}
