package intake

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
)

const (
	// maxValues bounds the values of one JSON body.
	maxValues = 2_000_000
	// valueBytes is what a value takes once it is decoded, be it two bytes long.
	valueBytes = 48
	// fewBytes hold too few values to count.
	fewBytes = 64 << 10
)

// ReserveJSON holds what a JSON body becomes when it is decoded, until its request ends. Errors are faults: TooLarge for a
// body of too many values, and Unavailable when too much is held already.
func ReserveJSON(r *http.Request, body []byte) error {
	return accountOf(r.Context()).ReserveJSON(body)
}

// ReserveJSON is ReserveJSON for a message of a connection.
func (a *Account) ReserveJSON(body []byte) error {
	if len(body) <= fewBytes {
		return nil
	}
	n := values(body)
	if n > maxValues {
		return &fault.Error{Kind: fault.TooLarge, Message: fmt.Sprintf("The body holds too many values, at most %d are allowed.", maxValues)}
	}
	return a.take(n * valueBytes)
}

// values is about how many values a JSON text holds: each but the first follows a comma, a colon or a bracket.
func values(text []byte) (n int) {
	for _, c := range jsonnum.Unquoted(text) {
		if c == ',' || c == ':' || c == '[' || c == '{' {
			n++
		}
	}
	return n + 1
}

// maxNesting is how many levels of a body encoding/json reads.
const maxNesting = 10_000

// NestedTooDeep returns the fault of a body that could not be decoded because it is nested deeper than any field may be, nil
// for another reason.
func NestedTooDeep(err error) error {
	var syntax *json.SyntaxError
	if !errors.As(err, &syntax) || !strings.HasSuffix(syntax.Error(), "exceeded max depth") {
		return nil
	}
	return fault.Invalidf("general", "must not be nested deeper than %d levels", maxNesting)
}
