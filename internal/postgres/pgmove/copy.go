package pgmove

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/viewer"
)

// copies is one copy of all rows, in one transaction of either cell.
type copies struct {
	source, target pgx.Tx
	scope          scope
	seed           maphash.Seed
	people         people
	sums           map[string]sum
}

// copy copies all rows of the organization, reads them again in the target, and commits.
func (m *Move) copy(ctx context.Context, all []table, s scope) error {
	if m.Prepare != nil {
		if err := m.Prepare(ctx, m.Target); err != nil {
			return err
		}
	}
	reading := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := pgx.BeginTxFunc(ctx, m.Source.Pool, reading, func(source pgx.Tx) error {
		return inMove(ctx, m.Target, func(target pgx.Tx) error {
			c := &copies{source: source, target: target, scope: s, seed: maphash.MakeSeed(), sums: map[string]sum{}}
			if err := c.all(ctx, all, m.Report); err != nil {
				return err
			}
			audit := &pgx.Batch{}
			postgres.QueueAudit(audit, postgres.AuditEntry{
				Scope: viewer.Scope{OrganizationID: s.organization}, ActorType: "system", Action: "move", RecordType: "Organization", RecordID: s.organization,
				Changes: map[string]any{"to": m.To}, At: time.Now(),
			})
			return target.SendBatch(ctx, audit).Close()
		})
	})
	return postgres.Translate(err)
}

func (c *copies) all(ctx context.Context, all []table, report func(Step, string)) (err error) {
	for _, tx := range []pgx.Tx{c.source, c.target} {
		if err := postgres.Unbounded(ctx, tx); err != nil {
			return err
		}
		// One row has one text.
		if _, err := tx.Exec(ctx, `SELECT set_config(name, value, true) FROM (VALUES ('timezone', 'UTC'), ('datestyle', 'ISO'), ('intervalstyle', 'postgres'),
			('bytea_output', 'hex'), ('extra_float_digits', '1'), ('client_encoding', 'UTF8')) AS s (name, value)`); err != nil {
			return fmt.Errorf("prepare the copy: %w", err)
		}
	}
	if c.people, err = meet(ctx, c.source, c.target, c.scope.organization); err != nil {
		return err
	}
	for _, t := range all {
		if err := c.copy(ctx, t); err != nil {
			return fmt.Errorf("copy %s: %w", t.Name, err)
		}
		report(Copied, fmt.Sprintf("%12d  %s", c.sums[t.Name].rows, t.Name))
	}
	for _, t := range all {
		if err := c.verify(ctx, t); err != nil {
			return err
		}
	}
	// Processes of the target may know a configuration that the environment had when it lived there before.
	_, err = c.target.Exec(ctx, `UPDATE environments SET configuration_version = pg_current_xact_id()::text || '@' || extract(epoch FROM transaction_timestamp())::text
		WHERE organization_id = $1`, c.scope.organization)
	return err
}

// where is the condition on the table's rows that are copied.
func (c *copies) where(t table) string {
	if t.Name == "users" {
		return `t.id = ` + scope{environments: c.people.strangers}.literals()
	}
	return c.scope.given(t.where)
}

// copy streams a table from one server to the other.
func (c *copies) copy(ctx context.Context, t table) error {
	var names, values []string
	for _, column := range t.Columns {
		name := pgx.Identifier{column}.Sanitize()
		names, values = append(names, name), append(values, c.value(t, column, `t.`+name))
	}
	r, w := io.Pipe()
	sum := &sum{seed: c.seed}
	read := make(chan error, 1)
	go func() {
		_, err := c.source.Conn().PgConn().CopyTo(ctx, io.MultiWriter(w, sum), `COPY (SELECT `+strings.Join(values, ", ")+` FROM `+t.name()+` t WHERE `+c.where(t)+`) TO STDOUT`)
		_ = w.CloseWithError(err) // of a pipe: it has no failure
		read <- err
	}()
	tag, err := c.target.Conn().PgConn().CopyFrom(ctx, r, `COPY `+t.name()+` (`+strings.Join(names, ", ")+`) FROM STDIN`)
	_ = r.CloseWithError(errStopped)
	if err := errors.Join(err, unlessStopped(<-read)); err != nil {
		return err
	}
	if tag.RowsAffected() != sum.rows {
		return fmt.Errorf("%d rows were read, %d written", sum.rows, tag.RowsAffected())
	}
	c.sums[t.Name] = *sum
	return nil
}

