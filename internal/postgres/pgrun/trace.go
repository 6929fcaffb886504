package pgrun

import (
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/workflow"
)

// Repeats reports whether one of the entries may repeat an earlier one, so that the trace they join has to be folded.
func Repeats(entries []workflow.TraceEntry) bool {
	return slices.ContainsFunc(entries, workflow.TraceEntry.Repeats)
}

// Folded is the SQL of a trace in which repetitions are one entry: those of one reason at one step about one message, or
// about none. The entry stays in the place of the first, counts them, and has the details of the latest. It costs more than
// to append, which is why only what repeats is folded.
func Folded(trace string) string {
	reasons := workflow.RepeatingReasons()
	names := make([]string, len(reasons))
	for i, r := range reasons {
		names[i] = "'" + string(r) + "'"
	}
	return `(SELECT coalesce(jsonb_agg(CASE WHEN f.times IS NULL THEN f.latest
		ELSE f.latest || jsonb_build_object('at', f.first_at, 'lastAt', f.last_at, 'count', f.times) END ORDER BY f.place), '[]')
	FROM (SELECT min(t.place) AS place, (array_agg(t.entry ORDER BY t.place DESC))[1] AS latest,
			(array_agg(t.entry -> 'at' ORDER BY t.place))[1] AS first_at,
			(array_agg(coalesce(t.entry -> 'lastAt', t.entry -> 'at') ORDER BY t.place DESC))[1] AS last_at,
			CASE WHEN count(*) > 1 THEN sum(coalesce((t.entry ->> 'count')::int, 1)) END AS times
		FROM jsonb_array_elements(` + trace + `) WITH ORDINALITY AS t (entry, place)
		GROUP BY CASE WHEN t.entry ->> 'reason' IN (` + strings.Join(names, ", ") + `) THEN 0 ELSE t.place END,
			t.entry ->> 'reason', t.entry ->> 'stepId', t.entry ->> 'messageId') f)`
}
