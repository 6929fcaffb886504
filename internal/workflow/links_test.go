package workflow_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/workflowtest"
)

func TestSafeLink(t *testing.T) {
	t.Parallel()
	for _, link := range []string{
		"", "https://shop.example/a?b#c", "HTTP://x", "mailto:a@b.example", "/orders/1", "orders", "?page=2", "#top", "//cdn.example/a.png",
		"../up", "a/b:c", " https://x ",
	} {
		require.True(t, workflow.SafeLink(link), "%q", link)
	}
	for _, link := range []string{
		"javascript:alert(1)", "JavaScript:alert(1)", " javascript:alert(1)", "java\nscript:alert(1)", "java\tscript:alert(1)", "\x01javascript:alert(1)",
		"data:text/html,x", "vbscript:x", "file:///etc/passwd", "blob:https://x", "ftp://x", "tel:+1", ":x", "intent://x",
	} {
		require.False(t, workflow.SafeLink(link), "%q", link)
	}
}

func TestLinksAreCheckedWhenSaved(t *testing.T) {
	t.Parallel()
	d := workflow.Definition{Steps: []workflow.Step{{StepID: "inbox", Type: workflow.StepInApp, InApp: &workflow.InAppControls{
		Body: "b", Avatar: "data:image/png;base64,AA==", Redirect: "javascript:alert(1)",
		Primary: &workflow.Button{Label: "l", URL: "vbscript:x"}, Secondary: &workflow.Button{Label: "l", URL: "{{ payload.url }}"},
	}}}}
	require.Equal(t, []string{"steps.0.inApp.avatar", "steps.0.inApp.redirect", "steps.0.inApp.primaryAction.url"}, workflowtest.Paths(t, d.Check(workflow.CheckOptions{})))
	d.Steps[0].InApp = &workflow.InAppControls{
		Body: "b", Avatar: "/a.png", Redirect: "mailto:a@b.example", Primary: &workflow.Button{Label: "l", URL: "https://x"}, Secondary: &workflow.Button{Label: "l"},
	}
	require.NoError(t, d.Check(workflow.CheckOptions{}))
}

// TestAddressesOfRecipients checks the addresses that a trigger stores with a recipient. Those that a channel step looks at
// (e-mail, phone) are not refused: the step is skipped with its reason.
func TestAddressesOfRecipients(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string][]string{
		`{"subscriberId":"u","avatar":"javascript:alert(1)"}`:                                                                                 {"to.avatar"},
		`{"subscriberId":"u","avatar":"/a.png"}`:                                                                                              nil,
		`{"subscriberId":"u","avatar":""}`:                                                                                                    nil,
		`{"subscriberId":"u","email":"nonsense"}`:                                                                                             nil,
		`{"subscriberId":"u","channels":[{"providerId":"slack","credentials":{"webhookUrl":"ftp://x"}}]}`:                                     {"to.channels.0.credentials.webhookUrl"},
		`{"subscriberId":"u","channels":[{"providerId":"slack","credentials":{"webhookUrl":"https://a:b@x"}}]}`:                               {"to.channels.0.credentials.webhookUrl"},
		`{"subscriberId":"u","channels":[{"providerId":"slack","credentials":{"webhookUrl":"https://x/y"}}]}`:                                 nil,
		`{"subscriberId":"u","channels":[{"providerId":"slack","credentials":{"webhookUrl":""}}]}`:                                            nil,
		`{"subscriberId":"u","channels":[{"providerId":"fcm","credentials":{"deviceTokens":["a","","b\u0007"]}}]}`:                            {"to.channels.0.credentials.deviceTokens.1", "to.channels.0.credentials.deviceTokens.2"},
		`{"subscriberId":"u","channels":[{"providerId":"grafana-on-call","credentials":{"imageUrl":"data:x","externalUrl":"javascript:x"}}]}`: {"to.channels.0.credentials.externalUrl", "to.channels.0.credentials.imageUrl"},
	} {
		p := &fault.Problems{}
		workflow.RecipientsShape.ParseWith(known, p, "to", workflowtest.Decode(t, raw))
		require.ElementsMatch(t, want, workflowtest.Paths(t, p.Err()), raw)
	}
}

// A caller who sends back the settings that it read has the masked URL in them: it says nothing of the stored one, which stays.
func TestMaskedWebhookURLIsNotStored(t *testing.T) {
	t.Parallel()
	for _, url := range []string{"https://hooks.example.com/********", "********"} {
		p := &fault.Problems{}
		in, _ := workflow.RecipientsShape.ParseWith(known, p, "to", workflowtest.Decode(t,
			`{"subscriberId":"u","channels":[{"providerId":"slack","credentials":{"webhookUrl":"`+url+`","channel":"#ops"}}]}`))
		require.NoError(t, p.Err())
		require.Equal(t, workflow.ChannelCredentials{Channel: "#ops"}, in.Direct[0].Channels[0].Credentials, url)
	}
}

func TestMaskedURLs(t *testing.T) {
	t.Parallel()
	for from, want := range map[string]string{
		"":                                       "",
		"https://hooks.slack.com/services/T/B/x": "https://hooks.slack.com/********",
		"https://u:p@chat.example:8443/a?key=1#x": "https://chat.example:8443/********",
		"no url": "********",
		"://":    "********",
	} {
		require.Equal(t, want, workflow.MaskedURL(from), from)
	}
}
