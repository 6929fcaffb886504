package main

import (
	"context"
	"fmt"
	"net"
	"os"

	"github.com/carillon/carillon/internal/bench"
)

type benchCommand struct {
	Requests  int      `help:"Triggers of each measured run." default:"20000"`
	Topic     int      `help:"Subscribers of the topic." default:"10000"`
	Rate      int      `help:"Webhooks per second of the latency run; inboxes get twice as many messages." default:"100"`
	Broadcast int      `help:"Subscribers of the large broadcast, a tenth of them in a topic; 0 leaves it out." default:"1000000"`
	Parts     []string `help:"Parts to measure: ${enum}; everything when left out." enum:"delivery,routes,waits,live,sending,idempotency,overload,processes"`
	Route     string   `help:"Of the documented routes, only those whose names contain this."`
}

// Run measures a Carillon of its own, with its own database.
func (c benchCommand) Run(ctx context.Context) error {
	outliveReader()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	return bench.Run(ctx, bench.Config{Binary: self, Requests: c.Requests, Topic: c.Topic, Rate: c.Rate, Broadcast: c.Broadcast, Parts: c.Parts, Route: c.Route, Out: stdout, Progress: stderr})
}

type benchFloorCommand struct {
	DSN string `name:"bench-dsn" env:"CARILLON_BENCH_DSN" required:""`
}

// Run serves the floor and prints its address first.
func (c benchFloorCommand) Run(ctx context.Context) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}
	fmt.Fprintln(stdout, "http://"+ln.Addr().String())
	return bench.ServeFloor(ctx, c.DSN, ln)
}
