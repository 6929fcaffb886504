package configuration

import (
	"fmt"

	"github.com/carillon/carillon/internal/render"
)

// MissingTranslation is a key of translations that a locale lacks.
type MissingTranslation struct {
	Locale, Key string
	Usages      []TranslationUsage
}

// TranslationUsage is a place where a template uses a key.
type TranslationUsage struct {
	Path string // of the template in the document
	Line int    // in the template, from 1
}

// missingTranslations are the keys that locales of a document lack, when it has translations.
func missingTranslations(d *Document, fallback string) (missing []MissingTranslation) {
	if d.Translations == nil {
		return nil
	}
	texts := textsOf(d)
	usages := map[string][]TranslationUsage{}
	var used []string
	look := func(path, template string) {
		for _, use := range render.KeysOf(template) {
			usages[use.Key] = append(usages[use.Key], TranslationUsage{path, use.Line})
			used = append(used, use.Key)
		}
	}
	for _, s := range sections {
		for _, name := range s.names(d) {
			path := s.name + "." + name
			switch s.kind {
			case KindSnippet:
				look(path+".content", d.Snippets[name].Content)
			case KindLayout:
				look(path+".content", d.Layouts[name].Content)
			case KindWorkflow:
				steps := d.Workflows[name].Steps
				for i := range steps {
					for _, text := range steps[i].Texts() {
						look(fmt.Sprintf("%s.steps.%d.%s", path, i, text.Path), text.Text)
					}
				}
			}
		}
	}
	for _, m := range texts.Missing(fallback, used) {
		for _, locale := range m.Locales {
			missing = append(missing, MissingTranslation{locale, m.Key, usages[m.Key]})
		}
	}
	return missing
}

func textsOf(d *Document) render.Translations {
	texts := render.Translations{}
	for locale, content := range d.Translations {
		texts[locale] = content
	}
	return texts
}
