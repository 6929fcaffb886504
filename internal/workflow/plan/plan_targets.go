package plan

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"time"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Integration is what the planner knows of an active integration.
type Integration struct {
	ID         string
	Identifier string
	ProviderID string
	Channel    workflow.Channel
	Primary    bool
	Conditions []condition.StepFilter
}

// ChannelSetting is a subscriber's setting for one integration (api.md, ChannelSettings).
type ChannelSetting struct {
	ID                    string
	ProviderID            string
	IntegrationID         string
	IntegrationIdentifier string
	Credentials           workflow.ChannelCredentials
	Registered            workflow.Registered
}

// Endpoint is a channel endpoint of the subscriber in exactly the trigger's context set.
type Endpoint struct {
	Identifier    string
	IntegrationID string
	ConnectionID  string
	Type          workflow.EndpointType
	Data          workflow.EndpointData
}

// Target is where one message of a step goes, and through what.
type Target struct {
	Key           string // unique within the step, no secret in it
	IntegrationID string
	ProviderID    string
	Alternatives  []string // integrations to fail over to, in order; e-mail and SMS only
	To            []string // e-mail
	Phone         string
	DeviceToken   string
	RegisteredAt  time.Time // when the token was given last; zero: unknown
	SettingID     string    // the subscriber's channel setting that holds the token
	EndpointType  workflow.EndpointType
	Endpoint      workflow.EndpointData
	EndpointID    string // identifier of the channel endpoint
	ConnectionID  string
	Setting       workflow.ChannelCredentials // chat: what else the subscriber's channel setting says, for its provider
}

// targets resolves where a step goes. missing are the reasons why nowhere, the address before the integration. detail is for a person:
// of the first of them, else of what is left out.
func (in *PlanInput) targets(s *workflow.Step, c workflow.Channel, data condition.FilterData) (targets []Target, missing []workflow.Reason, detail string) {
	switch c {
	case workflow.ChannelPush:
		return in.pushTargets(s, data)
	case workflow.ChannelChat:
		return in.chatTargets(s, data)
	}
	choice, detail := in.choose(c, data)
	t := Target{Key: string(c)}
	if len(choice) > 0 {
		t.IntegrationID, t.ProviderID = choice[0].ID, choice[0].ProviderID
	}
	if len(choice) > 1 && c != workflow.ChannelInApp {
		for _, other := range choice[1:] {
			t.Alternatives = append(t.Alternatives, other.ID)
		}
	}
	why, left := workflow.Reason(""), ""
	switch c {
	case workflow.ChannelEmail:
		why, left = in.emailTarget(&t)
	case workflow.ChannelSMS:
		why = in.smsTarget(&t)
	}
	if why != "" {
		missing, detail = append(missing, why), left
	}
	if len(choice) == 0 {
		missing = append(missing, workflow.ReasonNoIntegration)
	}
	if len(missing) > 0 {
		return nil, missing, detail
	}
	return []Target{t}, nil, left
}

// choose orders the integrations that may serve a channel with one integration per message (semantics.md §2.6): the one
// that the trigger demands, else those whose conditions hold, then the primary, then the others from the newest on. A demo
// sender stands behind no other provider: it takes everything, and what it keeps nobody receives.
func (in *PlanInput) choose(c workflow.Channel, data condition.FilterData) (choice []Integration, detail string) {
	demanded := in.Overrides.IntegrationFor(c)
	var conditioned, primary, rest []Integration
	for _, i := range in.Integrations {
		switch {
		case i.Channel != c:
		case demanded != "":
			if i.Identifier == demanded {
				return []Integration{i}, ""
			}
		case len(i.Conditions) > 0:
			if pass, _ := condition.EvaluateFilters(i.Conditions, data); pass {
				conditioned = append(conditioned, i)
			}
		case i.Primary:
			primary = append(primary, i)
		default:
			rest = append(rest, i)
		}
	}
	if demanded != "" {
		return nil, "the trigger asks for an integration that is not there"
	}
	slices.SortFunc(rest, func(a, b Integration) int {
		if a.demo() == b.demo() {
			return cmp.Compare(b.ID, a.ID)
		}
		if a.demo() {
			return 1
		}
		return -1
	})
	choice = slices.Concat(conditioned, primary, rest)
	if k := slices.IndexFunc(choice, func(i Integration) bool { return !i.demo() }); k >= 0 {
		choice = append(choice[:k+1], slices.DeleteFunc(choice[k+1:], Integration.demo)...)
	}
	return choice, ""
}

func (i Integration) demo() bool { return workflow.DemoSender(i.ProviderID) }

// usable reports whether an integration is active and its conditions hold.
func usable(i *Integration, data condition.FilterData) bool {
	if i == nil || len(i.Conditions) == 0 {
		return i != nil
	}
	pass, _ := condition.EvaluateFilters(i.Conditions, data)
	return pass
}

