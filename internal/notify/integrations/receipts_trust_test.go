package integrations_test

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// receiving is an integration with a receiving address, under a key when there is one.
func receiving(t *testing.T, a *notifytest.Authoring, providerID, key string) (made *ent.Integration, token string) {
	t.Helper()
	made = a.MakeIntegration(t, integrations.CreateIntegrationInput{
		ProviderID: providerID, Credentials: map[string]any{"apiKey": "k", "domain": "d.example", "from": "shop@example.com"},
		Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(true), InboundWebhookSigningKey: &key},
	})
	path, err := a.Integrations.InboundPath(a.Ctx, made)
	require.NoError(t, err)
	return made, strings.TrimPrefix(*path, "/v1/inbound/")
}

// taken is a message that the integration's provider took under an id.
func taken(t *testing.T, a *notifytest.Authoring, made *ent.Integration, providerMessageID, address string) *ent.Message {
	t.Helper()
	m, err := a.DB.Ent.Message.Create().SetNotificationID(id.New(time.Now())).SetEventID("e").SetTransactionID("t").
		SetWorkflowID("w").SetWorkflowIdentifier("w").SetStepID("s").SetSubscriberID("u").SetChannel(workflow.ChannelEmail).
		SetTarget(address).SetEmail(address).SetStatus(workflow.MessageSent).
		SetIntegrationID(made.ID).SetProviderMessageID(providerMessageID).Save(a.Ctx)
	require.NoError(t, err)
	a.DB.Ent.Attempt.Create().SetMessageID(m.ID).SetNumber(1).SetIntegrationID(made.ID).SetProviderID(made.ProviderID).
		SetOutcome(workflow.AttemptAccepted).SetProviderMessageID(providerMessageID).SaveX(a.Ctx)
	return m
}

func suppressed(t *testing.T, a *notifytest.Authoring) (addresses []string) {
	t.Helper()
	page, err := a.Suppressions.List(a.Ctx, usecase.Page{}, nil, nil)
	require.NoError(t, err)
	for _, s := range page.Nodes() {
		addresses = append(addresses, s.Address)
	}
	return addresses
}

func jsonReport(body string) provider.Inbound {
	return provider.Inbound{Body: []byte(body), Header: http.Header{"Content-Type": {"application/json"}}}
}

// TestForgedReceiptsSuppressNobodyElse: where the address alone is a secret, whoever learns it can suppress no address but
// that of a message which he names rightly.
func TestForgedReceiptsSuppressNobodyElse(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, token := receiving(t, a, "postmark", "")
	taken(t, a, made, "known", "Ada@münchen.example")
	bounce := func(messageID, address string) provider.Inbound {
		return jsonReport(fmt.Sprintf(`{"RecordType":"Bounce","Type":"HardBounce","ID":%d,"MessageID":"%s","Email":"%s"}`, time.Now().UnixNano(), messageID, address))
	}
	for _, forged := range []provider.Inbound{
		bounce("unknown", "victim@example.com"), bounce("known", "victim@example.com"), bounce("", "victim@example.com"),
		bounce("unknown", "ada@xn--mnchen-3ya.example"),
		jsonReport(`{"RecordType":"SpamComplaint","ID":3,"MessageID":"known","Email":"victim@example.com"}`),
	} {
		require.NoError(t, a.Receipts.Accept(t.Context(), token, forged))
		require.Empty(t, suppressed(t, a))
	}
	require.NoError(t, a.Receipts.Accept(t.Context(), token, bounce("known", "ada@XN--MNCHEN-3YA.example")))
	require.Equal(t, []string{"ada@xn--mnchen-3ya.example"}, suppressed(t, a), "the message's own address, as vendors write it")

	// What comes before the answer to the send suppresses once the message is known.
	require.NoError(t, a.Receipts.Accept(t.Context(), token, bounce("early", "bob@example.com")))
	require.Len(t, suppressed(t, a), 1)
	taken(t, a, made, "early", "bob@example.com")
	require.NoError(t, a.Receipts.Accept(t.Context(), token, jsonReport(`{"RecordType":"Open","ID":9,"MessageID":"early"}`)))
	require.ElementsMatch(t, []string{"ada@xn--mnchen-3ya.example", "bob@example.com"}, suppressed(t, a))
}

