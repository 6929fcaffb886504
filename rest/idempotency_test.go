package rest_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/notify/triggers"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/rest"
)

const triggerPath = "/v1/events/trigger"

func (b *bundle) keyed(key, method, target, body string) *httptest.ResponseRecorder {
	return b.ask(method, target, body, "Idempotency-Key", key)
}

// replayed reports whether w repeats first, byte for byte.
func replayed(t *testing.T, first, w *httptest.ResponseRecorder) {
	t.Helper()
	require.Equal(t, first.Code, w.Code, w.Body)
	require.Equal(t, first.Body.String(), w.Body.String())
	require.Empty(t, first.Header().Get("Idempotency-Replay"))
	require.Equal(t, "true", w.Header().Get("Idempotency-Replay"))
	require.Equal(t, first.Header().Get("Idempotency-Key"), w.Header().Get("Idempotency-Key"))
	require.NotEmpty(t, w.Header().Get("Idempotency-Key"))
}

func (b *bundle) count(t *testing.T, table string) (n int) {
	t.Helper()
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM "+table).Scan(&n))
	return n
}

// Each route that takes keys, with a request that succeeds and one that fails.
func TestEveryWriteIsReplayed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	b.workflow(t, "strict", order(), true)
	b.workflow(t, "order-shipped", steps(true), true)
	for i, c := range []struct {
		method, target, body string
		code                 int
	}{
		{http.MethodPost, triggerPath, `{"name":"order-shipped","to":"u1"}`, 201},
		{http.MethodPost, triggerPath, `{"name":"nowhere","to":"u1"}`, 201},
		{http.MethodPost, triggerPath, `{"to":"u1"}`, 422},
		{http.MethodPost, triggerPath, `{"name":"strict","to":"u1","payload":{"order":{"total":"x"}}}`, 400},
		{http.MethodPost, triggerPath + "/broadcast", `{"name":"order-shipped","payload":{}}`, 200},
		{http.MethodPost, triggerPath + "/broadcast", `{"name":"order-shipped"}`, 422},
		{http.MethodPost, bulkPath, `{"events":[` + oneTrigger + `,{"name":1},{"name":"strict","to":"u","payload":{"order":{"total":"x"}}}]}`, 201},
		{http.MethodPost, bulkPath, `{"events":[{}]}`, 201},
		{http.MethodPost, bulkPath, `{"events":[]}`, 422},
		{http.MethodPost, "/v2/topics/news/subscriptions", `{"subscriptions":["u2",{"subscriberId":"u1","identifier":"third"},"nobody"]}`, 201},
		{http.MethodPost, "/v2/topics/fresh/subscriptions", `{"subscriptions":["nobody"]}`, 400},
		{http.MethodPatch, "/v2/topics/news/subscriptions/second", `{"name":"Other","preferences":["welcome"]}`, 200},
		{http.MethodPatch, "/v2/topics/news/subscriptions/nothing", `{}`, 404},
		{http.MethodPatch, "/v2/subscribers/u1/preferences/bulk", `{"preferences":[{"workflowId":"welcome","channels":{"email":false}}]}`, 200},
		{http.MethodPatch, "/v2/subscribers/u1/preferences/bulk", `{"preferences":[]}`, 400},
		{http.MethodPost, "/v1/subscribers/u1/messages/mark-as", `{"messageId":"` + fixed(0x701) + `","markAs":"read"}`, 201},
		{http.MethodPost, "/v1/subscribers/nobody/messages/mark-as", `{"messageId":"x","markAs":"read"}`, 404},
	} {
		key := fmt.Sprint("key-", i)
		first := b.keyed(key, c.method, c.target, c.body)
		require.Equal(t, c.code, first.Code, "%s %s", c.body, first.Body)
		events, changes := b.count(t, "events"), b.count(t, "audit_entries")
		b.passed.Add(int64(time.Second)) // timestamps would differ now
		replayed(t, first, b.keyed(key, c.method, c.target, c.body))
		replayed(t, first, b.keyed(" "+key+"\t", c.method, c.target+"/?unread=1", " "+c.body))
		require.Equal(t, events, b.count(t, "events"))
		require.Equal(t, changes, b.count(t, "audit_entries"))
		other := b.keyed(key, c.method, c.target, `{"other":true}`)
		require.Equal(t, http.StatusUnprocessableEntity, other.Code)
		require.Contains(t, other.Body.String(), `"errors":{},"message":"The key \"`+key+`\" was used before for a different request body."`)
		require.Equal(t, key, other.Header().Get("Idempotency-Key"))
		require.Empty(t, other.Header().Get("Idempotency-Replay"))
	}
	require.Positive(t, b.count(t, "topics WHERE key = 'fresh'"), "a refusal that did something is stored with it")
}

