package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/carillon/carillon/internal/client"
)

type subscribersCommand struct {
	Export subscribersExportCommand `cmd:"" help:"Print everything that is stored about a person, as NDJSON."`
	Erase  subscribersEraseCommand  `cmd:"" help:"Erase everything that is stored about a person."`
	Check  erasureCheckCommand      `cmd:"" name:"check-erasure" help:"Look for an erased person in every table of the database, and write a signed certificate. Exits with 1 when something is left."`
	Verify erasureVerifyCommand     `cmd:"" name:"verify-certificate" help:"Check a certificate of check-erasure."`
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
	out, server := bufio.NewWriter(stdout), c.client()
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
		fmt.Fprintf(stderr, "%d records\n", records)
		if !page.PageInfo.HasNextPage {
			return nil
		}
		after = page.PageInfo.EndCursor
	}
}

type subscribersEraseCommand struct {
	environmentFlags `embed:""`

	ID  string `arg:"" help:"The subscriber's identifier, as triggers name it."`
	Yes bool   `help:"Erase; without it, only say how much there is."`
}

const (
	storedRecords = `query($id: String!) { exportSubscriber(subscriberId: $id, first: 1) { totalCount totalCountCapped } }`
	erasedBatch   = `mutation($id: String!) { eraseSubscriber(subscriberId: $id) { erasure { rows done pseudonym } } }`
)

// eraseAgain is how long the command waits for what a server is working on.
const eraseAgain = 2 * time.Second

// Run erases a person batch by batch; run again, it continues.
func (c subscribersEraseCommand) Run(ctx context.Context) error {
	server := c.client()
	var stored struct {
		ExportSubscriber *struct {
			TotalCount       int
			TotalCountCapped bool
		}
	}
	if err := server.GraphQL(ctx, storedRecords, map[string]any{"id": c.ID}, &stored); err != nil {
		return err
	}
	if stored.ExportSubscriber == nil {
		return fmt.Errorf("nothing is stored about a subscriber %q in this environment", c.ID)
	}
	if !c.Yes {
		more := ""
		if stored.ExportSubscriber.TotalCountCapped {
			more = "more than "
		}
		_, err := fmt.Fprintf(stdout, "%s%d records are stored about %q; carillon subscribers export shows them, an erasure is for good\n",
			more, stored.ExportSubscriber.TotalCount, c.ID)
		fmt.Fprintln(stderr, nothingChanged)
		return err
	}
	return c.erase(ctx, server)
}

func (c subscribersEraseCommand) erase(ctx context.Context, server *client.Client) error {
	for rows := 0; ; {
		var answer struct {
			EraseSubscriber struct {
				Erasure *struct {
					Rows      int
					Done      bool
					Pseudonym string
				}
			}
		}
		if err := server.GraphQL(ctx, erasedBatch, map[string]any{"id": c.ID}, &answer); err != nil {
			return err
		}
		batch := answer.EraseSubscriber.Erasure
		if batch == nil {
			return fmt.Errorf("another erasure of %q has ended meanwhile", c.ID)
		}
		rows += batch.Rows
		fmt.Fprintf(stderr, "%d records\n", rows)
		if batch.Done {
			fmt.Fprintln(stdout, batch.Pseudonym)
			return nil
		}
		if batch.Rows > 0 {
			continue
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(eraseAgain):
		}
	}
}
