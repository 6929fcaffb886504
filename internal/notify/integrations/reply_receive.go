package integrations

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/workflowversion"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmessage"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// The purposes of signatures around replies.
const (
	replyAddressPurpose = "reply address"
	replyKeyPurpose     = "reply callback"
	replyPrefix         = "reply-"
)

// Address is where replies to the mail of a message go: it is signed, so it cannot be guessed.
func (r *Replies) Address(messageID string) string {
	return replyPrefix + messageID + "-" + r.secrets.Sign(replyAddressPurpose, messageID) + "@" + r.domain
}

// Recipient is the message whose replies an address receives, whatever detail follows a plus (RFC 5233); ok is false
// for every address that is not ours.
func (r *Replies) Recipient(address string) (messageID string, ok bool) {
	local, domain, _ := strings.Cut(strings.ToLower(strings.Trim(address, "<> ")), "@")
	text, prefixed := strings.CutPrefix(local, replyPrefix)
	text, _, _ = strings.Cut(text, "+")
	messageID, signature, _ := strings.Cut(text, "-")
	ok = prefixed && r.domain != "" && domain == strings.ToLower(r.domain) && id.Valid(messageID) &&
		r.secrets.Signed(replyAddressPurpose, messageID, signature)
	return messageID, ok
}

// CallbackKey is the key under which what is posted to an environment's callbacks is signed.
func (r *Replies) CallbackKey(environmentID string) string {
	return r.secrets.Sign(replyKeyPurpose, environmentID)
}

// Secret is CallbackKey for those who run the callbacks of the viewer's environment.
func (r *Replies) Secret(ctx context.Context) (string, error) {
	v, err := usecase.Require(ctx, usecase.ManageSecrets)
	if err != nil {
		return "", err
	}
	return r.CallbackKey(v.EnvironmentID), nil
}

// Receive keeps a mail that answers a message, on its way to the step's callback. The same mail again is harmless.
func (r *Replies) Receive(ctx context.Context, messageID string, raw []byte) error {
	ctx = viewer.SystemContext(ctx)
	db := r.DB.Client(ctx)
	const gone = "This address receives nothing any more."
	found, err := db.Message.Get(ctx, messageID)
	if err != nil {
		return postgres.Translate(usecase.NotFound(err, gone))
	}
	run, err := db.Notification.Get(ctx, found.NotificationID)
	if err != nil {
		return postgres.Translate(usecase.NotFound(err, gone))
	}
	callback, err := callbackOf(ctx, db, run, found.StepID)
	if err != nil {
		return postgres.Translate(usecase.NotFound(err, gone))
	}
	if callback == nil {
		return fault.NotFoundf(gone)
	}
	who, err := db.Subscriber.Get(ctx, found.SubscriberID)
	if err != nil {
		return postgres.Translate(usecase.NotFound(err, gone))
	}
	if err := r.admit(ctx, found, len(raw)); err != nil {
		return err
	}
	parsed, err := readMail(raw)
	if err != nil {
		return fault.Invalidf("mail", "cannot be read")
	}
	body, err := replyBody(found, who, parsed)
	if err != nil {
		return err
	}
	mailID := parsed.MessageID
	if mailID == "" || len(mailID) > maxMailID {
		sum := sha256.Sum256(raw)
		mailID = hex.EncodeToString(sum[:])
	}
	ctx = viewer.InScope(ctx, viewer.Scope{EnvironmentID: found.EnvironmentID})
	err = db.Reply.Create().SetMessageID(found.ID).SetMailID(mailID).SetURL(callback.URL).SetBody(body).SetDueAt(r.Stamp()).Exec(ctx)
	if ent.IsConstraintError(err) {
		return nil
	}
	return postgres.Translate(err)
}

// earlierVersions bounds how many versions a mail from outside has read for the callback of its step.
const earlierVersions = 50

// callbackOf is where replies to a mail of a run go; nil when its step has no callback in any version that the run may have followed:
// one that has come to a newer version since may not find the step of the mail there.
func callbackOf(ctx context.Context, db *ent.Client, run *ent.Notification, stepID string) (*workflow.ReplyCallback, error) {
	version, err := db.WorkflowVersion.Get(ctx, run.WorkflowVersionID)
	if err != nil {
		return nil, err
	}
	callback := version.Definition.ReplyCallbackOf(stepID)
	if callback != nil {
		return callback, nil
	}
	accepted, err := db.Event.Get(ctx, run.EventID)
	if err != nil {
		return nil, err
	}
	began, err := db.WorkflowVersion.Get(ctx, accepted.WorkflowVersionID)
	if err != nil {
		return nil, err
	}
	earlier, err := db.WorkflowVersion.Query().Where(workflowversion.WorkflowID(run.WorkflowID), workflowversion.NumberGTE(began.Number),
		workflowversion.NumberLT(version.Number)).Order(workflowversion.ByNumber(sql.OrderDesc())).Limit(earlierVersions).All(ctx)
	if err != nil {
		return nil, err
	}
	for _, v := range earlier {
		if callback := v.Definition.ReplyCallbackOf(stepID); callback != nil {
			return callback, nil
		}
	}
	return nil, nil
}

// admit refuses a mail whose address has received as much as it may. Mails that come at once may exceed that by a few.
func (r *Replies) admit(ctx context.Context, m *ent.Message, size int) error {
	count, kept, err := pgmessage.RecentReplies(ctx, r.DB, m.EnvironmentID, m.ID, replySpan)
	if err != nil {
		return postgres.Translate(err)
	}
	if count >= maxReplies || kept+int64(size) > maxReplyVolume {
		return &fault.Error{Kind: fault.RateLimited, Message: "This address has received too many mails."}
	}
	return nil
}

const maxMailID = 256

// replyBody is what is posted to the callback.
func replyBody(m *ent.Message, who *ent.Subscriber, parsed *replyMail) (map[string]any, error) {
	raw, err := json.Marshal(parsed)
	if err != nil {
		return nil, fmt.Errorf("encode a reply: %w", err)
	}
	var inner map[string]any
	if err := json.Unmarshal(raw, &inner); err != nil {
		return nil, fmt.Errorf("encode a reply: %w", err)
	}
	return map[string]any{
		"messageId": m.ID, "notificationId": m.NotificationID, "transactionId": m.TransactionID, "workflow": m.WorkflowIdentifier,
		"stepId": m.StepID, "channel": workflow.ChannelEmail, "subscriberId": who.SubscriberID, "mail": inner,
	}, nil
}
