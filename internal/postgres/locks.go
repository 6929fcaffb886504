package postgres

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// outsideTransaction marks a migration whose statements run one by one outside of a transaction, as CONCURRENTLY needs it.
// It is the marker of Atlas.
const outsideTransaction = "-- atlas:txmode none"

// InTransaction reports whether the migration runs in one transaction: all but those that begin with "-- atlas:txmode none".
func (m Migration) InTransaction() bool { return !strings.HasPrefix(m.SQL, outsideTransaction) }

// sqlToken is a comment, a quoted text, a quoted name, a text between dollars, or the end of a statement.
var sqlToken = regexp.MustCompile(`(?s)--[^\n]*|/\*.*?\*/|'(?:[^']|'')*'|"[^"]*"|\$\$.*?\$\$|;`)

// Statements returns the migration's statements without comments and final semicolons, in order.
func (m Migration) Statements() []string {
	var statements []string
	var b strings.Builder
	end := func() {
		if text := strings.TrimSpace(b.String()); text != "" {
			statements = append(statements, text)
		}
		b.Reset()
	}
	at := 0
	for _, token := range sqlToken.FindAllStringIndex(m.SQL, -1) {
		b.WriteString(m.SQL[at:token[0]])
		at = token[1]
		switch text := m.SQL[token[0]:token[1]]; {
		case text == ";":
			end()
		case strings.HasPrefix(text, "--"), strings.HasPrefix(text, "/*"):
			b.WriteByte(' ')
		default:
			b.WriteString(text)
		}
	}
	b.WriteString(m.SQL[at:])
	end()
	return statements
}

// LongLock is a statement that blocks the readers or the writers of a table for as long as the table is large.
type LongLock struct {
	Statement string
	Reason    string // what it blocks and what to write instead
}

// String is the finding in one line.
func (l LongLock) String() string {
	return fmt.Sprintf("%s: %s", strings.Join(strings.Fields(l.Statement), " "), l.Reason)
}

// lockRule finds a kind of statement. A table that the same migration creates is free: it has no rows and no readers.
type lockRule struct {
	match  *regexp.Regexp
	unless *regexp.Regexp // nil: no exception
	reason string
}

func rule(match, unless, reason string) lockRule {
	r := lockRule{match: regexp.MustCompile(`(?is)` + match), reason: reason}
	if unless != "" {
		r.unless = regexp.MustCompile(`(?is)` + unless)
	}
	return r
}

// lockRules are what PostgreSQL's documentation of ALTER TABLE, CREATE INDEX and explicit locking says of each form.
var lockRules = []lockRule{
	rule(`^CREATE\s+(UNIQUE\s+)?INDEX\b`, `\bINDEX\s+CONCURRENTLY\b`,
		"blocks writers while the index is built; use CREATE INDEX CONCURRENTLY in a file that begins with "+outsideTransaction),
	rule(`^DROP\s+INDEX\b`, `\bINDEX\s+CONCURRENTLY\b`,
		"waits for all readers while others wait behind it; use DROP INDEX CONCURRENTLY in a file that begins with "+outsideTransaction),
	rule(`^REINDEX\b`, `\bCONCURRENTLY\b`, "blocks writers; use REINDEX CONCURRENTLY"),
	rule(`^(VACUUM\s+(\([^)]*\bFULL\b|FULL\b)|CLUSTER\b)`, "", "rewrites the table and blocks readers"),
	rule(`^LOCK\b`, "", "locks the table until the migration ends"),
	rule(`^(UPDATE|DELETE|TRUNCATE)\b`, "", "locks every row that it changes until the migration ends; change rows in the program, page by page"),
	rule(`\bALTER\s+(COLUMN\s+)?\S+\s+(SET\s+DATA\s+)?TYPE\b`, "", "rewrites the table and blocks readers; add a column and fill it page by page"),
	rule(`\bADD\s+CONSTRAINT\b`, `\bNOT\s+VALID\b|\bUSING\s+INDEX\b`,
		"reads the whole table and blocks writers; add it NOT VALID and validate it in a later migration, a unique one with USING INDEX"),
	rule(`\bADD\s+(CHECK|FOREIGN\s+KEY|PRIMARY\s+KEY|UNIQUE)\b`, `\bNOT\s+VALID\b|\bUSING\s+INDEX\b`, "reads the whole table and blocks writers; name it with ADD CONSTRAINT … NOT VALID"),
	rule(`\bADD\s+COLUMN\b.*(\bGENERATED\b|\bserial\b|\bbigserial\b)`, "", "rewrites the table and blocks readers"),
	rule(`\bADD\s+COLUMN\b.*(\bUNIQUE\b|\bPRIMARY\s+KEY\b|\bREFERENCES\b|\bCHECK\b)`, "", "reads the whole table and blocks writers; add the constraint apart"),
	rule(`^ALTER\s+TABLE\b.*\bSET\s+(UNLOGGED|LOGGED|TABLESPACE|ACCESS\s+METHOD)\b`, "", "rewrites the table and blocks readers"),
}