var errStopped = errors.New("the target takes no more rows")

// unlessStopped leaves out what the target's own failure says better.
func unlessStopped(err error) error {
	if errors.Is(err, errStopped) {
		return nil
	}
	return err
}

// value is what the target stores of a column.
func (c *copies) value(t table, column, read string) string {
	switch {
	case t.Name == "organizations" && column == "move":
		return `'arriving'`
	case t.Name == "organizations" && (column == "moved_to" || column == "moved_url"):
		return `''`
	case namesUser(column) && len(c.people.known) > 0:
		return `coalesce(` + literal(c.people.json()) + `::jsonb ->> ` + read + `, ` + read + `)`
	}
	return read
}

// verify reads the table's rows in the target and compares them with what the source sent.
func (c *copies) verify(ctx context.Context, t table) error {
	var names []string
	for _, column := range t.Columns {
		names = append(names, `t.`+pgx.Identifier{column}.Sanitize())
	}
	stored := &sum{seed: c.seed}
	_, err := c.target.Conn().PgConn().CopyTo(ctx, stored, `COPY (SELECT `+strings.Join(names, ", ")+` FROM `+t.name()+` t WHERE `+c.where(t)+`) TO STDOUT`)
	if err != nil {
		return fmt.Errorf("verify %s: %w", t.Name, err)
	}
	if sent := c.sums[t.Name]; stored.rows != sent.rows || stored.sum != sent.sum {
		return fmt.Errorf("verify %s: the target holds %d rows of the organization, the source sent %d, or they differ", t.Name, stored.rows, sent.rows)
	}
	return nil
}

// sum adds up hashes of the lines that are written to it, in whatever order they come.
type sum struct {
	seed maphash.Seed
	rest []byte // of a line that has not ended
	rows int64
	sum  uint64
}

// Write takes what COPY sends: a line per row, in which a line break is written as \n.
func (s *sum) Write(p []byte) (int, error) {
	for rest := p; ; {
		line, after, ended := bytes.Cut(rest, []byte{'\n'})
		if !ended {
			s.rest = append(s.rest, rest...)
			return len(p), nil
		}
		if len(s.rest) > 0 {
			line = append(s.rest, line...)
		}
		s.rows++
		s.sum += maphash.Bytes(s.seed, line)
		s.rest, rest = s.rest[:0], after
	}
}

// people are the members of the organization: those whom the target knows, by e-mail address or id, keep their account there.
type people struct {
	strangers []string          // ids of those whom it does not know
	known     map[string]string // ids in the target by ids in the source, where they differ
}

func (p people) json() string {
	text, _ := json.Marshal(p.known) // texts have no failure
	return string(text)
}

// namesUser reports whether a column holds the id of a user.
func namesUser(column string) bool { return column == "user_id" || column == "invited_by_id" }

func meet(ctx context.Context, source, target pgx.Tx, organization string) (p people, err error) {
	type person struct{ ID, Email string }
	rows, err := source.Query(ctx, `SELECT t.id, t.email FROM users t WHERE `+reached["users"], organization)
	members, err := postgres.Collect(rows, err, "list the members", pgx.RowToStructByPos[person])
	if err != nil {
		return p, err
	}
	var ids, emails []string
	for _, m := range members {
		ids, emails = append(ids, m.ID), append(emails, m.Email)
	}
	rows, err = target.Query(ctx, `SELECT id, email FROM users WHERE id = ANY($1) OR email = ANY($2) FOR SHARE`, ids, emails)
	there, err := postgres.Collect(rows, err, "look for the members in the target", pgx.RowToStructByPos[person])
	if err != nil {
		return p, err
	}
	p.known = map[string]string{}
	for _, m := range members {
		at := slices.IndexFunc(there, func(o person) bool { return o.Email == m.Email })
		if at < 0 {
			at = slices.IndexFunc(there, func(o person) bool { return o.ID == m.ID })
		}
		switch {
		case at < 0:
			p.strangers = append(p.strangers, m.ID)
		case there[at].ID != m.ID:
			p.known[m.ID] = there[at].ID
		}
	}
	return p, nil
}
