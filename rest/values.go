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
)

const workflowRef = "A workflow by its trigger identifier, its internal id or its slug."

// The values that several requests hold.
var (
	subscriberID = shape.Text().As(workflow.SubscriberIDShape.Schema).Check(audience.CheckSubscriberID)
	// subscriptionIdentifier is any text without control characters; one that was made from topic, subscriber and context
	// may be longer than others. Those beyond U+007F are left to words: engines of regular expressions agree on ASCII alone.
	subscriptionIdentifier = shape.Matching(`^([^\x00-\x1f\x7f]{1,255}|tk=[^\x00-\x1f\x7f]+:si=[^\x00-\x1f\x7f]+)$`, shape.AtMost(workflow.MaxSubscriptionIdentifier))

	recordName = shape.Text(shape.Between(0, usecase.MaxNameLength))
	workflowID = shape.Text().Describe(workflowRef)
	contexts   = shape.Free().As(workflow.ContextShape.Schema)
)