func TestKeysThatDoNotApply(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	long := b.keyed(strings.Repeat("ä", 256), http.MethodPost, triggerPath, oneTrigger)
	require.Equal(t, http.StatusBadRequest, long.Code)
	require.Contains(t, long.Body.String(), `"message":"The key \"`+strings.Repeat("ä", 32)+`\"… exceeds the maximum length of 255 characters."`)
	require.Empty(t, long.Header().Get("Idempotency-Key"))
	require.Zero(t, b.count(t, "events"))
	require.Equal(t, http.StatusCreated, b.keyed(strings.Repeat("ä", 255), http.MethodPost, triggerPath, oneTrigger).Code)
	require.Equal(t, 1, b.count(t, "idempotency_records"))

	for _, c := range []struct{ key, method, target, body string }{
		{"", http.MethodPost, triggerPath, oneTrigger},
		{" \t ", http.MethodPost, triggerPath, oneTrigger},
		{"k", http.MethodGet, "/v2/workflows", ""},
		{"k", http.MethodDelete, "/v2/topics/news/subscriptions", `{"subscriptions":["u1"]}`},
		{"k", http.MethodPost, triggerPath, `{`},
		{"k", http.MethodPost, "/v1/nowhere", `{}`},
		{"k", http.MethodPut, triggerPath, `{}`},
	} {
		for range 2 {
			w := b.keyed(c.key, c.method, c.target, c.body)
			require.Empty(t, w.Header().Get("Idempotency-Key"), c)
			require.Empty(t, w.Header().Get("Idempotency-Replay"), c)
		}
	}
	require.Equal(t, 1, b.count(t, "idempotency_records"))

	huge := `{"name":"order-shipped","to":"u1","payload":{"a":"` + strings.Repeat("x", 600<<10) + `"}}`
	require.Equal(t, http.StatusRequestEntityTooLarge, b.keyed("k", http.MethodPost, triggerPath, huge).Code)
	require.Equal(t, 1, b.count(t, "idempotency_records"), "the key was not taken")

	user := setupOn(t, b.db, func(cfg *rest.Config) { cfg.Auth = userOf{b.scope} })
	for range 2 {
		w := user.keyed("k", http.MethodPost, triggerPath, oneTrigger)
		require.Equal(t, http.StatusCreated, w.Code)
		require.Empty(t, w.Header().Get("Idempotency-Key"))
	}
}

// userOf signs somebody in without an API key.
type userOf struct{ scope viewer.Scope }

func (u userOf) Authenticate(context.Context, string) (viewer.Viewer, error) {
	return viewer.Viewer{Scope: u.scope, Role: viewer.RoleOwner, UserID: "u"}, nil
}

func (u userOf) Assume(string, viewer.Viewer) *auth.Assumption { return nil }

// An event that is too large is refused before its key is looked at: it neither takes the key nor meets the one who did.
func TestTooLargeEventsMeetNoKey(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	large := `{"name":"order-shipped","to":"u1","payload":{"a":"` + strings.Repeat("x", triggers.MaxEventBytes) + `"}}`
	for target, body := range map[string]string{
		triggerPath: large, triggerPath + "/broadcast": large, bulkPath: `{"events":[` + oneTrigger + `,` + large + `]}`,
	} {
		refused := b.keyed(target, http.MethodPost, target, body)
		require.Equal(t, http.StatusRequestEntityTooLarge, refused.Code, target)
		require.Zero(t, b.count(t, "idempotency_records"))
	}
	require.Equal(t, http.StatusCreated, b.keyed("used", http.MethodPost, triggerPath, oneTrigger).Code)
	require.Equal(t, http.StatusRequestEntityTooLarge, b.keyed("used", http.MethodPost, triggerPath, large).Code)
	require.Equal(t, http.StatusUnprocessableEntity, b.keyed("used", http.MethodPost, bulkPath, `{"events":"`+strings.Repeat("x", triggers.MaxEventBytes)+`"}`).Code,
		"one whose events are not even a list is not measured")
}

