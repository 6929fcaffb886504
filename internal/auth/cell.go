package auth

import (
	"regexp"
	"strings"

	"github.com/carillon/carillon/internal/fault"
)

// Cell is the name of one of several installations that share an address: two to twelve lower-case letters and digits. What is
// made in a cell for a caller to show (API keys, log-ins, subscriber tokens) begins with its kind, the cell and a dot, such as
// "crl_eu1.", so that a proxy finds the cell without looking anything up. The empty Cell is that of an installation which is the
// only one; its credentials name none.
type Cell string

var cellName = regexp.MustCompile(`^[a-z0-9]{2,12}$`)

// begin returns the beginning of the cell's credentials of a kind, such as "crl_".
func (c Cell) begin(kind string) string {
	if c == "" {
		return kind
	}
	return kind + string(c) + "."
}

// cellOf returns the cell that a credential names. What follows a kind has no dot of its own.
func cellOf(credential string) Cell {
	_, rest, _ := strings.Cut(credential, "_")
	name, _, named := strings.Cut(rest, ".")
	if !named || !cellName.MatchString(name) {
		return ""
	}
	return Cell(name)
}

// misrouted explains a credential that is not known here and names another cell; otherwise it returns err.
func (c Cell) misrouted(credential string, err error) error {
	if there := cellOf(credential); c != "" && there != "" && there != c {
		return fault.Unauthenticatedf("The credential belongs to cell %s, and this is cell %s. Send it to its own cell.", there, c)
	}
	return err
}
