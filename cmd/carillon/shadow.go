package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/carillon/carillon/graph/client/retry"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/importer"
	"github.com/carillon/carillon/internal/shadow"
)

// shadowPatience is how long the proxy finishes calls, and plays what waits, when it is stopped.
const shadowPatience = 30 * time.Second

type shadowCommand struct {
	environmentFlags `embed:""`

	From       string `help:"Address of the deployment that calls are forwarded to, such as https://notify.example.com." env:"CARILLON_FROM_URL" required:"" placeholder:"URL"`
	Listen     string `help:"Address at which calls are taken." default:"127.0.0.1:8090"`
	StatusAddr string `help:"Address of the status page; /status.json is there too." default:"127.0.0.1:8091"`
	Token      string `help:"Token of the status page: the password that a browser asks for. Empty: one is made and printed." env:"CARILLON_SHADOW_TOKEN" placeholder:"TOKEN"`
	Log        string `help:"File to which a line of JSON is appended for each call that differs." placeholder:"FILE"`
	Queue      int    `help:"Calls that wait to be played at most; those beyond are dropped and counted." default:"10000"`
}

// Run forwards calls and plays them on an environment until it is stopped.
func (c shadowCommand) Run(ctx context.Context, log *slog.Logger) error {
	old, err := url.Parse(c.From)
	if err != nil || old.Scheme != "http" && old.Scheme != "https" || old.Host == "" {
		return fmt.Errorf("--from %q is not an address such as https://notify.example.com", c.From)
	}
	if c.Queue < 1 {
		return errors.New("--queue must be at least 1")
	}
	differences, err := c.openLog()
	if err != nil {
		return err
	}
	defer func() { _ = differences.Close() }()
	here := &client.Client{URL: c.URL, Key: c.Key, HTTP: &http.Client{Transport: patient{importer.Patience}, Timeout: 5 * time.Minute}}
	if err := here.GraphQL(ctx, `query { workflows(first: 1) { nodes { id } } }`, nil, nil); err != nil {
		return err
	}
	s := shadow.New(shadow.Config{Old: old, Here: here, Queue: c.Queue, Log: differences, Logger: log})
	if err := c.serve(ctx, s, old); err != nil {
		return err
	}
	return s.Summary().Print(stdout)
}

// openLog opens the file of differences, which hold people's data.
func (c shadowCommand) openLog() (io.WriteCloser, error) {
	if c.Log == "" {
		return os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	return os.OpenFile(c.Log, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// serve runs the proxy until ctx ends, then finishes the calls that are under way and plays what waits.
func (c shadowCommand) serve(ctx context.Context, s *shadow.Shadow, old *url.URL) error {
	made := c.Token == ""
	if made {
		c.Token = rand.Text()
	}
	listening := net.ListenConfig{}
	calls, err := listening.Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen at %s: %w", c.Listen, err)
	}
	status, err := listening.Listen(ctx, "tcp", c.StatusAddr)
	if err != nil {
		return errors.Join(fmt.Errorf("listen at %s: %w", c.StatusAddr, err), calls.Close())
	}
	playing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended, failed := make(chan struct{}), make(chan error, 2)
	go func() { s.Run(playing); close(ended) }()
	servers := []*http.Server{{Handler: s, ReadHeaderTimeout: time.Minute}, {Handler: s.Status(c.Token), ReadHeaderTimeout: time.Minute}}
	for i, listener := range []net.Listener{calls, status} {
		go func() { failed <- servers[i].Serve(listener) }()
	}
	fmt.Fprintf(stdout, "Calls to http://%s are forwarded to %s and played on %s; the status is at http://%s/\n", calls.Addr(), old.Redacted(), c.URL, status.Addr())
	if made {
		fmt.Fprintln(stdout, "The password of the status page, shown once:", c.Token)
	}
	select {
	case <-ctx.Done():
		err = nil
	case err = <-failed:
	}
	patience, cancel := context.WithTimeout(playing, shadowPatience)
	defer cancel()
	context.AfterFunc(patience, stop)
	for _, server := range servers {
		err = errors.Join(err, server.Shutdown(patience))
	}
	s.Close()
	<-ended
	return err
}

// patient sends requests again when Carillon asks to wait.
type patient struct{ sender retry.Sender }

// RoundTrip sends a request.
func (p patient) RoundTrip(req *http.Request) (*http.Response, error) { return p.sender.DoOnce(req) } //nolint:wrapcheck // names the address
