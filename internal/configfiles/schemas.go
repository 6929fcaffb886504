package configfiles

import (
	"embed"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
)

//go:embed schemas
var schemas embed.FS

// Schemas are the JSON Schemas of the files: workflow.json, layout.json and so on, and configuration.json, which describes
// a whole document.
func Schemas() fs.FS {
	sub, err := fs.Sub(schemas, "schemas")
	if err != nil {
		panic(err) // the directory is embedded
	}
	return sub
}

// TextMembers returns the members that may be in files of their own, in the order of their names.
func TextMembers() []string { return slices.Sorted(maps.Keys(endings)) }

// schemaDir is where a directory keeps the schemas, for editors.
const schemaDir = ".schemas"

// schema is the schema of a place's files.
func (p place) schema() string {
	if p.file != "" {
		return strings.TrimSuffix(p.file, ".yaml") + ".json"
	}
	return strings.TrimSuffix(p.dir, "s") + ".json"
}

// head is the comment by which editors find the schema of a file.
func (p place) head(file string) string {
	up := strings.Repeat("../", strings.Count(path.Clean(file), "/"))
	return "# yaml-language-server: $schema=" + up + path.Join(schemaDir, p.schema()) + "\n"
}

// writeSchemas puts the schemas into a directory.
func (w *writer) writeSchemas() error {
	entries, err := fs.ReadDir(Schemas(), ".")
	if err != nil {
		return err
	}
	for _, entry := range entries {
		raw, err := fs.ReadFile(Schemas(), entry.Name())
		if err != nil {
			return err
		}
		if err := w.write(path.Join(schemaDir, entry.Name()), raw); err != nil {
			return err
		}
	}
	return nil
}
