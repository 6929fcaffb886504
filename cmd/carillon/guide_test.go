package main_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/docs"
)

// notRun counts the blocks of the guide that cannot be run here, by the reason that their page gives.
var notRun = map[string]int{
	"the test has built it":    1,
	"needs a released package": 1,
	"needs an empty database":  1,
	"needs a bundler":          1,
	"needs Docker":             1,
	"needs Kubernetes":         1,
	"takes minutes":            1,
	"needs two cells":          1,
}

// TestGuide follows the guide from its first page to its last, as a reader does with one installation: it runs the
// commands, sends the GraphQL operations, saves the files, and compares what the page says comes of it.
//
// The fence of a block says what is not for the reader (docs.Code):
//
//	skip="REASON"  it cannot be run here
//	serve          the program that serves from now on, in place of the one before
//	background     a program that runs until the end
//	file=PATH      the reader saves it
//	save=NAME:PATH what the answer holds at the path is what NAME means in later blocks
//	fails          the command, or the operation, fails
//	output         not run: what the block before it answers, with … for any text
//
// Other blocks are checked by what they are: JSON, YAML and Liquid are parsed, JavaScript is checked by Node.js, a Go program
// is run, and what an HTML page loads is there.
func TestGuide(t *testing.T) {
	t.Parallel()
	all, err := docs.All()
	require.NoError(t, err)
	g := newReader(t)
	skipped, run := map[string]int{}, 0
	for _, d := range all {
		if d.Part != "Guide" {
			continue
		}
		t.Run(d.Name, func(t *testing.T) { // one after another: a page builds on those before it
			g.T = t
			var last *answer
			for _, code := range d.Code() {
				g.where = fmt.Sprintf("%s.md:%d", d.Name, code.Line)
				if reason, skip := code.Attributes["skip"]; skip {
					require.NotEmpty(t, reason, g.where)
					skipped[reason]++
					continue
				}
				run++
				last = g.follow(code, last)
			}
		})
	}
	require.Equal(t, notRun, skipped)
	require.Greater(t, run, 20)
}
