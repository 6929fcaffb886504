package integrations_test

import (
	"crypto"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"io"
	"math/big"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/provider/email"
	"github.com/carillon/carillon/internal/provider/inapp"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// reporting is an integration with a receiving address.
func reporting(t *testing.T, a *notifytest.Authoring) (made *ent.Integration, token string) {
	t.Helper()
	made = a.MakeIntegration(t, integrations.CreateIntegrationInput{
		ProviderID: "postmark", Credentials: map[string]any{"apiKey": "k", "from": "shop@example.com", "senderName": "Shop"},
		Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: new("word")},
	})
	path, err := a.Integrations.InboundPath(a.Ctx, made)
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
	a := notifytest.NewAuthoring(t)
	made, token := reporting(t, a)
	_, err := a.Integrations.Delete(a.Ctx, made.ID)
	require.NoError(t, err)
	for after, taken := range map[time.Duration]bool{
		0: true, integrations.InboundGrace - time.Minute: true, integrations.InboundGrace + time.Minute: false,
	} {
		a.DB.Ent.Integration.UpdateOneID(made.ID).SetDeletedAt(time.Now().Add(-after)).ExecX(a.Ctx)
		err := a.Receipts.Accept(t.Context(), token, reports(hardBounce))
		if taken {
			require.NoError(t, err, after)
			continue
		}
		notifytest.RequireKind(t, fault.NotFound, err)
	}
	page, err := a.Receipts.List(a.Ctx, usecase.Page{}, nil, &integrations.ReceiptFilter{IntegrationID: &made.ID})
	require.NoError(t, err)
	require.Len(t, page.Nodes(), 1)
}

// TestReceiptsOfMovedOrganizations lead to the cell that has the integration now, once this one has nothing left to check them with.
func TestReceiptsOfMovedOrganizations(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, token := reporting(t, a)
	a.DB.Ent.Integration.UpdateOneID(made.ID).ClearCredentials().ClearConfigurations().SetActive(false).ExecX(a.Ctx)
	notifytest.RequireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
	move := func(url string) {
		_, err := a.DB.Pool.Exec(t.Context(), `UPDATE organizations SET move = 'moved', moved_url = $1`, url)
		require.NoError(t, err)
	}
	move("https://us.example.com")
	require.Equal(t, &integrations.Elsewhere{URL: "https://us.example.com"}, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
	notifytest.RequireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), token+"x", reports(hardBounce)))
	move("") // the operator named no address
	notifytest.RequireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
}

// TestReceiptsOnlyWhereTheyAreWanted: addresses are judged before what is posted to them.
func TestReceiptsOnlyWhereTheyAreWanted(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, token := reporting(t, a)
	for _, wrong := range []string{"", "x", made.ID, made.ID + ".", token + "a", strings.Repeat("0", 24) + token[24:]} {
		notifytest.RequireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), wrong, reports(hardBounce)))
	}
	unsigned := reports(`{`)
	unsigned.Header = http.Header{}
	notifytest.RequireKind(t, fault.Unauthenticated, a.Receipts.Accept(t.Context(), token, unsigned))
	notifytest.RequireKind(t, fault.Invalid, a.Receipts.Accept(t.Context(), token, reports(`{`)))

	_, err := a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{
		ID: made.ID, Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(false)},
	})
	require.NoError(t, err)
	notifytest.RequireKind(t, fault.NotFound, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
	require.Zero(t, a.DB.Ent.Receipt.Query().CountX(a.Ctx))
}

// TestHardBouncesAndComplaintsSuppress their address until somebody lifts that, whatever the vendor repeats.
func TestHardBouncesAndComplaintsSuppress(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, token := reporting(t, a)
	batch := `[` + hardBounce + `,{"RecordType":"Bounce","Type":"Transient","ID":2,"MessageID":"m2","Email":"full@example.com"},
		{"RecordType":"SpamComplaint","ID":3,"MessageID":"m3","Email":"angry@example.com"},{"RecordType":"Delivery","MessageID":"m4","Recipient":"ok@example.com"},
		{"RecordType":"SubscriptionChange","Recipient":"other@example.com"},` + hardBounce + `]`
	require.NoError(t, a.Receipts.Accept(t.Context(), token, reports(batch)))
	require.Equal(t, 4, a.DB.Ent.Receipt.Query().CountX(a.Ctx), "what is repeated counts once, what is no receipt not at all")
	suppressed := func() map[string]workflow.SuppressionReason {
		page, err := a.Suppressions.List(a.Ctx, usecase.Page{}, nil, nil)
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

	found, err := a.Suppressions.ByAddress(a.Ctx, workflow.ChannelEmail, "GONE@example.com")
	require.NoError(t, err)
	require.Equal(t, "no such user", found.Detail)
	lifted, err := a.Suppressions.Delete(a.Ctx, found.GlobalID())
	require.NoError(t, err)
	require.Equal(t, found.ID, lifted.ID)
	require.NoError(t, a.Receipts.Accept(t.Context(), token, reports(hardBounce)))
	require.Equal(t, complaint, suppressed(), "a repeated receipt does not undo what somebody lifted")
}

// amazon serves a certificate and hears confirmations.
type amazon struct {
	certificate string
	asked       []string
}

// RoundTrip is part of http.RoundTripper.
func (a *amazon) RoundTrip(r *http.Request) (*http.Response, error) {
	a.asked = append(a.asked, r.URL.String())
	return &http.Response{StatusCode: http.StatusOK, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(a.certificate)), Request: r}, nil
}

