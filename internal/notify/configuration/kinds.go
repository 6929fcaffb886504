package configuration

import (
	"context"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// handler is how the resources of one kind are read and changed, by the use cases that any other door calls.
type handler struct {
	// read adds the resources with the names to what is known, or all of them (nil). More than MaxResources are not read.
	read   func(ctx context.Context, names []string, into *current) error
	create func(ctx context.Context, name string, d *Document) error
	update func(ctx context.Context, recordID id.ID, name string, d *Document) error
	remove func(ctx context.Context, recordID id.ID) error // nil: resources of this kind are never deleted as missing
}

// current is what an environment holds.
type current struct {
	Document
	ids       map[Kind]map[string]id.ID // record ids by name
	truncated []Kind                    // of which there are more than MaxResources

	asPublished bool                            // workflows are read as triggers use them; those that are not published are left out
	versions    map[string]*ent.WorkflowVersion // published, by trigger identifier

	feeds  map[id.ID]string            // identifiers of those that the workflows name by id
	stored map[string]*ent.Integration // by identifier
}

func (c *current) record(k Kind, name string, recordID id.ID) {
	if c.ids[k] == nil {
		c.ids[k] = map[string]id.ID{}
	}
	c.ids[k][name] = recordID
}

// handlers has one handler for each kind. Topics, integrations and variables are never deleted as missing from a document: with
// them would go what no document holds, subscriptions and secrets.
func (c *Configurations) handlers(plan *Plan) map[Kind]handler {
	return map[Kind]handler{
		KindVariable:          c.variableHandler(),
		KindNotificationGroup: c.groupHandler(),
		KindFeed:              c.feedHandler(),
		KindSnippet:           c.snippetHandler(),
		KindLayout:            c.layoutHandler(),
		KindTranslation:       c.translationHandler(),
		KindIntegration:       c.integrationHandler(),
		KindTopic:             c.topicHandler(),
		KindWorkflow:          c.workflowHandler(plan),
	}
}

// readAll passes every record of a list to add, page by page. truncated reports that there are more than MaxResources,
// which are not read.
func readAll[T any](list func(usecase.Page) (*usecase.Connection[T], error), add func(*T)) (truncated bool, err error) {
	size, n := usecase.MaxPage, 0
	for page := (usecase.Page{First: &size}); ; {
		got, err := list(page)
		if err != nil {
			return false, err
		}
		for _, record := range got.Nodes() {
			add(record)
		}
		if n += len(got.Edges); !got.PageInfo.HasNextPage || n >= MaxResources {
			return got.PageInfo.HasNextPage, nil
		}
		page.After = got.PageInfo.EndCursor
	}
}

// reader is a handler's read, made of a list and of what one record adds.
func reader[T any](k Kind, list func(ctx context.Context, page usecase.Page, names []string) (*usecase.Connection[T], error), add func(*current, *T)) func(context.Context, []string, *current) error {
	return func(ctx context.Context, names []string, into *current) error {
		truncated, err := readAll(
			func(page usecase.Page) (*usecase.Connection[T], error) { return list(ctx, page, names) },
			func(record *T) { add(into, record) })
		if truncated {
			into.truncated = append(into.truncated, k)
		}
		return err
	}
}

// discard drops the record that a use case answers with.
func discard[T any](_ T, err error) error { return err }

func given(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func (c *Configurations) groupHandler() handler {
	groups := c.areas.Authoring.NotificationGroups
	return handler{
		read: func(ctx context.Context, names []string, into *current) error {
			var rows []*ent.NotificationGroup
			read := reader(KindNotificationGroup, func(ctx context.Context, page usecase.Page, names []string) (*authoring.NotificationGroupConnection, error) {
				return groups.List(ctx, page, nil, &authoring.NotificationGroupFilter{IdentifierIn: names})
			}, func(_ *current, g *ent.NotificationGroup) { rows = append(rows, g) })
			if err := read(ctx, names, into); err != nil {
				return err
			}
			parents := make([]*string, len(rows))
			for i, g := range rows {
				parents[i] = g.ParentID
			}
			identifiers, err := c.groupNames(ctx, parents)
			for _, g := range rows {
				one := NotificationGroup{Name: g.Name}
				if g.ParentID != nil {
					one.Parent = identifiers[*g.ParentID]
				}
				set(&into.NotificationGroups, g.Identifier, one)
				into.record(KindNotificationGroup, g.Identifier, g.ID)
			}
			return err
		},
		create: func(ctx context.Context, name string, d *Document) error {
			in := d.NotificationGroups[name]
			return discard(groups.Create(ctx, authoring.CreateNotificationGroupInput{Identifier: &name, Name: in.Name, Parent: given(in.Parent)}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.NotificationGroups[name]
			return discard(groups.Update(ctx, authoring.UpdateNotificationGroupInput{
				ID: recordID, Name: &in.Name, Parent: graphql.OmittableOf(given(in.Parent)),
			}))
		},
		remove: func(ctx context.Context, recordID id.ID) error { return discard(groups.Delete(ctx, recordID)) },
	}
}

// groupNames are the identifiers of notification groups by internal id; nil names none. Cost: one query.
func (c *Configurations) groupNames(ctx context.Context, ids []*id.ID) (map[id.ID]string, error) {
	var wanted []id.ID
	for _, groupID := range ids {
		if groupID != nil {
			wanted = append(wanted, *groupID)
		}
	}
	nodes := usecase.Nodes{Deps: c.Deps}
	found, err := nodes.OfType(ctx, "NotificationGroup", usecase.Distinct(wanted))
	names := make(map[id.ID]string, len(found))
	for groupID, node := range found {
		if g, ok := node.(*ent.NotificationGroup); ok {
			names[groupID] = g.Identifier
		}
	}
	return names, err
}

func (c *Configurations) feedHandler() handler {
	feeds := c.areas.Feeds
	return handler{
		read: reader(KindFeed, func(ctx context.Context, page usecase.Page, names []string) (*inbox.FeedConnection, error) {
			return feeds.List(ctx, page, nil, &inbox.FeedFilter{IdentifierIn: names})
		}, func(into *current, f *ent.Feed) {
			set(&into.Feeds, f.Identifier, Feed{Name: f.Name})
			into.record(KindFeed, f.Identifier, f.ID)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			return discard(feeds.Create(ctx, inbox.CreateFeedInput{Identifier: name, Name: d.Feeds[name].Name}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.Feeds[name]
			return discard(feeds.Update(ctx, inbox.UpdateFeedInput{ID: recordID, Name: &in.Name}))
		},
		remove: func(ctx context.Context, recordID id.ID) error { return discard(feeds.Delete(ctx, recordID)) },
	}
}

func (c *Configurations) snippetHandler() handler {
	snippets := c.areas.Authoring.Snippets
	return handler{
		read: reader(KindSnippet, func(ctx context.Context, page usecase.Page, names []string) (*authoring.SnippetConnection, error) {
			return snippets.List(ctx, page, nil, &authoring.SnippetFilter{IdentifierIn: names})
		}, func(into *current, s *ent.Snippet) {
			set(&into.Snippets, s.Identifier, Snippet{Name: s.Name, Content: s.Content})
			into.record(KindSnippet, s.Identifier, s.ID)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			in := d.Snippets[name]
			return discard(snippets.Create(ctx, authoring.CreateSnippetInput{Identifier: &name, Name: in.Name, Content: in.Content}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.Snippets[name]
			return discard(snippets.Update(ctx, authoring.UpdateSnippetInput{ID: recordID, Name: &in.Name, Content: &in.Content}))
		},
		remove: func(ctx context.Context, recordID id.ID) error { return discard(snippets.Delete(ctx, recordID, false)) },
	}
}

func (c *Configurations) layoutHandler() handler {
	layouts := c.areas.Authoring.Layouts
	return handler{
		read: reader(KindLayout, func(ctx context.Context, page usecase.Page, names []string) (*authoring.LayoutConnection, error) {
			return layouts.List(ctx, page, nil, &authoring.LayoutFilter{IdentifierIn: names})
		}, func(into *current, l *ent.Layout) {
			set(&into.Layouts, l.Identifier, Layout{Name: l.Name, Default: l.IsDefault, Content: l.Content})
			into.record(KindLayout, l.Identifier, l.ID)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			in := d.Layouts[name]
			return discard(layouts.Create(ctx, authoring.CreateLayoutInput{Identifier: &name, Name: in.Name, Content: in.Content, IsDefault: &in.Default}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.Layouts[name]
			return discard(layouts.Update(ctx, authoring.UpdateLayoutInput{ID: recordID, Name: &in.Name, Content: &in.Content, IsDefault: &in.Default}))
		},
		remove: func(ctx context.Context, recordID id.ID) error { return discard(layouts.Delete(ctx, recordID)) },
	}
}

func (c *Configurations) translationHandler() handler {
	translations := c.areas.Authoring.Translations
	return handler{
		read: reader(KindTranslation, func(ctx context.Context, page usecase.Page, names []string) (*authoring.TranslationConnection, error) {
			return translations.List(ctx, page, nil, &authoring.TranslationFilter{LocaleIn: names})
		}, func(into *current, t *ent.Translation) {
			set(&into.Translations, t.Locale, t.Content)
			into.record(KindTranslation, t.Locale, t.ID)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			return discard(translations.Create(ctx, authoring.CreateTranslationInput{Locale: name, Content: d.Translations[name]}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			return discard(translations.Update(ctx, authoring.UpdateTranslationInput{ID: recordID, Content: d.Translations[name]}))
		},
		remove: func(ctx context.Context, recordID id.ID) error { return discard(translations.Delete(ctx, recordID)) },
	}
}

func (c *Configurations) topicHandler() handler {
	topics := c.areas.Topics
	return handler{
		read: reader(KindTopic, func(ctx context.Context, page usecase.Page, names []string) (*audience.TopicConnection, error) {
			return topics.List(ctx, page, nil, &audience.TopicFilter{KeyIn: names})
		}, func(into *current, t *ent.Topic) {
			one := Topic{}
			if t.Name != nil {
				one.Name = *t.Name
			}
			set(&into.Topics, t.Key, one)
			into.record(KindTopic, t.Key, t.ID)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			return discard(topics.Create(ctx, audience.CreateTopicInput{Key: name, Name: given(d.Topics[name].Name)}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			return discard(topics.Update(ctx, audience.UpdateTopicInput{ID: recordID, Name: graphql.OmittableOf(given(d.Topics[name].Name))}))
		},
	}
}

func (c *Configurations) integrationHandler() handler {
	all := c.areas.Integrations
	return handler{
		read: reader(KindIntegration, func(ctx context.Context, page usecase.Page, names []string) (*integrations.IntegrationConnection, error) {
			return all.List(ctx, page, nil, &integrations.IntegrationFilter{IdentifierIn: names})
		}, func(into *current, i *ent.Integration) {
			set(&into.Integrations, i.Identifier, Integration{
				ProviderID: c.areas.Providers.ShownID(i.ProviderID), Name: i.Name, Active: &i.Active, Primary: &i.Primary,
				Conditions: i.Conditions, RateLimit: i.RateLimit, Simulation: i.Simulation,
			})
			into.record(KindIntegration, i.Identifier, i.ID)
			set(&into.stored, i.Identifier, i)
		}),
		create: func(ctx context.Context, name string, d *Document) error {
			in := d.Integrations[name]
			return discard(all.Create(ctx, integrations.CreateIntegrationInput{
				ProviderID: in.ProviderID, Name: given(in.Name), Identifier: &name, Credentials: in.Credentials, Active: in.Active,
				Primary: in.Primary, Conditions: in.Conditions, RateLimit: in.RateLimit, Simulation: in.Simulation, SecretsLater: true,
			}))
		},
		update: func(ctx context.Context, recordID id.ID, name string, d *Document) error {
			in := d.Integrations[name]
			return discard(all.Update(ctx, integrations.UpdateIntegrationInput{
				ID: recordID, Name: given(in.Name), Credentials: in.Credentials, Active: in.Active, Primary: in.Primary,
				Conditions: graphql.OmittableOf(in.Conditions), RateLimit: graphql.OmittableOf(in.RateLimit),
				Simulation: graphql.OmittableOf(in.Simulation), SecretsLater: true,
			}))
		},
	}
}

// set puts a value into a map that need not be there yet.
func set[T any](m *map[string]T, name string, value T) {
	if *m == nil {
		*m = map[string]T{}
	}
	(*m)[name] = value
}
