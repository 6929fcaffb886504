// Package configfiles keeps a configuration (package configuration) as a directory of files that people edit and review:
//
//	workflows/<identifier>/workflow.yaml    with its templates beside it
//	layouts/<identifier>.yaml               with its content beside it
//	snippets/<identifier>.yaml              with its content beside it
//	translations/<locale>.yaml
//	integrations/<identifier>.yaml
//	topics.yaml, feeds.yaml, notification-groups.yaml, variables.yaml
//	.schemas/                               by which editors complete and check the others
//
// A member whose name ends in @ names the file that holds its text, relative to the file that it is in: html@: mail.html.
package configfiles

import (
	"fmt"
	"net/url"
	"path"
	"strings"
)

// Bounds of a directory. A server takes no more than about 16 MiB as one document.
const (
	maxFile  = 1 << 20 // bytes
	maxFiles = 20_000
)

// place is where the resources of a section are.
type place struct {
	section string // member of the document
	dir     string // one file for each resource
	file    string // or one file with all of them
	own     bool   // the directory has a directory for each resource
}

var places = []place{
	{section: "variables", file: "variables.yaml"},
	{section: "notificationGroups", file: "notification-groups.yaml"},
	{section: "feeds", file: "feeds.yaml"},
	{section: "snippets", dir: "snippets"},
	{section: "layouts", dir: "layouts"},
	{section: "translations", dir: "translations"},
	{section: "integrations", dir: "integrations"},
	{section: "topics", file: "topics.yaml"},
	{section: "workflows", dir: "workflows", own: true},
}

// workflowFile is the file of a workflow in the directory of its own.
const workflowFile = "workflow.yaml"

// path is the file of a resource.
func (p place) path(name string) string {
	switch {
	case p.file != "":
		return p.file
	case p.own:
		return path.Join(p.dir, fileName(name), workflowFile)
	}
	return path.Join(p.dir, fileName(name)+".yaml")
}

// fileName is a name as part of a path: what a path cannot hold is escaped as in a URL.
func fileName(name string) string {
	escaped := url.PathEscape(name)
	if strings.HasPrefix(escaped, ".") {
		escaped = "%2E" + escaped[1:]
	}
	return strings.NewReplacer(":", "%3A", "@", "%40").Replace(escaped)
}

func nameOf(file string) (string, error) {
	name, err := url.PathUnescape(file)
	if err != nil {
		return "", fmt.Errorf("%s: the name cannot be read: %w", file, err)
	}
	return name, nil
}

// Directory is what a directory holds.
type Directory struct {
	Document map[string]any
	// Files are the paths of the files that were read, by the resource that they belong to: workflows.welcome.
	Files map[string][]string
	// Texts are the files of the texts that have one of their own: workflows.welcome.steps.0.email.html.
	Texts map[string]string

	lines  map[string]int // in their files, by path in the document
	pulled bool           // whether the schemas are there, which each pull writes
}

// Place is the file in which a path of the document is written, with the line where its YAML begins: that of the nearest part
// around it when it is written nowhere itself, such as a field that is missing.
func (d *Directory) Place(documentPath string) string {
	file, rest := d.File(documentPath), strings.TrimPrefix(documentPath, "document.")
	if file == "" || d.Texts[rest] != "" {
		return file
	}
	for {
		if line := d.lines[rest]; line > 0 {
			return fmt.Sprintf("%s:%d", file, line)
		}
		dot := strings.LastIndexByte(rest, '.')
		if dot < 0 {
			return file
		}
		rest = rest[:dot]
	}
}

// File is the file in which a path of the document is written, such as document.workflows.welcome.steps.0.name; "" when
// there is none.
func (d *Directory) File(documentPath string) string {
	rest := strings.TrimPrefix(documentPath, "document.")
	if file := d.Texts[rest]; file != "" {
		return file
	}
	best := ""
	for resource := range d.Files {
		if (rest == resource || strings.HasPrefix(rest, resource+".")) && len(resource) > len(best) {
			best = resource
		}
	}
	if best == "" {
		return ""
	}
	return d.Files[best][0]
}
