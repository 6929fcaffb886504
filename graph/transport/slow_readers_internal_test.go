package transport

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
)

// TestSlowReadersKeepNoTurn: who does not read an answer, however it comes, keeps no turn from others.
func TestSlowReadersKeepNoTurn(t *testing.T) {
	t.Parallel()
	large := data(`{"echo":"` + strings.Repeat("x", 32<<20) + `"}`) // more than all buffers hold
	post := func(d *liveDoor, accept string) {
		r, err := http.NewRequestWithContext(d.t.Context(), http.MethodPost, d.server.URL, strings.NewReader(`{"query":"{ echo }"}`))
		require.NoError(d.t, err)
		r.Header.Set("Authorization", d.key)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", accept)
		go func() {
			answer, err := d.server.Client().Do(r)
			if err == nil {
				d.t.Cleanup(func() { _ = answer.Body.Close() })
			}
		}()
	}
	for name, ask := range map[string]func(*liveDoor){
		"WebSocket":   func(d *liveDoor) { d.open().say(operation("1", "{ echo }")) },
		"EventStream": func(d *liveDoor) { post(d, "text/event-stream") },
		"HTTP":        func(d *liveDoor) { post(d, "application/json") },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := newLiveDoor(t, func(cfg *Config) {
				cfg.ReadTimeout = time.Hour
				cfg.Gates.Work = admission.New(admission.Config{Wait: 10 * time.Second, Least: 1, Most: 1})
			})
			ask(d)
			<-d.exec.began
			d.exec.responses <- large
			s := d.open()
			s.say(operation("2", "{ echo }"))
			go func() { d.exec.responses <- data(`{"echo":"y"}`) }()
			s.hears(`{"id":"2","type":"next","payload":{"data":{"echo":"y"}}}`)
		})
	}
}
