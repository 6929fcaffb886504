package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"syscall"
	"time"

	"github.com/carillon/carillon/internal/config"
)

// Level is how bad a finding is.
type Level string

// The levels. Only LevelFail keeps Carillon from doing its work as promised.
const (
	LevelOK   Level = "ok"
	LevelWarn Level = "warn"
	LevelFail Level = "fail"
)

// Finding is what one check of Doctor found.
type Finding struct {
	Level Level
	Check string // what was looked at, in a word or two
	What  string // what was found
	Cure  string // what to do; "" when all is well
}

// Doctor looks for the usual faults of a set-up. It changes nothing and works beside a running service; an embedded
// database that is not running is started for the length of the examination.
func Doctor(ctx context.Context, cfg *config.Config, log *slog.Logger) []Finding {
	d := &doctor{cfg: cfg, log: log, now: time.Now, freeSpace: freeSpace}
	d.examine(ctx)
	return d.findings
}

// Healthy reports whether nothing failed.
func Healthy(findings []Finding) bool {
	for _, f := range findings {
		if f.Level == LevelFail {
			return false
		}
	}
	return true
}

// doctor collects findings. What it cannot make happen in a test is a field.
type doctor struct {
	cfg       *config.Config
	log       *slog.Logger
	now       func() time.Time
	freeSpace func(dir string) (uint64, error)

	findings []Finding
}

func (d *doctor) ok(check, format string, args ...any) {
	d.findings = append(d.findings, Finding{Level: LevelOK, Check: check, What: fmt.Sprintf(format, args...)})
}

func (d *doctor) warn(check, cure, format string, args ...any) {
	d.findings = append(d.findings, Finding{Level: LevelWarn, Check: check, What: fmt.Sprintf(format, args...), Cure: cure})
}

func (d *doctor) fail(check, cure, format string, args ...any) {
	d.findings = append(d.findings, Finding{Level: LevelFail, Check: check, What: fmt.Sprintf(format, args...), Cure: cure})
}

// failed reports that a check itself could not be made.
func (d *doctor) failed(check string, err error) {
	d.fail(check, "see the text", "could not be checked: %s", Refusal(err))
}

func (d *doctor) examine(ctx context.Context) {
	if !d.settings() {
		return // everything else rests on them
	}
	usable := !d.cfg.Embedded() || d.dataDir(ctx)
	d.port(ctx)
	d.egress(ctx)
	if usable {
		d.database(ctx)
	}
}

func (d *doctor) settings() bool {
	cfg := *d.cfg
	err := cfg.Finish()
	if err == nil {
		d.ok("settings", "valid")
		return true
	}
	for _, mistake := range splitErrors(err) {
		d.fail("settings", "change this setting", "%s", mistake)
	}
	return false
}

func splitErrors(err error) []error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()
	}
	return []error{err}
}

// freeSpace is what an ordinary user may still write to dir's file system, in bytes.
func freeSpace(dir string) (uint64, error) {
	var st syscall.Statfs_t
	if err := syscall.Statfs(dir, &st); err != nil {
		return 0, fmt.Errorf("free space of %s: %w", dir, err)
	}
	return st.Bavail * uint64(st.Bsize), nil //nolint:gosec // a block's size is positive
}
