package rest

import (
	"strings"

	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
)

// overrides are the settings that a trigger brings along (decisions.md §12, Overrides). Members that are not named here
// are provider ids, or stored and ignored.
func overrides(d *shape.Document) schema {
	return d.Named("Overrides", func() schema {
		provider := d.Named("ProviderOverrides", func() schema {
			return open("Settings for one provider, merged into its requests.", schema{
				workflow.PassthroughKey: shape.Record("Merged into the provider's request last and as it is.", schema{
					"body": anything("Members of the body."), "headers": anything("Headers."), "query": anything("Parameters."),
				}),
			})
		})
		providers := mapOf("Settings by provider id.", provider)
		return open("Settings for this trigger. A provider id as key holds what its section names and members of its requests. "+storableText, schema{
			"steps": mapOf("Settings by step.", d.Named("StepOverrides", func() schema {
				return shape.Record("Settings for one step.", schema{"providers": providers, "layoutId": layoutID()})
			})),
			"channels":         shape.Record("Settings by channel.", schema{"email": shape.Record("All e-mails.", schema{"layoutId": layoutID()})}),
			"providers":        providers,
			"email":            emailOverrides(d),
			"sms":              smsOverrides(d),
			"push":             legacyOverrides("Settings for all push messages, handed to the provider."),
			"chat":             legacyOverrides("Settings for all chat messages, handed to the provider."),
			"layoutIdentifier": text("The layout of all e-mails."),
			"delay":            delayOverride(d),
			"severity":         shape.Ref(nameSeverity),
			"deadline":         schema{"type": "string", "format": "date-time", "description": "Nothing is sent from then on."},
		})
	})
}

func emailOverrides(d *shape.Document) schema {
	addresses := func(description string) schema {
		return list(description, schema{"type": "string"}, shape.AtMost(workflow.MaxOverrideAddresses))
	}
	return d.Named("EmailOverrides", func() schema {
		return shape.Record("Settings for all e-mails.", schema{
			"to": addresses("Further recipients."), "cc": addresses("Copies."), "bcc": addresses("Blind copies."),
			"from": text("The sender's address."), "senderName": text("The sender's name."), "replyTo": text("Where replies go."),
			"text": text("The plain text."), "replaceToRecipient": flag("Whether the addresses in to replace the subscriber's own."),
			"integrationIdentifier": text("The integration to send through."), "ipPoolName": text("The provider's pool of addresses."),
			"headers":    mapOf("Further headers.", schema{"type": "string"}),
			"customData": anything("Data for the provider."),
		})
	})
}

func smsOverrides(d *shape.Document) schema {
	return d.Named("SMSOverrides", func() schema {
		return shape.Record("Settings for all text messages.", schema{
			"to": text("The recipient's number."), "from": text("The sender."), "content": text("The text."),
			"integrationIdentifier": text("The integration to send through."),
		})
	})
}

func delayOverride(d *shape.Document) schema {
	return d.Named("DelayOverride", func() schema {
		return shape.Record("How long regular delays and digests take.", schema{
			"amount": schema{"type": "integer", "minimum": 1, "maximum": workflow.MaxAmount, "description": "How many units: " + amounts() + "."},
			"unit":   enum("The unit.", workflow.UnitDays.Values()...),
		}, "amount", "unit")
	})
}

// amounts says how many of each unit of time there may be.
func amounts() string {
	var parts []string
	for _, unit := range workflow.UnitDays.Values() {
		parts = append(parts, thousands(workflow.Unit(unit).Most())+" "+unit)
	}
	return "at most " + strings.Join(parts, ", ")
}

func legacyOverrides(description string) schema {
	return open(description, schema{"integrationIdentifier": text("The integration to send through.")})
}

func layoutID() schema { return orNull(text("The layout; null: none.")) }
