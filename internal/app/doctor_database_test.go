package app

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/ent/notification"
	"github.com/carillon/carillon/internal/auth"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// ward is a database with one environment, and what a test needs to make it ill.
type ward struct {
	*doctor
	db  *postgres.DB
	ctx context.Context // a test's, with its viewer
}

func newWard(t *testing.T) *ward {
	t.Helper()
	w := &ward{doctor: newDoctor(t), db: pgtest.New(t)}
	system := viewer.SystemContext(t.Context())
	organization := w.db.Ent.Organization.Create().SetName("Ward").SaveX(system)
	environment := w.db.Ent.Environment.Create().SetOrganizationID(organization.ID).SetName("Development").SetIdentifier("development").SaveX(system)
	w.ctx = viewer.InScope(t.Context(), viewer.Scope{OrganizationID: organization.ID, EnvironmentID: environment.ID})
	return w
}

// workflow makes a published workflow with one e-mail step.
func (w *ward) workflow() *ent.WorkflowVersion {
	definition := &workflow.Definition{Steps: []workflow.Step{{StepID: "mail", Type: workflow.StepEmail, Active: true}}}
	parent := w.db.Ent.Workflow.Create().SetIdentifier("order").SetName("Order").SetDraft(definition).SaveX(w.ctx)
	version := w.db.Ent.WorkflowVersion.Create().SetWorkflowID(parent.ID).SetNumber(1).SetDefinition(definition).
		SetSeverity(workflow.SeverityNone).SaveX(w.ctx)
	parent.Update().SetPublishedVersionID(version.ID).ExecX(w.ctx)
	return version
}

func (w *ward) event() *ent.EventCreate {
	return w.db.Ent.Event.Create().SetTransactionID("t").SetWorkflowID("w").SetWorkflowVersionID("v").
		SetKind(event.KindTrigger).SetPayload(map[string]any{})
}

func (w *ward) notification(of *ent.Event, version string) *ent.NotificationCreate {
	return w.db.Ent.Notification.Create().SetEventID(of.ID).SetTransactionID("t").SetWorkflowID("w").SetWorkflowVersionID(version).
		SetSubscriberID("s").SetTrace([]workflow.TraceEntry{})
}

func (w *ward) message(of *ent.Notification) *ent.MessageCreate {
	return w.db.Ent.Message.Create().SetNotificationID(of.ID).SetEventID(of.EventID).SetTransactionID("t").SetWorkflowID("w").
		SetWorkflowIdentifier("order").SetStepID("mail").SetSubscriberID("s").SetChannel(workflow.ChannelEmail).SetTarget("a@example.com")
}

func TestDoctorExaminesAHealthyDatabase(t *testing.T) {
	t.Parallel()
	d := newDoctor(t)
	d.cfg.DatabaseURL = pgtest.NewURL(t)
	d.examine(t.Context())
	for _, check := range []string{"database", "clock", "connections", "schema", "indexes", "triggers", "secret key", "integrations", "breakers", "pauses", "moves", "parked", "due rows", "references"} {
		require.Equal(t, LevelOK, d.find(t, check).Level, "%+v", d.find(t, check))
	}
	d.requireFault(t, LevelFail, "durability", "fsync, synchronous_commit") // as the tests' server is set, for speed
}

// TestDoctorOnASlowWay: an answer that takes long on its way to the database says nothing of clocks.
func TestDoctorOnASlowWay(t *testing.T) {
	t.Parallel()
	d := newDoctor(t)
	d.cfg.DatabaseURL = pgtest.NewURL(t)
	began, reads := time.Now(), 0
	d.now = func() time.Time { // of the first two reads one is before the answer, and one is after it
		reads++
		return began.Add(time.Duration(2*min(reads, 2)-3) * time.Hour)
	}
	d.database(t.Context())
	require.Equal(t, LevelOK, d.find(t, "clock").Level, "%+v", d.find(t, "clock"))
}

func TestDoctorUnreachableDatabase(t *testing.T) {
	t.Parallel()
	d := newDoctor(t)
	d.cfg.DatabaseURL = "postgres://nobody@" + d.cfg.Addr + "/nothing?sslmode=disable"
	ctx, cancel := context.WithTimeout(t.Context(), stall.Limit(200*time.Millisecond)) // rather than connectPatience
	defer cancel()
	d.database(ctx)
	d.requireFault(t, LevelFail, "database", "refused")
}

