package rest

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify"
)

// query reads the parameters of a request and collects every problem (decisions.md §4).
type query struct {
	values   map[string][]string
	problems fault.Problems
	refusal  error // of the request as a whole; problems of fields come before it
}

// query is the request's query string. Parameters that no route reads are ignored.
func (in *Input) query() *query {
	q := &query{values: map[string][]string{}}
	for pair := range strings.SplitSeq(in.Request.URL.RawQuery, "&") {
		name, value, _ := strings.Cut(pair, "=")
		key := arrayKey.ReplaceAllString(unescaped(name), "")
		q.values[key] = append(q.values[key], unescaped(value))
	}
	return q
}

// arrayKey is what clients put behind the name of an array: k[]=a, k[0]=a.
var arrayKey = regexp.MustCompile(`\[[0-9]*\]$`)

// unescaped is a text of a query string; one that is not encoded rightly stands for itself.
func unescaped(raw string) string {
	if text, err := url.QueryUnescape(raw); err == nil {
		return text
	}
	return raw
}

// err is every problem that was found.
func (q *query) err() error {
	if err := q.problems.Err(); err != nil {
		return err
	}
	return q.refusal
}

// text is a parameter's value, of several the last; nil when it is absent.
func (q *query) text(name string) *string {
	all := q.texts(name)
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// texts are all values of a parameter; nil when it is absent.
func (q *query) texts(name string) []string {
	all := q.values[name]
	for _, value := range all {
		if !storable(value) {
			q.problems.Add(name, nil, "must be UTF-8 without the character U+0000")
			return nil
		}
	}
	return all
}

// storable reports whether the database can hold a text, and therefore whether anything can be named so.
func storable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// joined are all values of a parameter that also takes one comma-joined value.
func (q *query) joined(name string) []string {
	all := q.values[name]
	if all == nil {
		return nil
	}
	return strings.Split(strings.Join(all, ","), ",")
}

// contextKeys are the keys of a context set: nil when absent, none for an empty value. Malformed ones are no problem:
// they match nothing.
func (q *query) contextKeys() []string {
	all := q.joined("contextKeys")
	if all == nil {
		return nil
	}
	return slices.DeleteFunc(all, func(key string) bool { return key == "" })
}

// flag is true for the value true only.
func (q *query) flag(name string) bool {
	value := q.text(name)
	return value != nil && *value == "true"
}

var decimal = regexp.MustCompile(`^-?[0-9]+$`)

// whole is a decimal integer, or fallback when the parameter is absent. One that no int holds comes as the nearest.
func (q *query) whole(name string, fallback int) int {
	value := q.text(name)
	if value == nil {
		return fallback
	}
	if !decimal.MatchString(*value) {
		q.problems.Add(name, *value, "must be an integer")
		return fallback
	}
	n, _ := strconv.Atoi(*value) // out of range: the nearest
	return n
}

// chosen is a parameter that must be one of some values; nil when it is absent.
func chosen[T ~string](q *query, name string, allowed ...T) *T {
	value := q.text(name)
	if value == nil {
		return nil
	}
	return check(q, name, *value, allowed)
}

// chosenAll is chosen for arrays.
func chosenAll[T ~string](q *query, name string, allowed ...T) []T {
	var all []T
	for _, value := range q.joined(name) {
		if v := check(q, name, value, allowed); v != nil {
			all = append(all, *v)
		}
	}
	return all
}

func check[T ~string](q *query, name, value string, allowed []T) *T {
	if !slices.Contains(allowed, T(value)) {
		texts := make([]string, len(allowed))
		for i, a := range allowed {
			texts[i] = string(a)
		}
		q.problems.Add(name, value, "must be one of %s", strings.Join(texts, ", "))
		return nil
	}
	v := T(value)
	return &v
}

// page is which page of a cursor list is asked for.
func (q *query) page() notify.Page {
	limit := q.whole("limit", notify.DefaultPage)
	if limit < 1 || limit > notify.MaxPage {
		q.problems.Add("limit", limit, "must be between 1 and %d", notify.MaxPage)
	}
	page := notify.Page{After: q.cursor("after"), Before: q.cursor("before"), IncludeCursor: q.flag("includeCursor")}
	if page.Before != nil {
		page.Last = &limit
	} else {
		page.First = &limit
	}
	return page
}

// cursor is the internal id of a record; an empty one is none.
func (q *query) cursor(name string) *string {
	all := q.values[name] // not texts: what cannot be stored is a cursor that is not valid
	if len(all) == 0 || all[len(all)-1] == "" {
		return nil
	}
	value := all[len(all)-1]
	if !id.Valid(value) {
		q.refusal = fault.BadRequestf("INVALID_CURSOR", "The cursor is not valid.")
	}
	return &value
}

// column is a documented name of a column that a list can be ordered by.
type column struct {
	name   string
	column notify.Column
}

// order is how a list is sorted; the first column is the list's own order.
func (q *query) order(columns ...column) *notify.Order {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = c.name
	}
	order := &notify.Order{Field: columns[0].column, Direction: notify.OrderDesc}
	if name := chosen(q, "orderBy", names...); name != nil {
		order.Field = columns[slices.Index(names, *name)].column
	}
	if direction := chosen(q, "orderDirection", notify.OrderAsc, notify.OrderDesc); direction != nil {
		order.Direction = *direction
	}
	return order
}
