package workflow

import "slices"

// Weekdays are the names of the days, as schedules use them.
func Weekdays() []string { return slices.Clone(weekdayKeys[:]) }

// FilterTypes are the documented types of a StepFilter.
func FilterTypes() []string { return slices.Clone(filterTypes) }

// FilterOperators are the documented operators of a comparison.
func FilterOperators() []string { return slices.Clone(filterOperators) }

// IssueTypes are the documented kinds of a step's issue.
func IssueTypes() []string {
	return []string{
		IssueIllegalVariable, IssueInvalidFilterArg, IssueMissingValue, IssueTierLimit, IssueMissingIntegration, IssueInboxNotConnected,
	}
}
