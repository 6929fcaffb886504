package provider

import (
	"strconv"
	"strings"
)

// each reads the entries of a report; one says nothing when its word is not known.
func (in *Inbound) each(read func(entry) (Reported, outcomeOf, bool)) (Reports, error) {
	list, err := entries(in.Body)
	if err != nil {
		return Reports{}, err
	}
	var out Reports
	for _, e := range list {
		r, what, ok := read(e)
		if !ok {
			continue
		}
		r.Kind, r.Permanent = what.kind, what.permanent
		if r.EventID == "" {
			r.EventID = hashed(e)
		}
		out.List = append(out.List, r)
	}
	return out, nil
}

var sendGridWords = kinds{
	"delivered": wasDelivered, "bounce": hardBounce, "dropped": wasFailed, "open": wasOpened, "click": wasClicked, "spamreport": wasComplained,
}

func readSendGrid(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := sendGridWords[e.text("event")]
		if e.text("type") == "blocked" {
			what = softBounce
		}
		// What stands behind the first dot was added after the message was taken.
		messageID, _, _ := strings.Cut(e.text("sg_message_id"), ".")
		return Reported{
			EventID: e.text("sg_event_id"), MessageID: messageID, Recipient: e.text("email"), At: when(e.text("timestamp")), Detail: e.text("reason"),
		}, what, ok
	})
}

var mailgunWords = kinds{"delivered": wasDelivered, "opened": wasOpened, "clicked": wasClicked, "complained": wasComplained, "failed": hardBounce}

func readMailgun(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := mailgunWords[e.text("event-data", "event")]
		if e.text("event-data", "severity") == "temporary" {
			ok = false // it tries again by itself
		}
		messageID := e.text("event-data", "message", "headers", "message-id")
		if messageID != "" && !strings.HasPrefix(messageID, "<") {
			messageID = "<" + messageID + ">" // as the answer to the send had it
		}
		detail := e.text("event-data", "delivery-status", "message")
		if detail == "" {
			detail = e.text("event-data", "delivery-status", "description")
		}
		return Reported{
			EventID: e.text("event-data", "id"), MessageID: messageID, Recipient: e.text("event-data", "recipient"),
			At: when(e.text("event-data", "timestamp")), Detail: detail,
		}, what, ok
	})
}

var postmarkWords = kinds{"Delivery": wasDelivered, "Bounce": softBounce, "SpamComplaint": wasComplained, "Open": wasOpened, "Click": wasClicked}

// postmarkHard are the types of bounces after which the vendor itself sends no more; the list is unverified.
var postmarkHard = map[string]bool{"HardBounce": true, "BadEmailAddress": true, "ManuallyDeactivated": true}

func readPostmark(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := postmarkWords[e.text("RecordType")]
		if ok && e.text("RecordType") == "Bounce" && (postmarkHard[e.text("Type")] || e.text("Inactive") == "true") {
			what = hardBounce
		}
		r := Reported{MessageID: e.text("MessageID"), Recipient: e.text("Recipient"), Detail: e.text("Description")}
		if r.Recipient == "" {
			r.Recipient = e.text("Email")
		}
		for _, name := range []string{"DeliveredAt", "BouncedAt", "ReceivedAt"} {
			if at := e.text(name); at != "" {
				r.At = when(at)
			}
		}
		return r, what, ok
	})
}

var sesWords = kinds{
	"Delivery": wasDelivered, "Bounce": softBounce, "Complaint": wasComplained, "Open": wasOpened, "Click": wasClicked, "Reject": wasFailed,
}

// readSES reads what SNS passes on: one receipt per recipient that it is about.
func readSES(in *Inbound) (Reports, error) {
	list, err := entries(in.Body)
	if err != nil || len(list) == 0 {
		return Reports{}, ErrMalformed
	}
	envelope := list[0]
	if envelope.text("Type") == "SubscriptionConfirmation" {
		address := envelope.text("SubscribeURL")
		if !amazonAddress(address) {
			return Reports{}, ErrMalformed
		}
		return Reports{Confirm: address}, nil
	}
	if envelope.text("Type") != "Notification" {
		return Reports{}, nil
	}
	var e entry
	if decode([]byte(envelope.text("Message")), &e) != nil {
		return Reports{}, nil // the topic's own text
	}
	word := e.text("eventType")
	if word == "" {
		word = e.text("notificationType")
	}
	what, ok := sesWords[word]
	if !ok {
		return Reports{}, nil
	}
	section, recipients, name := strings.ToLower(word), "recipients", ""
	switch word {
	case "Bounce":
		recipients, name = "bouncedRecipients", "emailAddress"
		if e.text("bounce", "bounceType") == "Permanent" {
			what = hardBounce
		}
	case "Complaint":
		recipients, name = "complainedRecipients", "emailAddress"
	case "Delivery":
	default:
		section, recipients = "mail", "destination"
	}
	r := Reported{MessageID: e.text("mail", "messageId"), Kind: what.kind, Permanent: what.permanent, At: when(e.text(strings.ToLower(word), "timestamp"))}
	var out Reports
	about, _ := e[section].(map[string]any)
	addresses, _ := about[recipients].([]any)
	for i, v := range addresses {
		r.EventID = envelope.text("MessageId") + ":" + strconv.Itoa(i)
		r.Recipient, _ = v.(string)
		if object, isObject := v.(map[string]any); isObject {
			r.Recipient, r.Detail = entry(object).text(name), entry(object).text("diagnosticCode")
		}
		out.List = append(out.List, r)
	}
	return out, nil
}

