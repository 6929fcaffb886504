package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/configfiles"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/configuration"
)

// environmentFlags name the environment of a running service that files are compared with.
type environmentFlags struct {
	URL string `help:"URL of the running service." env:"CARILLON_URL" default:"http://127.0.0.1:8080"`
	Key string `help:"API key of the environment." env:"CARILLON_API_KEY" required:""`
}

func (f environmentFlags) client() *client.Client { return &client.Client{URL: f.URL, Key: f.Key} }

type pullCommand struct {
	environmentFlags `embed:""`

	Dir  string   `arg:"" help:"Directory of the files."`
	Only []string `help:"Kinds to pull: variables, notification-groups, feeds, snippets, layouts, translations, integrations, topics, workflows. Empty: all that the key may read." placeholder:"KIND,..."`
}

// Run writes the configuration of an environment as files.
func (c pullCommand) Run(ctx context.Context) error {
	kinds, err := kindsNamed(c.Only)
	if err != nil {
		return err
	}
	var answer struct {
		Configuration struct {
			Document  map[string]any
			Truncated []string
		}
	}
	const ask = `query($kinds: [ConfigurationKind!]) { configuration(kinds: $kinds) { document truncated } }`
	if err := c.client().GraphQL(ctx, ask, map[string]any{"kinds": kinds}, &answer); err != nil {
		return err
	}
	for _, kind := range answer.Configuration.Truncated {
		fmt.Fprintf(stderr, "carillon: of %s only the newest %d were pulled\n", kind, configuration.MaxResources)
	}
	if err := keepUnread(c.Dir, answer.Configuration.Document); err != nil {
		return err
	}
	written, err := configfiles.Write(c.Dir, answer.Configuration.Document, sameResource)
	if err != nil {
		return err
	}
	for _, file := range written.Removed {
		fmt.Fprintln(stdout, "removed", file)
	}
	fmt.Fprintf(stdout, "%d files changed, %d removed\n", len(written.Changed), len(written.Removed))
	return nil
}

// keepUnread adds to pulled integrations what only their files hold: the names of the variables that hold secrets. What a file
// leaves as it is, its name and whether it is primary, stays out of it.
func keepUnread(path string, document map[string]any) error {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
		return nil
	}
	dir, err := configfiles.Read(path)
	if err != nil {
		return err
	}
	pulled, _ := document["integrations"].(map[string]any)
	return eachCredential(dir, func(name, field, variable string) error {
		integration, known := pulled[name].(map[string]any)
		credentials, _ := integration["credentials"].(map[string]any)
		if _, shown := credentials[field]; known && !shown {
			if credentials == nil {
				credentials = map[string]any{}
				integration["credentials"] = credentials
			}
			credentials[field] = "${" + variable + "}"
		}
		return nil
	}, func(name string, file map[string]any) {
		integration, known := pulled[name].(map[string]any)
		for _, open := range []string{"name", "primary"} {
			if known && file[open] == nil {
				delete(integration, open)
			}
		}
	})
}

