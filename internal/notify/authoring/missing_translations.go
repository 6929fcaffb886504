package authoring

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/environment"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/render"
	"github.com/carillon/carillon/internal/viewer"
)

// MissingTranslation is a key of translations that locales lack.
type MissingTranslation struct {
	Key     string
	Locales []string
	Usages  []*TranslationUsage // the first usecase.MaxPage
}

// TranslationUsage is a place where a template uses a key of translations.
type TranslationUsage struct {
	Kind TemplateOwner
	Name string // identifier of the record
	Path string // of the template in the record; of a workflow, in its draft or in the version that triggers use
	Line int    // in the template, from 1
}

// MissingTranslationConnection is a page of missing translations.
type MissingTranslationConnection = usecase.Connection[MissingTranslation]

// MissingTranslationEdge is one key of a page.
type MissingTranslationEdge = usecase.Edge[MissingTranslation]

// MissingTranslationFilter narrows a list of missing translations; the fields that are set combine with AND.
type MissingTranslationFilter struct {
	LocaleIn []string // one of these lacks the key
	Used     *bool    // a template uses the key
}

func (f *MissingTranslationFilter) keeps(m *MissingTranslation) bool {
	if f == nil {
		return true
	}
	lacks := func(locale string) bool { return slices.Contains(m.Locales, locale) }
	return (f.LocaleIn == nil || slices.ContainsFunc(f.LocaleIn, lacks)) && (f.Used == nil || *f.Used == (len(m.Usages) > 0))
}

// Missing is a page of the keys that templates use or that a locale has, and that another locale or the environment's default
// lacks, in the order of the keys. Cost: it reads all translations, and all templates that apply a filter, in batches.
func (t *Translations) Missing(ctx context.Context, page usecase.Page, filter *MissingTranslationFilter) (*MissingTranslationConnection, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*MissingTranslationConnection, error) {
		env, err := environmentOf(ctx, db)
		if err != nil {
			return nil, err
		}
		texts, err := storedTranslations(ctx, db)
		if err != nil {
			return nil, err
		}
		usages, err := translationUsages(ctx, db)
		if err != nil {
			return nil, err
		}
		used := make([]string, 0, len(usages))
		for key := range usages {
			used = append(used, key)
		}
		missing := []*MissingTranslation{}
		for _, m := range texts.Missing(env.DefaultLocale, used) {
			one := &MissingTranslation{Key: m.Key, Locales: m.Locales, Usages: usages[m.Key]}
			if filter.keeps(one) {
				missing = append(missing, one)
			}
		}
		return usecase.PageOf(missing, func(m *MissingTranslation) string { return m.Key }, page)
	})
}

// translationUsages are the places where templates use keys of translations, by key.
func translationUsages(ctx context.Context, db *ent.Client) (map[string][]*TranslationUsage, error) {
	usages := map[string][]*TranslationUsage{}
	err := eachTemplate(ctx, db, "|", func(in template) {
		for _, use := range render.KeysOf(in.text) {
			usages[use.Key] = append(usages[use.Key], &TranslationUsage{in.owner, in.name, in.path, use.Line})
		}
	})
	for key, of := range usages {
		slices.SortFunc(of, func(a, b *TranslationUsage) int {
			return cmp.Or(cmp.Compare(a.Kind, b.Kind), cmp.Compare(a.Name, b.Name), cmp.Compare(a.Path, b.Path), a.Line-b.Line)
		})
		of = slices.CompactFunc(of, func(a, b *TranslationUsage) bool { return *a == *b })
		usages[key] = of[:min(len(of), usecase.MaxPage)]
	}
	return usages, err
}

// storedTranslations are the translations of the viewer's environment.
func storedTranslations(ctx context.Context, db *ent.Client) (render.Translations, error) {
	stored, err := db.Translation.Query().All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the translations: %w", err)
	}
	texts := make(render.Translations, len(stored))
	for _, t := range stored {
		texts[t.Locale] = t.Content
	}
	return texts, nil
}

// environmentOf is the viewer's environment.
func environmentOf(ctx context.Context, db *ent.Client) (*ent.Environment, error) {
	v, _ := viewer.FromContext(ctx)
	env, err := db.Environment.Query().Where(environment.ID(v.EnvironmentID)).Only(ctx)
	if err != nil {
		return nil, fmt.Errorf("read the environment: %w", err)
	}
	return env, nil
}
