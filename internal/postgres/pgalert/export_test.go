package pgalert

// Queries are the statements that read messages.
func Queries() map[string]string {
	return map[string]string{"outcomes": outcomes, "volumes": volumes, "newest": newest}
}
