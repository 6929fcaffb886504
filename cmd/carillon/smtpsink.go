package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"

	"github.com/carillon/carillon/internal/demo"
)

type smtpSinkCommand struct {
	Listen   string `help:"Address to listen on." default:"127.0.0.1:2525"`
	Lifeline bool   `help:"End when the standard input ends."`
}

// Run receives mails and prints them until a signal.
func (c smtpSinkCommand) Run(ctx context.Context, log *slog.Logger) error {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", c.Listen)
	if err != nil {
		return fmt.Errorf("listen for mail: %w", err)
	}
	if c.Lifeline {
		alive, cancel := context.WithCancel(ctx)
		ctx = alive
		go func() {
			defer cancel()
			_, _ = io.Copy(io.Discard, os.Stdin) // nothing is ever written to it; it ends with the parent
		}()
	}
	return demo.ServeSink(ctx, ln, stdout, log)
}
