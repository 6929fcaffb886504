package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/workflow"
)

// channelEndpoint is the ChannelEndpoint of api.md. Every member is always there.
type channelEndpoint struct {
	Identifier            string                `json:"identifier"`
	Channel               *workflow.Channel     `json:"channel"`
	ProviderID            *string               `json:"providerId"`
	IntegrationIdentifier *string               `json:"integrationIdentifier"`
	ConnectionIdentifier  *string               `json:"connectionIdentifier"`
	SubscriberID          *string               `json:"subscriberId"`
	ContextKeys           []string              `json:"contextKeys"`
	Type                  workflow.EndpointType `json:"type"`
	Endpoint              workflow.EndpointData `json:"endpoint"`
	CreatedAt             moment                `json:"createdAt"`
	UpdatedAt             moment                `json:"updatedAt"`
}

func (s *server) channelEndpoint(e *ent.ChannelEndpoint) channelEndpoint {
	target := e.Endpoint
	target.URL = s.Resolvers.Services.WebhookURLs.Open(e.EnvironmentID, target.URL)
	return channelEndpoint{
		Identifier: e.Identifier, Channel: e.Channel, ProviderID: s.Resolvers.Services.Providers.ShownOptionalID(e.ProviderID),
		IntegrationIdentifier: e.IntegrationIdentifier, ConnectionIdentifier: e.ConnectionIdentifier,
		SubscriberID: &e.SubscriberExternalID, ContextKeys: listed(e.ContextKeys), Type: e.Type, Endpoint: target,
		CreatedAt: moment(e.CreatedAt), UpdatedAt: moment(e.UpdatedAt),
	}
}

// GET /v1/channel-endpoints
func (s *server) listChannelEndpoints(ctx context.Context, in *Input) (*Reply, error) {
	q := in.query()
	page := q.page()
	order := q.order(byCreation, byChange, byRecord)
	filter := &notify.ChannelEndpointFilter{
		SubscriberID: q.text("subscriberId"), Channel: chosen(q, "channel", workflow.Channels()...),
		ProviderID: q.text("providerId"), IntegrationIdentifier: q.text("integrationIdentifier"),
		ConnectionIdentifier: q.text("connectionIdentifier"), ContextKeys: q.contextKeys(),
	}
	filter.Check(&q.problems, s.Resolvers.Services.Providers)
	if err := q.err(); err != nil {
		return nil, err
	}
	list, err := s.Resolvers.Query().ChannelEndpoints(ctx, page.First, page.After, page.Last, page.Before, page.IncludeCursor, order, filter)
	if err != nil {
		return nil, err
	}
	return pageReply(ctx, list, func(e *ent.ChannelEndpoint) string { return e.ID }, s.channelEndpoint)
}

// The columns that cursor lists can be ordered by, under their documented names.
var (
	byRecord   = column{"_id", notify.ColumnID}
	byCreation = column{"createdAt", notify.ColumnCreatedAt}
	byChange   = column{"updatedAt", notify.ColumnUpdatedAt}
)

// GET /v1/channel-endpoints/{identifier}
func (s *server) getChannelEndpoint(ctx context.Context, in *Input) (*Reply, error) {
	identifier, err := in.name("identifier", "Channel endpoint")
	if err != nil {
		return nil, err
	}
	found, err := s.Resolvers.Query().ChannelEndpointByIdentifier(ctx, identifier)
	if err != nil {
		return nil, err
	}
	return &Reply{Status: http.StatusOK, Body: s.channelEndpoint(found)}, nil
}
