// Command diff derives migrations from the ent schema. It replays the existing ones on a private server and writes what
// is missing into the next file:
//
//	go run ./internal/postgres/migrations/diff [-check] [name]
//
// With -check it writes nothing and fails when something would be written. It is an ordinary program, so that go.mod
// keeps what only it imports.
package main

import (
	"context"
	"database/sql"
	"errors"
	"flag"
	"fmt"
	"log"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"

	"ariga.io/atlas/sql/migrate"
	atlas "ariga.io/atlas/sql/schema"
	"entgo.io/ent/dialect"
	entsql "entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/schema"
	_ "github.com/jackc/pgx/v5/stdlib" // the driver "pgx"

	entmigrate "github.com/carillon/carillon/ent/migrate"
	"github.com/carillon/carillon/internal/postgres/embedded"
)

const folder = "internal/postgres/migrations"

func main() {
	check := flag.Bool("check", false, "write nothing; fail when the schema has moved on")
	flag.Parse()
	name := "schema"
	if flag.NArg() > 0 {
		name = flag.Arg(0)
	}
	if err := run(context.Background(), name, *check); err != nil {
		log.Fatalf("derive migration: %v", err)
	}
}

func run(ctx context.Context, name string, check bool) (err error) {
	work, err := embedded.TempDir("carillon-diff-*", embedded.RAMDisk()...)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(work)) }()
	server, err := embedded.Start(ctx, embedded.Config{
		DataDir:  work,
		Obtain:   embedded.ObtainAny, // CI begins without any
		Settings: map[string]string{"fsync": "off"},
		Logger:   slog.New(slog.NewTextHandler(os.Stderr, nil)),
	})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, server.Stop()) }()
	missing, err := derive(ctx, server.DSN(embedded.Database), name)
	if err != nil || len(missing) == 0 {
		return err
	}
	if check {
		return fmt.Errorf("the ent schema has changes without a migration; run `make migration NAME=…`:\n%s", missing[0].Bytes())
	}
	for _, file := range missing {
		target := filepath.Join(folder, file.Name())
		if err := os.WriteFile(target, file.Bytes(), 0o644); err != nil { // source code
			return err
		}
		fmt.Println(target)
	}
	return nil
}

// derive returns the files that bring a database with all existing migrations to the ent schema: one, or none.
func derive(ctx context.Context, dsn, name string) ([]migrate.File, error) {
	db, err := sql.Open("pgx", dsn)
	if err != nil {
		return nil, err
	}
	defer db.Close()
	dir := &migrate.MemDir{}
	existing, err := copyFiles(dir)
	if err != nil {
		return nil, err
	}
	format, err := formatter()
	if err != nil {
		return nil, err
	}
	m, err := schema.NewMigrate(entsql.OpenDB(dialect.Postgres, db),
		schema.WithDir(dir),
		schema.WithMigrationMode(schema.ModeReplay),
		schema.WithFormatter(format),
		schema.WithDropColumn(true),
		schema.WithDropIndex(true),
		schema.WithDiffHook(keepGenerated),
		schema.WithIndent("  "),
	)
	if err != nil {
		return nil, err
	}
	if err := m.NamedDiff(ctx, name, entmigrate.Tables...); err != nil {
		return nil, err
	}
	files, err := dir.Files()
	if err != nil {
		return nil, err
	}
	var fresh []migrate.File
	for _, f := range files {
		if !existing[f.Name()] {
			fresh = append(fresh, f)
		}
	}
	return fresh, nil
}

// keepGenerated keeps generated columns and their indexes, which ent cannot express, out of the difference.
func keepGenerated(next schema.Differ) schema.Differ {
	return schema.DiffFunc(func(current, desired *atlas.Schema) ([]atlas.Change, error) {
		changes, err := next.Diff(current, desired)
		for _, change := range changes {
			if table, ok := change.(*atlas.ModifyTable); ok {
				table.Changes = slices.DeleteFunc(table.Changes, dropsGenerated)
			}
		}
		return slices.DeleteFunc(changes, func(change atlas.Change) bool {
			table, ok := change.(*atlas.ModifyTable)
			return ok && len(table.Changes) == 0
		}), err
	})
}

func dropsGenerated(change atlas.Change) bool {
	switch c := change.(type) {
	case *atlas.DropColumn:
		return isGenerated(c.C)
	case *atlas.DropIndex:
		return slices.ContainsFunc(c.I.Parts, func(p *atlas.IndexPart) bool { return p.C != nil && isGenerated(p.C) })
	}
	return false
}

func isGenerated(column *atlas.Column) bool {
	return slices.ContainsFunc(column.Attrs, func(attr atlas.Attr) bool {
		_, ok := attr.(*atlas.GeneratedExpr)
		return ok
	})
}

// copyFiles loads the migrations into memory, with the checksum file that the library wants. Ours are recorded in the
// database instead.
func copyFiles(dir *migrate.MemDir) (map[string]bool, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.sql"))
	if err != nil {
		return nil, err
	}
	existing := map[string]bool{}
	for _, p := range paths {
		text, err := os.ReadFile(p)
		if err != nil {
			return nil, err
		}
		existing[filepath.Base(p)] = true
		if err := dir.WriteFile(filepath.Base(p), text); err != nil {
			return nil, err
		}
	}
	sum, err := dir.Checksum()
	if err != nil {
		return nil, err
	}
	return existing, migrate.WriteSumFile(dir, sum)
}

// formatter writes one plain SQL file per migration.
func formatter() (migrate.Formatter, error) {
	funcs := template.FuncMap{
		"now":   func() string { return time.Now().UTC().Format("20060102150405") },
		"upper": func(s string) string { return strings.ToUpper(s[:1]) + s[1:] },
	}
	name, err := template.New("name").Funcs(funcs).Parse(`{{ now }}_{{ .Name }}.sql`)
	if err != nil {
		return nil, err
	}
	body, err := template.New("body").Funcs(funcs).Parse("{{ range .Changes }}{{ with .Comment }}-- {{ upper . }}.\n{{ end }}{{ .Cmd }};\n{{ end }}")
	if err != nil {
		return nil, err
	}
	return migrate.NewTemplateFormatter(name, body)
}
