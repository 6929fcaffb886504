package postgres_test

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"log/slog"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccept"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
)

var errOnPurpose = errors.New("on purpose")

func TestTx(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	insert := func(ctx context.Context, tx *postgres.Tx, name string) {
		require.NoError(t, tx.Ent.Organization.Create().SetName(name).Exec(ctx))
		_, err := tx.Pgx.Exec(ctx, `UPDATE organizations SET updated_at = updated_at WHERE name = $1`, name)
		require.NoError(t, err)
	}
	count := func(t *testing.T) int {
		t.Helper()
		n, err := db.Ent.Organization.Query().Count(viewer.SystemContext(t.Context()))
		require.NoError(t, err)
		return n
	}
	ctx := viewer.SystemContext(t.Context())

	require.NoError(t, db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		insert(ctx, tx, "committed")
		var seen int
		require.NoError(t, tx.Pgx.QueryRow(ctx, `SELECT count(*) FROM organizations`).Scan(&seen))
		require.Equal(t, 1, seen, "both see the same transaction")
		require.Zero(t, count(t), "nobody else does")
		return nil
	}))
	require.Equal(t, 1, count(t))

	require.ErrorIs(t, db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		insert(ctx, tx, "rolled back")
		return errOnPurpose
	}), errOnPurpose)
	require.Equal(t, 1, count(t))

	require.PanicsWithError(t, errOnPurpose.Error(), func() {
		_ = db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
			insert(ctx, tx, "panicked")
			panic(errOnPurpose)
		})
	})
	require.Equal(t, 1, count(t))

	var escaped context.Context
	require.ErrorIs(t, db.Tx(ctx, func(ctx context.Context, outer *postgres.Tx) error {
		escaped = ctx
		insert(ctx, outer, "outer")
		require.NoError(t, db.Tx(ctx, func(ctx context.Context, inner *postgres.Tx) error {
			require.Same(t, outer, inner)
			insert(ctx, inner, "inner")
			return nil
		}))
		return errOnPurpose
	}), errOnPurpose)
	require.Equal(t, 1, count(t), "the inner one went with the outer one")
	_, ok := postgres.TxFromContext(escaped)
	require.False(t, ok, "an ended transaction is not joined")

	require.Zero(t, db.Pool.Stat().AcquiredConns(), "every connection came back")
}

func TestTxRollsBackForACallerWhoLeft(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx, cancel := context.WithCancel(viewer.SystemContext(t.Context()))
	var pid uint32
	err := db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		pid = tx.Pgx.Conn().PgConn().PID()
		require.NoError(t, tx.Ent.Organization.Create().SetName("left").Exec(ctx))
		cancel()
		return context.Cause(ctx)
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Zero(t, db.Pool.Stat().AcquiredConns())
	var state string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `SELECT state FROM pg_stat_activity WHERE pid = $1`, pid).Scan(&state))
	require.NotContains(t, state, "transaction", "the connection survived, without its transaction")
}

// TestTxBeginsLate counts what goes to Postgres: the BEGIN with the first batch, the COMMIT with what comes last.
func TestTxBeginsLate(t *testing.T) {
	t.Parallel()
	seen := &batches{}
	db := pgtest.OpenTraced(t, pgtest.NewURL(t), seen)
	ctx := t.Context()
	seen.taken()
	require.NoError(t, db.Tx(ctx, func(context.Context, *postgres.Tx) error { return nil }))
	require.Empty(t, seen.taken(), "nothing was asked")

	kept := func(tx *postgres.Tx) *pgx.Batch { return &tx.Last }
	one := func(text string) *pgx.Batch {
		b := &pgx.Batch{}
		b.Queue(text)
		return b
	}
	require.NoError(t, db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		require.NoError(t, tx.Pgx.SendBatch(ctx, one(`CREATE TABLE late (n int)`)).Close())
		kept(tx).Queue(`INSERT INTO late VALUES (1)`)
		return nil
	}))
	require.Equal(t, [][]string{{"begin", `CREATE TABLE late (n int)`}, {`INSERT INTO late VALUES (1)`, "commit"}}, seen.taken())

	// Results are those of what was asked, not of the BEGIN.
	var n int
	require.NoError(t, db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		results := tx.Pgx.SendBatch(ctx, one(`SELECT count(*) FROM late`))
		require.NoError(t, results.QueryRow().Scan(&n))
		return results.Close()
	}))
	require.Equal(t, 1, n)

	// What comes last may fail, too, and takes everything with it.
	err := db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		if _, err := tx.Pgx.Exec(ctx, `INSERT INTO late VALUES (2)`); err != nil {
			return err
		}
		kept(tx).Queue(`SELECT 1 / count(*) FROM late WHERE n = 3`)
		return nil
	})
	require.Error(t, err)
	require.True(t, pgaccept.Overtaken(err))
	require.NoError(t, db.Pool.QueryRow(ctx, `SELECT count(*) FROM late`).Scan(&n))
	require.Equal(t, 1, n)
}