var (
	createdTable  = regexp.MustCompile(`(?is)^CREATE\s+(?:UNLOGGED\s+)?TABLE\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?`)
	changedTable  = regexp.MustCompile(`(?is)^(?:ALTER\s+TABLE\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?|UPDATE\s+(?:ONLY\s+)?|DELETE\s+FROM\s+|CREATE\s+(?:UNIQUE\s+)?INDEX\s.*?\sON\s+)"?(\w+)"?`)
	addedDefault  = regexp.MustCompile(`(?is)\bADD\s+(?:COLUMN\s+)?"?\w+"?[^,]*?\bDEFAULT\s+(\S+)`)
	constant      = regexp.MustCompile(`(?is)^('.*|-?\d[\d.]*,?|true,?|false,?|null,?|now\(\),?|current_timestamp,?)$`)
	setNotNull    = regexp.MustCompile(`(?is)\bALTER\s+(?:COLUMN\s+)?"?(\w+)"?\s+SET\s+NOT\s+NULL\b`)
	validated     = regexp.MustCompile(`(?is)\bVALIDATE\s+CONSTRAINT\s+"?(\w+)"?`)
	builtIndex    = regexp.MustCompile(`(?is)^CREATE\s+(?:UNIQUE\s+)?INDEX\s+CONCURRENTLY\s+(?:IF\s+NOT\s+EXISTS\s+)?"?(\w+)"?`)
	droppedIndex  = regexp.MustCompile(`(?is)^DROP\s+INDEX\s+CONCURRENTLY\s+IF\s+EXISTS\s+"?(\w+)"?`)
	quotedLiteral = regexp.MustCompile(`'(?:[^']|'')*'`)
)

// LongLocks returns the migration's statements that must not run beside traffic.
func (m Migration) LongLocks() []LongLock {
	var found []LongLock
	var created, checked, dropped []string
	for _, statement := range m.Statements() {
		if name := firstGroup(createdTable, statement); name != "" {
			created = append(created, name)
			continue
		}
		if name := firstGroup(droppedIndex, statement); name != "" {
			dropped = append(dropped, name)
		}
		checked = append(checked, firstGroup(validated, statement))
		table := firstGroup(changedTable, statement)
		if table != "" && slices.Contains(created, table) {
			continue
		}
		for _, reason := range lockReasons(statement, table, checked) {
			found = append(found, LongLock{Statement: statement, Reason: reason})
		}
		if name := firstGroup(builtIndex, statement); name != "" && !slices.Contains(dropped, name) {
			found = append(found, LongLock{Statement: statement, Reason: "leaves an invalid index when it fails, which the next run meets; write DROP INDEX CONCURRENTLY IF EXISTS of its name before it"})
		}
	}
	return found
}

func lockReasons(statement, table string, checked []string) []string {
	var reasons []string
	bare := quotedLiteral.ReplaceAllString(statement, "''") // words inside texts are none of the statement's
	for _, r := range lockRules {
		if r.match.MatchString(bare) && (r.unless == nil || !r.unless.MatchString(bare)) {
			reasons = append(reasons, r.reason)
		}
	}
	for _, added := range addedDefault.FindAllStringSubmatch(bare, -1) {
		if !constant.MatchString(added[1]) {
			reasons = append(reasons, "DEFAULT "+added[1]+" may be computed for every row, which rewrites the table; add the column with a constant default or none")
		}
	}
	for _, column := range setNotNull.FindAllStringSubmatch(bare, -1) {
		if name := table + "_" + column[1] + "_not_null"; !slices.Contains(checked, name) {
			reasons = append(reasons, fmt.Sprintf("reads the whole table and blocks readers; before it, add the constraint %s CHECK (%q IS NOT NULL) NOT VALID and validate it", name, column[1]))
		}
	}
	return reasons
}

func firstGroup(pattern *regexp.Regexp, text string) string {
	if match := pattern.FindStringSubmatch(text); match != nil {
		return match[1]
	}
	return ""
}
