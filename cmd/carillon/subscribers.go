package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
)

type subscribersCommand struct {
	Export subscribersExportCommand `cmd:"" help:"Print everything that is stored about a person, as NDJSON."`
}

type subscribersExportCommand struct {
	environmentFlags `embed:""`

	ID string `arg:"" help:"The subscriber's identifier, as triggers name it."`
}

const exportedPage = `query($id: String!, $after: String) {
  exportSubscriber(subscriberId: $id, first: 100, after: $after) {
    records { kind data }
    pageInfo { hasNextPage endCursor }
  }
}`

// Run prints the records of a person, one on each line, and their number at the end.
func (c subscribersExportCommand) Run(ctx context.Context) error {
	out, server := bufio.NewWriter(os.Stdout), c.client()
	records := 0
	for after := (*string)(nil); ; {
		var answer struct {
			ExportSubscriber *struct {
				Records  []json.RawMessage
				PageInfo struct {
					HasNextPage bool
					EndCursor   *string
				}
			}
		}
		if err := server.GraphQL(ctx, exportedPage, map[string]any{"id": c.ID, "after": after}, &answer); err != nil {
			return err
		}
		page := answer.ExportSubscriber
		if page == nil {
			return fmt.Errorf("there never was a subscriber %q in this environment", c.ID)
		}
		for _, record := range page.Records {
			_, _ = out.Write(append(record, '\n')) // Flush returns what goes wrong
		}
		if err := out.Flush(); err != nil {
			return fmt.Errorf("print: %w", err)
		}
		records += len(page.Records)
		fmt.Fprintf(os.Stderr, "%d records\n", records)
		if !page.PageInfo.HasNextPage {
			return nil
		}
		after = page.PageInfo.EndCursor
	}
}
