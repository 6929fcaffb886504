// Command gen writes the JSON Schemas of configuration files (internal/configfiles/schemas), by which editors complete and
// check them, from the Go types and their comments. Run it in the top directory.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"reflect"

	"github.com/invopop/jsonschema"

	"github.com/carillon/carillon/internal/configfiles"
	"github.com/carillon/carillon/internal/notify/configuration"
)

const module = "github.com/carillon/carillon"

// commented are the packages whose comments describe the members.
var commented = []string{"./internal/notify/configuration", "./internal/workflow"}

// required are the members without which a file is refused, by the type that has them.
var required = map[string][]string{
	"Workflow": {"name", "steps"}, "Step": {"type"}, "Integration": {"providerId"}, "Feed": {"name"}, "NotificationGroup": {"name"}, "Layout": {"name"}, "Snippet": {"name"},
}

func main() {
	if err := run(); err != nil {
		log.Fatal(err)
	}
}

func run() error {
	files := map[string]any{
		"configuration":       configuration.Document{},
		"workflow":            configuration.Workflow{},
		"snippet":             configuration.Snippet{},
		"layout":              configuration.Layout{},
		"translation":         configuration.Translation{},
		"integration":         configuration.Integration{},
		"variables":           map[string]configuration.Variable{},
		"topics":              map[string]configuration.Topic{},
		"feeds":               map[string]configuration.Feed{},
		"notification-groups": map[string]configuration.NotificationGroup{},
	}
	for name, value := range files {
		schema, err := schemaOf(value)
		if err != nil {
			return err
		}
		raw, err := json.MarshalIndent(schema, "", "  ")
		if err != nil {
			return fmt.Errorf("encode the schema of %s: %w", name, err)
		}
		file := filepath.Join("internal", "configfiles", "schemas", name+".json")
		if err := os.WriteFile(file, append(raw, '\n'), 0o644); err != nil { //nolint:gosec // source text
			return fmt.Errorf("write a schema: %w", err)
		}
	}
	return nil
}

func schemaOf(value any) (*jsonschema.Schema, error) {
	r := &jsonschema.Reflector{RequiredFromJSONSchemaTags: true, Anonymous: true, Mapper: enum}
	for _, dir := range commented {
		if err := r.AddGoComments(module, dir); err != nil {
			return nil, fmt.Errorf("read the comments of %s: %w", dir, err)
		}
	}
	schema := r.Reflect(value)
	for name, definition := range schema.Definitions {
		complete(name, definition)
	}
	return schema, nil
}

// enum shows types that list their values as enumerations.
func enum(t reflect.Type) *jsonschema.Schema {
	if t.Kind() != reflect.String {
		return nil
	}
	listed, ok := reflect.Zero(t).Interface().(interface{ Values() []string })
	if !ok {
		return nil
	}
	schema := &jsonschema.Schema{Type: "string"}
	for _, value := range listed.Values() {
		schema.Enum = append(schema.Enum, value)
	}
	return schema
}

// complete adds what Go types do not say: which members must be there, that texts may be in files of their own, and that
// record ids belong to no file.
func complete(name string, definition *jsonschema.Schema) {
	definition.Required = required[name]
	if definition.Properties == nil {
		return
	}
	if name == "Step" || name == "Variant" {
		definition.Properties.Delete("id")
	}
	for _, member := range configfiles.TextMembers() {
		text, known := definition.Properties.Get(member)
		if !known || text.Type != "string" {
			continue
		}
		definition.Properties.Set(member+"@", &jsonschema.Schema{
			Type: "string", Description: "The file that holds " + member + ", relative to this one.",
		})
	}
}
