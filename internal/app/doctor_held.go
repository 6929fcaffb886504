package app

import (
	"cmp"
	"context"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgupkeep"
)

// breakers names the integrations that are not called: their messages wait, or end in an error.
func (d *doctor) breakers(ctx context.Context, db *postgres.DB) {
	open, err := pgupkeep.OpenBreakers(ctx, db, listed)
	if err != nil {
		d.failed("breakers", err)
		return
	}
	for _, b := range open {
		since := ""
		if b.Since != nil {
			since = " since " + d.now().Sub(*b.Since).Round(time.Second).String()
		}
		d.warn("breakers", "correct what the cause names; the integration is tried again by itself, or at once after resetIntegrationBreaker (monitoring.md, section 6)",
			"the integration %s of environment %s is not called%s: %s", b.Integration, b.Environment, since, cmp.Or(b.Cause, "its calls fail"))
	}
	if len(open) == 0 {
		d.ok("breakers", "every integration is called")
	}
}

// pauses names what is held until it is resumed: it is not late, so that nothing else tells of one that was forgotten.
func (d *doctor) pauses(ctx context.Context, db *postgres.DB) {
	lasting, err := pgupkeep.LastingPauses(ctx, db, listed)
	if err != nil {
		d.failed("pauses", err)
		return
	}
	for _, p := range lasting {
		of := "environment " + p.Environment
		if p.Target != "" {
			of = p.Kind + " " + p.Target + " of " + of
		}
		reason := ""
		if p.Reason != "" {
			reason = " (" + strings.TrimSpace(p.Reason) + ")"
		}
		d.warn("pauses", "`carillon repair resume "+p.ID+"` when they may continue",
			"the deliveries of %s are held since %s%s", of, d.now().Sub(p.Since).Round(time.Second), reason)
	}
	if len(lasting) == 0 {
		d.ok("pauses", "nothing is held")
	}
}
