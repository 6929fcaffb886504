package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	graphclient "github.com/carillon/carillon/graph/client"
	"github.com/carillon/carillon/internal/configfiles"
)

// kindConfiguration is the kind under which the state notes that the configuration is done.
const kindConfiguration = "configuration"

// change is a resource that a plan changes.
type change struct{ Kind, Name string }

// importConfiguration applies the files of the configuration in one transaction. Resources with faults are left out and
// reported, so that one of them does not keep out all.
func (o Options) importConfiguration(ctx context.Context) error {
	p := o.State.progress(o.State.Import, kindConfiguration)
	if p.Done {
		return nil
	}
	if _, err := os.Stat(o.Folder.Dir); errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the folder %s does not exist", o.Folder.Dir)
	}
	dir, err := configfiles.Read(o.Folder.Dir)
	if err != nil {
		return err //nolint:wrapcheck // names the file
	}
	if err := o.Folder.check(len(dir.Document) > 0); err != nil {
		return err
	}
	items, err := o.withoutSecrets(ctx, dir.Document)
	if err != nil {
		return err
	}
	applied, err := o.applyConfiguration(ctx, dir.Document)
	if err != nil {
		return err
	}
	p.Done = true
	return o.State.note(append(items, applied...))
}

// applyTries is how often a configuration is planned again because it changed since its plan: by an attempt to apply it whose
// answer was lost, or by another caller.
const applyTries = 3

// applyConfiguration plans and applies a document.
func (o Options) applyConfiguration(ctx context.Context, document map[string]any) (items []Item, err error) {
	var changes []change
	for tries := 0; len(document) > 0; {
		var planned struct {
			Plan struct {
				Changes     []change
				Fingerprint string
			}
		}
		in := map[string]any{"document": document}
		err := o.Target.do(ctx, `query($in: ConfigurationInput!) { plan: configurationPlan(input: $in) { changes { kind name } fingerprint } }`, map[string]any{"in": in}, &planned)
		if err != nil {
			refused := dropFaulty(document, refusalOf(err))
			if len(refused) == 0 {
				return nil, err
			}
			items = append(items, refused...)
			continue
		}
		changes = append(changes, planned.Plan.Changes...)
		if len(planned.Plan.Changes) > 0 {
			in["fingerprint"] = planned.Plan.Fingerprint
			err := o.Target.do(ctx, `mutation($in: ConfigurationInput!) { applyConfiguration(input: $in) { plan { fingerprint } } }`, map[string]any{"in": in}, nil)
			if refusal := refusalOf(err); refusal != nil && refusal.Code == "CONFIGURATION_CHANGED" && tries < applyTries {
				tries++
				continue
			}
			if err != nil {
				return nil, err
			}
		}
		return append(items, resources(document, changes)...), nil
	}
	return items, nil
}

// dropFaulty takes the resources that a refusal names out of a document, and returns them, each once with all that is wrong
// with it; none when it names none.
func dropFaulty(document map[string]any, refusal *graphclient.Error) (items []Item) {
	if refusal == nil {
		return nil
	}
	type resource struct{ section, name string }
	places := map[resource]int{}
	for _, f := range refusal.Fields {
		_, path, _ := strings.Cut(f.Path, "document.")
		section, rest, _ := strings.Cut(path, ".")
		all, _ := document[section].(map[string]any)
		name := resourceOf(all, rest)
		if name == "" {
			continue
		}
		reason := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(rest, name), ".")+": "+f.Message, ": ")
		if at, known := places[resource{section, name}]; known {
			items[at].Reason += "; " + reason
			continue
		}
		places[resource{section, name}] = len(items)
		items = append(items, Item{Kind: kindOfSection(section), Name: name, Result: Refused, Reason: reason})
	}
	for r := range places { // last, so that every fault finds its own
		all, _ := document[r.section].(map[string]any)
		delete(all, r.name)
		if len(all) == 0 {
			delete(document, r.section)
		}
	}
	return items
}

// resourceOf is the name with which a path below a section begins. Names may hold dots: the longest is meant.
func resourceOf(all map[string]any, path string) (name string) {
	for candidate := range all {
		if (path == candidate || strings.HasPrefix(path, candidate+".")) && len(candidate) > len(name) {
			name = candidate
		}
	}
	return name
}

