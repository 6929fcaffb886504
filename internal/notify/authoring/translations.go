package authoring

import (
	"context"
	"maps"
	"slices"
	"time"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/ent/translation"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/render/icu"
	"github.com/carillon/carillon/internal/workflow"
)

// Translations are the use cases of translations: the texts of one locale, by key.
type Translations struct{ usecase.Deps }

// MaxTranslationBytes bounds the texts of one locale, as JSON: templates read all of them.
const MaxTranslationBytes = 1 << 20

// TranslationConnection is a page of translations.
type TranslationConnection = usecase.Connection[ent.Translation]

// TranslationEdge is one translation of a page.
type TranslationEdge = usecase.Edge[ent.Translation]

// TranslationFilter narrows a list of translations; the fields that are set combine with AND.
type TranslationFilter struct {
	LocaleIn      []string
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *TranslationFilter) predicates() (ps []predicate.Translation) {
	if f == nil {
		return nil
	}
	if f.LocaleIn != nil {
		ps = append(ps, translation.LocaleIn(f.LocaleIn...))
	}
	ps = usecase.WithFilter(ps, f.CreatedAfter, translation.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, translation.CreatedAtLT)
}

// List is a page of translations.
func (t *Translations) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *TranslationFilter) (*TranslationConnection, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*TranslationConnection, error) {
		return usecase.Paginate(ctx, db.Translation.Query(), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one translation by its global or internal id.
func (t *Translations) Get(ctx context.Context, globalID string) (*ent.Translation, error) {
	recordID, err := usecase.RecordID("Translation", globalID)
	if err != nil {
		return nil, err
	}
	return t.one(ctx, translation.ID(recordID), globalID)
}

// ByLocale is one translation by its locale.
func (t *Translations) ByLocale(ctx context.Context, locale string) (*ent.Translation, error) {
	return t.one(ctx, translation.Locale(locale), locale)
}

func (t *Translations) one(ctx context.Context, p predicate.Translation, name string) (*ent.Translation, error) {
	return usecase.Read(ctx, t.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Translation, error) {
		found, err := db.Translation.Query().Where(p).Only(ctx)
		return found, usecase.NotFound(err, "Translation %s was not found.", name)
	})
}

// lock is one translation, which no other transaction changes until this one ends.
func (t *Translations) lock(ctx context.Context, db *ent.Client, globalID string) (*ent.Translation, error) {
	recordID, err := usecase.RecordID("Translation", globalID)
	if err != nil {
		return nil, err
	}
	found, err := db.Translation.Query().Where(translation.ID(recordID)).ForUpdate().Only(ctx)
	return found, usecase.NotFound(err, "Translation %s was not found.", globalID)
}

// CreateTranslationInput describes the texts of a new locale.
type CreateTranslationInput struct {
	Locale  string
	Content map[string]string // key → text, shown as it is
}

// Create makes the translation of a locale.
func (t *Translations) Create(ctx context.Context, in CreateTranslationInput) (*ent.Translation, error) {
	problems := fault.Problems{}
	CheckTranslation(&problems, in.Locale, in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Translation, error) {
		created, err := db.Translation.Create().SetLocale(in.Locale).SetContent(in.Content).Save(ctx)
		if err != nil {
			return nil, usecase.AlreadyExists(err, "Translation %s exists already.", in.Locale)
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"locale": in.Locale})
	})
}

// UpdateTranslationInput replaces the texts of a locale.
type UpdateTranslationInput struct {
	ID       string
	Content  map[string]string // nil: as they are
	Revision *string           // that the change is based on; nil: any
}

// Update replaces the texts of a locale.
func (t *Translations) Update(ctx context.Context, in UpdateTranslationInput) (*ent.Translation, error) {
	problems := fault.Problems{}
	checkTexts(&problems, in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	return usecase.Write(ctx, t.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Translation, error) {
		found, err := t.lock(ctx, db, in.ID)
		if err != nil || in.Content == nil {
			return found, err
		}
		if err := checkBase(in.Revision, edited{found.Content}, edited{in.Content}, errTranslationChanged); err != nil {
			return nil, err
		}
		updated, err := found.Update().SetContent(in.Content).Save(ctx)
		if err != nil {
			return nil, err
		}
		return updated, usecase.Audit(ctx, db, "update", updated, map[string]any{"locale": updated.Locale})
	})
}

// Delete removes the texts of a locale.
func (t *Translations) Delete(ctx context.Context, globalID string) (*ent.Translation, error) {
	return usecase.Write(ctx, t.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Translation, error) {
		found, err := t.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Translation.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"locale": found.Locale})
	})
}

// CheckTranslation adds the faults of a locale's texts.
func CheckTranslation(problems *fault.Problems, locale string, content map[string]string) {
	if !workflow.ValidLocale(locale) {
		problems.Add("locale", locale, "must be a locale such as en or pt-BR")
	}
	checkTexts(problems, content)
}

func checkTexts(problems *fault.Problems, content map[string]string) {
	if !workflow.FitsJSON(content, MaxTranslationBytes) {
		problems.Add("content", nil, "must not exceed %d bytes of JSON", MaxTranslationBytes)
	}
	for _, key := range slices.Sorted(maps.Keys(content)) {
		if !workflow.ValidOpaqueIdentifier(key) {
			problems.Add("content", key, "keys must have 1 to %d characters", workflow.MaxIdentifier)
		}
		if text := content[key]; icu.IsTyped(text) {
			if _, err := icu.Parse(text); err != nil {
				problems.Add("content."+key, text, "is no well-formed message: %s", err)
			}
		}
	}
}