// bound is the active integration that a setting of the subscriber belongs to: the one it names, else the provider's
// newest (push-chat.md §0.2).
func (in *PlanInput) bound(s *ChannelSetting) *Integration {
	var newest *Integration
	for k := range in.Integrations {
		i := &in.Integrations[k]
		switch {
		case i.ProviderID != s.ProviderID:
		case s.IntegrationID != "":
			if i.ID == s.IntegrationID {
				return i
			}
		case s.IntegrationIdentifier != "":
			if i.Identifier == s.IntegrationIdentifier {
				return i
			}
		case newest == nil || i.ID > newest.ID:
			newest = i
		}
	}
	return newest
}

// demands reports whether the trigger restricts the channel to another integration.
func (in *PlanInput) demands(c workflow.Channel, i *Integration) bool {
	demanded := in.Overrides.IntegrationFor(c)
	return demanded != "" && i.Identifier != demanded
}

// pushTargets is one target per device token of every push setting (push-chat.md §0.2).
func (in *PlanInput) pushTargets(step *workflow.Step, data condition.FilterData) (targets []Target, missing []workflow.Reason, detail string) {
	var why lacks
	settings := 0
	elsewhere := in.fcmElsewhere(step)
	targets = in.fcmTargets(elsewhere, data)
	for k := range in.Settings {
		s := &in.Settings[k]
		i := in.bound(s)
		if i == nil && !isPushProvider(s.ProviderID) || i != nil && i.Channel != workflow.ChannelPush {
			continue
		}
		if s.ProviderID == fcmProvider && elsewhere != nil {
			continue
		}
		settings++
		tokens := s.Credentials.DeviceTokens
		if over, given := overriddenTokens(in.Overrides, step, s.ProviderID); given {
			tokens = over
		}
		if len(tokens) == 0 {
			why.noAddress(workflow.ReasonNoAddress, "the push setting has no device tokens")
		}
		if !usable(i, data) || in.demands(workflow.ChannelPush, i) {
			why.noIntegration("no active integration for the push setting")
			continue
		}
		for _, token := range tokens {
			if token == "" {
				continue
			}
			targets = append(targets, Target{
				Key: i.ID + ":" + short(token), IntegrationID: i.ID, ProviderID: i.ProviderID, DeviceToken: token, SettingID: s.ID,
				RegisteredAt: s.Registered[token],
			})
		}
	}
	if len(targets) > 0 {
		return distinct(targets), nil, ""
	}
	switch {
	case elsewhere != nil: // the trigger names where it goes
		why.noIntegration("no active integration for the tokens of the trigger")
	case settings == 0:
		why.noAddress(workflow.ReasonNoAddress, "the subscriber has no push setting")
	}
	missing, detail = why.reasons(in.serves(workflow.ChannelPush))
	return nil, missing, detail
}

func overriddenTokens(o *workflow.Overrides, step *workflow.Step, providerID string) (tokens []string, given bool) {
	list, ok := o.ForStep(step.StepID, workflow.ChannelPush, providerID).All()["deviceTokens"].([]any)
	for _, v := range list {
		if s, isText := v.(string); isText {
			tokens = append(tokens, s)
		}
	}
	return tokens, ok
}

// chatTargets are the subscriber's channel endpoints in exactly the trigger's context, then the channel settings, then
// the phone for WhatsApp (push-chat.md §0.3).
func (in *PlanInput) chatTargets(step *workflow.Step, data condition.FilterData) (targets []Target, missing []workflow.Reason, detail string) {
	var why lacks
	whatsapp, stored := false, 0
	for k := range in.Endpoints {
		e := &in.Endpoints[k]
		i := in.byID(e.IntegrationID)
		if i != nil && i.Channel != workflow.ChannelChat {
			continue
		}
		stored++
		if !usable(i, data) || in.demands(workflow.ChannelChat, i) {
			why.noIntegration("no active integration for the channel endpoint")
			continue
		}
		whatsapp = whatsapp || i.ProviderID == whatsappProvider
		targets = append(targets, Target{
			Key: "endpoint:" + e.Identifier, IntegrationID: i.ID, ProviderID: i.ProviderID, EndpointType: e.Type,
			Endpoint: in.redirected(step, i.ProviderID, e), EndpointID: e.Identifier, ConnectionID: e.ConnectionID,
		})
	}
	for k := range in.Settings {
		s := &in.Settings[k]
		i := in.bound(s)
		if isPushProvider(s.ProviderID) || i != nil && i.Channel != workflow.ChannelChat {
			continue
		}
		stored++
		if !usable(i, data) || in.demands(workflow.ChannelChat, i) {
			why.noIntegration("no active integration for the chat setting")
			if _, ok := in.settingTarget(step, s, &Integration{}); !ok {
				why.noAddress(workflow.ReasonNoAddress, "the chat setting has neither URL nor phone")
			}
			continue
		}
		whatsapp = whatsapp || i.ProviderID == whatsappProvider
		t, ok := in.settingTarget(step, s, i)
		if !ok {
			why.noAddress(workflow.ReasonNoAddress, "the chat setting has neither URL nor phone")
			continue
		}
		targets = append(targets, t)
	}
	if i := in.provider(whatsappProvider); !whatsapp && i != nil && in.Profile.Phone != "" && usable(i, data) && !in.demands(workflow.ChannelChat, i) {
		if phone := workflow.PlainPhone(in.Profile.Phone); workflow.ValidPhone(phone) {
			targets = append(targets, phoneTarget(i, phone))
		} else {
			why.noAddress(workflow.ReasonInvalidAddress, "the phone is not in E.164 form")
		}
	}
	if len(targets) > 0 {
		return distinct(targets), nil, ""
	}
	if stored == 0 && why.address == "" {
		why.noAddress(workflow.ReasonNoAddress, "the subscriber has no chat target")
	}
	missing, detail = why.reasons(in.serves(workflow.ChannelChat))
	return nil, missing, detail
}