func TestDoctorSchema(t *testing.T) {
	t.Parallel()

	d := newDoctor(t)
	d.cfg.DatabaseURL = pgtest.EmptyURL(t)
	d.database(t.Context())
	d.requireFault(t, LevelFail, "schema", "pending")
	require.Contains(t, d.find(t, "schema").Cure, "carillon migrate")

	w := newWard(t)
	w.schema(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "schema").Level)
	_, err := w.db.Pool.Exec(t.Context(), `INSERT INTO carillon_migrations (version, checksum) VALUES ('99990101000000_future', '')`)
	require.NoError(t, err)
	w.findings = nil
	w.schema(t.Context(), w.db)
	w.requireFault(t, LevelFail, "schema", "newer")

	w.findings = nil
	w.failed("schema", &pgconn.PgError{Code: "42501", Message: "permission denied for table carillon_migrations"})
	w.requireFault(t, LevelFail, "schema", "Migrations need a role")
}

// TestMissingIndexes: a process does not start without a unique index, and doctor prints how each is made.
func TestMissingIndexes(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.cfg.DatabaseURL = w.db.Pool.Config().ConnString()
	db := &database{DB: w.db}
	exec := func(sql string) { _, err := w.db.Pool.Exec(t.Context(), sql); require.NoError(t, err) }
	exec(`CREATE SCHEMA another`)
	exec(`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = another, public', current_database()); END $$`)
	require.NoError(t, (&database{DB: pgtest.Open(t, w.cfg.DatabaseURL)}).prepareSchema(t.Context(), w.cfg, w.log), "the tables are behind an empty schema")
	exec(`DROP INDEX notification_pending`)
	require.NoError(t, db.prepareSchema(t.Context(), w.cfg, w.log), "it is slower, and right")
	w.indexes(t.Context(), w.db)
	w.requireFault(t, LevelWarn, "indexes", "notification_pending")
	exec(w.find(t, "indexes").Cure)
	w.findings = nil

	exec(`DROP INDEX transactionclaim_environment_id_transaction_id`)
	require.ErrorIs(t, db.prepareSchema(t.Context(), w.cfg, w.log), postgres.ErrIndexes)
	w.indexes(t.Context(), w.db)
	w.requireFault(t, LevelFail, "indexes", "transactionclaim_environment_id_transaction_id")
}

// TestTriggersThatDoNotFire: a process does not start where it would not hear of changes, and doctor says why.
func TestTriggersThatDoNotFire(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ set, words string }{
		{`DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$`, "session_replication_role"},
		{`ALTER TABLE api_keys DISABLE TRIGGER configuration_changed`, "api_keys.configuration_changed"},
	} {
		d := newDoctor(t)
		d.cfg.DatabaseURL = pgtest.NewURL(t)
		_, err := pgtest.Open(t, d.cfg.DatabaseURL).Pool.Exec(t.Context(), c.set)
		require.NoError(t, err)
		db := &database{DB: pgtest.Open(t, d.cfg.DatabaseURL)}
		require.ErrorIs(t, db.prepareSchema(t.Context(), d.cfg, d.log), postgres.ErrTriggers)
		d.examine(t.Context())
		d.requireFault(t, LevelFail, "triggers", c.words)
	}
}

func TestDoctorSecretKey(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	keeper, err := secret.NewKeeper(w.cfg.SecretKey)
	require.NoError(t, err)
	made := w.db.Ent.Integration.Create().SetIdentifier("smtp").SetName("SMTP").SetProviderID("nodemailer").
		SetChannel(workflow.ChannelEmail).SaveX(w.ctx)
	sealed, err := provider.SealCredentials(keeper, made.ID, provider.Credentials{"password": "x"})
	require.NoError(t, err)
	made.Update().SetCredentials(sealed).ExecX(w.ctx)

	w.secrets(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "secret key").Level)

	old := w.cfg.SecretKey
	for key, words := range map[string]string{secret.Generate(): "development/smtp", "short": "32 bytes"} {
		w.findings, w.cfg.SecretKey = nil, key
		w.secrets(t.Context(), w.db)
		w.requireFault(t, LevelFail, "secret key", words)
	}
	w.findings, w.cfg.SecretKey = nil, secret.Generate()+","+old
	w.secrets(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "secret key").Level)

	w.findings, w.cfg.SecretKey = nil, "" // generated, and then lost
	w.secrets(t.Context(), w.db)
	w.requireFault(t, LevelFail, "secret key", filepath.Join(w.cfg.DataDir, "secret.key"))
}