func mailgunReport(token, event, messageID, recipient string, at time.Time) provider.Inbound {
	stamp := strconv.FormatInt(at.Unix(), 10)
	mac := hmac.New(sha256.New, []byte("mgkey"))
	mac.Write([]byte(stamp + token))
	return jsonReport(`{"signature":{"timestamp":"` + stamp + `","token":"` + token + `","signature":"` + hex.EncodeToString(mac.Sum(nil)) + `"},
		"event-data":{"event":"` + event + `","severity":"permanent","id":"` + messageID + recipient + event + `","recipient":"` + recipient + `","message":{"headers":{"message-id":"` + messageID + `"}}}}`)
}

// TestMailgunTokensCountOnce: the signature covers a token and nothing of the report, so that whoever has seen one report
// could write another one beside it.
func TestMailgunTokensCountOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, address := receiving(t, a, "mailgun", "mgkey")
	now := time.Now()
	accept := func(in provider.Inbound) { require.NoError(t, a.Receipts.Accept(t.Context(), address, in)) }

	accept(mailgunReport("one", "delivered", "m1", "a@example.com", now))
	accept(mailgunReport("one", "failed", "m2", "victim@example.com", now))
	accept(mailgunReport("two", "unsubscribed", "m1", "a@example.com", now)) // says nothing to us, and is used up all the same
	accept(mailgunReport("two", "failed", "m3", "victim@example.com", now))
	require.Equal(t, 1, a.DB.Ent.Receipt.Query().CountX(a.Ctx))
	require.Empty(t, suppressed(t, a))

	// Another integration has tokens of its own.
	_, other := receiving(t, a, "mailgun", "mgkey")
	require.NoError(t, a.Receipts.Accept(t.Context(), other, mailgunReport("one", "failed", "m4", "gone@example.com", now)))
	require.Equal(t, []string{"gone@example.com"}, suppressed(t, a))

	for _, old := range []time.Duration{-25 * time.Hour, 25 * time.Hour} {
		notifytest.RequireKind(t, fault.Unauthenticated, a.Receipts.Accept(t.Context(), address, mailgunReport("three", "failed", "m5", "victim@example.com", now.Add(old))))
	}

	// Used tokens go when they would be too old anyway.
	var used int
	count := func() int {
		require.NoError(t, a.DB.Pool.QueryRow(t.Context(), `SELECT count(*) FROM used_tokens`).Scan(&used))
		return used
	}
	require.Equal(t, 3, count())
	_, err := pgupkeep.Prune(t.Context(), a.DB, now.Add(24*time.Hour), pgupkeep.Retention{}, 100)
	require.NoError(t, err)
	require.Equal(t, 3, count(), "a report of now could come again until then")
	_, err = pgupkeep.Prune(t.Context(), a.DB, now.Add(49*time.Hour), pgupkeep.Retention{}, 100)
	require.NoError(t, err)
	require.Zero(t, count())
}

// TestMailgunTokenAtTheSameTime in several processes counts once.
func TestMailgunTokenAtTheSameTime(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, address := receiving(t, a, "mailgun", "mgkey")
	now := time.Now()
	var all sync.WaitGroup
	failures := make(chan error, 8)
	for n := range 8 {
		all.Go(func() {
			failures <- a.Receipts.Accept(t.Context(), address, mailgunReport("one", "failed", fmt.Sprint("m", n), fmt.Sprintf("u%d@example.com", n), now))
		})
	}
	all.Wait()
	close(failures)
	for err := range failures {
		require.NoError(t, err)
	}
	require.Equal(t, 1, a.DB.Ent.Receipt.Query().CountX(a.Ctx))
	require.Len(t, suppressed(t, a), 1)
}

