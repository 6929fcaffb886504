package pgpersonal

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
	return names
}
