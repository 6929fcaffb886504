package condition

// Budget bounds the steps of a page of recipients, who may have written their conditions themselves: all evaluations of a recipient
// share the steps of one, and those of a recipient who comes after the page has taken budgetSteps share lateSteps. A nil budget
// gives each evaluation the steps of one.
type Budget struct{ taken, left int }

const (
	budgetSteps = 2_000_000
	lateSteps   = 20_000 // enough to look a value up in the longest list of a payload
)

// Next begins the evaluations of the next recipient.
func (b *Budget) Next() {
	switch {
	case b == nil:
	case b.taken < budgetSteps:
		b.left = maxRuleSteps
	default:
		b.left = lateSteps
	}
}

// most is how many steps the next evaluation may take.
func (b *Budget) most() int {
	if b == nil {
		return maxRuleSteps
	}
	return b.left
}

func (b *Budget) take(steps int) {
	if b != nil {
		b.taken, b.left = b.taken+steps, max(b.left-steps, 0)
	}
}
