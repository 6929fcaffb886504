package app

import (
	"context"
	_ "embed"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/workflow"
)

//go:embed preferences.html
var preferencesText string

// preferencesPage needs no script and no other file.
var preferencesPage = newPage("preferences", preferencesText)

// maxPreferenceForm bounds a posted form: a hundred workflows with five channels each are 25 KiB.
const maxPreferenceForm = 64 << 10

// The names of the form's fields: the workflows that are shown, and the channels that are on, as workflow:channel.
const (
	shownField = "shown"
	onField    = "on"
)

// preferencesView is what the page shows.
type preferencesView struct {
	Texts     *pageTexts
	Workflows []preferencesRow
	More      bool
	Saved     bool
	Problem   string
}

// preferencesRow is one workflow with its five channels.
type preferencesRow struct {
	ID, Name string
	Channels []preferencesBox
}

// preferencesBox is one channel of a workflow.
type preferencesBox struct {
	Value, Label string
	On           bool
}

// showPreferences shows what a reader may choose. It changes nothing: mail scanners follow links.
func (a *App) showPreferences(w http.ResponseWriter, r *http.Request) {
	found, err := inTurn(a, r, func(ctx context.Context) (*integrations.PreferencePage, error) {
		return a.services.Unsubscribes.ShowPreferences(ctx, r.PathValue("token"))
	})
	a.writePreferences(w, r, found, err)
}

// savePreferences stores what the reader chose.
func (a *App) savePreferences(w http.ResponseWriter, r *http.Request) {
	body, err := intake.ReadAll(r, maxPreferenceForm)
	if err != nil {
		a.writePreferences(w, r, nil, err)
		return
	}
	choices, err := readChoices(body)
	if err != nil {
		a.writePreferences(w, r, nil, err)
		return
	}
	found, err := inTurn(a, r, func(ctx context.Context) (*integrations.PreferencePage, error) {
		return a.services.Unsubscribes.SavePreferences(ctx, r.PathValue("token"), choices)
	})
	a.writePreferences(w, unread(r, body), found, err)
}

// readChoices reads the posted form: one choice for each workflow that was shown.
func readChoices(body []byte) ([]integrations.PreferenceChoice, error) {
	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, &fault.Error{Kind: fault.BadRequest, Message: "This form cannot be read."}
	}
	choices := make([]integrations.PreferenceChoice, 0, len(form[shownField]))
	at := map[string]int{}
	for _, workflowID := range form[shownField] {
		if _, twice := at[workflowID]; !twice {
			at[workflowID] = len(choices)
			choices = append(choices, integrations.PreferenceChoice{WorkflowID: workflowID})
		}
	}
	for _, value := range form[onField] {
		workflowID, channel, _ := strings.Cut(value, ":")
		i, shown := at[workflowID]
		if !shown || !slices.Contains(workflow.Channels(), workflow.Channel(channel)) {
			return nil, &fault.Error{Kind: fault.BadRequest, Message: "This form has a choice that the page does not offer."}
		}
		choices[i].On = append(choices[i].On, workflow.Channel(channel))
	}
	return choices, nil
}

func (a *App) writePreferences(w http.ResponseWriter, r *http.Request, found *integrations.PreferencePage, err error) {
	if r.Method == http.MethodPost && a.elsewhere(w, r, err) { // browsers do not follow redirects of a form that may only go to 'self'
		return
	}
	if moved := (*integrations.Elsewhere)(nil); errors.As(err, &moved) {
		http.Redirect(w, r, strings.TrimSuffix(moved.URL, "/")+r.URL.Path, http.StatusTemporaryRedirect)
		return
	}
	view := preferencesView{Texts: textsFor(r)}
	problem, status := a.problemOf(r, err)
	view.Problem = problem
	if err == nil {
		view = preferencesViewOf(found, view.Texts)
	}
	writePage(w, status, preferencesPage, view)
}

func preferencesViewOf(page *integrations.PreferencePage, texts *pageTexts) preferencesView {
	view := preferencesView{Texts: texts, More: page.More, Saved: page.Saved}
	for _, w := range page.Workflows {
		row := preferencesRow{ID: w.Workflow.ID, Name: w.Workflow.Name}
		for _, c := range workflow.Channels() {
			on := w.Channels.Get(c)
			row.Channels = append(row.Channels, preferencesBox{Value: w.Workflow.ID + ":" + string(c), Label: texts.Channels[c], On: on != nil && *on})
		}
		view.Workflows = append(view.Workflows, row)
	}
	return view
}
