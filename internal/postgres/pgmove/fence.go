package pgmove

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
)

// A fence keeps every process from writing rows of an organization that is being copied or has moved, whatever the process knows
// of the move: triggers of all tables refuse them. There are none where nothing was ever moved from; elsewhere they compare
// a column with the environments that have moved, and do nothing for the others. Old data of an organization that has
// moved may be deleted, and that a key was used is not recorded.
const fenceFunction = `CREATE OR REPLACE FUNCTION organization_fence() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
	owner text;
	o record;
BEGIN
	IF coalesce(current_setting('carillon.move', true), '') <> 'on' THEN
		IF TG_OP = 'UPDATE' AND TG_TABLE_NAME IN ('api_keys', 'organization_keys') AND to_jsonb(NEW) - 'last_used_at' = to_jsonb(OLD) - 'last_used_at' THEN
			RETURN NULL;
		END IF;
		owner := CASE TG_OP WHEN 'DELETE' THEN to_jsonb(OLD) ELSE to_jsonb(NEW) END ->> TG_ARGV[0];
		SELECT move, moved_to INTO o FROM organizations
			WHERE id = CASE WHEN TG_ARGV[0] = 'environment_id' THEN (SELECT organization_id FROM environments WHERE id = owner) ELSE owner END;
		IF o.move = 'leaving' THEN
			RAISE EXCEPTION 'the organization is being moved' USING ERRCODE = '` + postgres.CodeMoving + `';
		ELSIF o.move = 'moved' AND TG_OP <> 'DELETE' THEN
			RAISE EXCEPTION 'the organization has moved' USING ERRCODE = '` + postgres.CodeMoved + `', DETAIL = o.moved_to;
		END IF;
	END IF;
	IF TG_OP = 'DELETE' THEN
		RETURN OLD;
	END IF;
	RETURN NEW;
END $$`

// The names of the triggers.
const (
	fenceWrites  = "organization_fence"
	fenceDeletes = "organization_fence_deletes"
)

// fence fences the organizations that have moved, and the one with the id if it is being moved; no other.
func fence(ctx context.Context, db *postgres.DB, leaving string) error {
	var organizations, environments []string
	err := db.Pool.QueryRow(ctx, `WITH o AS (SELECT id FROM organizations WHERE move = 'moved' OR move = 'leaving' AND id = $1)
SELECT ARRAY(SELECT id FROM o ORDER BY id), ARRAY(SELECT e.id FROM environments e JOIN o ON o.id = e.organization_id ORDER BY e.id)`, leaving).Scan(&organizations, &environments)
	if err != nil {
		return postgres.Translate(fmt.Errorf("fence: %w", err))
	}
	var all []table
	err = inMove(ctx, db, func(tx pgx.Tx) (err error) {
		if _, err := tx.Exec(ctx, fenceFunction); err != nil {
			return err
		}
		all, err = tables(ctx, tx)
		return err
	})
	if err != nil {
		return err
	}
	for _, t := range all {
		column, environment := t.owner()
		owners := organizations
		if environment {
			owners = environments
		}
		if column == "" {
			continue
		}
		if err := t.fence(ctx, db, column, owners); err != nil {
			return fmt.Errorf("fence %s: %w", t.Name, err)
		}
	}
	return nil
}

// fence waits for the transactions that write the table, and lets others go first rather than queue before them for long.
func (t table) fence(ctx context.Context, db *postgres.DB, column string, owners []string) error {
	change := func(name, events, row string) string {
		if len(owners) == 0 {
			return `DROP TRIGGER IF EXISTS ` + name + ` ON ` + t.name()
		}
		return `CREATE OR REPLACE TRIGGER ` + name + ` BEFORE ` + events + ` ON ` + t.name() + ` FOR EACH ROW WHEN (` + row + `.` + column +
			` = ` + scope{environments: owners}.literals() + `) EXECUTE FUNCTION organization_fence('` + column + `')`
	}
	for {
		err := inMove(ctx, db, func(tx pgx.Tx) error {
			_, err := tx.Exec(ctx, `SET LOCAL lock_timeout = '1s'; `+change(fenceWrites, `INSERT OR UPDATE`, `NEW`)+`; `+change(fenceDeletes, `DELETE`, `OLD`))
			return err
		})
		if !postgres.IsLocked(err) {
			return err
		}
		if err := pause(ctx, lockPause); err != nil {
			return err
		}
	}
}
