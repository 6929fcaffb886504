package render

import (
	"errors"
	"math"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

var errDivisor = errors.New("the divisor must be a number that is not 0")

// dividedBy divides, rounding down where both are whole and the divisor has no fraction in the template: 7 by 2 is 3, by 2.0 it is 3.5.
// The library drops the fraction of what is divided.
func dividedBy(a float64, by any) (any, error) {
	b, ok := jsonvalue.ParseNumber(by)
	if !ok || b == 0 {
		return nil, errDivisor
	}
	_, isFloat := by.(float64)
	if isFloat || a != math.Trunc(a) || b != math.Trunc(b) {
		return a / b, nil
	}
	return math.Floor(a / b), nil
}

// modulo is what remains of a division that rounds down, so it has the sign of the divisor.
func modulo(a, b float64) (float64, error) {
	if b == 0 {
		return 0, errDivisor
	}
	rest := math.Mod(a, b)
	if rest != 0 && (rest < 0) != (b < 0) {
		rest += b
	}
	return rest, nil
}

// round rounds halves away from zero, to a number of decimals.
func round(n float64, places any) (float64, error) {
	decimals, err := numberOr(places, 0)
	exp := math.Pow10(decimals)
	switch rounded := math.Round(n*exp) / exp; {
	case exp == 0:
		return 0, err
	case math.IsInf(n*exp, 0) || math.IsNaN(rounded):
		return n, err // has no such decimals
	default:
		return rounded, err
	}
}
