package alerts

import (
	"fmt"
	"strconv"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Counts is what was counted for a rule.
type Counts struct {
	Messages     int        // of the window; for a volume of subscribers those of the one who got most
	Finished     int        // of them, that were sent or have failed
	Failed       int        // of them
	Latest       *time.Time // when the latest message was made; nil: none is known
	Unhealthy    int        // integrations
	OldestDue    *time.Time // since when the oldest due row has waited; nil: nothing is due
	Unknown      bool       // it was not found out
	WatchedSince time.Time  // when the rule was made
}

// Measure makes the figure of a condition.
func Measure(condition workflow.AlertCondition, minimum int, c Counts, now time.Time) Figure {
	if c.Unknown {
		return Figure{Unknown: true}
	}
	var value float64
	switch condition {
	case workflow.AlertFailureRate:
		if c.Finished < max(minimum, 1) {
			return Figure{}
		}
		value = 100 * float64(c.Failed) / float64(c.Finished)
	case workflow.AlertUnhealthyIntegration:
		value = float64(c.Unhealthy)
	case workflow.AlertLag:
		if c.OldestDue != nil {
			value = max(now.Sub(*c.OldestDue).Seconds(), 0)
		}
	case workflow.AlertNoMessages:
		since := c.WatchedSince
		if c.Latest != nil && c.Latest.After(since) {
			since = *c.Latest
		}
		value = max(now.Sub(since).Minutes(), 0)
	case workflow.AlertVolume, workflow.AlertSubscriberVolume:
		value = float64(c.Messages)
	}
	return Figure{Value: &value}
}

// Describe says in one sentence what a rule has found, for messages that show nothing else.
func Describe(condition workflow.AlertCondition, value *float64, windowMinutes int) string {
	if value == nil {
		return "There is too little to judge by."
	}
	n, tenths, window := strconv.FormatFloat(*value, 'f', -1, 64), strconv.FormatFloat(*value, 'f', 1, 64), counted(strconv.Itoa(windowMinutes), "minute")
	switch condition {
	case workflow.AlertFailureRate:
		return fmt.Sprintf("%s %% of the messages of %s failed.", tenths, window)
	case workflow.AlertUnhealthyIntegration:
		return fmt.Sprintf("Unhealthy integrations: %s.", n)
	case workflow.AlertLag:
		return fmt.Sprintf("The oldest due row has waited for %s seconds.", tenths)
	case workflow.AlertNoMessages:
		return fmt.Sprintf("There was no message for %s minutes.", tenths)
	case workflow.AlertSubscriberVolume:
		return fmt.Sprintf("One subscriber got %s in %s.", counted(n, "message"), window)
	}
	return fmt.Sprintf("Messages in %s: %s.", window, n)
}

func counted(n, unit string) string {
	if n == "1" {
		return n + " " + unit
	}
	return n + " " + unit + "s"
}
