package mcpserver

import (
	"context"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carillon/carillon/internal/docs"
)

// docsURI is the address of the documents as resources.
const docsURI = "carillon://docs/"

func (s *service) addDocs(server *mcp.Server) {
	addTool(server, readOnly("search_docs", "Search the documents", "Finds the sections of Carillon's documents that hold every word of a query, best first."), s.searchDocs)
	addTool(server, readOnly("read_doc_section", "Read a section of a document", "Returns the text of one section, named as search_docs names it."), s.readSection)
	for _, d := range s.docs {
		server.AddResource(&mcp.Resource{
			URI: docsURI + d.Name, Name: d.Name, Title: d.Title, Description: d.Summary, MIMEType: "text/markdown", Size: int64(len(d.Markdown())),
		}, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: docsURI + d.Name, MIMEType: "text/markdown", Text: d.Markdown()}}}, nil
		})
	}
}

type searchDocsArguments struct {
	Query string `json:"query" jsonschema:"words that a section must hold"`
}

// maxSections bounds the sections that a search returns.
const maxSections = 10

func (s *service) searchDocs(_ context.Context, in searchDocsArguments) (*result, error) {
	found := docs.Search(s.docs, in.Query)
	sections := []any{}
	for _, r := range found[:min(len(found), maxSections)] {
		sections = append(sections, object{
			"document": r.Document.Name, "section": r.Section.Anchor, "title": strings.TrimSpace(r.Section.Number + " " + r.Section.Title), "excerpt": r.Excerpt,
		})
	}
	return &result{data: object{"items": sections, "found": len(found)}}, nil
}

type readSectionArguments struct {
	Document string `json:"document" jsonschema:"name of the document, such as semantics"`
	Section  string `json:"section" jsonschema:"the section, such as 3.15 or its anchor"`
}

func (s *service) readSection(_ context.Context, in readSectionArguments) (*result, error) {
	var names []string
	for _, d := range s.docs {
		names = append(names, d.Name)
		if d.Name != in.Document {
			continue
		}
		for i, section := range d.Sections {
			if section.Anchor == in.Section {
				text := shorten(wholeText(d.Sections[i:])).(string) //nolint:forcetypeassert // it returns what it is given
				return &result{data: object{"document": d.Name, "section": section.Anchor, "title": section.Title, "text": text}}, nil
			}
		}
		return nil, fmt.Errorf("section: %s has no section %q; find it with search_docs", d.Name, in.Section)
	}
	return nil, fmt.Errorf("document: there is no %q; the documents are %s", in.Document, strings.Join(names, ", "))
}

// wholeText is the text of the first of sections with that of those below it, such as 5.1 below 5.
func wholeText(sections []docs.Section) string {
	texts := []string{sections[0].Text}
	for _, below := range sections[1:] {
		if sections[0].Number == "" || !strings.HasPrefix(below.Number, sections[0].Number+".") {
			break
		}
		texts = append(texts, strings.TrimSpace(below.Number+" "+below.Title+"\n"+below.Text))
	}
	return strings.TrimSpace(strings.Join(texts, "\n\n"))
}
