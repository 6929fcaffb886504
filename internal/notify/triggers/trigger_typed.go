package triggers

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/usecase"
)

// encode turns the typed fields into the documented form, unless the event came in it. Problems are those that the
// documented form cannot express.
func (in *TriggerInput) encode() error {
	if in.document != nil {
		return nil
	}
	if len(in.To) > maxTypedRecipients {
		return fault.Invalidf("to", "must not hold more than %d items", maxTypedRecipients)
	}
	var problems fault.Problems
	typed, err := json.Marshal(map[string]any{
		"name": in.Name, "to": in.untypeRecipients(&problems), "payload": in.Payload, "overrides": in.Overrides, "transactionId": in.TransactionID,
		"actor": in.Actor, "tenant": in.Tenant, "tenantIdentifier": in.TenantIdentifier, "context": in.Context,
	})
	if err != nil {
		return fmt.Errorf("read a typed event: %w", err)
	}
	var document map[string]any // plain values only: the typed ones held pointers
	if err := usecase.DecodeJSON(typed, &document); err != nil {
		return fmt.Errorf("read a typed event: %w", err)
	}
	untypeContexts(&problems, document)
	untypeTenant(&problems, document)
	if problems.Any() {
		return problems.Err()
	}
	in.document, err = json.Marshal(document)
	return err
}

// maxTypedRecipients is what fits into an event, each with one character.
const maxTypedRecipients = MaxEventBytes / len(`"a",`)

// untypeRecipients are the one field that each recipient holds. Audiences are kept apart, and leave their places empty.
func (in *TriggerInput) untypeRecipients(p *fault.Problems) []any {
	to := make([]any, len(in.To))
	in.audiences = map[int]string{}
	for i, r := range in.To {
		given := 0
		if r != nil && r.SubscriberID != nil {
			to[i], given = *r.SubscriberID, given+1
		}
		if r != nil && r.Subscriber != nil {
			to[i], given = r.Subscriber, given+1
		}
		if r != nil && r.Topic != nil {
			to[i], given = r.Topic, given+1
		}
		if r != nil && r.Audience != nil {
			in.audiences[i], given = *r.Audience, given+1
		}
		if given != 1 {
			p.Add("to."+strconv.Itoa(i), nil, "must hold exactly one of subscriberId, subscriber, topic and audience")
		}
	}
	return to
}

// typedPath is where a caller of typed fields has what the documented form has at path; path itself where both agree, as for
// an event that came in that form.
func (in *TriggerInput) typedPath(path string) string {
	field, rest, _ := strings.Cut(path, ".")
	switch {
	case path == "tenant" && in.TenantIdentifier != nil:
		return "tenantIdentifier"
	case field == "to":
		position, member, _ := strings.Cut(rest, ".")
		i, err := strconv.Atoi(position)
		if err != nil || member == "" || i >= len(in.To) || in.To[i] == nil {
			return path
		}
		switch to := in.To[i]; {
		case to.Subscriber != nil:
			return "to." + position + ".subscriber." + member
		case to.Topic != nil:
			return "to." + position + ".topic." + member
		}
	case field == "context":
		for i, c := range in.Context {
			if member, within := strings.CutPrefix(rest, c.Type+"."); within {
				return "context." + strconv.Itoa(i) + "." + member
			} else if rest == c.Type {
				return "context." + strconv.Itoa(i) + ".type"
			}
		}
	}
	return path
}

// untypeContexts turns the list of contexts into an object by type.
func untypeContexts(p *fault.Problems, document map[string]any) {
	list, ok := document["context"].([]any)
	if !ok {
		return
	}
	contexts := make(map[string]any, len(list))
	for i, typed := range list {
		object, _ := typed.(map[string]any)
		kind, _ := object["type"].(string)
		if _, twice := contexts[kind]; twice {
			p.Add("context."+strconv.Itoa(i)+".type", kind, "must not occur twice")
		}
		contexts[kind] = map[string]any{"id": object["id"], "data": object["data"]}
	}
	document["context"] = contexts
}

// untypeTenant puts an existing tenant's identifier in the place of the tenant.
func untypeTenant(p *fault.Problems, document map[string]any) {
	identifier := document["tenantIdentifier"]
	delete(document, "tenantIdentifier")
	switch {
	case identifier == nil:
	case document["tenant"] != nil:
		p.Add("tenantIdentifier", nil, "must not be given together with tenant")
	default:
		document["tenant"] = identifier
	}
}
