package rest

import (
	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify/inbox"
	"github.com/carillon/carillon/internal/workflow"
)

// fullSubscriber is the full Subscriber of api.md.
type fullSubscriber struct {
	_              struct{}          `doc:"A subscriber."`
	ID             string            `json:"_id"`
	FirstName      *string           `json:"firstName"`
	LastName       *string           `json:"lastName"`
	Email          *string           `json:"email"`
	Phone          *string           `json:"phone"`
	Avatar         *string           `json:"avatar"`
	Locale         *string           `json:"locale"`
	Channels       []channelSettings `json:"channels" doc:"How the subscriber is reached by single providers."`
	Topics         []string          `json:"topics"` // deprecated: always empty
	IsOnline       *bool             `json:"isOnline" doc:"Whether an inbox of the subscriber is open; null when none ever was."`
	LastOnlineAt   *moment           `json:"lastOnlineAt" doc:"When an inbox was last open."`
	Revision       int               `json:"__v" doc:"Always 0."` // of the document's own; records here have none
	Data           *map[string]any   `json:"data"`
	Timezone       *string           `json:"timezone" doc:"IANA time zone."`
	SubscriberID   string            `json:"subscriberId"`
	OrganizationID string            `json:"_organizationId"`
	EnvironmentID  string            `json:"_environmentId"`
	Deleted        bool              `json:"deleted" doc:"Whether it is deleted."`
	CreatedAt      moment            `json:"createdAt"`
	UpdatedAt      moment            `json:"updatedAt"`
}

// channelSettings is the ChannelSettings of api.md.
type channelSettings struct {
	_                     struct{}                    `doc:"How a subscriber is reached by one provider."`
	ProviderID            string                      `json:"providerId"`
	IntegrationIdentifier string                      `json:"integrationIdentifier,omitempty" doc:"The integration, when the subscriber has several of the provider."`
	Credentials           workflow.ChannelCredentials `json:"credentials" doc:"What the subscriber is reached by."`
	IntegrationID         string                      `json:"_integrationId" doc:"Internal id of the integration; empty while the provider has none."` // empty while the provider has no integration
}

// maxRepeatedSubscribers bounds the bytes that the subscribers of one answer's messages come to. A subscriber may hold much
// data of the operator's own, and each of a thousand messages shows it.
const maxRepeatedSubscribers = 8 << 20

// subscriberViews are the subscribers of an answer's messages, by internal id.
type subscriberViews struct {
	views map[string]*fullSubscriber
	sizes map[string]int
	left  int
}

// of is a subscriber for one more message; nil when the answer holds as many as it may.
func (s *subscriberViews) of(subscriberID string) *fullSubscriber {
	s.left -= s.sizes[subscriberID]
	if s.left < 0 {
		return nil
	}
	return s.views[subscriberID]
}

func (s *server) subscriberViews(organizationID string, parents *inbox.MessageParents) *subscriberViews {
	out := &subscriberViews{map[string]*fullSubscriber{}, map[string]int{}, maxRepeatedSubscribers}
	for subscriberID, subscriber := range parents.Subscribers {
		view := s.fullSubscriber(organizationID, subscriber, parents.Channels[subscriberID])
		text, _ := marshal(view) // plain values only
		out.views[subscriberID], out.sizes[subscriberID] = view, len(text)
	}
	return out
}

func (s *server) fullSubscriber(organizationID string, r *ent.Subscriber, channels []*ent.SubscriberChannel) *fullSubscriber {
	view := &fullSubscriber{
		ID: r.ID, FirstName: r.FirstName, LastName: r.LastName, Email: r.Email, Phone: r.Phone, Avatar: r.Avatar, Locale: r.Locale,
		Channels: []channelSettings{}, Topics: []string{}, IsOnline: r.IsOnline, LastOnlineAt: optional(r.LastOnlineAt),
		Timezone: r.Timezone, SubscriberID: r.SubscriberID, OrganizationID: organizationID, EnvironmentID: r.EnvironmentID,
		Deleted: r.Deleted, CreatedAt: moment(r.CreatedAt), UpdatedAt: moment(r.UpdatedAt),
	}
	if r.Data != nil {
		view.Data = &r.Data
	}
	for _, c := range channels {
		shown := channelSettings{
			ProviderID: s.Resolvers.Services.Providers.ShownID(c.ProviderID), IntegrationIdentifier: c.IntegrationIdentifier, Credentials: c.Credentials,
		}
		shown.Credentials.WebhookURL = workflow.MaskedURL(s.Resolvers.Services.WebhookURLs.Open(r.EnvironmentID, c.Credentials.WebhookURL))
		if c.IntegrationID != nil {
			shown.IntegrationID = *c.IntegrationID
		}
		view.Channels = append(view.Channels, shown)
	}
	return view
}
