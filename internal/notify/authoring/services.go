// Package authoring owns the use cases of what authors write: workflows and their versions, layouts, snippets, notification groups,
// translations, variables, images and previews.
package authoring

import "github.com/carillon/carillon/internal/notify/usecase"

// Services are the use cases of this package.
type Services struct {
	Workflows          *Workflows
	Layouts            *Layouts
	Snippets           *Snippets
	NotificationGroups *NotificationGroups
	Translations       *Translations
	Variables          *Variables
	Images             *Images
}

// New builds the use cases.
func New(b usecase.Deps, cfg usecase.Config) Services {
	return Services{
		Workflows:          &Workflows{b, cfg.Workflows},
		Layouts:            &Layouts{b, cfg.Workflows.Templates},
		Snippets:           &Snippets{b, cfg.Workflows.Templates},
		NotificationGroups: &NotificationGroups{b},
		Translations:       &Translations{b},
		Variables:          &Variables{b, cfg.Secrets, cfg.Workflows.Templates, cfg.Providers},
		Images:             &Images{b, cfg.PublicURL},
	}
}
