package providertest

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Message is a message with everything an adapter may use.
func Message(c workflow.Channel) *provider.Message {
	m := &provider.Message{
		ID: "65f1a0b1c2d3e4f5a6b7c8d9", TransactionID: "txn_65f1a0b1c2d3e4f5a6b7c8da", Workflow: "order-shipped",
		StepID: "step-1", Attempt: 1, Channel: c,
		Content:    provider.Content{Title: "Order shipped", Body: "Your order <1042> is on its way & fast"},
		Payload:    map[string]any{"orderId": "1042", "total": 12.5},
		Subscriber: map[string]any{"subscriberId": "sub-1", "firstName": "Ada", "email": "ada@example.com"},
	}
	switch c {
	case workflow.ChannelEmail:
		m.Target.Email = "ada@example.com"
		m.Content.HTML, m.Content.Text = "<p>Your order is on its way</p>", "Your order is on its way"
		m.Email = &provider.Email{
			To: []string{"ada@example.com"}, CC: []string{"cc@example.com"}, BCC: []string{"bcc@example.com"},
			ReplyTo: "reply@example.com", Headers: map[string]string{"X-Order": "1042"},
			Attachments: []provider.Attachment{
				{Name: "invoice.txt", MIME: "text/plain", File: []byte("total 12.5")},
				{Name: "logo.png", MIME: "image/png", CID: "logo", File: []byte{0x89, 'P', 'N', 'G'}},
			},
		}
	case workflow.ChannelSMS:
		m.Target.Phone = "+44 7700 900123"
	case workflow.ChannelPush:
		m.Target.DeviceToken = "device-1"
	case workflow.ChannelChat:
		m.Target.EndpointType = workflow.EndpointWebhook
		m.Target.Endpoint = workflow.EndpointData{URL: "https://chat.example.com/hooks/T0000SECRET/B0000SECRET"}
	}
	return m
}
