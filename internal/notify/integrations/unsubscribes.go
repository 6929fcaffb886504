package integrations

import (
	"context"
	"strings"

	"github.com/carillon/carillon/ent"
	entenvironment "github.com/carillon/carillon/ent/environment"
	entworkflow "github.com/carillon/carillon/ent/workflow"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaudience"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// Unsubscribes are the use cases of the links in e-mails by which readers leave a workflow (RFC 8058), and of the page that it
// leads to, on which they choose what else they get. A link is its own credential: it reaches the preferences of one subscriber
// in one context set and nothing else.
type Unsubscribes struct {
	usecase.Deps
	secrets     *secret.Keeper
	preferences *audience.Preferences
	publicURL   string
}

const (
	unsubscribePath    = "/v1/unsubscribe/"
	unsubscribePurpose = "unsubscribe"
)

// Link is the address that a mail carries.
func (u *Unsubscribes) Link(o workflow.OptOut) string {
	text := o.Text()
	return strings.TrimSuffix(u.publicURL, "/") + unsubscribePath + text + "." + u.secrets.Sign(unsubscribePurpose, text)
}

// Unsubscription is what a link does.
type Unsubscription struct {
	Workflow    string // its name, for the reader
	Done        bool   // the e-mails are off already
	Preferences string // address of the page with all preferences of the reader
}

// Show returns what a link does; it changes nothing, because mail scanners follow links.
func (u *Unsubscribes) Show(ctx context.Context, token string) (*Unsubscription, error) {
	ctx, o, err := u.open(ctx, unsubscribePurpose, token)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, u.Deps, usecase.ReadAudience, func(ctx context.Context, db *ent.Client) (*Unsubscription, error) {
		_, w, err := u.find(ctx, db, o)
		if err != nil {
			return nil, err
		}
		stored, err := audience.StoredLevels(ctx, db, o.SubscriberID, workflow.NewContextSet(o.ContextKeys...))
		if err != nil {
			return nil, err
		}
		level := stored.Level(o.WorkflowID)
		email := level != nil && level.Channels.Email != nil && !*level.Channels.Email
		return &Unsubscription{Workflow: w.Name, Done: email, Preferences: u.preferencesLink(o.Text())}, nil
	})
}

// Confirm does what a link says. To do it again is harmless.
func (u *Unsubscribes) Confirm(ctx context.Context, token string) (*Unsubscription, error) {
	ctx, o, err := u.open(ctx, unsubscribePurpose, token)
	if err != nil {
		return nil, err
	}
	return usecase.Write(ctx, u.Deps, usecase.WriteAudience, func(ctx context.Context, db *ent.Client) (*Unsubscription, error) {
		who, w, err := u.find(ctx, db, o)
		if err != nil {
			return nil, err
		}
		owner := u.ownerOf(ctx, who, o)
		tx, _ := usecase.TxScope(ctx)
		if err := owner.LockPreferences(ctx, tx); err != nil {
			return nil, err
		}
		stored, err := audience.StoredLevels(ctx, db, who.ID, workflow.ContextSet(owner.ContextKeys))
		if err != nil {
			return nil, err
		}
		if level := stored.Level(w.ID); level == nil || level.Channels.Email == nil || *level.Channels.Email {
			wish := pgaudience.PreferenceWrite{WorkflowID: w.ID, Level: workflow.PreferenceLevel{Channels: workflow.ChannelPreferences{Email: new(false)}}}
			if err := owner.WritePreferences(ctx, tx, []pgaudience.PreferenceWrite{wish}); err != nil {
				return nil, err
			}
		}
		return &Unsubscription{Workflow: w.Name, Done: true, Preferences: u.preferencesLink(o.Text())}, nil
	})
}

// open checks the link and acts inside its environment from there on.
func (u *Unsubscribes) open(ctx context.Context, purpose, token string) (context.Context, workflow.OptOut, error) {
	text, signature, _ := strings.Cut(token, ".")
	o, ok := workflow.ParseOptOut(text)
	if !ok || !u.secrets.Signed(purpose, text, signature) {
		return nil, o, fault.NotFoundf("This link is not complete, or not ours.")
	}
	environment, err := u.DB.Client(viewer.SystemContext(ctx)).Environment.Query().Where(entenvironment.ID(o.EnvironmentID)).WithOrganization().
		Only(viewer.SystemContext(ctx))
	if err != nil {
		return nil, o, postgres.Translate(usecase.NotFound(err, "There is nothing left to unsubscribe from."))
	}
	if err := elsewhere(environment.Edges.Organization); err != nil {
		return nil, o, err
	}
	return viewer.InScope(ctx, viewer.Scope{OrganizationID: environment.OrganizationID, EnvironmentID: environment.ID}), o, nil
}

func (u *Unsubscribes) find(ctx context.Context, db *ent.Client, o workflow.OptOut) (*ent.Subscriber, *ent.Workflow, error) {
	w, err := db.Workflow.Query().Where(entworkflow.ID(o.WorkflowID), entworkflow.Deleted(false)).Only(ctx)
	if err != nil {
		return nil, nil, usecase.NotFound(err, "There is nothing left to unsubscribe from.")
	}
	if w.Critical {
		return nil, nil, fault.BadRequestf(audience.CodeCriticalWorkflow, "These e-mails cannot be switched off.")
	}
	who, err := u.reader(ctx, db, o)
	return who, w, err
}
