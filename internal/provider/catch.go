package provider

import "context"

// longestTarget bounds the target of a caught message, in bytes.
const longestTarget = 1024

// Caught hands a message to the catcher and gives the receipt of a demo sender, whose id is our own message id. Overrides and channel
// settings may name a target of any length, which is cut to what the catcher's index takes.
func Caught(ctx context.Context, d Deps, m CaughtMessage) (*Receipt, error) {
	if d.Catcher == nil {
		return nil, Failf(Fault, "this server has no catcher")
	}
	m.Target = bounded(m.Target, longestTarget)
	if err := d.Catcher.Catch(ctx, m); err != nil {
		return nil, Failf(Transient, "the catcher could not store the message")
	}
	return &Receipt{ID: m.MessageID}, nil
}

// TakeQuota counts a message that goes out on the operator's demo credentials; an error when the cap is reached.
func TakeQuota(ctx context.Context, d Deps, providerID, messageID string) error {
	if d.Quota == nil {
		return nil
	}
	ok, err := d.Quota.Take(ctx, providerID, messageID)
	if err != nil {
		return Failf(Transient, "the demo quota could not be read")
	}
	if !ok {
		return &Error{Class: Permanent, Code: "DEMO_QUOTA", Text: "the monthly quota of the demo sender is used up"}
	}
	return nil
}

// Object is m, or an empty object where a vendor's field must be one.
func Object(m map[string]any) map[string]any {
	if m == nil {
		return map[string]any{}
	}
	return m
}
