package pgmove

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/postgres"
)

// Move is the move of one organization. Each step is stored before the next begins, so that running it again continues it:
//
//	source   target     who sends
//	none     -          the source
//	leaving  -          neither; Undo gives it back to the source
//	leaving  arriving   neither; the target has all rows
//	moved    arriving   the target, as far as rows are released
//	moved    none       the target; the source's rows are being deleted
type Move struct {
	Source, Target *postgres.DB
	Organization   string // its id or name
	To             string // what callers of the source are told, such as "cell us"
	URL            string // where the source leads readers of mails that it has sent, and what vendors report: the target's CARILLON_PUBLIC_URL
	// Prepare makes the target ready before rows are copied, outside of the transaction that copies them; nil: nothing is to be done.
	Prepare func(ctx context.Context, target *postgres.DB) error
	// Report is called before each step and after each table.
	Report func(Step, string)
	Poll   time.Duration // pause between two looks at what is being sent; 0: half a second
}

// Step is a step of a move.
type Step string

// The steps, in their order.
const (
	Holding   Step = "hold"    // the source answers no more, and its workers come to an end
	Waiting   Step = "wait"    // until what is being sent is finished
	Copying   Step = "copy"    // in one transaction of the target
	Copied    Step = "copied"  // one table
	Marking   Step = "mark"    // the target has everything: the source gives it up
	Releasing Step = "release" // the target begins
	Clearing  Step = "clear"   // the source's rows are deleted, but for those by which it answers
)

// The states of an organization in a cell; the states of the column move.
const (
	none     = "none"
	leaving  = "leaving"
	moved    = "moved"
	arriving = "arriving"
)

// lockPause is how long a lock that others hold is left to them.
const lockPause = 50 * time.Millisecond

// state is what a cell knows of the organization. In a cell that has never had it, State is empty.
type state struct{ ID, Name, State, MoveID string }

func read(ctx context.Context, db *postgres.DB, organization string) (s state, err error) {
	rows, err := db.Pool.Query(ctx, `SELECT id, name, move, move_id FROM organizations WHERE id = $1 OR name = $1 LIMIT 2`, organization)
	found, err := postgres.Collect(rows, err, "read the organization", pgx.RowToStructByPos[state])
	switch {
	case err != nil:
		return s, postgres.Translate(err)
	case len(found) > 1:
		return s, fmt.Errorf("several organizations are named %s: give its id", organization)
	case len(found) == 0:
		return s, nil
	}
	return found[0], nil
}

// both reads what the cells know, and refuses what no move can come to.
func (m *Move) both(ctx context.Context) (source, target state, err error) {
	if source, err = read(ctx, m.Source, m.Organization); err != nil {
		return source, target, err
	}
	if source.ID == "" {
		return source, target, fault.NotFoundf("There is no organization %s in the source.", m.Organization)
	}
	if target, err = read(ctx, m.Target, source.ID); err != nil {
		return source, target, err
	}
	received := source.MoveID != "" && source.MoveID == target.MoveID && (target.State == arriving || target.State == none)
	switch {
	case source.State == arriving:
		err = errors.New("the organization is still arriving from another cell: finish that move first")
	case target.State == leaving:
		err = errors.New("the organization is leaving the target for another cell: finish that move first")
	case source.State == moved && !received:
		err = errors.New("the organization has moved from the source already, to another database than this target")
	case source.State != moved && target.State == none:
		err = errors.New("the target has this organization already: are both databases the same?")
	}
	return source, target, err
}

// Count is how many rows of a table are to be copied, counted up to CountCap.
type Count struct {
	Table string
	Rows  int64
}

// CountCap is where counting ends.
const CountCap = 100_000

// Plan is what a move would do.
type Plan struct {
	Organization string // its id
	Name         string
	Stage        string // empty: nothing was done yet
	Environments int
	Tables       []Count // those with rows
	// Conflicts are rows that the target cannot take, since another organization there has a value that there is once: the move
	// would hold the organization and never end.
	Conflicts []string
}

// Plan changes nothing.
func (m *Move) Plan(ctx context.Context) (*Plan, error) {
	source, target, err := m.both(ctx)
	if err != nil {
		return nil, err
	}
	all, s, err := m.rows(ctx, source.ID)
	if err != nil {
		return nil, err
	}
	p := &Plan{Organization: source.ID, Name: source.Name, Environments: len(s.environments)}
	if source.State != none {
		p.Stage = "source: " + source.State
		if target.State != "" && target.MoveID == source.MoveID {
			p.Stage += ", target: " + target.State
		}
	}
	for _, t := range all {
		c := Count{Table: t.Name}
		err := m.Source.Pool.QueryRow(ctx, fmt.Sprintf(`SELECT count(*) FROM (SELECT FROM %s t WHERE %s LIMIT %d) c`, t.name(), s.given(t.where), CountCap)).Scan(&c.Rows)
		if err != nil {
			return nil, postgres.Translate(fmt.Errorf("count %s: %w", t.Name, err))
		}
		if c.Rows > 0 {
			p.Tables = append(p.Tables, c)
		}
	}
	p.Conflicts, err = m.conflicts(ctx, all, s)
	return p, err
}