// TestReceiptsThroughSNS: a subscription is confirmed at Amazon, once it is certain that Amazon asks, and the certificate is
// read once for many receipts.
func TestReceiptsThroughSNS(t *testing.T) {
	t.Parallel()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), DNSNames: []string{"sns.amazonaws.com"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	root, err := x509.ParseCertificate(der)
	require.NoError(t, err)
	roots := x509.NewCertPool()
	roots.AddCert(root)
	vendor := &amazon{certificate: string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der}))}

	a := notifytest.NewAuthoring(t)
	keeper, err := secret.NewKeeper(secret.Generate())
	require.NoError(t, err)
	registry, err := provider.NewRegistry(slices.Concat(inapp.Providers(), email.Providers())...)
	require.NoError(t, err)
	a.Services = notify.New(usecase.Config{
		DB: a.DB, Now: time.Now, Secrets: keeper, Providers: registry, ProviderDeps: &provider.Deps{Vendor: vendor, Roots: roots}, Prefix: "acme",
	})
	made := a.MakeIntegration(t, integrations.CreateIntegrationInput{
		ProviderID:     "ses",
		Credentials:    map[string]any{"apiKey": "k", "secretKey": "s", "region": "eu-west-1", "from": "shop@example.com", "senderName": "Shop"},
		Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: new("arn")},
	})
	path, err := a.Integrations.InboundPath(a.Ctx, made)
	require.NoError(t, err)

	now := time.Now().UTC().Format(time.RFC3339)
	const cert, confirm = "https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0a.pem", "https://sns.eu-west-1.amazonaws.com/?Action=ConfirmSubscription&Token=tok"
	post := func(forge string, names ...string) error {
		message := map[string]string{}
		var text strings.Builder
		for i := 0; i < len(names); i += 2 {
			message[names[i]] = names[i+1]
			text.WriteString(names[i] + "\n" + names[i+1] + "\n")
		}
		sum := sha256.Sum256([]byte(text.String() + forge))
		signature, err := rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
		require.NoError(t, err)
		message["Signature"], message["SignatureVersion"], message["SigningCertURL"] = base64.StdEncoding.EncodeToString(signature), "2", cert
		body, err := json.Marshal(message)
		require.NoError(t, err)
		return a.Receipts.Accept(viewer.SystemContext(t.Context()), strings.TrimPrefix(*path, "/v1/inbound/"), provider.Inbound{
			Body: body, Header: http.Header{"Content-Type": {"text/plain; charset=UTF-8"}},
		})
	}
	subscription := []string{
		"Message", "You have chosen", "MessageId", "m0", "SubscribeURL", confirm, "Timestamp", now, "Token", "tok", "TopicArn", "arn",
		"Type", "SubscriptionConfirmation",
	}
	notifytest.RequireKind(t, fault.Unauthenticated, post("forged", subscription...))
	require.Equal(t, []string{cert}, vendor.asked)
	require.NoError(t, post("", subscription...))
	require.Equal(t, []string{cert, confirm}, vendor.asked)
	for _, event := range []string{"m1", "m2", "m1"} {
		require.NoError(t, post("", "Message", `{"notificationType":"Complaint","mail":{"messageId":"x"},"complaint":{"complainedRecipients":[{"emailAddress":"A@example.com"},{"emailAddress":"b@example.com"}]}}`,
			"MessageId", event, "Timestamp", now, "TopicArn", "arn", "Type", "Notification"))
	}
	require.Equal(t, []string{cert, confirm}, vendor.asked, "the certificate is known by then")
	require.Equal(t, 4, a.DB.Ent.Receipt.Query().CountX(a.Ctx), "one for each recipient of each event")
	require.Equal(t, 2, a.DB.Ent.Suppression.Query().CountX(a.Ctx))
}
