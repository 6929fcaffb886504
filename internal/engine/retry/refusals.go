package retry

import (
	"github.com/carillon/carillon/internal/provider"
	"github.com/carillon/carillon/internal/workflow"
)

// Suppressed is the failure of a message all of whose addresses are suppressed.
func Suppressed(why workflow.SuppressionReason) *provider.Error {
	return &provider.Error{Class: provider.Permanent, Code: CodeSuppressed, Text: "the address is suppressed (" + string(why) + ")"}
}

// Cancelled is the failure of a message that was cancelled while an attempt was under way, or waited for its turn.
func Cancelled() *provider.Error {
	return &provider.Error{Class: provider.Permanent, Code: CodeCancelled, Text: workflow.CancelledText}
}

// Expired is the failure of a message whose deadline has passed.
func Expired() *provider.Error {
	return &provider.Error{Class: provider.Permanent, Code: CodeDeadline, Text: "the deadline has passed"}
}
