package integrations_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/preferencechange"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// on are the channels that a page shows as on, by the name of the workflow.
func on(page *integrations.PreferencePage) map[string][]workflow.Channel {
	shown := map[string][]workflow.Channel{}
	for _, w := range page.Workflows {
		shown[w.Workflow.Name] = []workflow.Channel{}
		for _, c := range workflow.Channels() {
			if held := w.Channels.Get(c); held != nil && *held {
				shown[w.Workflow.Name] = append(shown[w.Workflow.Name], c)
			}
		}
	}
	return shown
}

// TestPreferencePage follows the page from a link: what it shows, what it stores, and what it leaves alone.
func TestPreferencePage(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	inside := viewer.InScope(t.Context(), o.Scope)
	ada := o.DB.Ent.Subscriber.Create().SetSubscriberID("ada").SaveX(inside)
	bob := o.DB.Ent.Subscriber.Create().SetSubscriberID("bob").SaveX(inside)
	quiet := false
	news := o.DB.Ent.Workflow.Create().SetIdentifier("news").SetName("News").SetActive(true).SetDraft(&workflow.Definition{
		Preferences: workflow.ChannelPreferences{SMS: &quiet},
	}).SaveX(inside)
	offers := o.DB.Ent.Workflow.Create().SetIdentifier("offers").SetName("Offers").SetActive(true).SetDraft(&workflow.Definition{}).SaveX(inside)
	alarm := o.DB.Ent.Workflow.Create().SetIdentifier("alarm").SetName("Alarm").SetActive(true).SetCritical(true).SetDraft(&workflow.Definition{}).SaveX(inside)
	o.DB.Ent.Workflow.Create().SetIdentifier("old").SetName("Old").SetActive(false).SetDraft(&workflow.Definition{}).SaveX(inside)
	tokenOf := func(address string) string { return address[strings.LastIndex(address, "/")+1:] }
	out := workflow.OptOut{EnvironmentID: o.Scope.EnvironmentID, SubscriberID: ada.ID, WorkflowID: news.ID, MessageID: id.New(time.Now())}
	mail := tokenOf(o.Unsubscribes.Link(out))
	link, err := o.Unsubscribes.Show(t.Context(), mail)
	require.NoError(t, err)
	require.Contains(t, link.Preferences, "/v1/preferences/")
	token := tokenOf(link.Preferences)

	page, err := o.Unsubscribes.ShowPreferences(t.Context(), token)
	require.NoError(t, err)
	all := workflow.Channels()
	require.Equal(t, map[string][]workflow.Channel{"News": {workflow.ChannelEmail, workflow.ChannelInApp, workflow.ChannelChat, workflow.ChannelPush}, "Offers": all}, on(page),
		"active workflows that may be switched off, with what their author chose")
	require.Zero(t, o.DB.Ent.Preference.Query().CountX(inside), "to look changes nothing")

	save := func(choices ...integrations.PreferenceChoice) map[string][]workflow.Channel {
		t.Helper()
		page, err := o.Unsubscribes.SavePreferences(t.Context(), token, choices)
		require.NoError(t, err)
		require.True(t, page.Saved)
		return on(page)
	}
	email := []workflow.Channel{workflow.ChannelEmail}
	saved := save(integrations.PreferenceChoice{WorkflowID: news.ID, On: email}, integrations.PreferenceChoice{WorkflowID: alarm.ID}, integrations.PreferenceChoice{WorkflowID: "unknown"})
	require.Equal(t, map[string][]workflow.Channel{"News": email, "Offers": all}, saved, "what was not chosen stays, and critical workflows cannot be switched off")
	stored := o.DB.Ent.Preference.Query().OnlyX(inside)
	require.Equal(t, []any{ada.ID, news.ID, (*bool)(nil)}, []any{stored.SubscriberID, stored.WorkflowID, stored.Channels.SMS}, "only what the reader changed is a wish")
	history := o.DB.Ent.PreferenceChange.Query().Where(preferencechange.SubscriberID(ada.ID)).OnlyX(inside)
	require.Equal(t, "subscriber:ada", history.ChangedBy)
	save(integrations.PreferenceChoice{WorkflowID: news.ID, On: email})
	require.Equal(t, 1, o.DB.Ent.PreferenceChange.Query().CountX(inside), "saving what holds writes nothing")

	// A workflow whose switch is off comes back with the channels that are chosen, and no others.
	o.DB.Ent.Preference.UpdateOne(stored).SetEnabled(false).ExecX(inside)
	push := []workflow.Channel{workflow.ChannelPush}
	require.Equal(t, push, save(integrations.PreferenceChoice{WorkflowID: news.ID, On: push})["News"])
	require.Empty(t, save(integrations.PreferenceChoice{WorkflowID: offers.ID})["Offers"])
	require.Zero(t, o.DB.Ent.Preference.Query().Where().CountX(viewer.InScope(t.Context(), o.MakeOrganization(t))), "elsewhere nothing changed")

	// Neither link opens what the other does, and neither is of another reader.
	_, err = o.Unsubscribes.ShowPreferences(t.Context(), mail)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	_, err = o.Unsubscribes.Confirm(t.Context(), token)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	ofBob := out
	ofBob.SubscriberID = bob.ID
	_, signature, _ := strings.Cut(token, ".")
	_, err = o.Unsubscribes.SavePreferences(t.Context(), ofBob.Text()+"."+signature, nil)
	require.Equal(t, fault.NotFound, fault.KindOf(err))
	_, err = o.Unsubscribes.SavePreferences(t.Context(), token, make([]integrations.PreferenceChoice, 101))
	require.Equal(t, fault.BadRequest, fault.KindOf(err))
	o.DB.Ent.Subscriber.UpdateOne(ada).SetDeleted(true).ExecX(inside)
	_, err = o.Unsubscribes.ShowPreferences(t.Context(), token)
	require.Equal(t, fault.NotFound, fault.KindOf(err), "the link ends with its subscriber")
}
