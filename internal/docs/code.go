package docs

import (
	"regexp"
	"strings"

	"github.com/yuin/goldmark/ast"
)

// Code is a fenced block of a document. Behind its language the fence may carry attributes, which no reader sees and which
// say how the test of the guide treats the block: NAME, NAME=VALUE or NAME="VALUE WITH SPACES".
type Code struct {
	Language   string
	Attributes map[string]string
	Text       string
	Line       int // of its first line in the file
}

var attribute = regexp.MustCompile(`([a-z]+)(?:=(?:"([^"]*)"|(\S+)))?`)

// Code returns the document's fenced blocks in order.
func (d *Document) Code() []Code {
	var all []Code
	_ = ast.Walk(d.root, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the callback returns no error
		block, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering || block.Lines().Len() == 0 {
			return ast.WalkContinue, nil
		}
		code := Code{Language: string(block.Language(d.source)), Attributes: map[string]string{}}
		if block.Info != nil {
			_, rest, _ := strings.Cut(string(block.Info.Segment.Value(d.source)), " ")
			for _, m := range attribute.FindAllStringSubmatch(rest, -1) {
				code.Attributes[m[1]] = m[2] + m[3]
			}
		}
		code.Text = string(block.Lines().Value(d.source))
		code.Line = 1 + strings.Count(string(d.source[:block.Lines().At(0).Start]), "\n")
		all = append(all, code)
		return ast.WalkContinue, nil
	})
	return all
}
