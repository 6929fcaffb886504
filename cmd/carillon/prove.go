package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"time"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/prove"
	"github.com/carillon/carillon/internal/secret"
)

// proveKills is how many kills make a run when neither their number nor a time is given.
const proveKills = 200

type proveCommand struct {
	Kills  int           `help:"Kills after which the load ends; 200 unless --for is given."`
	For    time.Duration `help:"Time after which the load ends, whatever the number of kills." placeholder:"DURATION"`
	Seed   uint64        `help:"Seed of faults and load, to repeat a run; drawn when left out."`
	Rate   int           `help:"Calls per second." default:"25"`
	Direct string        `name:"direct-url" help:"Address of the same database without the pooler that --database-url leads to, for migrations and the verdict." placeholder:"URL"`
	Calm   bool          `help:"Make no faults, so that those which others make (a promotion, a node that leaves) are judged; needs --for."`
	Report string        `help:"File for the report as JSON." type:"path" placeholder:"FILE"`
}

// setKey makes a secret key for the run where none is set: its database is empty and has no secrets yet.
func (proveCommand) setKey(cfg *config.Config) {
	if cfg.SecretKey == "" {
		cfg.SecretKey = secret.Generate()
	}
}

// Run proves the promises of a Carillon of its own.
func (c proveCommand) Run(ctx context.Context, cfg *config.Config) error {
	outliveReader()
	if c.Kills < 0 || c.For < 0 || c.Rate < 1 {
		return errors.New("--kills and --for must not be negative, and --rate must be at least 1")
	}
	if c.Calm && c.For == 0 {
		return errors.New("--calm makes no kills that could end the load: say with --for how long it lasts")
	}
	if c.Kills == 0 && c.For == 0 {
		c.Kills = proveKills
	}
	if c.Seed == 0 {
		c.Seed = rand.Uint64N(1 << 53) //nolint:gosec // every number is as good; JSON keeps it exactly
	}
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("find the program: %w", err)
	}
	report, err := prove.Run(ctx, prove.Config{
		Binary: self, Kills: c.Kills, For: c.For, Seed: c.Seed, Rate: c.Rate, Calm: c.Calm, DatabaseURL: cfg.DatabaseURL, DirectURL: c.Direct, SecretKey: cfg.SecretKey, PostgresBin: cfg.PostgresBin,
		ObtainPostgres: cfg.ObtainPostgres, Progress: stderr,
	})
	if report == nil {
		return err
	}
	err = errors.Join(err, report.Print(stdout))
	if c.Report != "" {
		err = errors.Join(err, report.Write(c.Report))
	}
	return err
}
