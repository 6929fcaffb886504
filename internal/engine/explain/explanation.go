package explain

import (
	"time"

	"github.com/carillon/carillon/internal/engine/state"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/plan"
)

// Explanation is what an event would do.
type Explanation struct {
	Status        workflow.TriggerStatus
	Error         []string
	TransactionID *string
	Repeated      bool // the transactionId was used before, so that nothing would happen
	WorkflowID    *string
	VersionID     *string
	Now           time.Time // the environment's clock
	Invalid       []workflow.InvalidRecipient
	Recipients    []*ExplainedRecipient
	Next          *string // cursor of the recipients behind these; nil: there are none
}

// ExplainedRecipient is what an event would do for one subscriber.
type ExplainedRecipient struct {
	SubscriberID string
	Created      bool     // the subscriber would be created
	Topics       []string // identifiers of the subscriptions that let the event pass
	Reached      bool
	Reason       *workflow.Reason      // why not
	Condition    *condition.ReasonNode // of a subscription that does not pass
	Status       workflow.RunStatus    // of the run in the end
	Steps        []*ExplainedStep
}

// ExplainedStep is one decision of a run.
type ExplainedStep struct {
	Step     *workflow.Step // nil: the whole run is meant
	Decision plan.DecisionKind
	At       time.Time
	Until    *time.Time
	Channel  workflow.Channel
	Reason   workflow.Reason
	Reasons  []workflow.Reason // all of them, when there are several
	Detail   string
	Why      *condition.ReasonNode // of the condition that decided
	Variant  *workflow.Variant     // whose content was chosen
	Message  *ExplainedMessage     // of a send
}

// ExplainedMessage is what a send would send, where to and through what.
type ExplainedMessage struct {
	IntegrationID         string
	IntegrationIdentifier string
	ProviderID            string
	Target                string   // key of the target
	To                    []string // addresses
	Subject               *string
	Title                 *string
	Avatar                *string
	Content               *workflow.MessageContent
	CTA                   *workflow.CTA
	Data                  map[string]any
}

// The fields of an ExplainedStep that may be without a value, as the API shows them: nil then.

// StepID is the author's name of the step.
func (s *ExplainedStep) StepID() *string {
	if s.Step == nil {
		return nil
	}
	return &s.Step.StepID
}

// Type is the step's type.
func (s *ExplainedStep) Type() *workflow.StepType {
	if s.Step == nil {
		return nil
	}
	return &s.Step.Type
}

// VariantName is the chosen variant's name.
func (s *ExplainedStep) VariantName() *string {
	if s.Variant == nil {
		return nil
	}
	return &s.Variant.Name
}

// ChannelOrNil is the channel of a channel step.
func (s *ExplainedStep) ChannelOrNil() *workflow.Channel {
	if s.Channel == "" {
		return nil
	}
	return &s.Channel
}

// DetailOrNil is the text for a person.
func (s *ExplainedStep) DetailOrNil() *string { return state.NotEmpty(s.Detail) }

// AllReasons are the reasons in the order in which they count, the first included.
func (s *ExplainedStep) AllReasons() []workflow.Reason {
	if len(s.Reasons) > 0 {
		return s.Reasons
	}
	return []workflow.Reason{s.Reason}
}

// Chain is the condition that decided as a printed tree.
func (s *ExplainedStep) Chain() *string {
	if s.Why == nil {
		return nil
	}
	return state.NotEmpty(s.Why.String())
}
