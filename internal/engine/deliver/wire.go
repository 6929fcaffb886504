package deliver

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// wire is the message as adapters take it.
func (w *Worker) wire(d *Delivery) (*provider.Message, error) {
	s, env := d.event, &d.envelope
	over := s.StepOverrides(d.StepID, d.Channel, d.integration.ProviderID)
	m := &provider.Message{
		ID: d.ID, TransactionID: d.TransactionID, Workflow: d.WorkflowIdentifier, StepID: d.StepID, Attempt: d.Attempts,
		Channel: d.Channel, Payload: s.Payload, Subscriber: d.subscriber.View(),
		Overrides: jsonvalue.MergeDeep(over.Legacy, over.Interpreted), Merge: withPassthrough(over), CustomData: env.Data,
		Target: provider.Target{
			Phone: env.Phone, DeviceToken: env.DeviceToken, EndpointType: env.EndpointType, Endpoint: env.Endpoint,
			EndpointIdentifier: env.EndpointID, Setting: env.Setting,
		},
	}
	if d.attempt != nil {
		m.Attempt = d.attempt.Number
	}
	if d.Content != nil {
		m.Content = provider.Content{Body: d.Content.Text, HTML: d.Content.HTML, Text: d.Content.Text}
	}
	m.Content.Title = state.Deref(d.Title) + state.Deref(d.Subject) // a message has one of them
	if d.connection != nil {
		token, err := w.Token(*d.connection)
		if err != nil {
			return nil, unopened(err, "the token of the channel connection", provider.Permanent)
		}
		m.Target.ConnectionToken, m.Target.Workspace = token, d.connection.WorkspaceID
	}
	if err := w.openURLs(m, d); err != nil {
		return nil, unopened(err, "the webhook URL of the subscriber", provider.Permanent)
	}
	if over.SMS != nil {
		m.SenderFrom = over.SMS.From
	}
	if d.Channel == workflow.ChannelEmail {
		mail(m, d, over.Email)
		w.addUnsubscribe(m, d)
		w.setReplyTo(m, d)
	}
	return m, nil
}

// unopened is the failure of a message with a secret that did not open, of class unless a key is missing. While a key is changed another
// process may have the key that this one lacks, so the message is tried again.
func unopened(err error, what string, class provider.Class) *provider.Error {
	if errors.Is(err, secret.ErrKey) {
		return &provider.Error{Class: provider.Transient, OfTarget: true, Text: what + " cannot be read: sealed under a secret key that this process does not have"}
	}
	return &provider.Error{Class: class, Text: what + " cannot be read"}
}

// openURLs opens the webhook URLs to which the message goes, or that it names. The envelope keeps them sealed, because it may be
// stored again.
func (w *Worker) openURLs(m *provider.Message, d *Delivery) (err error) {
	env := &d.envelope
	if m.Target.Endpoint.URL, err = w.Secrets.OpenURL(d.EnvironmentID, env.Endpoint.URL); err != nil || env.Channels == nil {
		return err
	}
	m.Step, m.Subscriber = env.Step, maps.Clone(m.Subscriber)
	m.Subscriber["channels"], err = w.Secrets.OpenURLs(d.EnvironmentID, env.Channels, secret.SettingsURLs)
	return err
}

// mail fills in what only e-mail has.
func mail(m *provider.Message, d *Delivery, over *workflow.EmailOverrides) {
	env := &d.envelope
	m.Email = &provider.Email{
		From: env.Mail.From, SenderName: env.Mail.SenderName, ReplyTo: env.Mail.ReplyTo, To: env.To,
	}
	m.Email.Attachments, d.complaint = attachments(d.event.Payload)
	m.Target.Email = env.To[0]
	if over != nil {
		m.Email.CC, m.Email.BCC, m.Email.Headers, m.Email.IPPoolName = d.permitted(over.CC), d.permitted(over.BCC), over.Headers, over.IPPoolName
		if over.CustomData != nil {
			m.CustomData = over.CustomData
		}
	}
}

// permitted are the copies without those that are withheld.
func (d *Delivery) permitted(copies []string) []string {
	if d.withheld == nil {
		return copies
	}
	return slices.DeleteFunc(slices.Clone(copies), func(to string) bool { return slices.Contains(d.withheld, to) })
}

// addUnsubscribe puts the address by which readers leave the workflow into the mail's head (RFC 8058), unless it is critical or
// the trigger brought an address of its own.
func (w *Worker) addUnsubscribe(m *provider.Message, d *Delivery) {
	if w.OptOut == nil || d.event.Published() == nil || d.event.Published().Critical {
		return
	}
	headers := make(map[string]string, len(m.Email.Headers)+2) // the overrides' own are shared by attempts side by side
	for name, value := range m.Email.Headers {
		if strings.EqualFold(name, "List-Unsubscribe") {
			return
		}
		headers[name] = value
	}
	headers["List-Unsubscribe"] = "<" + w.OptOut(workflow.OptOut{
		EnvironmentID: d.EnvironmentID, SubscriberID: d.SubscriberID, WorkflowID: d.event.WorkflowID, MessageID: d.ID, ContextKeys: d.event.ContextKeys,
	}) + ">"
	headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
	m.Email.Headers = headers
}

// attachments are the files of a payload (decisions.md §12). An item without a file is the application's own. A file that is no base64 is
// left out, which complaint says.
func attachments(of map[string]any) (files []provider.Attachment, complaint string) {
	list, _ := of["attachments"].([]any)
	var unreadable []string
	for i, v := range list {
		object, _ := v.(map[string]any)
		text := func(name string) string { s, _ := object[name].(string); return s }
		encoded, given := object["file"].(string)
		if !given {
			continue
		}
		file, err := payload.File(encoded)
		if err != nil {
			unreadable = append(unreadable, fmt.Sprintf("payload.attachments.%d.file", i))
			continue
		}
		files = append(files, provider.Attachment{
			Name: text("name"), MIME: text("mime"), CID: text("cid"), Disposition: text("disposition"), File: file,
		})
	}
	if len(unreadable) > 0 {
		complaint = "sent without files that are not base64: " + strings.Join(unreadable[:min(len(unreadable), maxNamedFiles)], ", ")
	}
	return files, complaint
}

// maxNamedFiles bounds how many files a complaint names.
const maxNamedFiles = 5

// withPassthrough puts the pass-through back where adapters look for it.
func withPassthrough(over workflow.StepOverrides) map[string]any {
	pass := map[string]any{}
	for name, part := range map[string]map[string]any{
		"body": over.Passthrough.Body, "headers": over.Passthrough.Headers, "query": over.Passthrough.Query,
	} {
		if part != nil {
			pass[name] = part
		}
	}
	if len(pass) == 0 {
		return over.Merge
	}
	return jsonvalue.MergeDeep(over.Merge, map[string]any{workflow.PassthroughKey: pass})
}
