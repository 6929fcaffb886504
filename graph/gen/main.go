// Command gen writes the Go code of the GraphQL schema by gqlgen, whose configuration it completes by rule (bind.go), and
// graph/schema.graphql: the whole schema with its descriptions as one file, for client generators. Run it from the
// repository's root: go run ./graph/gen.
package main

import (
	"bytes"
	"log"
	"os"
	"path/filepath"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/formatter"
)

func main() {
	if err := generateCode(); err != nil {
		log.Fatalf("generate the resolvers' code: %v", err)
	}
	writeSchema()
}

func generateCode() error {
	cfg, err := config.LoadConfig("gqlgen.yml")
	if err != nil {
		return err
	}
	if err := bind(cfg); err != nil {
		return err
	}
	return api.Generate(cfg)
}

func writeSchema() {
	names, err := filepath.Glob("graph/*.graphqls")
	if err != nil || len(names) == 0 {
		log.Fatalf("find the schema: no graph/*.graphqls here (%v)", err)
	}
	var sources []*ast.Source
	for _, name := range names {
		text, err := os.ReadFile(name) //nolint:gosec // a file of this repository
		if err != nil {
			log.Fatalf("read the schema: %v", err)
		}
		sources = append(sources, &ast.Source{Name: name, Input: string(text)})
	}
	schema, err := gqlparser.LoadSchema(sources...)
	if err != nil {
		log.Fatalf("load the schema: %v", err)
	}
	var out bytes.Buffer
	formatter.NewFormatter(&out, formatter.WithIndent("  ")).FormatSchema(schema)
	if err := os.WriteFile("graph/schema.graphql", out.Bytes(), 0o644); err != nil { //nolint:gosec // for everybody to read
		log.Fatalf("write the schema: %v", err)
	}
}
