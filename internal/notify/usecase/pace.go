package usecase

import "github.com/carillon/carillon/internal/fault"

// MaxPerSecond bounds the pace of a fan-out: notifications made per second.
const MaxPerSecond = 10_000

// CheckPace refuses a pace that no fan-out can have; nil is none.
func CheckPace(perSecond *int) error {
	if perSecond != nil && (*perSecond < 1 || *perSecond > MaxPerSecond) {
		return fault.Invalidf("perSecond", "must be from 1 to %d", MaxPerSecond)
	}
	return nil
}
