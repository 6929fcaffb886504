package render

import (
	"errors"
	"fmt"
	"math"
	"strings"

	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// numberOf reads a number, or a text that is one. What is not set or blank counts 0, as in Liquid; anything else would make a wrong
// number, which no reader should get.
func numberOf(v any) (float64, error) {
	if unset(v) {
		return 0, nil
	}
	if isText(v) {
		v = toText(v)
	}
	if n, ok := jsonvalue.ParseNumber(v); ok {
		return n, nil
	}
	return 0, fmt.Errorf("needs a number, not %s", described(v))
}

// unset reports whether a value counts 0: what is not set, and a blank text.
func unset(v any) bool {
	return v == nil || v == (nothing{}) || isText(v) && strings.TrimSpace(toText(v)) == ""
}

// described is a value in a message: a text in quotes, shortened.
func described(v any) string {
	switch v.(type) {
	case []any:
		return "a list"
	case map[string]any:
		return "an object"
	}
	const most = 40
	text := []rune(toText(v))
	if len(text) > most {
		text = append(text[:most], '…')
	}
	if isText(v) {
		return fmt.Sprintf("%q", string(text))
	}
	return string(text)
}

// numberFilter is a filter of one number.
func numberFilter(of func(float64) float64) func(any) (any, error) {
	return func(v any) (any, error) {
		n, err := numberOf(v)
		return of(n), err
	}
}

// numbersFilter is a filter of a number with a number.
func numbersFilter(of func(a, b float64) float64) func(v, with any) (any, error) {
	return func(v, with any) (any, error) {
		a, err := numberOf(v)
		if err != nil {
			return nil, err
		}
		b, err := numberOf(with)
		return of(a, b), err
	}
}

var errDivisor = errors.New("the divisor must be a number that is not 0")

// division reads a number and its divisor.
func division(v, by any) (a, b float64, err error) {
	if a, err = numberOf(v); err != nil {
		return 0, 0, err
	}
	if b, err = numberOf(by); err != nil || b == 0 {
		return 0, 0, errDivisor
	}
	return a, b, nil
}

// dividedBy divides, rounding down where both are whole and the divisor has no fraction in the template: 7 by 2 is 3, by 2.0 it is 3.5.
func dividedBy(v, by any) (any, error) {
	a, b, err := division(v, by)
	if err != nil {
		return nil, err
	}
	_, isFloat := by.(float64)
	if isFloat || a != math.Trunc(a) || b != math.Trunc(b) {
		return a / b, nil
	}
	return math.Floor(a / b), nil
}

// modulo is what remains of a division that rounds down, so it has the sign of the divisor.
func modulo(v, by any) (any, error) {
	a, b, err := division(v, by)
	if err != nil {
		return nil, err
	}
	rest := math.Mod(a, b)
	if rest != 0 && (rest < 0) != (b < 0) {
		rest += b
	}
	return rest, nil
}

// round rounds halves away from zero, to a number of decimals.
func round(v, places any) (any, error) {
	n, err := numberOf(v)
	if err != nil {
		return nil, err
	}
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
