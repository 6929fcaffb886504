package inbox

import (
	"context"
	"encoding/json"
	"time"

	"entgo.io/ent/dialect/sql"
	"entgo.io/ent/dialect/sql/sqljson"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/feed"
	"github.com/carillon/carillon/ent/inboxstate"
	"github.com/carillon/carillon/ent/message"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pginbox"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/workflow"
)

// InboxView is the inbox of one subscriber in one context set, as its owner sees it.
type InboxView struct {
	Subscriber  *ent.Subscriber
	ContextKeys []string
}

func (v *InboxView) scopeKey() string { return usecase.ScopeOf(v.ContextKeys) }

// InboxFilter narrows an inbox; the fields that are set combine with AND. Archived messages and those put off are left
// out unless asked for.
type InboxFilter struct {
	Read, Seen    *bool
	Archived      *bool // nil: false
	Snoozed       *bool // nil: false
	TagsAny       []string
	SeverityIn    []workflow.Severity
	WorkflowIn    []string // trigger identifiers
	FeedID        *string  // global or internal id
	FeedIn        []string // identifiers of feeds
	Data          map[string]any
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

const (
	maxInboxCounts     = 20 // filters that one call counts
	maxInboxFilterList = 100
)

// Open is the inbox of a living subscriber; a subscriber may open its own.
func (n *Inbox) Open(ctx context.Context, subscriberID *string, contextKeys []string) (*InboxView, error) {
	name, err := usecase.Self(ctx, subscriberID)
	if err != nil {
		return nil, err
	}
	keys := usecase.OwnContext(ctx, contextKeys)
	return usecase.Read(ctx, n.Deps, usecase.ReadAudience.OrSelf(keys, name), func(ctx context.Context, db *ent.Client) (*InboxView, error) {
		owner, err := usecase.LivingSubscriber(ctx, db, name)
		return &InboxView{owner, workflow.NewContextSet(keys...)}, err
	})
}

// need is what reading an opened inbox needs.
func (v *InboxView) need() usecase.Need {
	return usecase.ReadAudience.OrSelf(v.ContextKeys, v.Subscriber.SubscriberID)
}

// Messages is a page of an inbox, latest arrival first.
func (n *Inbox) Messages(ctx context.Context, view *InboxView, page usecase.Page, filter *InboxFilter) (*MessageConnection, error) {
	return usecase.Read(ctx, n.Deps, view.need(), func(ctx context.Context, db *ent.Client) (*MessageConnection, error) {
		ps, err := filter.predicates(view)
		if err != nil {
			return nil, err
		}
		return usecase.Paginate(ctx, db.Message.Query(), ps, page, usecase.Order{Field: usecase.ColumnArrivedAt, Direction: usecase.OrderDesc})
	})
}

// Counts returns how many messages of an inbox meet each filter; each stops at CountCap.
func (n *Inbox) Counts(ctx context.Context, view *InboxView, filters []*InboxFilter) ([]int, error) {
	if len(filters) > maxInboxCounts {
		return nil, fault.Invalidf("filters", "must not hold more than %d items", maxInboxCounts)
	}
	return usecase.Read(ctx, n.Deps, view.need(), func(ctx context.Context, db *ent.Client) ([]int, error) {
		counts := make([]int, len(filters))
		for i, filter := range filters { // each is another question to the database
			ps, err := filter.predicates(view)
			if err != nil {
				return nil, err
			}
			n, err := usecase.Counted(ctx, db.Message.Query().Where(ps...))
			if err != nil {
				return nil, err
			}
			counts[i] = min(n, usecase.CountCap)
		}
		return counts, nil
	})
}

// State is an inbox's counters and sequence; nil while it never held a message.
func (n *Inbox) State(ctx context.Context, view *InboxView) (*ent.InboxState, error) {
	return usecase.Read(ctx, n.Deps, view.need(), func(ctx context.Context, db *ent.Client) (*ent.InboxState, error) {
		found, err := db.InboxState.Query().Where(inboxstate.SubscriberID(view.Subscriber.ID), inboxstate.Scope(view.scopeKey())).Only(ctx)
		if ent.IsNotFound(err) {
			return nil, nil //nolint:nilnil // documented
		}
		return found, err
	})
}

// predicates choose messages of one inbox.
func (f *InboxFilter) predicates(view *InboxView) ([]predicate.Message, error) {
	ps, err := f.choice(view.Subscriber.ID)
	return append(ps, message.Scope(view.scopeKey())), err
}

// choice chooses messages of a subscriber, in all context sets.
func (f *InboxFilter) choice(subscriberID id.ID) ([]predicate.Message, error) {
	if f == nil {
		f = &InboxFilter{}
	}
	ps := []predicate.Message{
		message.SubscriberID(subscriberID), message.ChannelEQ(workflow.ChannelInApp),
		message.Archived(f.Archived != nil && *f.Archived),
	}
	if f.Snoozed != nil && *f.Snoozed {
		ps = append(ps, message.SnoozedUntilNotNil())
	} else {
		ps = append(ps, message.SnoozedUntilIsNil())
	}
	for name, list := range map[string]int{"tagsAny": len(f.TagsAny), "severityIn": len(f.SeverityIn), "workflowIn": len(f.WorkflowIn), "feedIn": len(f.FeedIn)} {
		if list > maxInboxFilterList {
			return nil, fault.Invalidf(name, "must not hold more than %d items", maxInboxFilterList)
		}
	}
	ps = usecase.WithFilter(ps, f.Read, message.Read)
	ps = usecase.WithFilter(ps, f.Seen, message.Seen)
	if f.TagsAny != nil {
		ps = append(ps, hasAnyTag(f.TagsAny))
	}
	if f.SeverityIn != nil {
		ps = append(ps, message.SeverityIn(f.SeverityIn...))
	}
	if f.WorkflowIn != nil {
		ps = append(ps, message.WorkflowIdentifierIn(f.WorkflowIn...))
	}
	if f.FeedID != nil {
		feedID, err := usecase.RecordID("Feed", *f.FeedID)
		if err != nil {
			return nil, err
		}
		ps = append(ps, message.FeedID(feedID))
	}
	if f.FeedIn != nil {
		ps = append(ps, inFeeds(f.FeedIn))
	}
	if f.Data != nil {
		p, err := hasData(f.Data)
		if err != nil {
			return nil, err
		}
		ps = append(ps, p)
	}
	ps = usecase.WithFilter(ps, f.CreatedAfter, message.CreatedAtGT)
	ps = usecase.WithFilter(ps, f.CreatedAfter, message.ArrivedAtGTE) // none arrives before that
	return usecase.WithFilter(ps, f.CreatedBefore, message.CreatedAtLT), nil
}

// inFeeds keeps messages of the environment's feeds with these identifiers.
func inFeeds(identifiers []string) predicate.Message {
	return func(s *sql.Selector) {
		feeds := sql.Table(feed.Table)
		s.Where(sql.In(s.C(message.FieldFeedID), sql.Select(feeds.C(feed.FieldID)).From(feeds).Where(sql.And(
			sql.ColumnsEQ(feeds.C(feed.FieldEnvironmentID), s.C(message.FieldEnvironmentID)),
			sql.In(feeds.C(feed.FieldIdentifier), anys(identifiers)...)))))
	}
}

func anys(texts []string) []any {
	all := make([]any, len(texts))
	for i, text := range texts {
		all[i] = text
	}
	return all
}

func hasAnyTag(tags []string) predicate.Message {
	return func(s *sql.Selector) {
		either := make([]*sql.Predicate, len(tags))
		for i, tag := range tags {
			either[i] = sqljson.ValueContains(s.C(message.FieldTags), tag)
		}
		if len(either) == 0 {
			s.Where(sql.False())
			return
		}
		s.Where(sql.Or(either...))
	}
}

// hasData keeps messages whose data holds every member of an object, with equal values.
func hasData(object map[string]any) (predicate.Message, error) {
	text, err := json.Marshal(object)
	if err != nil || len(text) > workflow.MaxContextData {
		return nil, fault.Invalidf("data", "must not exceed %d bytes of JSON", workflow.MaxContextData)
	}
	if text, err = shape.StorableJSON(text); err != nil {
		return nil, fault.Invalidf("data", "%s", err.Error())
	}
	whole := map[string]any{} // members of which a part would do for @>
	for name, value := range object {
		switch value.(type) {
		case map[string]any, []any:
			whole[name] = value
		}
	}
	wholeText, err := json.Marshal(whole)
	if err != nil {
		return nil, fault.Invalidf("data", "cannot be read")
	}
	return func(s *sql.Selector) {
		s.Where(sql.P(func(b *sql.Builder) {
			b.Ident(s.C(message.FieldData)).WriteString(" @> ").Arg(string(text)).WriteString("::jsonb")
			if len(whole) > 0 {
				b.WriteString(" AND NOT EXISTS (SELECT FROM jsonb_each(").Arg(string(wholeText)).WriteString("::jsonb) AS m WHERE ")
				b.Ident(s.C(message.FieldData)).WriteString(" -> m.key IS DISTINCT FROM m.value)")
			}
		}))
	}, nil
}

// InboxUpdate is what changed in an inbox since a sequence: the next part of it, when More says that there is more.
type InboxUpdate struct {
	Sequence   int64 // resume after it
	Messages   []*ent.Message
	RemovedIDs []string // internal ids
	State      *ent.InboxState
	More       bool
}

// updateBatch bounds what one update carries.
const updateBatch = 100

// Since reads what changed in an inbox after a sequence, nil when nothing did, and the inbox as it is now. Applied one after the other, updates make
// what a client saw equal to the inbox: a message that changed twice meanwhile comes once, as it is now. Cost: one query,
// which callers share.
func (n *Inbox) Since(ctx context.Context, view *InboxView, after int64) (update *InboxUpdate, now *ent.InboxState, err error) {
	v, err := usecase.Require(ctx, view.need())
	if err != nil {
		return nil, nil, err
	}
	question := pginbox.InboxQuestion{
		Scope: v.Scope, InboxKey: pginbox.InboxKey{SubscriberID: view.Subscriber.ID, ScopeKey: view.scopeKey()}, After: after,
	}
	// One commit may change more than a batch holds and has one sequence, so a batch ends between two commits, and is
	// read again in full when a single one fills it.
	for limit := updateBatch; ; limit *= 4 {
		question.Limit = limit + 1
		news, err := n.news.Get(ctx, question)
		if err != nil || len(news.Steps) == 0 {
			return nil, news.State, err
		}
		steps := news.Steps
		if len(steps) > limit {
			steps = wholeCommits(steps)
		}
		if len(steps) == 0 {
			continue
		}
		update = &InboxUpdate{Sequence: steps[len(steps)-1].Sequence, State: news.State, More: len(news.Steps) > limit}
		for _, s := range steps {
			if s.Message == nil {
				update.RemovedIDs = append(update.RemovedIDs, s.MessageID)
			} else {
				update.Messages = append(update.Messages, s.Message)
			}
		}
		return update, news.State, nil
	}
}

// wholeCommits leaves out the last commit's steps, which are perhaps not all of its.
func wholeCommits(steps []pginbox.InboxStep) []pginbox.InboxStep {
	last, whole := steps[len(steps)-1].Sequence, len(steps)
	for whole > 0 && steps[whole-1].Sequence == last {
		whole--
	}
	return steps[:whole]
}
