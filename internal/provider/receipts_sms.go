package provider

var twilioWords = kinds{"delivered": wasDelivered, "read": wasOpened, "undelivered": wasFailed, "failed": wasFailed}

func readTwilio(in *Inbound) (Reports, error) {
	return in.status(twilioWords, "MessageSid", "MessageStatus", "To", "", "ErrorCode")
}

var nexmoWords = kinds{"delivered": wasDelivered, "failed": wasFailed, "rejected": wasFailed, "expired": wasFailed}

func readNexmo(in *Inbound) (Reports, error) {
	return in.status(nexmoWords, "messageId", "status", "msisdn", "message-timestamp", "err-code")
}

var plivoWords = kinds{"delivered": wasDelivered, "failed": wasFailed, "undelivered": wasFailed, "rejected": wasFailed}

func readPlivo(in *Inbound) (Reports, error) {
	return in.status(plivoWords, "MessageUUID", "Status", "To", "", "ErrorCode")
}

// messageBirdWords beyond "delivered" are unverified.
var messageBirdWords = kinds{"delivered": wasDelivered, "delivery_failed": wasFailed, "expired": wasFailed}

func readMessageBird(in *Inbound) (Reports, error) {
	return in.status(messageBirdWords, "id", "status", "recipient", "statusDatetime", "statusErrorCode")
}

// telnyxWords beyond "delivered" are unverified.
var telnyxWords = kinds{"delivered": wasDelivered, "delivery_failed": wasFailed, "sending_failed": wasFailed, "delivery_unconfirmed": wasFailed}

func readTelnyx(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := telnyxWords[e.text("data", "payload", "to", "status")]
		return Reported{
			EventID: e.text("data", "id"), MessageID: e.text("data", "payload", "id"), Recipient: e.text("data", "payload", "to", "phone_number"),
			At: when(e.text("data", "occurred_at")), Detail: e.text("data", "payload", "errors", "title"),
		}, what, ok && e.text("data", "event_type") == "message.finalized"
	})
}
