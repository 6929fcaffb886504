package mcpserver

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func (s *service) addSubscribers(server *mcp.Server) {
	addTool(server, readOnly("find_subscriber", "Find subscribers",
		"Finds living subscribers by identifier, e-mail address, phone number or part of a name; what is given combines with AND. Newest first."), s.findSubscriber)
	addTool(server, readOnly("get_subscriber", "Get a subscriber",
		"Returns one subscriber: profile, schedule, channels, endpoints, preferences, topic subscriptions and inbox counters; more names the lists that hold more than is shown. Device tokens and webhook URLs are secret and only counted."), s.getSubscriber)
}

type findSubscriberArguments struct {
	SubscriberID string `json:"subscriberId,omitempty" jsonschema:"the operator's identifier, exactly"`
	Email        string `json:"email,omitempty" jsonschema:"e-mail address, exactly"`
	Phone        string `json:"phone,omitempty" jsonschema:"phone number, exactly"`
	NameContains string `json:"nameContains,omitempty" jsonschema:"part of the first or last name, in either case"`
	paging
}

const findSubscriberQuery = `query($first: Int, $after: String, $filter: SubscriberFilter) {
	subscribers(first: $first, after: $after, filter: $filter) {
		nodes { subscriberId firstName lastName email phone locale timezone createdAt } pageInfo { hasNextPage endCursor } } }`

func (s *service) findSubscriber(ctx context.Context, in findSubscriberArguments) (*result, error) {
	variables, err := listVariables(in)
	if err != nil {
		return nil, err
	}
	filter := variables["filter"].(object) //nolint:forcetypeassert // listVariables made it
	if id, given := filter["subscriberId"]; given {
		delete(filter, "subscriberId")
		filter["subscriberIdIn"] = []any{id}
	}
	data, err := s.ask(ctx, findSubscriberQuery, variables)
	if err != nil {
		return nil, err
	}
	return &result{data: page(data["subscribers"])}, nil
}

type getSubscriberArguments struct {
	SubscriberID string `json:"subscriberId" jsonschema:"the operator's identifier"`
}

// getSubscriberLists are the lists of a subscriber, which are not read page by page.
var getSubscriberLists = []string{"channels", "endpoints", "preferences", "subscriptions"}

const getSubscriberQuery = `query($id: String!) { subscriberBySubscriberId(subscriberId: $id) {
	subscriberId firstName lastName email phone locale timezone data isOnline lastOnlineAt createdAt updatedAt
	schedule { isEnabled weeklySchedule { monday { ...day } tuesday { ...day } wednesday { ...day } thursday { ...day } friday { ...day } saturday { ...day } sunday { ...day } } }
	channels(first: 20) { nodes { providerId integrationIdentifier credentials { deviceTokens webhookUrl channel } } pageInfo { hasNextPage } }
	endpoints(first: 20) { nodes { identifier channel providerId integrationIdentifier type contextKeys } pageInfo { hasNextPage } }
	preferences(first: 50) { nodes { workflow { identifier } contextKeys enabled channels { email sms inApp chat push } } pageInfo { hasNextPage } }
	subscriptions(first: 50) { nodes { topic { key } } pageInfo { hasNextPage } }
	inbox { total unread unseen } } }
	fragment day on DaySchedule { isEnabled hours { start end } }`

func (s *service) getSubscriber(ctx context.Context, in getSubscriberArguments) (*result, error) {
	data, err := s.ask(ctx, getSubscriberQuery, object{"id": in.SubscriberID})
	if err != nil {
		return nil, err
	}
	subscriber, _ := data["subscriberBySubscriberId"].(object)
	var more []string
	for _, name := range getSubscriberLists {
		connection, _ := subscriber[name].(object)
		subscriber[name] = connection["nodes"]
		if info, _ := connection["pageInfo"].(object); info["hasNextPage"] == true {
			more = append(more, name)
		}
	}
	if more != nil {
		subscriber["more"] = more
	}
	shortenValues(subscriber, "data")
	channels, _ := subscriber["channels"].([]any)
	for _, item := range channels {
		setting, _ := item.(object)
		credentials, _ := setting["credentials"].(object)
		tokens, _ := credentials["deviceTokens"].([]any)
		webhook, _ := credentials["webhookUrl"].(string)
		setting["credentials"] = object{"deviceTokens": len(tokens), "webhookUrl": webhook != "", "channel": credentials["channel"]}
	}
	return &result{data: subscriber}, nil
}
