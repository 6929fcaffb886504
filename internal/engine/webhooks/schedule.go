package webhooks

import "time"

// pauses lie between the eight attempts of a delivery: the last one is made 27 hours and 35 minutes after the first, without jitter.
var pauses = []time.Duration{
	5 * time.Second, 5 * time.Minute, 30 * time.Minute, 2 * time.Hour, 5 * time.Hour, 10 * time.Hour, 10 * time.Hour,
}

// longestWait bounds what an endpoint may ask for by Retry-After.
const longestWait = 12 * time.Hour

// FailingFor is after how long without a successful delivery an endpoint is deactivated.
const FailingFor = 5 * 24 * time.Hour

// Next returns when the attempt after a failed one is due; tries is how many were made, this one included, and retryAfter the pause
// that the endpoint asked for. jitter in [0, 1) lengthens a pause by up to a tenth. It returns nil after the last attempt.
func Next(tries int, now time.Time, retryAfter time.Duration, jitter float64) *time.Time {
	if tries > len(pauses) {
		return nil
	}
	pause := pauses[max(tries, 1)-1]
	pause += time.Duration(jitter * float64(pause) / 10)
	at := now.Add(max(pause, min(retryAfter, longestWait)))
	return &at
}
