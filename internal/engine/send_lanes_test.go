package engine_test

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/event"
	"github.com/carillon/carillon/internal/engine"
	"github.com/carillon/carillon/internal/postgres/pgdue"
	"github.com/carillon/carillon/internal/workflow"
)

// TestBroadcastDelaysNoLoginCode fills the one integration with a broadcast that its vendor holds back, and then asks for
// a login code: the code is the next call that arrives, although all of the broadcast was there before.
func TestBroadcastDelaysNoLoginCode(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*workflow.Definition){
		"Critical": func(d *workflow.Definition) { d.Critical = true },
		"Ordinary": func(*workflow.Definition) {},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const crowd, limit = 400, 16
			arrived, goOn := make(chan string, crowd+1), make(chan struct{})
			b, _ := wired(t, func(_ http.ResponseWriter, c vendorCall) {
				to, _ := c.Body["to"].([]any)
				arrived <- fmt.Sprint(to...)
				<-goOn
			}, func(cfg *engine.Config) {
				cfg.AttemptsPerIntegration, cfg.Clock = limit, nil
				cfg.Deps.Timeout = time.Hour // a call that ended would let another one of the broadcast through
			})
			go func() { <-t.Context().Done(); close(goOn) }()
			b.work()

			wide := b.workflow(workflow.Definition{Steps: []workflow.Step{emailStep()}})
			var all workflow.Recipients
			for n := range crowd {
				all.Direct = append(all.Direct, workflow.SubscriberInput{SubscriberID: fmt.Sprintf("c%d", n), Profile: workflow.ProfileInput{Email: workflow.Given(fmt.Sprintf("c%d@example.com", n))}})
			}
			b.launch(wide, &all, "bulk")
			for range limit - limit/4 { // the share of the bulk lane
				require.NotContains(t, await(t, arrived), "code")
			}
			code := workflow.Definition{Steps: []workflow.Step{emailStep()}}
			change(&code)
			lane := map[string]string{"Critical": "urgent", "Ordinary": "normal"}[name]
			b.launch(b.workflow(code), &workflow.Recipients{Direct: []workflow.SubscriberInput{
				{SubscriberID: "u", Profile: workflow.ProfileInput{Email: workflow.Given("code@example.com")}},
			}}, lane)
			require.Equal(t, "code@example.com", await(t, arrived))
		})
	}
}

// launch triggers an event in a lane, and hands it over as accepting does.
func (b *bundle) launch(p published, to *workflow.Recipients, lane string) {
	b.tb.Helper()
	ev := b.triggered(p, to, func(e *ent.EventCreate) { e.SetLane(event.Lane(lane)) })
	b.config.Queue.Events.Put(event.Lane(lane), b.scope.EnvironmentID, ev)
}

// TestPaceIsSharedByProcesses: the places in line that two processes give out never coincide.
func TestPaceIsSharedByProcesses(t *testing.T) {
	t.Parallel()
	b, v := wired(t, nil)
	b.exec(`UPDATE integrations SET rate_limit = 0.01 WHERE id = $1`, b.email)
	other := b.newEngine(b.config)
	var events []string
	for range 3 {
		for _, e := range []*engine.Engine{b.engine, other} {
			events = append(events, b.mails(1)...)
			_, err := e.Wake(b.ctx, pgdue.DueMessages)
			require.NoError(t, err)
		}
	}
	require.Len(t, v.to("/first"), 1)
	places := map[time.Duration]bool{}
	for _, ev := range events {
		if m := b.messages(ev)[0]; m.DueAt != nil {
			places[m.DueAt.Sub(b.clock.Now("")).Round(25*time.Second)] = true
		}
	}
	require.Equal(t, map[time.Duration]bool{125 * time.Second: true, 250 * time.Second: true, 375 * time.Second: true, 500 * time.Second: true, 625 * time.Second: true}, places)
}
