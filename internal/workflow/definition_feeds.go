package workflow

import "slices"

// feeds are the references of a step and its variants to feeds.
func (s *Step) feeds() (refs []*string) {
	if s.InApp != nil && s.InApp.FeedID != "" {
		refs = append(refs, &s.InApp.FeedID)
	}
	for i := range s.Variants {
		if c := s.Variants[i].InApp; c != nil && c.FeedID != "" {
			refs = append(refs, &c.FeedID)
		}
	}
	return refs
}

// Feeds are the feeds that the steps name, by id or identifier.
func (d *Definition) Feeds() (refs []string) {
	for i := range d.Steps {
		for _, ref := range d.Steps[i].feeds() {
			refs = append(refs, *ref)
		}
	}
	return refs
}

// WithFeeds is a copy of the definition in which steps name feeds by their internal ids; a feed that is not among ids is
// left out.
func (d *Definition) WithFeeds(ids map[string]string) *Definition {
	out := *d
	out.Steps = slices.Clone(d.Steps)
	for i := range out.Steps {
		s := &out.Steps[i]
		s.InApp = s.InApp.clone()
		s.Variants = slices.Clone(s.Variants)
		for j := range s.Variants {
			s.Variants[j].InApp = s.Variants[j].InApp.clone()
		}
		for _, ref := range s.feeds() {
			*ref = ids[*ref]
		}
	}
	return &out
}

func (c *InAppControls) clone() *InAppControls {
	if c == nil {
		return nil
	}
	out := *c
	return &out
}