// resources are the items of a document that was applied with these changes.
func resources(document map[string]any, changes []change) (items []Item) {
	changed := map[change]bool{}
	for _, c := range changes {
		changed[change{strings.ToLower(strings.ReplaceAll(c.Kind, "_", " ")), c.Name}] = true
	}
	for _, section := range slices.Sorted(maps.Keys(document)) {
		all, _ := document[section].(map[string]any)
		for _, name := range slices.Sorted(maps.Keys(all)) {
			item := Item{Kind: kindOfSection(section), Name: name, Result: Unchanged}
			if changed[change{item.Kind, name}] {
				item.Result = Taken
			}
			items = append(items, item)
		}
	}
	return items
}

// kindOfSection is the kind of the resources of a section of a document: notification group of notificationGroups.
func kindOfSection(section string) string {
	if section == "notificationGroups" {
		return "notification group"
	}
	return strings.TrimSuffix(section, "s")
}

// withoutSecrets puts the values of variables in the place of credentials that are named ${NAME}, and takes out those that
// have none. An integration that the target lacks, and whose secrets the folder cannot hold, is taken over switched off.
func (o Options) withoutSecrets(ctx context.Context, document map[string]any) (items []Item, err error) {
	all, _ := document["integrations"].(map[string]any)
	if len(all) == 0 {
		return nil, nil
	}
	var answer struct {
		Configuration struct{ Document map[string]any }
		Providers     []struct {
			ID          string
			Credentials []credential
		}
	}
	if err := o.Target.do(ctx, `query { configuration(kinds: [INTEGRATION]) { document } providers { id credentials { name kind required secret } } }`, nil, &answer); err != nil {
		return nil, err
	}
	secrets := map[string][]credential{}
	for _, p := range answer.Providers {
		secrets[p.ID] = slices.DeleteFunc(p.Credentials, func(c credential) bool { return !c.Secret })
	}
	present, _ := answer.Configuration.Document["integrations"].(map[string]any)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		file, _ := all[name].(map[string]any)
		missing, found := o.fillCredentials(file)
		if len(missing) > 0 {
			items = append(items, Item{Kind: kindSecret, Name: name, Result: Refused, Reason: "the variables " + strings.Join(missing, ", ") + " are not set"})
		}
		provider, _ := file["providerId"].(string)
		if found || len(secrets[provider]) == 0 {
			continue
		}
		if was, known := present[name].(map[string]any); known {
			active := was["active"] == nil || was["active"] == true // it may have been switched on since, with its secrets
			if file["active"] = active; !active {
				delete(file, "primary")
			}
			continue
		}
		switchOff(file, secrets[provider])
		items = append(items, Item{Kind: kindSecret, Name: name, Result: Refused, Reason: "no folder and no route holds secrets: the integration is switched off; give it its credentials and switch it on"})
	}
	return items, nil
}

// credential is what the target says of a credential that a provider reads.
type credential struct {
	Name, Kind       string
	Required, Secret bool
}

// switchOff makes an integration without secrets one that can be stored: switched off, with a placeholder for each secret
// that its provider cannot do without.
func switchOff(file map[string]any, secrets []credential) {
	file["active"] = false
	delete(file, "primary")
	credentials, _ := file["credentials"].(map[string]any)
	if credentials == nil {
		credentials = map[string]any{}
		file["credentials"] = credentials
	}
	for _, c := range secrets {
		if _, given := credentials[c.Name]; !given && c.Required {
			credentials[c.Name] = map[bool]string{true: "https://to-be-set.invalid", false: "to-be-set"}[c.Kind == "URL"]
		}
	}
}

// fillCredentials puts values in the place of variables. It returns the variables without value, and whether one had a value.
func (o Options) fillCredentials(file map[string]any) (missing []string, found bool) {
	credentials, _ := file["credentials"].(map[string]any)
	for _, field := range slices.Sorted(maps.Keys(credentials)) {
		text, _ := credentials[field].(string)
		inner, isVariable := strings.CutPrefix(text, "${")
		if !isVariable || !strings.HasSuffix(inner, "}") {
			continue
		}
		variable := strings.TrimSuffix(inner, "}")
		value, ok := "", false
		if o.Secret != nil {
			value, ok = o.Secret(variable)
		}
		if !ok {
			missing = append(missing, variable)
			delete(credentials, field)
			continue
		}
		credentials[field], found = value, true
	}
	return missing, found
}
