package pgalert

// Queries are the statements that read messages.
func Queries() map[string]string {
	return map[string]string{"outcomes": outcomes, "volumes": volumes, "newest": newest}
}

// BySubscriber is the statement that counts messages by subscriber.
func BySubscriber() string { return bySubscriber }