var resendWords = kinds{
	"email.delivered": wasDelivered, "email.bounced": hardBounce, "email.complained": wasComplained, "email.opened": wasOpened,
	"email.clicked": wasClicked, "email.failed": wasFailed,
}

func readResend(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := resendWords[e.text("type")]
		// The words of the bounce's type are unverified; without one it counts as final.
		if kind := strings.ToLower(e.text("data", "bounce", "type")); ok && what == hardBounce && (kind == "transient" || kind == "undetermined") {
			what = softBounce
		}
		return Reported{
			EventID: in.Header.Get("Svix-Id"), MessageID: e.text("data", "email_id"), Recipient: e.text("data", "to"),
			At: when(e.text("created_at")), Detail: e.text("data", "bounce", "message"),
		}, what, ok
	})
}

var mailjetWords = kinds{"sent": wasDelivered, "open": wasOpened, "click": wasClicked, "bounce": softBounce, "blocked": wasFailed, "spam": wasComplained}

func readMailjet(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := mailjetWords[e.text("event")]
		if e.text("event") == "bounce" && e.text("hard_bounce") == "true" {
			what = hardBounce
		}
		return Reported{MessageID: e.text("MessageID"), Recipient: e.text("email"), At: when(e.text("time")), Detail: e.text("error")}, what, ok
	})
}

var sparkPostWords = kinds{
	"delivery": wasDelivered, "bounce": softBounce, "out_of_band": softBounce, "policy_rejection": wasFailed, "spam_complaint": wasComplained,
	"initial_open": wasOpened, "open": wasOpened, "click": wasClicked,
}

// sparkPostHard are the classes of bounces that will not heal; the list is unverified.
var sparkPostHard = map[string]bool{"10": true, "30": true, "90": true}

func readSparkPost(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		msys, _ := e["msys"].(map[string]any)
		for _, v := range msys { // one member, named after the family of events
			object, _ := v.(map[string]any)
			inner := entry(object)
			what, ok := sparkPostWords[inner.text("type")]
			if what == softBounce && sparkPostHard[inner.text("bounce_class")] {
				what = hardBounce
			}
			return Reported{
				EventID: inner.text("event_id"), MessageID: inner.text("transmission_id"), Recipient: inner.text("rcpt_to"),
				At: when(inner.text("timestamp")), Detail: inner.text("raw_reason"),
			}, what, ok
		}
		return Reported{}, outcomeOf{}, false
	})
}

var brevoWords = kinds{
	"delivered": wasDelivered, "hard_bounce": hardBounce, "soft_bounce": softBounce, "blocked": wasFailed, "spam": wasComplained,
	"invalid_email": hardBounce, "click": wasClicked, "opened": wasOpened, "unique_opened": wasOpened, "error": wasFailed,
}

func readBrevo(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := brevoWords[e.text("event")]
		r := Reported{MessageID: e.text("message-id"), Recipient: e.text("email"), Detail: e.text("reason")}
		for _, name := range []string{"date", "ts", "ts_event", "ts_epoch"} { // which of them is there is unverified
			if at := when(e.text(name)); !at.IsZero() {
				r.At = at
			}
		}
		return r, what, ok
	})
}

var mailerSendWords = kinds{
	"activity.delivered": wasDelivered, "activity.soft_bounced": softBounce, "activity.hard_bounced": hardBounce,
	"activity.opened": wasOpened, "activity.clicked": wasClicked, "activity.spam_complaint": wasComplained,
}

// readMailerSend reads activities; where the ids stand inside data is unverified.
func readMailerSend(in *Inbound) (Reports, error) {
	return in.each(func(e entry) (Reported, outcomeOf, bool) {
		what, ok := mailerSendWords[e.text("type")]
		return Reported{
			EventID: e.text("data", "id"), MessageID: e.text("data", "email", "message", "id"),
			Recipient: e.text("data", "email", "recipient", "email"), At: when(e.text("created_at")), Detail: e.text("data", "morph", "reason"),
		}, what, ok
	})
}