// TestDoctorTriesEveryKindOfSecret: a key is only called enough when it opens all that is sealed.
func TestDoctorTriesEveryKindOfSecret(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	rows := pgtest.Fill(t, w.db, "")
	old := w.cfg.SecretKey
	keeper, err := secret.NewKeeper(old)
	require.NoError(t, err)
	text := func(sealed []byte, err error) []byte {
		require.NoError(t, err)
		return sealed
	}
	values := map[string]func(id string) []byte{
		"integrations.credentials": func(id string) []byte {
			return text(provider.SealCredentials(keeper, id, provider.Credentials{"password": "x"}))
		},
		"integrations.configurations":      func(id string) []byte { return text(provider.SealConfigurations(keeper, id, map[string]any{"a": "x"})) },
		"channel_connections.access_token": func(id string) []byte { return text(provider.SealToken(keeper, id, "x")) },
		"variables.sealed":                 func(id string) []byte { return text(provider.SealVariable(keeper, id, "x")) },
		"webhook_endpoints.secret":         func(id string) []byte { return text(provider.SealWebhookSecret(keeper, id, "x")) },
		"environments.inbox_secret":        func(id string) []byte { return text(keeper.Seal([]byte("x"), auth.InboxSecretPurpose(id))) },
		"users.second_factor":              func(id string) []byte { return text(auth.SecondFactor{}.Seal(keeper, id)) },
	}
	values["webhook_endpoints.previous_secret"] = values["webhook_endpoints.secret"]
	exec := func(sql string, args ...any) {
		_, err := w.db.Pool.Exec(t.Context(), sql, args...)
		require.NoError(t, err)
	}
	for _, c := range pgupkeep.SealedColumns() {
		exec(`UPDATE `+c.Table+` SET `+c.Column+` = $2 WHERE id = $1`, rows.IDs[c.Table], values[c.Table+"."+c.Column](rows.IDs[c.Table]))
	}
	exec(`UPDATE webhook_endpoints SET previous_secret_until = now() + interval '1 hour'`)
	url, err := keeper.SealURL(rows.Scope.EnvironmentID, "https://hooks.example.com/x")
	require.NoError(t, err)
	exec(`UPDATE messages SET direct_webhook_url = $1`, url)
	require.NoError(t, pgupkeep.MarkURLsSealed(t.Context(), w.db, keeper.URLPrefix()))
	kinds := []string{sealedURLs}
	for _, kind := range sealedKinds {
		kinds = append(kinds, kind.name)
	}

	w.secrets(t.Context(), w.db)
	require.Equal(t, "opens all 9 stored secrets", w.find(t, "secret key").What)

	fresh := secret.Generate()
	w.findings, w.cfg.SecretKey = nil, fresh+","+old
	w.secrets(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "secret key").Level)
	for _, kind := range kinds {
		require.Contains(t, w.find(t, "secret key").What, kind, "the older key is needed")
	}
	w.requireFault(t, LevelWarn, "webhook URLs", "under another key")

	w.findings, w.cfg.SecretKey = nil, fresh
	w.secrets(t.Context(), w.db)
	for _, kind := range kinds {
		w.requireFault(t, LevelFail, "secret key", kind+" (")
	}
	require.Contains(t, w.find(t, "secret key").Cure, "`carillon users reset-second-factor`")

	for _, c := range pgupkeep.SealedColumns() { // one closed value is enough
		w.findings, w.cfg.SecretKey = nil, old
		exec(`UPDATE `+c.Table+` SET `+c.Column+` = set_byte(`+c.Column+`, 9, 255 - get_byte(`+c.Column+`, 9)) WHERE id = $1`, rows.IDs[c.Table])
		w.secrets(t.Context(), w.db)
		w.requireFault(t, LevelFail, "secret key", "it does not open: "+sealedKinds[c.Table+"."+c.Column].name+" (")
		exec(`UPDATE `+c.Table+` SET `+c.Column+` = $2 WHERE id = $1`, rows.IDs[c.Table], values[c.Table+"."+c.Column](rows.IDs[c.Table]))
	}
}