const whatsappProvider = "whatsapp-business"

func phoneTarget(i *Integration, phone string) Target {
	return Target{
		Key: i.ID + ":phone", IntegrationID: i.ID, ProviderID: i.ProviderID, Phone: phone,
		EndpointType: workflow.EndpointPhone, Endpoint: workflow.EndpointData{PhoneNumber: phone},
	}
}

// settingTarget is a channel setting seen as an endpoint of type webhook. The URL is the first present of the provider's
// override, the payload and the setting itself.
func (in *PlanInput) settingTarget(step *workflow.Step, s *ChannelSetting, i *Integration) (Target, bool) {
	over := in.Overrides.ForStep(step.StepID, workflow.ChannelChat, s.ProviderID)
	if s.ProviderID == whatsappProvider { // takes phones only, whatever URL there is for others
		phone := workflow.PlainPhone(in.Profile.Phone)
		return phoneTarget(i, phone), workflow.ValidPhone(phone)
	}
	url, _ := over.All()["webhookUrl"].(string)
	if url == "" {
		url, _ = in.Data.Payload["webhookUrl"].(string)
	}
	url = cmp.Or(url, s.Credentials.WebhookURL)
	if url == "" {
		return Target{}, false
	}
	return Target{
		Key: "setting:" + s.ProviderID + ":" + s.IntegrationIdentifier, IntegrationID: i.ID, ProviderID: i.ProviderID,
		SettingID: s.ID, EndpointType: workflow.EndpointWebhook, Endpoint: workflow.EndpointData{URL: url, Channel: s.Credentials.Channel},
		Setting: workflow.ChannelCredentials{
			AlertUID: s.Credentials.AlertUID, Title: s.Credentials.Title, ImageURL: s.Credentials.ImageURL,
			State: s.Credentials.State, ExternalURL: s.Credentials.ExternalURL,
		},
	}, true
}

// redirected is the endpoint's data, replaced by the trigger's override when that is valid for the type
// (push-chat.md §0.3).
func (in *PlanInput) redirected(step *workflow.Step, providerID string, e *Endpoint) workflow.EndpointData {
	over := in.Overrides.ForStep(step.StepID, workflow.ChannelChat, providerID).Merge
	own, _ := over[e.Identifier].(map[string]any)
	fields, _ := own["endpoint"].(map[string]any)
	if fields == nil {
		return e.Data
	}
	member := func(name string) string { s, _ := fields[name].(string); return s }
	d := workflow.EndpointData{
		ChannelID: member("channelId"), UserID: member("userId"), TeamID: member("teamId"), URL: member("url"),
		Channel: member("channel"), PhoneNumber: member("phoneNumber"),
	}
	if !d.Fits(e.Type) {
		return e.Data
	}
	return d
}

func (in *PlanInput) byID(id string) *Integration {
	for k := range in.Integrations {
		if in.Integrations[k].ID == id {
			return &in.Integrations[k]
		}
	}
	return nil
}

// provider is the newest active integration of a provider; nil without one.
func (in *PlanInput) provider(providerID string) *Integration {
	return in.bound(&ChannelSetting{ProviderID: providerID})
}

func (in *PlanInput) serves(c workflow.Channel) bool {
	return slices.ContainsFunc(in.Integrations, func(i Integration) bool { return i.Channel == c })
}

// pushProviders are the push providers of SubscriberChannelProviderId; the other ones are chat providers.
var pushProviders = []string{"fcm", "apns", "expo", "one-signal", "pushpad", "push-webhook", "pusher-beams", "appio"}

func isPushProvider(id string) bool { return slices.Contains(pushProviders, id) }

// short keeps a target's key within what a unique index takes; tokens may be kilobytes long.
func short(s string) string {
	if len(s) <= 200 {
		return s
	}
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// distinct drops targets of an equal key: a token stored twice gets one message.
func distinct(targets []Target) []Target {
	seen := make(map[string]bool, len(targets))
	return slices.DeleteFunc(targets, func(t Target) bool {
		if seen[t.Key] {
			return true
		}
		seen[t.Key] = true
		return false
	})
}