// TestSoftBouncesHeal: a bounce that may heal says less of a message than anything else, in whatever order receipts come.
func TestSoftBouncesHeal(t *testing.T) {
	t.Parallel()
	const soft, hard, delivered, opened = `{"RecordType":"Bounce","Type":"Transient","ID":1,"MessageID":"%s","Email":"a@example.com","Description":"full"}`,
		`{"RecordType":"Bounce","Type":"HardBounce","ID":2,"MessageID":"%s","Email":"a@example.com","Description":"gone"}`,
		`{"RecordType":"Delivery","MessageID":"%s","Recipient":"a@example.com"}`, `{"RecordType":"Open","MessageID":"%s","Recipient":"a@example.com"}`
	for name, c := range map[string]struct {
		reports []string
		receipt workflow.ReceiptKind
		status  workflow.MessageStatus
	}{
		"Soft":            {[]string{soft}, workflow.ReceiptBounced, workflow.MessageError},
		"SoftDelivered":   {[]string{soft, delivered}, workflow.ReceiptDelivered, workflow.MessageSent},
		"SoftOpened":      {[]string{soft, opened}, workflow.ReceiptOpened, workflow.MessageSent},
		"DeliveredSoft":   {[]string{delivered, soft}, workflow.ReceiptDelivered, workflow.MessageSent},
		"OpenedSoft":      {[]string{opened, soft}, workflow.ReceiptOpened, workflow.MessageSent},
		"SoftHard":        {[]string{soft, hard, delivered}, workflow.ReceiptBounced, workflow.MessageError},
		"DeliveredHard":   {[]string{delivered, opened, hard, soft}, workflow.ReceiptBounced, workflow.MessageError},
		"SoftAgainHealed": {[]string{soft, delivered, soft, opened}, workflow.ReceiptOpened, workflow.MessageSent},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			a := notifytest.NewAuthoring(t)
			made, token := receiving(t, a, "postmark", "")
			m := taken(t, a, made, "m", "a@example.com")
			for _, report := range c.reports {
				require.NoError(t, a.Receipts.Accept(t.Context(), token, jsonReport(fmt.Sprintf(report, "m"))))
			}
			m = a.DB.Ent.Message.GetX(a.Ctx, m.ID)
			require.Equal(t, c.receipt, *m.Receipt)
			require.Equal(t, c.status, m.Status)
			require.Equal(t, c.status == workflow.MessageError, m.ErrorID != nil)
			require.Equal(t, c.status == workflow.MessageError, m.ErrorText != nil)
		})
	}
}

// TestReceiptsPath is what a provider may be told with each message: not of an address that lets it in with a password only.
func TestReceiptsPath(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	path := func(made *ent.Integration) string {
		told, err := a.Integrations.ReceiptsPath(made)
		require.NoError(t, err)
		return told
	}
	open, token := receiving(t, a, "postmark", "")
	require.Equal(t, "/v1/inbound/"+token, path(open))
	guarded, _ := receiving(t, a, "postmark", "word")
	require.Empty(t, path(guarded))
	signed, token := receiving(t, a, "mailgun", "mgkey")
	require.Equal(t, "/v1/inbound/"+token, path(signed))
	_, err := a.Integrations.Update(a.Ctx, integrations.UpdateIntegrationInput{
		ID: signed.ID, Configurations: &integrations.IntegrationConfigurations{InboundWebhookEnabled: new(false)},
	})
	require.NoError(t, err)
	off, err := a.Integrations.Get(a.Ctx, signed.ID)
	require.NoError(t, err)
	require.Empty(t, path(off))
	require.Empty(t, path(a.MakeIntegration(t, integrations.CreateIntegrationInput{ProviderID: "nodemailer", Credentials: notifytest.SMTP(nil)})))
}

// TestReceivingAddressesCannotBeForged alters each character of an address, and signs with what signs something else.
func TestReceivingAddressesCannotBeForged(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, good := receiving(t, a, "postmark", "")
	other, _ := receiving(t, a, "postmark", "")
	integrationID, signature, _ := strings.Cut(good, ".")
	wrong := []string{
		"", ".", integrationID, integrationID + ".", "." + signature, good + "a", good[:len(good)-1], other.ID + "." + signature,
		integrationID + "." + a.Replies.CallbackKey(integrationID),
	}
	for at := range len(good) {
		altered := []byte(good)
		altered[at] ^= 1
		wrong = append(wrong, string(altered))
	}
	report := jsonReport(`{"RecordType":"Open","ID":1,"MessageID":"m1"}`)
	for _, token := range wrong {
		require.EqualError(t, a.Receipts.Accept(t.Context(), token, report), "This address receives nothing.", token)
	}
	require.NoError(t, a.Receipts.Accept(t.Context(), good, report))
}
