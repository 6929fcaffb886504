package rest

import (
	"fmt"

	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// The bounds of what a caller sends, in words. They are those that are enforced, and tests send what lies at them and beyond.
var (
	conditionText = fmt.Sprintf("JSON Logic over payload, subscriber, actor and context; when given, it decides. At most %d levels deep, %s values and %d KiB of JSON. Without the character U+0000 and without numbers beyond a double.", condition.MaxRuleDepth, shape.Grouped(condition.MaxRuleValues), usecase.MaxDataBytes>>10)
	contextText   = fmt.Sprintf("Contexts by type: an id, or an id with data of at most %d KiB. A context that is not known yet is created; a known one keeps its data.", workflow.MaxContextData>>10)
)

const (
	identifierText = "1 to 255 letters, digits and - _ . : @ | + = ~ /; blanks at the ends are trimmed."
	workflowRef    = "A workflow by its trigger identifier, its internal id or its slug."
)

// The values that several requests hold.
var (
	// identifierPattern is what identifierText says.
	identifierPattern = `^\s*[A-Za-z0-9_.:@|+=~/-]{1,255}\s*$`

	subscriberID     = shape.Matching(identifierPattern).Describe("The operator's identifier of a subscriber: " + identifierText).Check(audience.CheckSubscriberID)
	tenantIdentifier = shape.Matching(identifierPattern).Describe("The tenant's identifier: " + identifierText)
	// subscriptionIdentifier is any text without control characters; one that was made from topic, subscriber and context
	// may be longer than others.
	subscriptionIdentifier = shape.Matching(`^([^\x00-\x1f\x7f-\x9f]{1,255}|tk=[^\x00-\x1f\x7f-\x9f]+:si=[^\x00-\x1f\x7f-\x9f]+)$`, shape.AtMost(workflow.MaxSubscriptionIdentifier))

	recordName = shape.Text(shape.Between(0, usecase.MaxNameLength))
	workflowID = shape.Text().Describe(workflowRef)
	contexts   = shape.Free().As(contextMap)
)

func contextMap(d *shape.Document) schema {
	return d.Named("ContextMap", func() schema {
		const part = "^[A-Za-z0-9_-]{1,100}$"
		return schema{
			"type": "object", "minProperties": 1, "maxProperties": workflow.MaxContexts, "propertyNames": schema{"pattern": part},
			"description": contextText,
			"additionalProperties": oneOf("The id of a context, or the context.", schema{"type": "string", "pattern": part},
				shape.Record("A context with data.", schema{
					"id": schema{"type": "string", "pattern": part, "description": "The context's id."}, "data": anything("What is kept of a new context. " + shape.StorableText),
				}, "id")),
		}
	})
}
