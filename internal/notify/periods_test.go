package notify_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"entgo.io/ent/dialect/sql"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/attempt"
	"github.com/carillon/carillon/ent/digest"
	"github.com/carillon/carillon/ent/receipt"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/activity"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/provider/vendors"
	"github.com/carillon/carillon/internal/workflow"
)

// The values of the records of TestListsOfPeriods.
var (
	someStatuses = []digest.Status{digest.StatusOpen, digest.StatusClosed, digest.StatusCancelled}
	someKinds    = []workflow.ReceiptKind{workflow.ReceiptDelivered, workflow.ReceiptBounced, workflow.ReceiptOpened}
	someOutcomes = []workflow.AttemptOutcome{workflow.AttemptAccepted, workflow.AttemptRejected, workflow.AttemptUnknown}
)

// drawn draws records and filters.
type drawn struct{ *rand.Rand }

func (r drawn) instant() time.Time {
	return time.Now().Add(-time.Hour - time.Duration(r.Int64N(int64(2*time.Hour)))).Truncate(time.Microsecond)
}

func (r drawn) integration() string { return strings.Repeat(string("abc"[r.IntN(3)]), 24) }

// record is the id of the i-th record, of a clock that differs from that of created_at by as much as processes work with.
func (r drawn) record(created time.Time, i int) string {
	skew := time.Duration(r.Int64N(int64(2*postgres.MostSkew))) - postgres.MostSkew
	return id.Floor(created.Add(skew))[:20] + fmt.Sprintf("%04x", i)
}

// conditions are those of a filter, said without regard to indexes.
type conditions []func(*sql.Selector)

func (c *conditions) period(r drawn) (after, before *time.Time) {
	if r.IntN(3) > 0 {
		after = new(r.instant())
		*c = append(*c, sql.FieldGT("created_at", *after))
	}
	if r.IntN(3) > 0 {
		before = new(r.instant())
		*c = append(*c, sql.FieldLT("created_at", *before))
	}
	return after, before
}

// among draws some of the values of a column, or none as a condition.
func among[V any](r drawn, c *conditions, column string, values []V) []V {
	if r.IntN(2) == 0 {
		return nil
	}
	some := values[r.IntN(len(values)):]
	*c = append(*c, sql.FieldIn(column, some...))
	return some
}

// one draws the value of a column, or nil.
func (c *conditions) one(r drawn, column, value string) *string {
	if r.IntN(2) == 0 {
		return nil
	}
	*c = append(*c, sql.FieldEQ(column, value))
	return &value
}

// meet is the predicate of all conditions.
func (c conditions) meet(s *sql.Selector) {
	for _, condition := range c {
		condition(s)
	}
}

// TestListsOfPeriods compares lists that are narrowed by ids and read along the indexes of their filters with what the conditions alone
// find: random filters over random records, from page to page in each direction.
func TestListsOfPeriods(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAudience(t)
	registry, err := vendors.Registry()
	require.NoError(t, err)
	s := notify.New(usecase.Config{DB: a.DB, Now: time.Now, Providers: registry}) // clocks that are set narrow nothing
	seed := rand.Uint64()                                                         //nolint:gosec // it chooses records
	t.Logf("seed %d", seed)
	r := drawn{rand.New(rand.NewPCG(seed, 0))} //nolint:gosec // as above
	drawRecords(a, r)
	for range 15 {
		var c conditions
		d := activity.DigestFilter{StatusIn: among(r, &c, digest.FieldStatus, someStatuses), StepID: c.one(r, digest.FieldStepID, "s")}
		d.CreatedAfter, d.CreatedBefore = c.period(r)
		walked(a.Ctx, t, a.DB.Ent.Digest.Query().Where(c.meet).Order(digest.ByID()).IDsX(a.Ctx), func(p usecase.Page, o *usecase.Order) (*activity.DigestConnection, error) {
			return s.Digests.List(a.Ctx, p, o, &d)
		})
		c = nil
		f := integrations.ReceiptFilter{KindIn: among(r, &c, receipt.FieldKind, someKinds), IntegrationID: c.one(r, receipt.FieldIntegrationID, r.integration())}
		f.CreatedAfter, f.CreatedBefore = c.period(r)
		walked(a.Ctx, t, a.DB.Ent.Receipt.Query().Where(c.meet).Order(receipt.ByID()).IDsX(a.Ctx), func(p usecase.Page, o *usecase.Order) (*integrations.ReceiptConnection, error) {
			return s.Receipts.List(a.Ctx, p, o, &f)
		})
		c = nil
		g := activity.AttemptFilter{OutcomeIn: among(r, &c, attempt.FieldOutcome, someOutcomes), IntegrationID: c.one(r, attempt.FieldIntegrationID, r.integration())}
		g.CreatedAfter, g.CreatedBefore = c.period(r)
		walked(a.Ctx, t, a.DB.Ent.Attempt.Query().Where(c.meet).Order(attempt.ByID()).IDsX(a.Ctx), func(p usecase.Page, o *usecase.Order) (*activity.AttemptConnection, error) {
			return s.Attempts.List(a.Ctx, p, o, &g)
		})
	}
}

func drawRecords(a *notifytest.Audience, r drawn) {
	for i := range 40 {
		at := r.instant()
		a.DB.Ent.Digest.Create().SetID(r.record(at, i)).SetCreatedAt(at).SetWorkflowID("w").SetStepID([]string{"s", "t"}[r.IntN(2)]).SetSubscriberID("u").
			SetDigestKey(fmt.Sprint(i)).SetStatus(someStatuses[r.IntN(3)]).SetNotificationID("n").SetContextKeys(workflow.NewContextSet()).SetScope("").
			SetOpenedAt(at).SetClosesAt(at).SaveX(a.Ctx)
		a.DB.Ent.Receipt.Create().SetID(r.record(at, i)).SetCreatedAt(at).SetIntegrationID(r.integration()).SetProviderEventID(fmt.Sprint(i)).
			SetKind(someKinds[r.IntN(3)]).SetOccurredAt(at).SaveX(a.Ctx)
		attempted := a.DB.Ent.Attempt.Create().SetID(r.record(at, i)).SetCreatedAt(at).SetMessageID(strings.Repeat("d", 24)).SetNumber(i).
			SetIntegrationID(r.integration()).SetProviderID("p").SetOutcome(someOutcomes[r.IntN(3)])
		if outcome, _ := attempted.Mutation().Outcome(); outcome != workflow.AttemptAccepted {
			attempted.SetClass("permanent")
		}
		attempted.SaveX(a.Ctx)
	}
}
