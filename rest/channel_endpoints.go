package rest

import (
	"context"
	"net/http"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/integrations"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
)

var channelEndpointRoutes = []Route{{
	Method: http.MethodGet, Pattern: "/v1/channel-endpoints", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "listChannelEndpoints", Tag: tagEndpoints, Summary: "List channel endpoints", Text: "Filters combine with AND and compare exactly.",
	query: channelEndpointList, Success: http.StatusOK, answer: page("ChannelEndpointPage", one[channelEndpoint]()),
	Failures: []int{http.StatusUnprocessableEntity}, run: (*server).listChannelEndpoints,
}, {
	Method: http.MethodGet, Pattern: "/v1/channel-endpoints/{identifier}", Category: admission.CategoryConfiguration, MaxBody: maxBody,
	ID: "getChannelEndpoint", Tag: tagEndpoints, Summary: "Retrieve a channel endpoint", Text: "No context or subscriber restricts it.",
	Success: http.StatusOK, answer: one[channelEndpoint](), Failures: []int{http.StatusNotFound}, run: (*server).getChannelEndpoint,
}}

// channelEndpoint is the ChannelEndpoint of api.md. Every member is always there.
type channelEndpoint struct {
	_                     struct{}              `doc:"A place where a subscriber is reached on one integration."`
	Identifier            string                `json:"identifier"`
	Channel               *workflow.Channel     `json:"channel"`
	ProviderID            *string               `json:"providerId"`
	IntegrationIdentifier *string               `json:"integrationIdentifier"`
	ConnectionIdentifier  *string               `json:"connectionIdentifier" doc:"The connection behind it."`
	SubscriberID          *string               `json:"subscriberId"`
	ContextKeys           []string              `json:"contextKeys"`
	Type                  workflow.EndpointType `json:"type"`
	Endpoint              workflow.EndpointData `json:"endpoint" doc:"The target; its fields depend on type."`
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

// channelEndpointQuery is which channel endpoints are asked for.
type channelEndpointQuery struct {
	cursorQuery
	filter integrations.ChannelEndpointFilter
}

var channelEndpointList = append(
	cursorParameters(func(q *channelEndpointQuery) *cursorQuery { return &q.cursorQuery }, byCreation, byChange, byRecord),
	shape.Param("subscriberId", shape.Word(), "Endpoints of this subscriber.", func(q *channelEndpointQuery, v string) { q.filter.SubscriberID = &v }),
	shape.Param("channel", shape.Choice("", workflow.Channels()...).As(refTo(nameChannel)), "Exactly this one.",
		func(q *channelEndpointQuery, v workflow.Channel) { q.filter.Channel = &v }),
	shape.Param("providerId", shape.Word().As(func(d *shape.Document) schema { return schema{"type": "string", "enum": d.Enums[enumProviders]} }),
		"Endpoints of this provider.", func(q *channelEndpointQuery, v string) { q.filter.ProviderID = &v }),
	shape.Param("integrationIdentifier", shape.Word(), "Endpoints of this integration.", func(q *channelEndpointQuery, v string) { q.filter.IntegrationIdentifier = &v }),
	shape.Param("connectionIdentifier", shape.Word(), "Endpoints of this connection.", func(q *channelEndpointQuery, v string) { q.filter.ConnectionIdentifier = &v }),
)

func (s *server) listChannelEndpoints(ctx context.Context, in *Input) (*Reply, error) {
	q, err := channelEndpointList.Read(in.Request.URL.RawQuery, func(q *channelEndpointQuery, p *fault.Problems) {
		q.filter.ContextKeys = q.contextKeys
		q.filter.Check(p, s.Resolvers.Services.Providers)
	})
	if err != nil {
		return nil, err
	}
	page := q.page()
	list, err := s.Resolvers.Query().ChannelEndpoints(ctx, page.First, page.After, page.Last, page.Before, page.IncludeCursor, &q.order, &q.filter)
	if err != nil {
		return nil, err
	}
	return pageReply(ctx, in, list, func(e *ent.ChannelEndpoint) string { return e.ID }, s.channelEndpoint)
}

func (s *server) getChannelEndpoint(ctx context.Context, in *Input) (*Reply, error) {
	identifier, err := in.name("identifier", "Channel endpoint")
	if err != nil {
		return nil, err
	}
	found, err := s.Resolvers.Query().ChannelEndpointByIdentifier(ctx, identifier)
	if err != nil {
		return nil, err
	}
	return in.reply(s.channelEndpoint(found)), nil
}
