package notify

// authoringServices are the use cases of this package.
type authoringServices struct {
	Workflows          *Workflows
	Layouts            *Layouts
	NotificationGroups *NotificationGroups
	Translations       *Translations
}

// newAuthoringServices builds the use cases.
func newAuthoringServices(b base, cfg Config) authoringServices {
	return authoringServices{
		Workflows:          &Workflows{b, cfg.Workflows},
		Layouts:            &Layouts{b, cfg.Workflows.Templates},
		NotificationGroups: &NotificationGroups{b},
		Translations:       &Translations{b},
	}
}
