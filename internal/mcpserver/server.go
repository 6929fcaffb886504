// Package mcpserver lets assistants work with a running Carillon: an MCP server whose tools are GraphQL operations of that
// Carillon, made with one API key, so that the key's scopes, its tenancy and the rate limits hold (mcp.md).
package mcpserver

import (
	"context"
	"fmt"
	"io"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/docs"
	"github.com/carillon/carillon/internal/version"
)

const instructions = `Carillon delivers notifications. To find out why a message did not arrive: find_subscriber, then list_notifications of
the subscriber, then explain_notification. To find out what a trigger would do: explain_trigger. Lists have cursors: pass
nextCursor as after. What a term or a reason means: search_docs.`

// Config says what the tools talk to and what they may do.
type Config struct {
	Client *client.Client
	Write  bool // also offers the tools that change something
}

// New makes a server with its tools and resources.
func New(cfg Config) (*mcp.Server, error) {
	documents, err := docs.All()
	if err != nil {
		return nil, fmt.Errorf("read the documents: %w", err)
	}
	server := mcp.NewServer(&mcp.Implementation{Name: "carillon", Title: "Carillon", Version: version.Version()},
		&mcp.ServerOptions{Instructions: instructions})
	server.AddReceivingMiddleware(withoutNulls)
	s := &service{api: cfg.Client, docs: documents}
	s.addSubscribers(server)
	s.addActivity(server)
	s.addConfiguration(server)
	s.addDocs(server)
	addTool(server, explainTrigger, s.explainTrigger)
	if cfg.Write {
		addTool(server, triggerEvent, s.triggerEvent)
		addTool(server, saveWorkflowDraft, s.saveWorkflowDraft)
	}
	return server, nil
}

// Serve answers on an input and an output until the client closes them or ctx ends.
func Serve(ctx context.Context, cfg Config, in io.ReadCloser, out io.Writer) error {
	server, err := New(cfg)
	if err != nil {
		return err
	}
	return server.Run(ctx, transport(in, out)) //nolint:wrapcheck // the SDK says what failed
}

// service answers the tools.
type service struct {
	api  *client.Client
	docs []*docs.Document
}