func (m *Move) rows(ctx context.Context, organization string) (all []table, s scope, err error) {
	err = pgx.BeginFunc(ctx, m.Source.Pool, func(tx pgx.Tx) (err error) {
		all, err = tables(ctx, tx)
		return err
	})
	if err == nil {
		s, err = readScope(ctx, m.Source.Pool, organization)
	}
	return all, s, postgres.Translate(err)
}

// Run moves the organization, or continues where an earlier run ended.
func (m *Move) Run(ctx context.Context) error {
	return m.alone(ctx, func() error {
		source, target, err := m.both(ctx)
		if err != nil {
			return err
		}
		all, s, err := m.rows(ctx, source.ID)
		if err != nil {
			return err
		}
		if source.State == none {
			if source.MoveID, err = m.leave(ctx, source.ID); err != nil {
				return err
			}
		}
		if source.State != moved && (target.State != arriving || target.MoveID != source.MoveID) {
			if err := m.carry(ctx, all, s, target); err != nil {
				return err
			}
			target.State = arriving
		}
		return m.handOver(ctx, all, s, source.MoveID)
	})
}

// alone runs fn while no other process moves anything from the source.
func (m *Move) alone(ctx context.Context, fn func() error) error {
	conn, err := m.Source.Pool.Acquire(ctx)
	if err != nil {
		return postgres.Translate(fmt.Errorf("move: %w", err))
	}
	defer conn.Release()
	var locked bool
	if err := conn.QueryRow(ctx, `SELECT pg_try_advisory_lock(hashtext('carillon move'))`).Scan(&locked); err != nil {
		return postgres.Translate(fmt.Errorf("move: %w", err))
	}
	if !locked {
		return errors.New("another process moves an organization from this cell")
	}
	defer func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lockPause*100)
		defer cancel()
		_, _ = conn.Exec(ctx, `SELECT pg_advisory_unlock_all()`) // else the connection's end does
	}()
	return fn()
}

// leave lets the source answer no more.
func (m *Move) leave(ctx context.Context, organization string) (moveID string, err error) {
	m.Report(Holding, "")
	moveID = id.New(time.Now())
	return moveID, set(ctx, m.Source, `move = 'leaving', move_id = $2, moved_to = $3, moved_url = $4 WHERE id = $1 AND move = 'none'`, organization, moveID, m.To, m.URL)
}

// carry copies the organization once nothing of it changes any more. What the target has of an earlier stay, or of a copy
// that was given up, belongs to no cell.
func (m *Move) carry(ctx context.Context, all []table, s scope, target state) error {
	if err := m.hold(ctx, all, s); err != nil {
		return err
	}
	m.Report(Copying, "")
	if target.State != "" {
		if err := remove(ctx, m.Target, all, s.organization); err != nil {
			return err
		}
	}
	return m.copy(ctx, all, s)
}

// handOver makes the target the owner: first the source gives the organization up, then the target takes it.
func (m *Move) handOver(ctx context.Context, all []table, s scope, moveID string) error {
	m.Report(Marking, "")
	err := set(ctx, m.Source, `move = 'moved', moved_to = $3, moved_url = $4 WHERE id = $1 AND move_id = $2 AND move IN ('leaving', 'moved')`, s.organization, moveID, m.To, m.URL)
	if err != nil {
		return err
	}
	m.Report(Releasing, "")
	if err := resume(ctx, m.Target, all, s); err != nil {
		return err
	}
	err = set(ctx, m.Target, `move = 'none' WHERE id = $1 AND move_id = $2 AND move IN ('arriving', 'none')`, s.organization, moveID)
	if err != nil {
		return err
	}
	m.Report(Clearing, "")
	return clearRows(ctx, m.Source, all, s)
}

// Undo gives the organization back to the source, as long as the target has not got it.
func (m *Move) Undo(ctx context.Context) error {
	return m.alone(ctx, func() error {
		source, target, err := m.both(ctx)
		switch {
		case err != nil:
			return err
		case source.State == none:
			return errors.New("the organization is not being moved")
		case source.State == moved || target.State == arriving && target.MoveID == source.MoveID:
			return errors.New("the target has the organization: run the command without --undo to finish the move, and move it back then")
		}
		all, s, err := m.rows(ctx, source.ID)
		if err != nil {
			return err
		}
		m.Report(Releasing, "")
		if err := fence(ctx, m.Source, ""); err != nil {
			return err
		}
		if err := resume(ctx, m.Source, all, s); err != nil {
			return err
		}
		return set(ctx, m.Source, `move = 'none', move_id = '', moved_to = '', moved_url = '' WHERE id = $1 AND move = 'leaving'`, s.organization)
	})
}

// set changes the organization's own row, which must be there as the statement's condition says.
func set(ctx context.Context, db *postgres.DB, change string, args ...any) error {
	return inMove(ctx, db, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `UPDATE organizations SET updated_at = now(), `+change, args...)
		if err == nil && tag.RowsAffected() != 1 {
			err = errors.New("the organization is in another state than it was: look at both cells, and run the command again")
		}
		return err
	})
}