// eachCredential passes the credentials that are variables, and the integrations that hold them.
func eachCredential(dir *configfiles.Directory, variable func(integration, field, name string) error, integration func(name string, file map[string]any)) error {
	all, _ := dir.Document["integrations"].(map[string]any)
	for name, one := range all {
		file, _ := one.(map[string]any)
		integration(name, file)
		credentials, _ := file["credentials"].(map[string]any)
		for field, value := range credentials {
			text, _ := value.(string)
			if inner, isVariable := strings.CutPrefix(text, "${"); isVariable && strings.HasSuffix(inner, "}") {
				if err := variable(name, field, strings.TrimSuffix(inner, "}")); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// sameResource compares the resources of one kind in the form that the service returns.
func sameResource(a, b any) bool {
	for _, section := range []string{"workflows", "integrations"} {
		x, errX := configuration.Normal(map[string]any{section: map[string]any{"one": a}})
		y, errY := configuration.Normal(map[string]any{section: map[string]any{"one": b}})
		if errX == nil && errY == nil {
			return configfiles.Same(x, y)
		}
	}
	return configfiles.Same(a, b)
}

func kindsNamed(names []string) (kinds []string, err error) {
	known := map[string]string{}
	for _, k := range configuration.Kinds() {
		known[strings.ToLower(strings.ReplaceAll(string(k), "_", "-"))+"s"] = string(k)
	}
	for _, name := range names {
		kind, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("--only %s: the kinds are %s", name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		kinds = append(kinds, kind)
	}
	return kinds, nil
}

type planCommand struct {
	environmentFlags `embed:""`

	Dir   string `arg:"" help:"Directory of the files." type:"existingdir"`
	Prune bool   `help:"Also delete the notification groups, feeds, snippets, layouts, translations and workflows that are not in the directory."`
}

// errDiffers ends plan when there is a difference.
var errDiffers = errors.New("the environment differs from the files")

// Run prints what apply would change.
func (c planCommand) Run(ctx context.Context) error {
	dir, err := readFiles(c.Dir)
	if err != nil {
		return err
	}
	plan, err := askPlan(ctx, c.client(), dir, c.Prune)
	if err != nil {
		return err
	}
	plan.print(stdout, heldFiles)
	if len(plan.Changes) > 0 {
		return errDiffers
	}
	return nil
}

type applyCommand struct {
	environmentFlags `embed:""`

	Dir         string `arg:"" help:"Directory of the files." type:"existingdir"`
	Prune       bool   `help:"Also delete the notification groups, feeds, snippets, layouts, translations and workflows that are not in the directory."`
	Fingerprint string `help:"The fingerprint that plan printed: nothing is applied when the environment has changed since. Empty: apply plans itself." placeholder:"TEXT"`
}

// Run makes an environment hold the files.
func (c applyCommand) Run(ctx context.Context) error {
	dir, err := readFiles(c.Dir)
	if err != nil {
		return err
	}
	if c.Fingerprint == "" {
		plan, err := askPlan(ctx, c.client(), dir, c.Prune)
		if err != nil {
			return err
		}
		c.Fingerprint = plan.Fingerprint
	}
	var answer struct {
		ApplyConfiguration struct{ Plan planned }
	}
	const ask = `mutation($in: ConfigurationInput!) { applyConfiguration(input: $in) { plan {` + planFields + `} } }`
	in := map[string]any{"document": dir.Document, "prune": c.Prune, "fingerprint": c.Fingerprint}
	if err := c.client().GraphQL(ctx, ask, map[string]any{"in": in}, &answer); err != nil {
		return inFiles(dir, err)
	}
	plan := answer.ApplyConfiguration.Plan
	plan.print(stdout, heldFiles)
	return nil
}

// readHeld reads a directory in which there is a configuration: another one would be found equal to every environment.
func readHeld(path string) (*configfiles.Directory, error) {
	dir, err := configfiles.Read(path)
	if err == nil && !dir.Holds() {
		err = fmt.Errorf("%s holds no configuration: none of workflows/, layouts/, topics.yaml and so on is there", path)
	}
	return dir, err
}

// readFiles reads a directory. ${NAME} as a credential of an integration is the environment variable of that name: a secret
// belongs into no file.
func readFiles(path string) (*configfiles.Directory, error) {
	dir, err := readHeld(path)
	if err != nil {
		return nil, err
	}
	all, _ := dir.Document["integrations"].(map[string]any)
	err = eachCredential(dir, func(name, field, variable string) error {
		secret, set := os.LookupEnv(variable)
		if !set {
			return fmt.Errorf("%s: credentials.%s: the environment variable %s is not set", dir.File("integrations."+name), field, variable)
		}
		all[name].(map[string]any)["credentials"].(map[string]any)[field] = secret //nolint:forcetypeassert // where it was found
		return nil
	}, func(string, map[string]any) {})
	return dir, err
}

const planFields = ` changes { kind name action fields { path before after } } fingerprint issues { workflow stepId message } `

// planned is a plan as the service answers with it.
type planned struct {
	Changes []struct {
		Kind, Name, Action string
		Fields             []struct {
			Path          string
			Before, After *string
		}
	}
	Fingerprint string
	Issues      []configuration.Issue
}

func askPlan(ctx context.Context, server *client.Client, dir *configfiles.Directory, prune bool) (*planned, error) {
	var answer struct{ ConfigurationPlan planned }
	const ask = `query($in: ConfigurationInput!) { configurationPlan(input: $in) {` + planFields + `} }`
	if err := server.GraphQL(ctx, ask, map[string]any{"in": map[string]any{"document": dir.Document, "prune": prune}}, &answer); err != nil {
		return nil, inFiles(dir, err)
	}
	return &answer.ConfigurationPlan, nil
}

// inFiles names faulty fields by the files that they are in.
func inFiles(dir *configfiles.Directory, err error) error {
	var refused *client.Error
	if !errors.As(err, &refused) || len(refused.Fields) == 0 {
		return err
	}
	var lines []error
	for _, f := range refused.Fields {
		lines = append(lines, fmt.Errorf("%s: %s: %s", cmp.Or(dir.Place(f.Path), "the files"), strings.TrimPrefix(f.Path, "document."), f.Message))
	}
	return errors.Join(lines...)
}

var signs = map[string]string{"CREATE": "+", "UPDATE": "~", "DELETE": "-"}

const heldFiles = "The environment holds these files already."

// print writes a plan for people: a line for each resource, the fields of updates below it, texts as line differences. nothing
// is what it says of a plan without changes.
func (p *planned) print(out io.Writer, nothing string) {
	counts := map[string]int{}
	for _, change := range p.Changes {
		counts[change.Action]++
		fmt.Fprintf(out, "%s %s %s\n", signs[change.Action], strings.ToLower(strings.ReplaceAll(change.Kind, "_", " ")), change.Name)
		for _, field := range change.Fields {
			before, after := cmp.Or(field.Before, new("")), cmp.Or(field.After, new(""))
			fmt.Fprintf(out, "    %s\n", field.Path)
			if strings.Contains(*before+*after, "\n") {
				fmt.Fprint(out, indent(lineDifference(*before, *after), "      "))
				continue
			}
			if field.Before != nil {
				fmt.Fprintf(out, "      - %s\n", *before)
			}
			if field.After != nil {
				fmt.Fprintf(out, "      + %s\n", *after)
			}
		}
	}
	for _, issue := range p.Issues {
		fmt.Fprintf(out, "! workflow %s, step %s: %s\n", issue.Workflow, issue.StepID, issue.Message)
	}
	if len(p.Changes) == 0 {
		fmt.Fprintln(out, nothing)
		return
	}
	fmt.Fprintf(out, "%d to create, %d to update, %d to delete; fingerprint %s\n", counts["CREATE"], counts["UPDATE"], counts["DELETE"], p.Fingerprint)
}

// lineDifference is a unified difference without the names of files.
func lineDifference(before, after string) string {
	_, text, _ := strings.Cut(udiff.Unified("a", "b", before, after), "+++ b\n")
	return text
}

type lintCommand struct {
	Dir           string `arg:"" help:"Directory of the files." type:"existingdir"`
	DefaultLocale string `help:"The environment's default locale." default:"en"`
}

// Run checks files without a service.
func (c lintCommand) Run(cfg *config.Config) error {
	dir, err := readHeld(c.Dir)
	if err != nil {
		return err
	}
	opts, err := app.LintOptions(cfg)
	if err != nil {
		return err
	}
	opts.DefaultLocale = c.DefaultLocale
	findings, err := configuration.Lint(opts, dir.Document)
	for _, issue := range findings.Issues {
		fmt.Fprintf(stdout, "%s: step %s: %s\n", dir.File("workflows."+issue.Workflow), issue.StepID, issue.Message)
	}
	for _, missing := range findings.Missing {
		fmt.Fprintln(stdout, missingText(dir, missing))
	}
	for _, doubt := range findings.Doubts {
		fmt.Fprintf(stdout, "%s: %s\n", dir.File("translations."+doubt.Locale), doubt)
	}
	var faults *fault.Error
	if errors.As(err, &faults) && faults.Kind == fault.Invalid {
		for _, f := range faults.Fields {
			fmt.Fprintf(stdout, "%s: %s: %s\n", cmp.Or(dir.Place(f.Path), c.Dir), strings.TrimPrefix(f.Path, "document."), f.Message)
		}
		return errors.New("the files have faults")
	}
	if err == nil {
		fmt.Fprintf(stdout, "no faults, %d issues\n", len(findings.Issues)+len(findings.Missing)+len(findings.Doubts))
	}
	return err
}

// missingText names the file of a locale that lacks a key, and where the first template that uses the key does: its file and
// line, or its path in the file when it has none of its own.
func missingText(dir *configfiles.Directory, missing configuration.MissingTranslation) string {
	text := fmt.Sprintf("%s: there is no text of %s for the locale %s", cmp.Or(dir.File("translations."+missing.Locale), "translations"), missing.Key, missing.Locale)
	if len(missing.Usages) == 0 {
		return text
	}
	use := missing.Usages[0]
	if file := dir.Texts[use.Path]; file != "" {
		text += fmt.Sprintf(", which %s:%d uses", file, use.Line)
	} else {
		text += fmt.Sprintf(", which %s uses in %s", dir.Place(use.Path), use.Path)
	}
	if more := len(missing.Usages) - 1; more > 0 {
		text += fmt.Sprintf(" (and %d more)", more)
	}
	return text
}
