package workflow

// The fields of a TraceEntry that may be without a value, as doors show them: nil then.

// StepOrNil is the step.
func (t TraceEntry) StepOrNil() *string { return orNil(t.StepID) }

// ChannelOrNil is the channel.
func (t TraceEntry) ChannelOrNil() *Channel { return orNil(t.Channel) }

// DetailOrNil is the text for a person.
func (t TraceEntry) DetailOrNil() *string { return orNil(t.Detail) }

// IntegrationOrNil is the integration's id.
func (t TraceEntry) IntegrationOrNil() *string { return orNil(t.IntegrationID) }

// MessageOrNil is the message's id.
func (t TraceEntry) MessageOrNil() *string { return orNil(t.MessageID) }

// AttemptOrNil is the number of the attempt.
func (t TraceEntry) AttemptOrNil() *int { return orNil(t.Attempt) }

func orNil[T comparable](v T) *T {
	if v == *new(T) {
		return nil
	}
	return &v
}
