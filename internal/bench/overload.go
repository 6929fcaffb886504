package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

const (
	overloadTime   = 3 * time.Second
	overloadRounds = 5
	overloadUrgent = 4 // callers of the urgent workflow, beside the others
)

// overloadConns are how many callers ask at a time, without a pause: those that get the most out of the service, five times
// as many, and thirty times.
var overloadConns = []int{64, 320, 2000}

// overload measures what is accepted past capacity, beside the most that is. Short rounds take turns; the ratio is the median
// of theirs, since other work on the machine would else be blamed on one of them.
func (b *bench) overload(ctx context.Context) error {
	err := b.api.GraphQL(ctx, createWorkflow, map[string]any{"input": map[string]any{
		"identifier": "bench-urgent", "name": "bench-urgent", "definition": map[string]any{
			"critical": true,
			"steps":    []any{map[string]any{"stepId": "inbox", "name": "Inbox", "type": "IN_APP", "inApp": map[string]any{"body": "now"}}},
		},
	}}, nil)
	if err != nil {
		return fmt.Errorf("create the urgent workflow: %w", err)
	}
	runs, clients := make([][]pressed, len(overloadConns)), make([]*http.Client, len(overloadConns))
	for i, conns := range overloadConns { // their connections stay open from round to round
		transport := &http.Transport{MaxIdleConnsPerHost: conns + overloadUrgent, DisableCompression: true}
		defer transport.CloseIdleConnections()
		clients[i] = &http.Client{Transport: transport}
	}
	for round := range overloadRounds + 1 {
		for i, conns := range overloadConns {
			run, err := b.press(ctx, clients[i], conns)
			if err != nil {
				return err
			}
			if err := b.drained(ctx); err != nil {
				return err
			}
			if round > 0 { // the first one opens connections and fills caches
				runs[i] = append(runs[i], run)
			}
		}
	}
	for i, conns := range overloadConns {
		ratios := make([]float64, overloadRounds)
		for r := range ratios {
			ratios[r] = runs[i][r].normal.perSecond() / runs[0][r].normal.perSecond()
		}
		slices.Sort(ratios)
		normal, urgent, refused, late := sum(runs[i])
		goal := ""
		if i > 0 {
			goal = "0.9 at least"
		}
		b.row(fmt.Sprintf("triggers accepted of %d callers", conns), rate(normal), rate(runsOf(runs[0])), fmt.Sprintf("%.2f", ratios[overloadRounds/2]), goal)
		b.row("  refused; urgent ones beside", fmt.Sprintf("%.0f/s; %s, %d refused", float64(refused)/normal.took.Seconds(), rate(urgent), late), "", "", "no urgent one refused")
	}
	return nil
}

// pressed is what a round gave.
type pressed struct {
	normal, urgent load
	refused        int // of the normal ones
	late           int // urgent ones that were refused
}

func runsOf(runs []pressed) load {
	normal, _, _, _ := sum(runs)
	return normal
}

func sum(runs []pressed) (normal, urgent load, refused, late int) {
	var normals, urgents []load
	for _, r := range runs {
		normals, urgents = append(normals, r.normal), append(urgents, r.urgent)
		refused, late = refused+r.refused, late+r.late
	}
	return together(normals), together(urgents), refused, late
}

// press sends triggers for a while from so many callers, and urgent ones beside them. A caller that is refused asks again at
// once.
func (b *bench) press(ctx context.Context, client *http.Client, conns int) (pressed, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var next atomic.Int64
	var mu sync.Mutex
	var all sync.WaitGroup
	var out pressed
	var normal, urgent []time.Duration
	began := time.Now()
	for caller := range conns + overloadUrgent {
		workflow, into, against := "bench-quiet", &normal, &out.refused
		if caller < overloadUrgent {
			workflow, into, against = "bench-urgent", &urgent, &out.late
		}
		all.Go(func() {
			var took []time.Duration
			refused := 0
			for time.Since(began) < overloadTime && ctx.Err() == nil {
				sent := time.Now()
				accepted, err := b.pressOne(ctx, client, trigger(workflow, int(next.Add(1))))
				switch {
				case err != nil:
					cancel(err)
				case accepted:
					took = append(took, time.Since(sent))
				default:
					refused++
				}
			}
			mu.Lock()
			defer mu.Unlock()
			*into, *against = append(*into, took...), *against+refused
		})
	}
	all.Wait()
	elapsed := time.Since(began)
	out.normal, out.urgent = newLoad(elapsed, normal), newLoad(elapsed, urgent)
	return out, context.Cause(ctx)
}

// pressOne sends one trigger, and reports whether it was accepted.
func (b *bench) pressOne(ctx context.Context, client *http.Client, body []byte) (accepted bool, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, b.api.URL+"/v1/events/trigger", bytes.NewReader(body))
	if err != nil {
		return false, fmt.Errorf("make a request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Authorization", "ApiKey "+b.api.Key)
	resp, err := client.Do(req)
	if err != nil {
		return false, fmt.Errorf("trigger: %w", err)
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	switch {
	case err != nil:
		return false, fmt.Errorf("read the answer: %w", err)
	case resp.StatusCode == http.StatusServiceUnavailable && resp.Header.Get("Retry-After") != "":
		return false, nil
	case resp.StatusCode/100 != 2:
		return false, fmt.Errorf("status %d: %s", resp.StatusCode, answer)
	}
	return true, nil
}
