package importer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/Khan/genqlient/graphql"

	graphclient "github.com/carillon/carillon/graph/client"
	"github.com/carillon/carillon/graph/client/retry"
	"github.com/carillon/carillon/internal/jsonnum"
)

// Patience is how long the importer bears a server that is away or asks to wait.
var Patience = retry.Sender{Attempts: 8, Backoff: 500 * time.Millisecond, MaxWait: 2 * time.Minute}

// Target is the environment of a Carillon that is written to or exported.
type Target struct {
	api       *graphclient.Client
	workflows map[string]bool // by trigger identifier
}

// NewTarget returns the environment that key opens at address.
func NewTarget(address, key string, patience retry.Sender) (*Target, error) {
	api, err := graphclient.New(address, key, graphclient.WithRetries(patience), graphclient.WithHTTPClient(patience.HTTP))
	if err != nil {
		return nil, fmt.Errorf("the target: %w", err)
	}
	return &Target{api: api}, nil
}

// do runs an operation and decodes its data into out, with all digits of whole numbers, also what there is beside an error.
func (t *Target) do(ctx context.Context, query string, variables map[string]any, out any) error {
	var data json.RawMessage
	err := t.api.MakeRequest(ctx, &graphql.Request{Query: query, Variables: variables}, &graphql.Response{Data: &data})
	if out != nil && data != nil {
		err = cmp.Or(err, jsonnum.Unmarshal(data, out))
	}
	return err //nolint:wrapcheck // its errors name the operation
}

// accountCodes are the codes of refusals that concern every call with this key.
var accountCodes = []string{"UNAUTHENTICATED", "FORBIDDEN", "RATE_LIMITED", "UNAVAILABLE", "REQUEST_TIMEOUT", "INTERNAL", ""}

// refusalOf is the service's refusal of what a call asked for; nil when err is about the service, the way to it, or the key.
func refusalOf(err error) *graphclient.Error {
	var refusal *graphclient.Error
	if !errors.As(err, &refusal) || refusal.StatusCode >= http.StatusInternalServerError || slices.Contains(accountCodes, refusal.Code) {
		return nil
	}
	return refusal
}

// reasonOf is a refusal for a report: what is wrong with which member, or else the message.
func reasonOf(refusal *graphclient.Error) string {
	if len(refusal.Fields) == 0 {
		return refusal.Message
	}
	parts := make([]string, len(refusal.Fields))
	for i, f := range refusal.Fields {
		parts[i] = f.Path + ": " + f.Message
	}
	return strings.Join(parts, "; ")
}

// loadWorkflows reads which workflows the target has. They are as many as people write.
func (t *Target) loadWorkflows(ctx context.Context) error {
	t.workflows = map[string]bool{}
	return pagesOf(ctx, t, "workflows", `first: 100`, `identifier`, func(nodes []struct{ Identifier string }) error {
		for _, w := range nodes {
			t.workflows[w.Identifier] = true
		}
		return nil
	})
}

// checkWorkflows reports the workflows that a deployment lists: no documented route shows their contents, so that a folder
// has to bring them.
func checkWorkflows(_ context.Context, o Options, lines []Line) (items []Item, err error) {
	for _, l := range lines {
		var listed struct {
			WorkflowID string `json:"workflowId"`
		}
		if err := l.decode(&listed); err != nil {
			items = append(items, malformed(kindWorkflow, l, err))
			continue
		}
		item := Item{Kind: kindWorkflow, Name: listed.WorkflowID, Result: Unchanged}
		if !o.Target.workflows[listed.WorkflowID] {
			item.Result, item.Reason = Refused, "the documented API lists a workflow without its contents; write it into workflows/ of the folder"
		}
		items = append(items, item)
	}
	return items, nil
}

type pageInfo struct {
	HasNextPage bool
	EndCursor   *string
}

// pagesOf passes the nodes of a connection, page by page.
func pagesOf[T any](ctx context.Context, t *Target, field, arguments, selection string, pass func([]T) error) error {
	after := ""
	for {
		nodes, next, err := pageOf[T](ctx, t, field, arguments, selection, "", after)
		if err != nil {
			return err
		}
		if err := pass(nodes); err != nil || next == "" {
			return err
		}
		after = next
	}
}

// pageOf returns the nodes of a connection behind a cursor, and the cursor of the next page; "" when there is none.
func pageOf[T any](ctx context.Context, t *Target, field, arguments, selection, fragment, after string) (nodes []T, next string, err error) {
	variables := map[string]any{}
	if after != "" {
		variables["after"] = after
	}
	var answer struct {
		Page struct {
			Nodes    []T
			PageInfo pageInfo
		}
	}
	query := fmt.Sprintf(`query($after: String) { page: %s(%s, after: $after) { nodes { %s } pageInfo { hasNextPage endCursor } } }`, field, arguments, selection) + fragment
	if err := t.do(ctx, query, variables, &answer); err != nil {
		return nil, "", err
	}
	if answer.Page.PageInfo.HasNextPage && answer.Page.PageInfo.EndCursor != nil {
		next = *answer.Page.PageInfo.EndCursor
	}
	return answer.Page.Nodes, next, nil
}
