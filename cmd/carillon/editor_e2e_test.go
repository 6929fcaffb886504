//go:build e2e

package main_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestJourneyEditor builds a workflow from fields alone: a timed digest, an e-mail of blocks with a variant, the payload's
// schema and the workflow's settings.
func TestJourneyEditor(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createWorkflow(input: {name: "Weekly", identifier: "weekly", publish: false, definition: {steps: []}}) { id } }`, nil, nil)
	b := o.logIn(t, "/workflows/weekly")

	b.fill("Add a step", "DIGEST")
	b.fill("Kind", "TIMED")
	b.fill("At", "08:30")
	b.fill("Every", "2")
	b.fill("Every: unit", "MONTHS")
	b.fill("Days of the month", "ON")
	b.fill("Which", "LAST")
	b.fill("Day", "FRIDAY")
	b.look("timed")
	b.fill("Every: unit", "WEEKS")
	b.click("checkbox", "Friday")

	b.fill("Add a step", "EMAIL")
	b.fill("Subject", "Your week, {{ subscriber.firstName }}")
	b.fill("Body as", "blocks")
	b.fill("Text 1", "{{ payload.count }} events")
	b.click("button", "Add button")
	b.fill("Button 2: text", "See all")
	b.fill("Button 2: URL", "https://example.org/events")
	b.fill("Block 2: alignment", "CENTER")
	b.click("button", "Move block 2 up")
	b.sees("Your week, Jane")
	b.fill("Example payload (JSON)", `{"count": 12}`)
	b.holds(`document.querySelector('iframe.mail')?.srcdoc.match(/See all[^]*12 events/)`)
	b.look("blocks")

	b.click("button", "Add variant")
	b.fill("Variant name", "Quiet week")
	b.click("button", "Add a condition")
	b.fill("Field 1", "count")
	b.fill("Operator 1", "SMALLER")
	b.fill("Value 1", "3")
	b.fill("Subject", "A quiet week")
	b.sees("Preview")
	b.poll(`[...document.querySelectorAll('strong')].some((e) => e.innerText === 'A quiet week')`, "the variant's preview")
	b.look("variant")

	b.click("button", "Add payload field")
	b.fill("Payload field 1", "count")
	b.fill("Type 1", "integer")
	b.fill("Description 1", "How many events there were.")
	b.click("checkbox", "Required 1")
	b.click("checkbox", "Reject triggers with an invalid payload")
	b.fill("Tags", "digest, weekly")
	b.fill("Severity", "LOW")
	b.click("checkbox", "SMS")
	b.click("button", "Publish")
	b.sees("Published as version 1.")

	var out struct {
		WorkflowByReference struct {
			Issues []object
			Draft  struct {
				Steps           []object
				PayloadSchema   object
				ValidatePayload bool
				Tags            []string
				Severity        string
				Preferences     object
			}
		}
	}
	o.ask(t, `{ workflowByReference(reference: "weekly") { issues { message } draft { payloadSchema validatePayload tags severity preferences { sms email }
		steps { type digest { type amount unit timed { atTime weekDays monthDays ordinal } } email { subject html blocks { type content url styles { textAlign } } }
			variants { name filters { children { on field operator value } } email { subject } } } } } }`, nil, &out)
	w := out.WorkflowByReference
	require.Empty(t, w.Issues)
	require.Equal(t, object{"type": "object", "required": []any{"count"}, "properties": map[string]any{
		"count": map[string]any{"type": "integer", "description": "How many events there were."},
	}}, w.Draft.PayloadSchema)
	require.True(t, w.Draft.ValidatePayload)
	require.Equal(t, []string{"digest", "weekly"}, w.Draft.Tags)
	require.Equal(t, "LOW", w.Draft.Severity)
	require.Equal(t, object{"sms": false, "email": nil}, w.Draft.Preferences)
	require.Len(t, w.Draft.Steps, 2)
	require.Equal(t, map[string]any{"type": "TIMED", "amount": 2., "unit": "WEEKS", "timed": map[string]any{
		"atTime": "08:30", "weekDays": []any{"MONDAY", "FRIDAY"}, "monthDays": nil, "ordinal": nil,
	}}, w.Draft.Steps[0]["digest"])
	require.Equal(t, map[string]any{"subject": "Your week, {{ subscriber.firstName }}", "html": "", "blocks": []any{
		map[string]any{"type": "BUTTON", "content": "See all", "url": "https://example.org/events", "styles": map[string]any{"textAlign": "CENTER"}},
		map[string]any{"type": "TEXT", "content": "{{ payload.count }} events", "url": "", "styles": nil},
	}}, w.Draft.Steps[1]["email"])
	require.Equal(t, []any{map[string]any{"name": "Quiet week", "email": map[string]any{"subject": "A quiet week"}, "filters": []any{
		map[string]any{"children": []any{map[string]any{"on": "PAYLOAD", "field": "count", "operator": "SMALLER", "value": "3"}}},
	}}}, w.Draft.Steps[1]["variants"])

	b.open("/dashboard/workflows/weekly/test")
	b.click("button", "Explain")
	b.sees("count") // the payload lacks it, and the refusal says so
	b.fill("Payload (JSON)", `{"count": 2}`)
	b.click("button", "Explain")
	b.sees("What would happen")
}
