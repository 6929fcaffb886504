// Command gen writes internal/notices/go.txt: the licence of each Go module that the binary contains, and of what graph/
// and internal/render/cldr carry of other people's files. Run it from the repository's root: go run ./internal/notices/gen.
package main

import (
	"bytes"
	"context"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// program is the package whose dependencies count.
const program = "./cmd/carillon"

// listed prints the module of each package that the program contains: path, version, folder.
const listed = `{{with .Module}}{{if not .Main}}{{.Path}}{{"\t"}}{{.Version}}{{"\t"}}{{.Dir}}{{end}}{{end}}`

// licence recognises the files that must travel with a copy.
var licence = regexp.MustCompile(`(?i)^(licen[cs]e|notice|copying|patents)([.-].*)?$`)

// notice is a licence text and all that it covers.
type notice struct {
	text    string
	subject []string
}

func main() {
	var all []notice
	for _, m := range modules() {
		all = add(all, m.name, m.dir)
	}
	all = add(all, "The Go standard library", strings.TrimSpace(output("go", "env", "GOROOT")))
	all = add(all, "Unicode CLDR (internal/render/cldr/data.zip)", "internal/render/cldr")
	all = add(all, "GraphiQL, React (graph/graphiql/assets)", "graph/graphiql/assets")
	var out bytes.Buffer
	out.WriteString("Go modules and vendored files in this program, with their licences\n")
	for _, n := range all {
		fmt.Fprintf(&out, "\n%s\n%s\n\n%s\n", strings.Repeat("=", 80), strings.Join(n.subject, "\n"), n.text)
	}
	if err := os.WriteFile("internal/notices/go.txt", out.Bytes(), 0o644); err != nil { //nolint:gosec // for everybody to read
		log.Fatalf("write the notices: %v", err)
	}
}

type module struct{ name, dir string }

// modules lists the modules of the program on Linux, sorted, so that the file does not depend on the machine.
func modules() []module {
	lines := strings.Split(strings.TrimSpace(output("go", "list", "-deps", "-f", listed, program)), "\n")
	slices.Sort(lines)
	var found []module
	for _, line := range slices.Compact(lines) {
		if path, rest, ok := strings.Cut(line, "\t"); ok {
			version, dir, _ := strings.Cut(rest, "\t")
			found = append(found, module{path + " " + version, dir})
		}
	}
	return found
}

// output runs a command for Linux and returns what it prints.
func output(name string, args ...string) string {
	command := exec.CommandContext(context.Background(), name, args...) //nolint:gosec // a build step with fixed arguments
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	out, err := command.Output()
	if err != nil {
		log.Fatalf("%s %s: %v", name, args[0], err)
	}
	return string(out)
}

// add reads the licence files of a folder; the same text is kept once for all that it covers.
func add(all []notice, name, dir string) []notice {
	texts := licenceTexts(dir)
	if len(texts) == 0 {
		log.Fatalf("%s has no licence file in %s", name, dir)
	}
	for _, text := range texts {
		i := slices.IndexFunc(all, func(n notice) bool { return n.text == text })
		if i < 0 {
			all = append(all, notice{text: text})
			i = len(all) - 1
		}
		if !slices.Contains(all[i].subject, name) {
			all[i].subject = append(all[i].subject, name)
		}
	}
	return all
}

func licenceTexts(dir string) (texts []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		log.Fatalf("read the licences: %v", err)
	}
	for _, entry := range entries {
		if entry.IsDir() || !licence.MatchString(entry.Name()) {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, entry.Name())) //nolint:gosec // of a dependency
		if err != nil {
			log.Fatalf("read the licences: %v", err)
		}
		texts = append(texts, strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")))
	}
	return texts
}
