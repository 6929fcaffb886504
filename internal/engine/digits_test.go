package engine_test

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/condition"
)

// Whole numbers keep all their digits on the way from the payload into texts and keys, and are numbers all the same.
func TestDigitsOfNumbers(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.virtual(year25)
	b.subscriber("u1")
	keyed := tenMinutes()
	keyed.DigestKey = "big"
	step := inAppStep(`{{payload.big}} {{payload.list[0].huge}}{% if payload.big > 9000000000000000 %} more{% endif %}{% if payload.big < 5 %} less{% endif %}`)
	step.Filters = []condition.StepFilter{{Type: "GROUP", Value: "AND", Children: []condition.FieldFilterPart{
		{Field: "big", Value: "9000000000000000", Operator: "LARGER", On: condition.OnPayload},
		{Field: "list.0.huge", Value: "12345678901234567890", Operator: "EQUAL", On: condition.OnPayload},
	}}}
	collected := inAppStep(digested)
	collected.StepID = "collected"
	wf := b.workflow(workflow.Definition{Steps: []workflow.Step{step, digestStep(keyed), collected}})
	for minute, big := range []string{"9007199254740992", "9007199254740993", "9007199254740993"} {
		b.numbered(wf, float64(minute), minute, func(payload map[string]any) {
			payload["big"] = json.Number(big)
			payload["list"] = []any{map[string]any{"huge": json.Number("12345678901234567890")}}
		})
	}
	b.until(100)
	require.Equal(t, []string{
		"0 9007199254740992 12345678901234567890 more",
		"1 9007199254740993 12345678901234567890 more",
		"2 9007199254740993 12345678901234567890 more",
		"10 1: 0 of 0", "11 2: 1 2 of 1",
	}, b.inbox())
}
