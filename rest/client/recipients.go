package client

import "encoding/json"

// Recipients says whom an event is for.
func Recipients(list ...Recipient) TriggerRequest_To {
	return TriggerRequest_To{union: encoded(list)}
}

// RecipientID is a subscriber by the operator's identifier; created when unknown.
func RecipientID(subscriberID string) Recipient { return Recipient{union: encoded(subscriberID)} }

// RecipientProfile is a subscriber, created or updated by the event.
func RecipientProfile(profile SubscriberRecipient) Recipient {
	return Recipient{union: encoded(profile)}
}

// RecipientTopic is the subscribers of a topic, except some.
func RecipientTopic(topicKey string, exclude ...string) Recipient {
	return Recipient{union: encoded(TopicRecipient{TopicKey: topicKey, Exclude: exclude})}
}

// SubscriptionOf subscribes a subscriber to a topic.
func SubscriptionOf(subscriberID string) CreateSubscriptionsRequest_Subscriptions {
	return CreateSubscriptionsRequest_Subscriptions{union: encoded(subscriberID)}
}

// encoded is the JSON of a value. One that has none, such as data with a channel in it, becomes a text that is no JSON and
// says why, so that the call fails before it is sent.
func encoded(value any) json.RawMessage {
	raw, err := json.Marshal(value)
	if err != nil {
		return json.RawMessage(err.Error())
	}
	return raw
}