// TestTxLosesItsConnection breaks the connection: when ent finds that out, database/sql takes it away, and what comes
// afterwards must not touch it.
func TestTxLosesItsConnection(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	err := db.Tx(viewer.SystemContext(t.Context()), func(ctx context.Context, tx *postgres.Tx) error {
		_, err := tx.Pgx.Exec(ctx, `SELECT pg_terminate_backend(pg_backend_pid())`)
		require.Error(t, err)
		_, err = tx.Ent.Environment.Query().Count(ctx)
		require.Error(t, err)
		_, gone := tx.Pgx.Exec(ctx, `SELECT 1`)
		require.ErrorIs(t, gone, sql.ErrConnDone)
		require.ErrorIs(t, tx.Pgx.SendBatch(ctx, &pgx.Batch{}).Close(), sql.ErrConnDone)
		return err
	})
	require.Error(t, err)
	require.NoError(t, db.Tx(t.Context(), func(ctx context.Context, tx *postgres.Tx) error {
		_, err := tx.Pgx.Exec(ctx, `SELECT 1`)
		return err
	}), "the next transaction has a connection of its own")
}

// batches writes down what goes to Postgres, a round trip each.
type batches struct {
	mu   sync.Mutex
	seen [][]string
}

func (b *batches) taken() [][]string {
	b.mu.Lock()
	defer b.mu.Unlock()
	seen := b.seen
	b.seen = nil
	return seen
}

func (b *batches) TraceBatchStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData) context.Context {
	b.mu.Lock()
	defer b.mu.Unlock()
	var texts []string
	for _, q := range data.Batch.QueuedQueries {
		texts = append(texts, q.SQL)
	}
	b.seen = append(b.seen, texts)
	return ctx
}

func (b *batches) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}
func (b *batches) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData)     {}

func (b *batches) TraceQueryStart(ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData) context.Context {
	if !strings.HasPrefix(data.SQL, "-- ping") {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.seen = append(b.seen, []string{data.SQL})
	}
	return ctx
}

func (b *batches) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestEntSaveWithEdgesStaysInTheTransaction(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := viewer.SystemContext(t.Context())
	require.NoError(t, db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		org, err := tx.Ent.Organization.Create().SetName("o").Save(ctx)
		require.NoError(t, err)
		builders := []*ent.EnvironmentCreate{
			tx.Ent.Environment.Create().SetName("a").SetIdentifier("a").SetOrganization(org),
			tx.Ent.Environment.Create().SetName("b").SetIdentifier("b").SetOrganization(org),
		}
		return tx.Ent.Environment.CreateBulk(builders...).Exec(ctx)
	}))
	n, err := db.Ent.Environment.Query().Count(ctx)
	require.NoError(t, err)
	require.Equal(t, 2, n)
}

func TestRetry(t *testing.T) {
	t.Parallel()
	deadlock := &pgconn.PgError{Code: "40P01"}
	tries := 0
	require.NoError(t, postgres.Retry(t.Context(), func(context.Context) error {
		if tries++; tries < 3 {
			return postgres.Translate(deadlock)
		}
		return nil
	}))
	require.Equal(t, 3, tries)

	tries = 0
	require.ErrorIs(t, postgres.Retry(t.Context(), func(context.Context) error { tries++; return errOnPurpose }), errOnPurpose)
	require.Equal(t, 1, tries, "only conflicts are tried again")

	tries = 0
	require.ErrorIs(t, postgres.Retry(t.Context(), func(context.Context) error { tries++; return deadlock }), deadlock)
	require.Equal(t, 5, tries)
}

