package workflow

import (
	"cmp"
	"slices"
	"time"
)

// ReceiptKind is what a provider reported about a message that it had taken.
type ReceiptKind string

// The kinds.
const (
	ReceiptDelivered  ReceiptKind = "delivered"
	ReceiptOpened     ReceiptKind = "opened"
	ReceiptClicked    ReceiptKind = "clicked"
	ReceiptFailed     ReceiptKind = "failed"
	ReceiptBounced    ReceiptKind = "bounced"
	ReceiptComplained ReceiptKind = "complained"
)

// Values makes ReceiptKind an ent enum.
func (ReceiptKind) Values() []string {
	return []string{"delivered", "opened", "clicked", "failed", "bounced", "complained"}
}

// Report is what one receipt says of its message.
type Report struct {
	Kind      ReceiptKind
	Permanent bool // a bounce that will not heal
	At        time.Time
	Detail    string
}

// receiptOrder is the order in which receipts move a message forward, whatever order they come in. A bounce that may heal
// comes first: whatever else is known of the message says more, and a delivery heals it.
var receiptOrder = []struct {
	kind      ReceiptKind
	permanent bool
}{
	{ReceiptBounced, false},
	{ReceiptDelivered, false},
	{ReceiptOpened, false},
	{ReceiptClicked, false},
	{ReceiptFailed, false},
	{ReceiptBounced, true},
	{ReceiptComplained, false},
}

func (r Report) rank() int {
	for rank, place := range receiptOrder {
		if r.Kind == place.kind && (r.Kind != ReceiptBounced || r.Permanent == place.permanent) {
			return rank
		}
	}
	return -1
}

// Furthest returns the report that decides the state of a message; of several of one kind the earliest. ok is false when
// there is none of a known kind.
func Furthest(reports []Report) (furthest Report, ok bool) {
	known := slices.DeleteFunc(slices.Clone(reports), func(r Report) bool { return r.rank() < 0 })
	if len(known) == 0 {
		return Report{}, false
	}
	return slices.MaxFunc(known, func(a, b Report) int {
		return cmp.Or(cmp.Compare(a.rank(), b.rank()), b.At.Compare(a.At))
	}), true
}
