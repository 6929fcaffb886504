package bench

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
)

// keyedRounds is more than routeRounds: what is measured is a difference of a few percent.
const keyedRounds = 9

// idempotency measures what an idempotency key of its own costs each trigger.
func (b *bench) idempotency(ctx context.Context) error {
	const each = 3000
	run := func(header func() http.Header) (load, error) {
		l, err := send(ctx, b.api.URL, routeConns, each, func(n int) request {
			return request{method: http.MethodPost, path: "/v1/events/trigger", key: b.api.Key, body: trigger("bench-quiet", n), header: header()}
		})
		if err != nil {
			return l, err
		}
		return l, b.drained(ctx)
	}
	var keyed, plain []load
	for round := range keyedRounds + 1 {
		without, err := run(func() http.Header { return nil })
		if err != nil {
			return err
		}
		with, err := run(func() http.Header { return http.Header{"Idempotency-Key": {rand.Text()}} })
		if err != nil {
			return err
		}
		if round > 0 {
			keyed, plain = append(keyed, with), append(plain, without)
		}
	}
	b.row(fmt.Sprintf("triggers with idempotency keys, %d connections", routeConns), rate(together(keyed)), rate(together(plain)), medianRatio(keyed, plain), "0.75 at least of triggers without")
	return nil
}
