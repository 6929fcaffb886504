package integrations_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

func TestUnsubscribeLinksCannotBeForged(t *testing.T) {
	t.Parallel()
	o := notifytest.NewOffice(t, false)
	inside := viewer.InScope(t.Context(), o.Scope)
	ada := o.DB.Ent.Subscriber.Create().SetSubscriberID("ada").SaveX(inside)
	bob := o.DB.Ent.Subscriber.Create().SetSubscriberID("bob").SaveX(inside)
	news := o.DB.Ent.Workflow.Create().SetIdentifier("news").SetName("News").SetDraft(&workflow.Definition{}).SaveX(inside)
	token := func(out workflow.OptOut) string {
		link := o.Unsubscribes.Link(out)
		return link[strings.LastIndex(link, "/")+1:]
	}
	says := workflow.OptOut{EnvironmentID: o.Scope.EnvironmentID, SubscriberID: ada.ID, WorkflowID: news.ID, MessageID: id.New(time.Now())}
	good := token(says)
	text, signature, _ := strings.Cut(good, ".")
	shown, err := o.Unsubscribes.Show(t.Context(), good)
	require.NoError(t, err)
	require.Equal(t, &integrations.Unsubscription{Workflow: "News", Preferences: shown.Preferences}, shown)

	// What has moved to another cell is done there.
	_, err = o.DB.Pool.Exec(t.Context(), `UPDATE organizations SET move = 'moved', moved_url = 'https://us.example.com' WHERE id = $1`, o.Scope.OrganizationID)
	require.NoError(t, err)
	for _, use := range []func(context.Context, string) (*integrations.Unsubscription, error){o.Unsubscribes.Show, o.Unsubscribes.Confirm} {
		_, err := use(t.Context(), good)
		require.Equal(t, &integrations.Elsewhere{URL: "https://us.example.com"}, err)
	}
	_, err = o.DB.Pool.Exec(t.Context(), `UPDATE organizations SET move = 'none', moved_url = '' WHERE id = $1`, o.Scope.OrganizationID)
	require.NoError(t, err)

	// The same link for others, with the signature of this one.
	ofBob, elsewhere := says, says
	ofBob.SubscriberID, elsewhere.EnvironmentID = bob.ID, o.MakeOrganization(t).EnvironmentID
	stranger, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	wrong := []string{
		"", ".", text, text + ".", "." + signature, text + "." + signature[:25], good + "a", good + "." + signature,
		ofBob.Text() + "." + signature, elsewhere.Text() + "." + signature,
		text + "." + stranger.Sign("unsubscribe", text), text + "." + o.Replies.CallbackKey(text),
	}
	const url, small = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", "abcdefghijklmnopqrstuvwxyz234567"
	for at, character := range []byte(good) { // every character, the lowest bit
		alphabet, altered := url, []byte(good)
		if at > len(text) {
			alphabet = small
		}
		altered[at] = alphabet[(strings.IndexByte(alphabet, character)+len(alphabet))%len(alphabet)^1]
		wrong = append(wrong, string(altered))
	}
	for _, forged := range wrong {
		_, err := o.Unsubscribes.Show(t.Context(), forged)
		require.EqualError(t, err, "This link is not complete, or not ours.", forged)
		_, err = o.Unsubscribes.Confirm(t.Context(), forged)
		require.Equal(t, fault.NotFound, fault.KindOf(err), forged)
	}
	require.Zero(t, o.DB.Ent.Preference.Query().CountX(inside), "no forged link changed a wish")

	// One that Carillon signed reaches nothing beyond its own environment, and ends with its subscriber.
	for _, out := range []workflow.OptOut{elsewhere, {EnvironmentID: id.New(time.Now()), SubscriberID: ada.ID, WorkflowID: news.ID, MessageID: says.MessageID}} {
		_, err = o.Unsubscribes.Confirm(t.Context(), token(out))
		require.EqualError(t, err, "There is nothing left to unsubscribe from.")
	}
	_, err = o.Unsubscribes.Confirm(t.Context(), good)
	require.NoError(t, err)
	require.Equal(t, 1, o.DB.Ent.Preference.Query().CountX(inside))
	o.DB.Ent.Subscriber.UpdateOne(ada).SetDeleted(true).ExecX(inside)
	_, err = o.Unsubscribes.Confirm(t.Context(), good)
	require.EqualError(t, err, "There is nothing left to unsubscribe from.")
}