func TestOrganizationsMayDoWithoutKeys(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	require.NoError(t, b.db.Ent.Organization.UpdateOneID(b.scope.OrganizationID).SetIdempotency(false).Exec(viewer.SystemContext(t.Context())))
	for range 2 {
		for _, key := range []string{"k", strings.Repeat("k", 300)} {
			w := b.keyed(key, http.MethodPost, triggerPath, oneTrigger)
			require.Equal(t, http.StatusCreated, w.Code)
			require.Empty(t, w.Header().Get("Idempotency-Key"))
		}
	}
	require.Equal(t, 4, b.count(t, "events"))
	require.Zero(t, b.count(t, "idempotency_records"))
}

func TestWhatCountsAsTheSameRequest(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	const one = `{"name":"order-shipped","to":"u1","payload":{"n":1,"big":12345678901234567890}}`
	const long = `{"name":"order-shipped","to":"u1","payload":{"n":1,"big":1234567890123456789%s}}`
	first := b.keyed("k", http.MethodPost, triggerPath, one)
	for _, same := range []string{
		`{"to":"u1" , "payload":{"big":12345678901234567890,"n":1.0},"name":"order-shipped"}`,
		`{"name":"x","name":"order-shipped","to":"u\u0031","payload":{"n":1e0,"big":12345678901234567890}}`,
		`{"name":"order-shipped","to":"u1","payload":{"n":0.1E+1,"big":12345678901234567890.0}}`,
		`{"name":"order-shipped","to":"u1","payload":{"n":100e-2,"big":1234567890123456789e1}}`,
	} {
		replayed(t, first, b.keyed("k", http.MethodPost, triggerPath, same))
	}
	for _, other := range []struct{ target, body string }{
		{triggerPath, `{"name":"order-shipped","to":"u1","payload":{"n":2,"big":12345678901234567890}}`},
		{triggerPath, `{"name":"order-shipped","to":["u1"],"payload":{"n":1,"big":12345678901234567890}}`},
		{triggerPath, `{"name":"order-shipped","to":"u1","payload":{"n":"1","big":12345678901234567890}}`},
		{triggerPath, `{"name":"order-shipped","to":"u1","payload":{"n":-1,"big":12345678901234567890}}`},
		{triggerPath, fmt.Sprintf(long, "1")},
		{triggerPath, fmt.Sprintf(long, "0.000000000000000001")},
		{triggerPath, fmt.Sprintf(long, "0e99999999999999999999")},
		{triggerPath + "/broadcast", one},
	} {
		w := b.keyed("k", http.MethodPost, other.target, other.body)
		require.Equal(t, http.StatusUnprocessableEntity, w.Code, w.Body)
		require.Contains(t, w.Body.String(), "was used before")
	}
	other := setup(t) // another organization has keys of its own
	other.workflows(t)
	require.Empty(t, other.keyed("k", http.MethodPost, triggerPath, one).Header().Get("Idempotency-Replay"))
	replayed(t, b.keyed("empty", http.MethodPost, triggerPath, ``), b.keyed("empty", http.MethodPost, triggerPath, `{}`))
}

func TestKeysExpire(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	first := b.keyed("k", http.MethodPost, triggerPath, oneTrigger)
	b.passed.Store(int64(24*time.Hour - time.Second))
	replayed(t, first, b.keyed("k", http.MethodPost, triggerPath, oneTrigger))
	b.passed.Store(int64(24 * time.Hour))
	again := b.keyed("k", http.MethodPost, triggerPath, `{"name":"off","to":"u1"}`)
	require.Equal(t, http.StatusCreated, again.Code, "the key is new, whatever the body")
	require.Empty(t, again.Header().Get("Idempotency-Replay"))
	replayed(t, again, b.keyed("k", http.MethodPost, triggerPath, `{"name":"off","to":"u1"}`))

	// Records are found by the real time in their identifiers, which in a process never runs backwards.
	deleted, err := pgupkeep.Prune(t.Context(), b.db, time.Now().AddDate(1, 0, 0), pgupkeep.Retention{}, 500)
	require.NoError(t, err)
	require.EqualValues(t, 1, deleted)
	require.Zero(t, b.count(t, "idempotency_records"))
}

