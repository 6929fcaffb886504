package plan

import (
	"fmt"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/workflow"
)

// emailTarget resolves the addresses of a mail. left names those of them that are none, since the others get it all the same.
func (in *PlanInput) emailTarget(t *Target) (why workflow.Reason, left string) {
	over := in.Overrides.ForStep("", workflow.ChannelEmail, t.ProviderID).Email
	type named struct{ name, address string }
	var addresses []named
	if in.Profile.Email != "" && (over == nil || !over.ReplaceToRecipient || len(over.To) == 0) {
		addresses = append(addresses, named{"that of the subscriber", in.Profile.Email})
	}
	if over != nil {
		for i, a := range over.To {
			addresses = append(addresses, named{fmt.Sprintf("overrides.email.to.%d", i), a})
		}
	}
	if len(addresses) == 0 {
		return workflow.ReasonNoAddress, ""
	}
	invalid := 0
	for _, a := range addresses {
		address := strings.TrimSpace(a.address)
		if !workflow.ValidEmail(address) {
			if invalid++; invalid == 1 {
				left = "invalid e-mail address: " + a.name
			}
			continue
		}
		if !slices.Contains(t.To, address) {
			t.To = append(t.To, address)
		}
	}
	if invalid > 1 {
		left += fmt.Sprintf(" and %d more", invalid-1)
	}
	if len(t.To) == 0 {
		return workflow.ReasonInvalidAddress, left
	}
	return "", left
}

func (in *PlanInput) smsTarget(t *Target) workflow.Reason {
	phone := in.Profile.Phone
	if over := in.Overrides.ForStep("", workflow.ChannelSMS, t.ProviderID).SMS; over != nil && over.To != "" {
		phone = over.To
	}
	if phone = workflow.PlainPhone(phone); phone == "" {
		return workflow.ReasonNoAddress
	}
	if !workflow.ValidPhone(phone) {
		return workflow.ReasonInvalidAddress
	}
	t.Phone = phone
	return ""
}
