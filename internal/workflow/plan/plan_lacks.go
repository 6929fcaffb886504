package plan

import "github.com/carillon/carillon/internal/workflow"

// lacks collects why a channel with many targets has none: the last reason that concerns the address, and the last that
// concerns an integration.
type lacks struct {
	address, integration             workflow.Reason
	addressDetail, integrationDetail string
}

func (l *lacks) noAddress(why workflow.Reason, detail string) {
	l.address, l.addressDetail = why, detail
}

func (l *lacks) noIntegration(detail string) {
	l.integration, l.integrationDetail = workflow.ReasonNoIntegration, detail
}

// reasons are those that hold when there is no target; served reports whether any integration serves the channel.
func (l *lacks) reasons(served bool) (missing []workflow.Reason, detail string) {
	if !served {
		l.noIntegration("")
	}
	if l.address != "" {
		missing, detail = append(missing, l.address), l.addressDetail
	}
	if l.integration != "" {
		missing = append(missing, l.integration)
	}
	if l.address == "" {
		detail = l.integrationDetail
	}
	return missing, detail
}