// A process that dies leaves a key taken and nothing else: neither effect nor reply.
func TestDeathWhileInProgress(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.workflows(t)
	ctx := viewer.NewContext(t.Context(), viewer.Viewer{Scope: b.scope, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "k"})
	use, err := b.services.Idempotency.Claim(ctx, "k", []byte("hash"))
	require.NoError(t, err)
	held, err := use.Take(ctx)
	require.NoError(t, err)
	require.True(t, held)
	for _, body := range []string{oneTrigger, `{}`} { // whatever the body
		w := b.keyed("k", http.MethodPost, triggerPath, body)
		require.Equal(t, http.StatusConflict, w.Code)
		require.Equal(t, "1", w.Header().Get("Retry-After"))
		require.Equal(t, "k", w.Header().Get("Idempotency-Key"))
		require.Contains(t, w.Body.String(), `"message":"The request with key \"k\" is still being processed. Retry after 1 second."`)
	}
	b.passed.Store(int64(5*time.Minute - time.Second))
	require.Equal(t, http.StatusConflict, b.keyed("k", http.MethodPost, triggerPath, oneTrigger).Code)
	b.passed.Store(int64(5 * time.Minute))
	first := b.keyed("k", http.MethodPost, triggerPath, oneTrigger)
	require.Equal(t, http.StatusCreated, first.Code)
	// The first one was only slow: its key is another's now, so nothing of it may happen.
	require.Error(t, use.Keep(ctx, triggers.StoredReply{Status: 200, Body: []byte("{}")}))
	replayed(t, first, b.keyed("k", http.MethodPost, triggerPath, oneTrigger))
}

// TestReplyCommitsWithItsEffect breaks the storing of replies: the effect must go with it.
func TestReplyCommitsWithItsEffect(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.world(t)
	b.workflow(t, "order-shipped", steps(true), true)
	_, err := b.db.Pool.Exec(t.Context(), `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
		$$BEGIN RAISE EXCEPTION 'no room' USING ERRCODE = 'XX000'; END$$;
		CREATE TRIGGER refuse BEFORE INSERT OR UPDATE ON idempotency_records FOR EACH ROW WHEN (NEW.status_code IS NOT NULL) EXECUTE FUNCTION refuse()`)
	require.NoError(t, err)
	w := b.keyed("broken", http.MethodPost, triggerPath, oneTrigger)
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Zero(t, b.count(t, "events WHERE id <> '"+fixed(0x801)+"'"))
	w = b.keyed("broken", http.MethodPost, triggerPath, oneTrigger)
	require.Equal(t, http.StatusConflict, w.Code, "its outcome was never stored")

	_, err = b.db.Pool.Exec(t.Context(), `DELETE FROM idempotency_records`)
	require.NoError(t, err)
	w = b.keyed("broken", http.MethodPost, "/v2/topics/fresh/subscriptions", `{"subscriptions":["u1"]}`)
	require.Equal(t, http.StatusInternalServerError, w.Code)
	require.Zero(t, b.count(t, "topics WHERE key = 'fresh'"))
}

// Fifty equal requests race on two servers with one database, for a write of each kind.
func TestFiftyEqualRequests(t *testing.T) {
	t.Parallel()
	one := setup(t)
	one.world(t)
	one.workflow(t, "order-shipped", steps(true), true)
	other := setupOn(t, one.db)
	other.key = one.key
	for _, c := range []struct {
		method, target, body string
		code                 int
	}{
		{http.MethodPost, triggerPath, oneTrigger, 201},
		{http.MethodPost, "/v2/topics/race/subscriptions", `{"subscriptions":["u1","u2"]}`, 201},
	} {
		var replies sync.Map
		first, wg := atomic.Int64{}, sync.WaitGroup{}
		for i := range 50 {
			server := []*bundle{one, other}[i%2]
			wg.Go(func() {
				for {
					w := server.keyed("k"+c.target, c.method, c.target, c.body)
					if w.Code == http.StatusConflict {
						continue
					}
					if w.Code != c.code {
						t.Errorf("%d %s", w.Code, w.Body)
					}
					if w.Header().Get("Idempotency-Replay") == "" {
						first.Add(1)
					}
					replies.Store(w.Body.String(), true)
					return
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, first.Load(), c.target)
		n := 0
		replies.Range(func(any, any) bool { n++; return true })
		require.Equal(t, 1, n, "one reply for all")
	}
	require.Equal(t, 1, one.count(t, "events WHERE workflow_id <> '"+fixed(0x401)+"'"))
	require.Equal(t, 2, one.count(t, "subscriptions s JOIN topics t ON t.id = s.topic_id WHERE t.key = 'race'"))
}
