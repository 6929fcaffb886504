package condition

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// ReasonNode says why a condition came out as it did: one node per operator, with the values of both operands as they
// were at that moment. It is kept on the trace, so long values are shortened.
type ReasonNode struct {
	Result   bool          `json:"result"`
	Operator string        `json:"operator"`
	Field    string        `json:"field,omitempty"` // where Left was read, such as payload.total
	Left     any           `json:"left,omitempty"`  // value of the first operand, or the whole result of a value operator
	Right    any           `json:"right,omitempty"` // value of the second operand
	Note     string        `json:"note,omitempty"`  // what was unusual: "missing", "type mismatch", an error
	Children []*ReasonNode `json:"children,omitempty"`
}

// String prints the tree, one line per node, children indented.
func (n *ReasonNode) String() string {
	var b strings.Builder
	n.print(&b, 0)
	return strings.TrimSuffix(b.String(), "\n")
}

// LeftText is the first operand as JSON; nil when the node has none.
func (n *ReasonNode) LeftText() *string { return operandText(n.Left) }

// RightText is the second operand as JSON; nil when the node has none.
func (n *ReasonNode) RightText() *string { return operandText(n.Right) }

func operandText(v any) *string {
	if v == nil {
		return nil
	}
	text := Compact(v)
	return &text
}

// FieldOrNil is where the first operand was read; nil when it was not.
func (n *ReasonNode) FieldOrNil() *string { return jsonvalue.OrNil(n.Field) }

// NoteOrNil is what was unusual; nil when nothing was.
func (n *ReasonNode) NoteOrNil() *string { return jsonvalue.OrNil(n.Note) }

func (n *ReasonNode) print(b *strings.Builder, depth int) {
	b.WriteString(strings.Repeat("  ", depth))
	fmt.Fprintf(b, "%t: ", n.Result)
	if len(n.Children) == 0 || n.Field != "" || n.Left != nil || n.Right != nil {
		if n.Field != "" {
			b.WriteString(n.Field + " = ")
		}
		b.WriteString(Compact(n.Left) + " " + n.Operator + " " + Compact(n.Right))
	} else {
		b.WriteString(n.Operator)
	}
	if n.Note != "" {
		b.WriteString(" (" + n.Note + ")")
	}
	b.WriteByte('\n')
	for _, c := range n.Children {
		c.print(b, depth+1)
	}
}

// Compact is a value as short JSON, for texts.
func Compact(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(raw)
}

const (
	shownText   = 200
	shownItems  = 10
	shownValues = 100
)

// Shown bounds an operand for the reason tree. All its items are counted together: a list of a rule can hold one list many times, and
// so on at every level.
func Shown(v any) any {
	left := shownValues
	return shown(v, &left)
}

func shown(v any, left *int) any {
	switch x := v.(type) {
	case string:
		if len(x) > shownText {
			return strings.ToValidUTF8(x[:shownText], "") + "…"
		}
	case []any:
		if len(x) > min(shownItems, *left) {
			return fmt.Sprintf("list of %d", len(x))
		}
		*left -= len(x)
		out := make([]any, len(x))
		for i := range x {
			out[i] = shown(x[i], left)
		}
		return out
	case map[string]any:
		return fmt.Sprintf("object of %d", len(x))
	}
	return v
}