func TestTranslate(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	ctx := viewer.SystemContext(t.Context())
	pool := func(sql string) error { _, err := db.Pool.Exec(ctx, sql); return err }
	require.NoError(t, pool(`CREATE TABLE p (id int PRIMARY KEY CHECK (id < 9)); CREATE TABLE c (p int REFERENCES p); INSERT INTO p VALUES (1)`))
	_, missing := db.Ent.Organization.Get(ctx, "nobody")
	closed := pgtest.Open(t, pgtest.EmptyURL(t))
	closed.Close()
	stopped, stop := context.WithCancel(ctx)
	stop()

	idle := db.Tx(ctx, func(ctx context.Context, tx *postgres.Tx) error {
		var pid int
		require.NoError(t, tx.Pgx.QueryRow(ctx, `SELECT pg_backend_pid() FROM set_config('idle_in_transaction_session_timeout', '1', true)`).Scan(&pid))
		for there := true; there; {
			require.NoError(t, db.Pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE pid = $1)`, pid).Scan(&there))
		}
		_, err := tx.Pgx.Exec(ctx, `SELECT 1`)
		return err
	})
	for name, c := range map[string]struct {
		err  error
		want fault.Kind
	}{
		"idle":              {idle, fault.Unavailable},
		"lasted too long":   {&pgconn.PgError{Code: "25P04"}, fault.Unavailable},
		"unique":            {pool(`INSERT INTO p VALUES (1)`), fault.Conflict},
		"foreign key":       {pool(`INSERT INTO c VALUES (2)`), fault.Invalid},
		"check":             {pool(`INSERT INTO p VALUES (10)`), fault.Invalid},
		"nul byte":          {pool(`SELECT '"\u0000"'::jsonb`), fault.Invalid},
		"ent not found":     {missing, fault.NotFound},
		"no rows":           {pgx.ErrNoRows, fault.NotFound},
		"syntax":            {pool(`SELEC`), fault.Internal},
		"terminated":        {pool(`SELECT pg_terminate_backend(pg_backend_pid())`), fault.Unavailable},
		"pool closed":       {closed.Pool.Ping(ctx), fault.Unavailable},
		"cancelled":         {db.Pool.Ping(stopped), fault.Unavailable},
		"too many":          {&pgconn.PgError{Code: "53300"}, fault.Unavailable},
		"starting":          {&pgconn.PgError{Code: "57P03"}, fault.Unavailable},
		"standby":           {&pgconn.PgError{Code: "25006"}, fault.Unavailable},
		"serialization":     {&pgconn.PgError{Code: "40001"}, fault.Unavailable},
		"already a fault":   {fault.NotFoundf("x"), fault.NotFound},
		"ours":              {errOnPurpose, fault.Internal},
		"untranslatable":    {&pgconn.PgError{Code: "22P05"}, fault.Invalid},
		"undefined column":  {&pgconn.PgError{Code: "42703"}, fault.Internal},
		"connection failed": {&pgconn.PgError{Code: "08006"}, fault.Unavailable},
	} {
		require.Error(t, c.err, name)
		got := postgres.Translate(c.err)
		require.Equal(t, c.want, fault.KindOf(got), "%s: %v", name, got)
		require.ErrorIs(t, got, c.err, name)
	}
	require.NoError(t, postgres.Translate(nil))
	require.True(t, postgres.RefusesValue(pool(`SELECT '1e-16384'::jsonb`)))
	require.True(t, postgres.RefusesValue(pool(`SELECT '"\u0000"'::jsonb`)))
	require.True(t, postgres.RefusesValue(&pgconn.PgError{Code: "54000"}))
	require.False(t, postgres.RefusesValue(pool(`INSERT INTO p VALUES (1)`)))
	require.False(t, postgres.RefusesValue(nil))
	require.True(t, postgres.IsUniqueViolation(pool(`INSERT INTO p VALUES (1)`), "p_pkey"))
	require.False(t, postgres.IsUniqueViolation(pool(`INSERT INTO p VALUES (1)`), "other"))
}

func TestOpenSaysWhyAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	bounded, cancel := context.WithTimeout(t.Context(), stall.Limit(time.Minute))
	defer cancel()
	_, err := postgres.Open(bounded, url+"&dbname=nowhere", postgres.Options{Patience: time.Hour})
	require.ErrorContains(t, err, "nowhere")
	require.NoError(t, bounded.Err(), "a wrong name is not waited for")

	var log bytes.Buffer
	_, err = postgres.Open(t.Context(), "host=/nowhere dbname=x", postgres.Options{
		Patience: 200 * time.Millisecond, Logger: slog.New(slog.NewTextHandler(&log, nil)),
	})
	require.ErrorContains(t, err, "no answer within 200ms")
	require.Contains(t, log.String(), " retry_in_ms=50\n")
}

func TestOpenBehindAPooler(t *testing.T) {
	t.Parallel()
	url := pgtest.NewURL(t)
	db, err := postgres.Open(t.Context(), url, postgres.Options{Pooler: true})
	require.NoError(t, err)
	defer db.Close()
	require.Equal(t, pgx.QueryExecModeCacheDescribe, db.Pool.Config().ConnConfig.DefaultQueryExecMode)
	applied, err := db.Migrate(t.Context(), slog.New(slog.DiscardHandler))
	require.NoError(t, err, "there is nothing to do")
	require.Empty(t, applied)

	empty, err := postgres.Open(t.Context(), pgtest.EmptyURL(t), postgres.Options{Pooler: true})
	require.NoError(t, err)
	defer empty.Close()
	_, err = empty.Migrate(t.Context(), slog.New(slog.DiscardHandler))
	require.ErrorContains(t, err, "pooler")
}

// TestListsArePlannedForTheirValues holds that a list is planned anew after its fifth execution, when Postgres would begin to
// plan for all values.
func TestListsArePlannedForTheirValues(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	conn, err := db.SQL.Conn(t.Context())
	require.NoError(t, err)
	defer conn.Close()
	const list = "SELECT id FROM messages WHERE subscriber_id = $1 AND channel = $2 ORDER BY arrived_at DESC, id DESC LIMIT 10"
	for range 10 {
		rows, err := conn.QueryContext(t.Context(), list, "s", "in_app")
		require.NoError(t, err)
		require.False(t, rows.Next())
		require.NoError(t, rows.Err())
		require.NoError(t, rows.Close())
	}
	var custom, generic int
	require.NoError(t, conn.QueryRowContext(t.Context(),
		"SELECT custom_plans, generic_plans FROM pg_prepared_statements WHERE statement = $1", list).Scan(&custom, &generic))
	require.Equal(t, 10, custom)
	require.Zero(t, generic)
}

func TestSeveralHostsFindTheWritableOne(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	cfg := db.Pool.Config().ConnConfig
	dsn := "host=/nowhere," + cfg.Host + " port=5432," + strconv.Itoa(int(cfg.Port)) + " user=" + cfg.User + " dbname=" + cfg.Database + " sslmode=disable"
	several, err := postgres.Open(t.Context(), dsn, postgres.Options{})
	require.NoError(t, err)
	defer several.Close()
	require.NotNil(t, several.Pool.Config().ConnConfig.ValidateConnect)
}

func TestMigrateFourAtOnce(t *testing.T) {
	t.Parallel()
	url := pgtest.EmptyURL(t)
	log := slog.New(slog.DiscardHandler)
	var wg sync.WaitGroup
	applied := make([][]string, 4)
	errs := make([]error, 4)
	for i := range 4 {
		db := pgtest.Open(t, url)
		wg.Go(func() { applied[i], errs[i] = db.Migrate(t.Context(), log) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(errs...))
	workers := 0
	for _, steps := range applied {
		if len(steps) > 0 {
			workers++
		}
	}
	require.Equal(t, 1, workers, "one migrated, the others found nothing to do")

	db := pgtest.Open(t, url)
	status, err := db.Status(t.Context())
	require.NoError(t, err)
	require.True(t, status.Current())
	require.NotEmpty(t, status.Applied)
}

func TestStatusTellsOldNewAndChanged(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t)
	migrate := func() error { _, err := db.Migrate(t.Context(), slog.New(slog.DiscardHandler)); return err }
	exec := func(sql string) { _, err := db.Pool.Exec(t.Context(), sql); require.NoError(t, err) }
	status := func() postgres.SchemaStatus {
		s, err := db.Status(t.Context())
		require.NoError(t, err)
		return s
	}

	exec(`INSERT INTO carillon_migrations (version, checksum) VALUES ('29990101000000_future', 'x')`)
	require.ErrorIs(t, status().Err(), postgres.ErrSchema)
	require.ErrorContains(t, status().Err(), "29990101000000_future")
	require.ErrorIs(t, migrate(), postgres.ErrSchema)
	exec(`DELETE FROM carillon_migrations WHERE version LIKE '2999%'`)
	require.True(t, status().Current())

	exec(`UPDATE carillon_migrations SET checksum = 'other'`)
	require.NotEmpty(t, status().Changed)
	require.ErrorContains(t, status().Err(), "another text")
	require.ErrorIs(t, migrate(), postgres.ErrSchema)

	exec(`TRUNCATE carillon_migrations`)
	require.ErrorContains(t, status().Err(), "carillon migrate")
}
