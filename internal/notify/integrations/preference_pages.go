package integrations

import (
	"context"
	"slices"
	"strings"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/subscriber"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

const (
	preferencesPath    = "/v1/preferences/"
	preferencesPurpose = "preferences"
)

// pageWorkflows bounds what a preference page shows and takes.
const pageWorkflows = 100

// PreferencePage is what a reader chooses among: the active workflows that may be switched off, oldest first.
type PreferencePage struct {
	Workflows []*audience.WorkflowPreference
	More      bool // there are more workflows than the page shows
	Saved     bool
}

// PreferenceChoice is what a reader chose of one workflow: the channels that stay on.
type PreferenceChoice struct {
	WorkflowID id.ID
	On         []workflow.Channel
}

// preferencesLink is the page of the reader whom an unsubscribe link names. Its signature is of a purpose of its own:
// who has it can do more than leave one workflow.
func (u *Unsubscribes) preferencesLink(text string) string {
	return strings.TrimSuffix(u.publicURL, "/") + preferencesPath + text + "." + u.secrets.Sign(preferencesPurpose, text)
}

// ShowPreferences is the page of a link; it changes nothing.
func (u *Unsubscribes) ShowPreferences(ctx context.Context, token string) (*PreferencePage, error) {
	ctx, o, err := u.open(ctx, preferencesPurpose, token)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, u.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*PreferencePage, error) {
		who, err := u.reader(ctx, db, o)
		if err != nil {
			return nil, err
		}
		return u.page(ctx, db, who, o)
	})
}

// SavePreferences stores what differs from what holds. Workflows that the reader was not shown, and critical ones, stay as they
// are.
func (u *Unsubscribes) SavePreferences(ctx context.Context, token string, choices []PreferenceChoice) (*PreferencePage, error) {
	if len(choices) > pageWorkflows {
		return nil, &fault.Error{Kind: fault.BadRequest, Message: "This form has more choices than the page offers."}
	}
	ctx, o, err := u.open(ctx, preferencesPurpose, token)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, u.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*PreferencePage, error) {
		who, err := u.reader(ctx, db, o)
		if err != nil {
			return nil, err
		}
		owner := u.ownerOf(ctx, who, o)
		tx, _ := usecase.TxScope(ctx)
		if err := owner.LockPreferences(ctx, tx); err != nil {
			return nil, err
		}
		now, err := u.page(ctx, db, who, o)
		if err != nil {
			return nil, err
		}
		writes := changesOf(now.Workflows, choices)
		if len(writes) > 0 {
			if err := owner.WritePreferences(ctx, tx, writes); err != nil {
				return nil, err
			}
			if now, err = u.page(ctx, db, who, o); err != nil {
				return nil, err
			}
		}
		now.Saved = true
		return now, nil
	})
}

// changesOf are the channels of shown workflows that a reader switched.
func changesOf(shown []*audience.WorkflowPreference, choices []PreferenceChoice) (writes []pgaudience.PreferenceWrite) {
	chosen := make(map[id.ID][]workflow.Channel, len(choices))
	for _, c := range choices {
		chosen[c.WorkflowID] = c.On
	}
	for _, w := range shown {
		on, given := chosen[w.Workflow.ID]
		if !given {
			continue
		}
		var level workflow.PreferenceLevel
		again := !w.Enabled && len(on) > 0 // the switch for all channels is off, so that each channel needs a wish
		if again {
			level.Enabled = &again
		}
		for _, channel := range workflow.Channels() {
			wish := slices.Contains(on, channel)
			if held := w.Channels.Get(channel); again || held != nil && *held != wish {
				level.Channels.Set(channel, &wish)
			}
		}
		if level != (workflow.PreferenceLevel{}) {
			writes = append(writes, pgaudience.PreferenceWrite{WorkflowID: w.Workflow.ID, Level: level})
		}
	}
	return writes
}

func (u *Unsubscribes) page(ctx context.Context, db *ent.Client, who *ent.Subscriber, o workflow.OptOut) (*PreferencePage, error) {
	stored, err := audience.StoredLevels(ctx, db, who.ID, workflow.NewContextSet(o.ContextKeys...))
	if err != nil {
		return nil, err
	}
	v, _ := viewer.FromContext(ctx)
	critical := false
	all, err := pgaudience.ActiveWorkflowDefaults(ctx, u.Reader(ctx), v.Scope, &critical)
	if err != nil {
		return nil, err
	}
	page := &PreferencePage{More: len(all) > pageWorkflows}
	for _, d := range all[:min(len(all), pageWorkflows)] {
		page.Workflows = append(page.Workflows, stored.ForWorkflow(d))
	}
	return page, nil
}

// ownerOf is whose preferences a link changes; the history names the reader.
func (u *Unsubscribes) ownerOf(ctx context.Context, who *ent.Subscriber, o workflow.OptOut) pgaudience.PreferenceOwner {
	owner := u.preferences.OwnerIn(ctx, who.ID, workflow.NewContextSet(o.ContextKeys...))
	owner.ChangedBy = "subscriber:" + who.SubscriberID
	return owner
}

func (u *Unsubscribes) reader(ctx context.Context, db *ent.Client, o workflow.OptOut) (*ent.Subscriber, error) {
	who, err := db.Subscriber.Query().Where(subscriber.ID(o.SubscriberID), subscriber.Deleted(false)).Only(ctx)
	if err != nil {
		return nil, usecase.NotFound(err, "There is nothing left to unsubscribe from.")
	}
	return who, nil
}
