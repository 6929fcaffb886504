// Package pace decides how much a paced fan-out makes at once and when it continues. It knows no clock: its callers pass the time.
package pace

import "time"

// Slack is how far behind its pace a fan-out may be and still catch up. What it missed before, for example while no process
// ran or a pause lasted, is not made up for.
const Slack = time.Second

// Page returns how many notifications a paced fan-out makes at once: what it may make in a second, at most a page.
func Page(perSecond, page int) int { return max(1, min(perSecond, page)) }

// Next returns when a fan-out continues that has made so many notifications. due is when it was to make them; the zero time
// when it has just begun. Counting from there, and not from now, keeps the pace although workers come late.
func Next(perSecond, made int, due, now time.Time) time.Time {
	if due.Before(now.Add(-Slack)) {
		due = now
	}
	return due.Add(time.Duration(made) * time.Second / time.Duration(perSecond)).UTC().Truncate(time.Microsecond)
}

// Take returns how many of the rows of a page a fan-out takes that may make so many notifications: all rows of the first
// subscribers. same reports whether a row belongs to the subscriber of the row before it, wanted whether its subscriber counts.
func Take(rows, most int, same, wanted func(i int) bool) int {
	counted := 0
	for i := range rows {
		if i > 0 && same(i) {
			continue
		}
		if counted == most {
			return i
		}
		if wanted(i) {
			counted++
		}
	}
	return rows
}

// Differs reports whether two paces differ; nil is none.
func Differs(a, b *int) bool {
	if a == nil || b == nil {
		return a != b
	}
	return *a != *b
}
