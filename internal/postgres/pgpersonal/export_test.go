package pgpersonal

import "slices"

// Tables are the tables that an export reads.
func Tables() (names []string) {
	for _, h := range holdings {
		names = append(names, h.table)
		for _, m := range h.with {
			if m.table != "" {
				names = append(names, m.table)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names) // receipts are members of messages, and records without one
}
