package main

import (
	"context"
	"os"

	"github.com/carillon/carillon/internal/mcpserver"
)

type mcpCommand struct {
	environmentFlags `embed:""`

	Write bool `help:"Also offer the tools that change something: trigger_event and save_workflow_draft. The key needs the scopes for them."`
}

// Run serves assistants on standard input and output.
func (c mcpCommand) Run(ctx context.Context) error {
	return mcpserver.Serve(ctx, mcpserver.Config{Client: c.client(), Write: c.Write}, os.Stdin, os.Stdout)
}
