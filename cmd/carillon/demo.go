package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/demo"
	"github.com/carillon/carillon/internal/postgres/embedded"
)

type demoCommand struct {
	URL   string        `help:"Address of a running Carillon on this machine, which may call 127.0.0.0/8 (CARILLON_EGRESS_ALLOW). Empty: one of the demo's own." placeholder:"URL"`
	Key   string        `help:"Organization key of the running Carillon, as from: carillon keys create --organization. The demo makes an environment of its own with it." placeholder:"KEY"`
	Keep  bool          `help:"Keep the environment after the demo."`
	Limit time.Duration `help:"Time limit of the demo." default:"1m"`
}

// Run plays the demo. It fails when something did not arrive.
func (c demoCommand) Run(ctx context.Context, cfg *config.Config) (err error) {
	outliveReader()
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	if (c.URL == "") != (c.Key == "") {
		return errors.New("--url and --key belong together")
	}
	run := demo.Config{Binary: self, URL: c.URL, Key: c.Key, Prefix: cfg.ValuePrefix, Keep: c.Keep, Timeout: c.Limit, Out: stdout}
	if c.URL == "" {
		const pattern = "carillon-demo-*"
		embedded.RemoveAbandoned(ctx, pattern)
		if run.DataDir, err = embedded.TempDir(pattern, embedded.RAMDisk()...); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(run.DataDir)) }()
	}
	return demo.Run(ctx, run)
}
