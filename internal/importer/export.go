package importer

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strings"

	"github.com/carillon/carillon/internal/configfiles"
)

// ExportOptions are what Export needs.
type ExportOptions struct {
	Folder   *Folder
	State    *State
	From     *Target
	Progress func(file string, items int)
}

// export says how one file is filled: from which connection, and how a node becomes a line.
type export struct {
	file      file
	pass      string // distinguishes passes over the same file
	field     string
	arguments string
	selection string
	line      func(node map[string]any) (map[string]any, error)
}

// Export fills a folder from a Carillon: its configuration as files, and its subscribers, subscriptions, channel endpoints and
// stored preferences as lines, oldest first, so that what is added meanwhile comes at the end. Called again it continues.
func Export(ctx context.Context, o ExportOptions) error {
	if err := o.configuration(ctx); err != nil {
		return fmt.Errorf("export the configuration: %w", err)
	}
	const oldest = `orderBy: {field: ID, direction: ASC}`
	for _, e := range []export{
		{subscribers, "", "subscribers", "first: 50, " + oldest, subscriberSelection, o.exportedSubscriber(ctx)},
		{subscriptions, "", "subscriptions", "first: 100, " + oldest, `identifier name contextKeys topic { key name } subscriber { subscriberId } preferences { workflow { identifier } enabled condition }`, plain},
		{
			endpoints, "", "channelEndpoints", "first: 100, " + oldest,
			`identifier channel providerId integrationIdentifier connectionIdentifier subscriberId contextKeys type endpoint { ` + targetSelection + ` }`, exportedEndpoint,
		},
		// Global wishes replace those of workflows, so that they come first.
		{preferencesFile, " global", "preferences", `first: 100, filter: {level: GLOBAL}, ` + oldest, exportedWishes, exportedPreference},
		{preferencesFile, " workflow", "preferences", `first: 100, filter: {level: TEMPLATE}, ` + oldest, exportedWishes, exportedPreference},
	} {
		if err := o.file(ctx, e); err != nil {
			return fmt.Errorf("export %s: %w", e.file, err)
		}
	}
	return nil
}

func (o ExportOptions) configuration(ctx context.Context) error {
	p := o.State.progress(o.State.Read, kindConfiguration)
	if p.Done {
		return nil
	}
	var answer struct {
		Configuration struct {
			Document  map[string]any
			Truncated []string
		}
	}
	if err := o.From.do(ctx, `query { configuration { document truncated } }`, nil, &answer); err != nil {
		return err
	}
	if _, err := configfiles.Write(o.Folder.Dir, answer.Configuration.Document, configfiles.Same); err != nil {
		return err //nolint:wrapcheck // names the file
	}
	items := []Item{}
	for _, kind := range answer.Configuration.Truncated {
		items = append(items, Item{Kind: kindConfiguration, Name: kind, Result: Refused, Reason: "there are more than one document holds; only the newest were exported"})
	}
	p.Done = true
	return o.State.note(items)
}

// file fills one file, page by page.
func (o ExportOptions) file(ctx context.Context, e export) error {
	p, written := o.State.progress(o.State.Read, string(e.file)+e.pass), o.State.progress(o.State.Read, string(e.file))
	for !p.Done {
		selection, fragment := e.selection, ""
		if e.file == subscribers {
			fragment = dayFragment
		}
		nodes, next, err := pageOf[map[string]any](ctx, o.From, e.field, e.arguments, selection, fragment, p.Cursor)
		if err != nil {
			return err
		}
		var lines []json.RawMessage
		for _, node := range nodes {
			line, err := e.line(node)
			if err != nil {
				return err
			}
			if line != nil {
				lines = append(lines, json.RawMessage(text(clean(line))))
			}
		}
		if written.Size, err = o.Folder.appendAt(e.file, written.Size, lines); err != nil {
			return err
		}
		p.Cursor, p.Done = next, next == ""
		if err := o.State.store(); err != nil {
			return err
		}
		if o.Progress != nil && len(lines) > 0 {
			o.Progress(string(e.file), len(lines))
		}
	}
	return nil
}

// plain is a line that is the node as it is.
func plain(node map[string]any) (map[string]any, error) { return node, nil }

// exportedSubscriber makes lines of subscribers, with their channel settings as a list.
func (o ExportOptions) exportedSubscriber(ctx context.Context) func(map[string]any) (map[string]any, error) {
	return func(node map[string]any) (map[string]any, error) {
		delete(node, "id")
		settings, _ := node["channels"].(map[string]any)
		nodes, _ := settings["nodes"].([]any)
		info, _ := settings["pageInfo"].(map[string]any)
		if info["hasNextPage"] == true {
			nodes = nil
			err := pagesOf(ctx, o.From, "subscriberChannels", fmt.Sprintf(`first: 100, filter: {subscriberId: %s}`, text(node["subscriberId"])), channelSelection, func(more []any) error {
				nodes = append(nodes, more...)
				return nil
			})
			if err != nil {
				return nil, err
			}
		}
		node["channels"] = nodes
		if len(nodes) == 0 {
			delete(node, "channels")
		}
		for _, one := range nodes {
			setting, _ := one.(map[string]any)
			dropEmpty(setting)
			credentials, _ := setting["credentials"].(map[string]any)
			dropEmpty(credentials)
		}
		return node, nil
	}
}

// dropEmpty deletes texts that are empty: GraphQL has them, the documented forms leave them out.
func dropEmpty(object map[string]any) {
	maps.DeleteFunc(object, func(_ string, value any) bool { return value == "" })
}

func exportedEndpoint(node map[string]any) (map[string]any, error) {
	for _, enum := range []string{"channel", "type"} {
		if name, ok := node[enum].(string); ok {
			node[enum] = strings.ToLower(name)
		}
	}
	target, _ := node["endpoint"].(map[string]any)
	dropEmpty(target)
	return node, nil
}

const exportedWishes = `subscriber { subscriberId } workflow { identifier } contextKeys enabled channels { email sms in_app: inApp chat push }`

// exportedPreference makes the documented form of a stored preference. One whose subscriber or workflow is deleted has none.
func exportedPreference(node map[string]any) (map[string]any, error) {
	owner, _ := node["subscriber"].(map[string]any)
	if owner == nil {
		return nil, nil //nolint:nilnil // no line
	}
	line := map[string]any{"subscriberId": owner["subscriberId"], "contextKeys": node["contextKeys"]}
	level := map[string]any{"enabled": node["enabled"], "channels": node["channels"]}
	if workflow, _ := node["workflow"].(map[string]any); workflow != nil {
		level["workflow"] = workflow
		line["workflows"] = []any{level}
	} else {
		line["global"] = level
	}
	return line, nil
}
