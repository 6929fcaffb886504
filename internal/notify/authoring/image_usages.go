package authoring

import (
	"context"

	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgcontent"
)

// ImageUser is a kind of record that shows images.
type ImageUser string

// The kinds.
const (
	ImageUserWorkflow = ImageUser(TemplateOwnerWorkflow)
	ImageUserLayout   = ImageUser(TemplateOwnerLayout)
	ImageUserSnippet  = ImageUser(TemplateOwnerSnippet)
)

// ImageUsage is one record that names an image.
type ImageUsage struct {
	Kind ImageUser
	Name string // identifier of the record
}

// Usages returns what names images, by their keys: of each the first usecase.MaxPage by kind and identifier. Cost: one query, which
// reads all definitions, layouts and snippets of the environment that name some image.
func (s *Images) Usages(ctx context.Context, keys []string) (map[string][]*ImageUsage, error) {
	v, err := usecase.Require(ctx, usecase.ReadContent)
	if err != nil {
		return nil, err
	}
	found, err := pgcontent.ImageUsages(ctx, s.Reader(ctx), v.Scope, keys, usecase.MaxPage)
	usages := make(map[string][]*ImageUsage, len(keys))
	for _, key := range keys {
		usages[key] = []*ImageUsage{}
	}
	for _, u := range found {
		usages[u.Key] = append(usages[u.Key], &ImageUsage{Kind: ImageUser(u.Kind), Name: u.Name})
	}
	return usages, err
}
