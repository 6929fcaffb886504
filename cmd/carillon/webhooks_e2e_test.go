//go:build e2e

package main_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/rest/client/webhook"
)

// TestJourneyWebhooks makes an endpoint, sees its secret once, pings it, looks at what was sent and answered, and sends it again.
func TestJourneyWebhooks(t *testing.T) {
	detailed(t)
	t.Parallel()
	received := make(chan *http.Request, 4)
	var verifier *webhook.Verifier
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if _, err := verifier.Read(r); err != nil {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		w.WriteHeader(http.StatusNoContent)
		received <- r
	}))
	t.Cleanup(receiver.Close)
	o := openOffice(t, "CARILLON_EGRESS_ALLOW=127.0.0.1/32")
	b := o.logIn(t, "/webhooks")
	b.sees("No webhook endpoints.")
	b.click("button", "New endpoint")
	b.fill("URL", receiver.URL)
	b.fill("Description", "CRM")
	b.look("webhook-endpoint")
	b.click("button", "Create")
	b.sees("whsec_")
	var secret string
	b.do(chromedp.Evaluate(`document.body.innerText.match(/whsec_[A-Za-z0-9+\/=]+/)[0]`, &secret))
	var err error
	verifier, err = webhook.New(secret)
	require.NoError(t, err)

	b.click("button", "Send a ping")
	id := (<-received).Header.Get("Webhook-Id")
	until(t, patience, "the answer is stored", func(context.Context) (bool, error) {
		var answer struct{ WebhookDeliveries struct{ TotalCount int } }
		o.ask(t, `{ webhookDeliveries(filter: {statusIn: [DELIVERED]}) { totalCount } }`, nil, &answer)
		return answer.WebhookDeliveries.TotalCount == 1, nil
	})
	b.open("/dashboard/webhooks")
	b.misses("whsec_")
	b.click("button", "Show delivery")
	b.sees("204")
	b.look("webhook-delivery")
	b.click("button", "Replay")
	require.Equal(t, id, (<-received).Header.Get("Webhook-Id"))
}
