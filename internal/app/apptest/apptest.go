// Package apptest runs a whole Carillon inside a test binary, for the tests of what calls it from outside.
package apptest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/alecthomas/kong"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
)

// Key is the API key of the environment that a server begins with.
const Key = "a-key-for-tests-of-clients"

// The variables in which Main leaves the address and the key, as the examples of the clients read them.
const (
	AddressVariable = "CARILLON_URL"
	KeyVariable     = "CARILLON_KEY"
)

// Main runs the tests and the examples of a package beside a server of their own. The package's TestMain calls it.
func Main(m *testing.M) {
	p := &process{ctx: context.Background()}
	address := Serve(p)
	for name, value := range map[string]string{AddressVariable: address, KeyVariable: Key} {
		if err := os.Setenv(name, value); err != nil {
			panic(err)
		}
	}
	code := m.Run()
	p.end()
	os.Exit(code)
}

// Serve starts a server on a database of its own and returns its address. It ends with the test.
func Serve(tb testing.TB) (address string) {
	tb.Helper()
	cfg := &config.Config{}
	parser, err := kong.New(cfg)
	if err == nil {
		_, err = parser.Parse(nil) // the defaults
	}
	if err != nil {
		tb.Fatalf("read the default settings: %v", err)
	}
	cfg.Addr, cfg.BootstrapAPIKey, cfg.SecretKey = "127.0.0.1:0", Key, secret.Generate()
	cfg.DatabaseURL = pgtest.NewURL(tb)
	ctx, stop := context.WithCancel(context.WithoutCancel(tb.Context()))
	greeting := &greeting{told: make(chan string, 1)}
	ended := make(chan error, 1)
	go func() { ended <- app.Serve(ctx, cfg, slog.New(slog.DiscardHandler), "test", greeting) }()
	tb.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			tb.Errorf("the server ended: %v", err)
		}
	})
	select {
	case address = <-greeting.told:
	case err := <-ended:
		ended <- err
		tb.Fatalf("start the server: %v", err)
	case <-time.After(stall.Limit(time.Minute)):
		tb.Fatal("the server did not start in time")
	}
	return address
}

// greeting takes what a server prints for its operator, and finds its address there.
type greeting struct {
	mu   sync.Mutex
	text bytes.Buffer
	told chan string
}

var listens = regexp.MustCompile(`listens on (http://\S+)`)

// Write sends the address once.
func (g *greeting) Write(b []byte) (int, error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.text.Write(b)
	if found := listens.FindSubmatch(g.text.Bytes()); found != nil {
		select {
		case g.told <- string(found[1]):
		default:
		}
	}
	return len(b), nil
}

// process is a testing.TB for what all tests of a binary share: a failure ends the process.
type process struct {
	testing.TB
	ctx      context.Context //nolint:containedctx // as a test has one
	cleanups []func()
}

func (p *process) Helper()                  {}
func (p *process) Context() context.Context { return p.ctx }
func (p *process) Cleanup(fn func())        { p.cleanups = append(p.cleanups, fn) }
func (p *process) Logf(f string, v ...any)  { fmt.Fprintf(os.Stderr, f+"\n", v...) }
func (p *process) Errorf(f string, v ...any) {
	p.Fatalf(f, v...)
}
func (p *process) FailNow()                  { panic(errors.New("the server of the tests failed")) }
func (p *process) Fatal(v ...any)            { panic(fmt.Sprint(v...)) }
func (p *process) Fatalf(f string, v ...any) { panic(fmt.Sprintf(f, v...)) }

func (p *process) end() {
	for len(p.cleanups) > 0 {
		last := p.cleanups[len(p.cleanups)-1]
		p.cleanups = p.cleanups[:len(p.cleanups)-1]
		last()
	}
}
