package usecase

import (
	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/internal/fault"
)

// The codes of items that failed (decisions.md §7).
const (
	ItemSubscriberNotFound       = "SUBSCRIBER_NOT_FOUND"
	ItemSubscriptionLimit        = "SUBSCRIPTION_LIMIT_EXCEEDED"
	ItemSubscriptionCreateFailed = "SUBSCRIPTION_CREATE_FAILED"
	ItemSubscriptionNotFound     = "SUBSCRIPTION_NOT_FOUND"
	ItemInvalidRequest           = "INVALID_REQUEST"
)

// UnknownSubscriber is what an item error shows of a subscriber that the item did not name.
const UnknownSubscriber = "unknown"

// CodeAllItemsFailed is the code of a call of which nothing succeeded.
const CodeAllItemsFailed = "ALL_ITEMS_FAILED"

// ItemError says why one item of a call failed.
type ItemError struct {
	SubscriberID string // as given, or "unknown"
	Code         string // one of the Item constants
	Message      string // names the id
}

// ItemsMeta counts the items of a call.
type ItemsMeta struct {
	TotalCount int // items given
	Successful int // records in Data
	Failed     int // Errors
}

// SubscriptionsResult answers a call that handles several subscriptions, each item by itself.
type SubscriptionsResult struct {
	Data   []*ent.Subscription
	Meta   ItemsMeta
	Errors []*ItemError
	Verb   string
}

// DeletedIDs returns the global ids of the subscriptions, which a deletion answers.
func (r *SubscriptionsResult) DeletedIDs() []string { return GlobalIDs(r.Data) }

// Count completes the totals of a result of so many given items.
func (r *SubscriptionsResult) Count(given int) *SubscriptionsResult {
	r.Meta = ItemsMeta{TotalCount: given, Successful: len(r.Data), Failed: len(r.Errors)}
	return r
}

// Refusal is the failure that the documented route answers when not one item succeeded, else nil. It is decided after
// the commit: what the call made on the way, such as the topic, stays.
func (r *SubscriptionsResult) Refusal() error {
	if r.Meta.Failed == 0 || r.Meta.Successful > 0 {
		return nil
	}
	return &fault.Error{
		Kind: fault.BadRequest, Code: CodeAllItemsFailed,
		Message: "None of the subscriptions could be " + r.Verb + ".",
		Details: map[string]any{"data": r.Data, "meta": r.Meta, "errors": r.Errors},
	}
}
