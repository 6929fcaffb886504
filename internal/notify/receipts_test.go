package notify_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// reporting is an integration with a receiving address.
func (a *authoring) reporting(t *testing.T) (made *ent.Integration, token string) {
	t.Helper()
	made = a.integration(t, notify.CreateIntegrationInput{
		ProviderID: "postmark", Credentials: map[string]any{"apiKey": "k", "from": "shop@example.com", "senderName": "Shop"},
		Configurations: &notify.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: new("word")},
	})
	path, err := a.Integrations.InboundPath(a.ctx, made)
	require.NoError(t, err)
	require.NotNil(t, path)
	return made, strings.TrimPrefix(*path, "/v1/inbound/")
}

// reports is a report of Postmark's as it comes in.
func reports(body string) provider.Inbound {
	return provider.Inbound{Body: []byte(body), Header: http.Header{
		"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte("hook:word"))}, "Content-Type": {"application/json"},
	}}
}

const hardBounce = `{"RecordType":"Bounce","Type":"HardBounce","ID":1,"MessageID":"m1","Email":"Gone@Example.com","Description":"no such user"}`

// TestReceiptsAfterTheirIntegrationWasDeleted are still taken for a while: the vendor reports on what it took before.
func TestReceiptsAfterTheirIntegrationWasDeleted(t *testing.T) {
	t.Parallel()
	a := newAuthoring(t)
	made, token := a.reporting(t)
	_, err := a.Integrations.Delete(a.ctx, made.ID)
	require.NoError(t, err)
	for after, taken := range map[time.Duration]bool{
		0: true, notify.InboundGrace - time.Minute: true, notify.InboundGrace + time.Minute: false,
	} {
		a.db.Ent.Integration.UpdateOneID(made.ID).SetDeletedAt(time.Now().Add(-after)).ExecX(a.ctx)
		err := a.Receipts.Accept(t.Context(), token, reports(hardBounce))
		if taken {
			require.NoError(t, err, after)
			continue
		}
		requireKind(t, fault.NotFound, err)
	}
	page, err := a.Receipts.List(a.ctx, notify.Page{}, nil, &notify.ReceiptFilter{IntegrationID: &made.ID})
	require.NoError(t, err)
	require.Len(t, page.Nodes(), 1)
}

// TestReceiptsOnlyWhereTheyAreWanted: addresses are judged before what is posted to them.
func TestReceiptsOnlyWhereTheyAreWanted(t *testing.T) {
	t.Parallel()
	a := newAuthoring(t)
	made, token := a.reporting(t)
	for _, wrong := range []string{"", "x", made.ID, made.ID + ".", token + "a", strings.Repeat("0", 24) + token[24:]} {
		requireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), wrong, reports(hardBounce)))
	}
	unsigned := reports(`{`)
	unsigned.Header = http.Header{}
	requireKind(t, fault.Unauthenticated, a.Receipts.Accept(t.Context(), token, unsigned))
	requireKind(t, fault.Invalid, a.Receipts.Accept(t.Context(), token, reports(`{`)))

	_, err := a.Integrations.Update(a.ctx, notify.UpdateIntegrationInput{
		ID: made.ID, Configurations: &notify.IntegrationConfigurations{InboundWebhookEnabled: new(false)},
	})
	require.NoError(t, err)
	requireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
	require.Zero(t, a.db.Ent.Receipt.Query().CountX(a.ctx))
}

// TestHardBouncesAndComplaintsSuppress their address until somebody lifts that, whatever the vendor repeats.
func TestHardBouncesAndComplaintsSuppress(t *testing.T) {
	t.Parallel()
	a := newAuthoring(t)
	made, token := a.reporting(t)
	batch := `[` + hardBounce + `,{"RecordType":"Bounce","Type":"Transient","ID":2,"MessageID":"m2","Email":"full@example.com"},
		{"RecordType":"SpamComplaint","ID":3,"MessageID":"m3","Email":"angry@example.com"},{"RecordType":"Delivery","MessageID":"m4","Recipient":"ok@example.com"},
		{"RecordType":"SubscriptionChange","Recipient":"other@example.com"},` + hardBounce + `]`
	require.NoError(t, a.Receipts.Accept(t.Context(), token, reports(batch)))
	require.Equal(t, 4, a.db.Ent.Receipt.Query().CountX(a.ctx), "what is repeated counts once, what is no receipt not at all")
	suppressed := func() map[string]workflow.SuppressionReason {
		page, err := a.Suppressions.List(a.ctx, notify.Page{}, nil, nil)
		require.NoError(t, err)
		all := map[string]workflow.SuppressionReason{}
		for _, s := range page.Nodes() {
			require.Equal(t, made.ID, *s.IntegrationID)
			all[s.Address] = s.Reason
		}
		return all
	}
	complaint := map[string]workflow.SuppressionReason{"angry@example.com": workflow.SuppressionComplaint}
	require.Equal(t, map[string]workflow.SuppressionReason{
		"gone@example.com": workflow.SuppressionBounce, "angry@example.com": workflow.SuppressionComplaint,
	}, suppressed())

	found, err := a.Suppressions.ByAddress(a.ctx, workflow.ChannelEmail, "GONE@example.com")
	require.NoError(t, err)
	require.Equal(t, "no such user", found.Detail)
	lifted, err := a.Suppressions.Delete(a.ctx, found.GlobalID())
	require.NoError(t, err)
	require.True(t, lifted)
	require.NoError(t, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
	require.Equal(t, complaint, suppressed(), "a repeated receipt does not undo what somebody lifted")
}
