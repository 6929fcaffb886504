// Command gen writes the pages of the guide that list what the code holds: settings, figures, codes of errors and reasons of
// traces. It runs in the root of the repository.
package main

import (
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	for name, write := range map[string]func(*strings.Builder) error{
		"settings": settings, "metrics": metrics, "codes": codes,
	} {
		var page strings.Builder
		if err := write(&page); err != nil {
			log.Fatalf("%s: %v", name, err)
		}
		if err := os.WriteFile(filepath.Join("internal", "docs", name+".md"), []byte(page.String()), 0o600); err != nil {
			log.Fatal(err)
		}
	}
}

// row writes a line of a table.
func row(out *strings.Builder, cells ...string) {
	for i, cell := range cells {
		cells[i] = strings.ReplaceAll(cell, "|", `\|`)
	}
	fmt.Fprintf(out, "| %s |\n", strings.Join(cells, " | "))
}

// heads writes the head of a table.
func heads(out *strings.Builder, titles ...string) {
	row(out, titles...)
	fmt.Fprintln(out, strings.Repeat("|---", len(titles))+"|")
}
