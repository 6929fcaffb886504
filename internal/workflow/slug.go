package workflow

import "github.com/carillon/carillon/internal/id"

// The kinds inside slugs (decisions.md §1).
const (
	SlugWorkflow = "wf"
	SlugStep     = "st"
)

// Slug is the step's name and record id in one readable text.
func (s *Step) Slug() string { return id.Slug(s.Name, SlugStep, s.ID) }