func TestDoctorIntegrations(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.workflow()
	w.gaps(t.Context(), w.db)
	w.requireFault(t, LevelWarn, "integrations", "no active integration for email, which order use")

	made := w.db.Ent.Integration.Create().SetIdentifier("smtp").SetName("SMTP").SetProviderID("nodemailer").
		SetChannel(workflow.ChannelEmail).SaveX(w.ctx)
	w.findings = nil
	w.gaps(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "integrations").Level)

	made.Update().SetActive(false).ExecX(w.ctx)
	w.findings = nil
	w.gaps(t.Context(), w.db)
	require.Equal(t, LevelWarn, w.find(t, "integrations").Level)
}

func TestDoctorTransactions(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.transactions(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "transactions").Level)

	require.NoError(t, pgx.BeginFunc(t.Context(), w.db.Pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(t.Context(), `LOCK TABLE events IN ACCESS EXCLUSIVE MODE`)
		require.NoError(t, err)
		w.findings, w.now = nil, func() time.Time { return time.Now().Add(2 * lateAfter) }
		w.transactions(t.Context(), w.db)
		w.requireFault(t, LevelWarn, "transactions", fmt.Sprintf("session %d of Postgres", tx.Conn().PgConn().PID()))
		return nil
	}))
}

// TestDoctorFullDisk: the database has no room for what the doctor tries to store, and says so.
func TestDoctorFullDisk(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.writes(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "writes").Level)

	_, err := w.db.Pool.Exec(t.Context(), `CREATE FUNCTION full_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$
	BEGIN RAISE 'could not extend file "base/1/2": No space left on device' USING ERRCODE = '53100'; END $$;
CREATE EVENT TRIGGER full_disk ON ddl_command_start WHEN TAG IN ('CREATE TABLE AS') EXECUTE FUNCTION full_disk()`)
	require.NoError(t, err)
	w.findings = nil
	w.writes(t.Context(), w.db)
	w.requireFault(t, LevelFail, "writes", "No space left on device (SQLSTATE 53100)")
	require.Contains(t, w.find(t, "writes").Cure, "make room")
}

// TestDoctorMoves: an organization whose move has ended early is named in either cell.
func TestDoctorMoves(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	w.moves(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "moves").Level)
	for state, says := range map[string]string{"leaving": "to cell us since 1h", "arriving": "to this cell since 1h"} {
		_, err := w.db.Pool.Exec(t.Context(), `UPDATE organizations SET move = $1, moved_to = 'cell us', updated_at = now() - interval '1 hour'`, state)
		require.NoError(t, err)
		w.findings = nil
		w.moves(t.Context(), w.db)
		w.requireFault(t, LevelWarn, "moves", says)
		require.Contains(t, w.find(t, "moves").Cure, "run it again")
	}
}

func TestDoctorRows(t *testing.T) {
	t.Parallel()
	w := newWard(t)
	version := w.workflow()
	parked := w.event().SetStatus(event.StatusParked).SaveX(w.ctx)
	late := time.Now().Add(-time.Hour)
	run := w.notification(parked, version.ID).SetStatus(workflow.RunParked).SaveX(w.ctx)
	w.message(run).SetDueAt(late).SaveX(w.ctx)

	w.rows(t.Context(), w.db)
	require.Equal(t, LevelOK, w.find(t, "references").Level)
	w.requireFault(t, LevelWarn, "due rows", "no process delivers")
	require.Contains(t, w.find(t, "due rows").What, "1 messages")
	both := []string{}
	for _, f := range w.findings {
		if f.Check == "parked" {
			both = append(both, f.What)
		}
	}
	require.Len(t, both, 2)
	require.Contains(t, strings.Join(both, " "), parked.ID)

	beside, err := postgres.Open(t.Context(), w.db.Pool.Config().ConnString(), postgres.Options{Delivers: true})
	require.NoError(t, err)
	defer beside.Close()
	w.findings = nil
	w.rows(t.Context(), w.db)
	w.requireFault(t, LevelFail, "due rows", "although they are due")

	w.db.Ent.Message.Update().SetLeasedUntil(time.Now().Add(time.Hour)).ExecX(w.ctx)
	w.findings = nil
	w.rows(t.Context(), w.db)
	w.requireFault(t, LevelFail, "due rows", "leased for longer")

	w.db.Ent.Notification.Delete().Where(notification.ID(run.ID)).ExecX(w.ctx)
	w.findings = nil
	w.rows(t.Context(), w.db)
	w.requireFault(t, LevelFail, "references", "1 messages have a notification_id")
}
