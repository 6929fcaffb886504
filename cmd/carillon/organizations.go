package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"os"
	"regexp"
	"strings"

	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgmove"
)

// organizationsCommand is what operators do with whole organizations.
type organizationsCommand struct {
	Move organizationsMoveCommand `cmd:"" help:"Move an organization to another cell, while its requests are answered with 503. An interrupted move is continued by the same command."`
}

type organizationsMoveCommand struct {
	Organization string `arg:"" help:"Its id or name."`
	To           string `env:"CARILLON_TARGET_DATABASE_URL" help:"Postgres connection string of the target cell; CARILLON_DATABASE_URL is the source's." required:"" placeholder:"URL"`
	Cell         string `name:"to-cell" help:"CARILLON_CELL of the target: the source answers with it from then on, and the lines for the proxy name it." required:"" placeholder:"NAME"`
	URL          string `name:"to-url" help:"CARILLON_PUBLIC_URL of the target: links in mails that were sent already are passed on to it." required:"" placeholder:"URL"`
	DryRun       bool   `help:"Only say what would be copied." xor:"how"`
	Undo         bool   `help:"Give a move up that the target has not got yet." xor:"how"`
	Yes          bool   `help:"Do not ask."`
}

var cellName = regexp.MustCompile(`^[a-z0-9]{2,12}$`)

// Validate refuses what callers could not follow. It is called before what is missing is reported.
func (c organizationsMoveCommand) Validate() error {
	if c.Cell == "" || c.URL == "" {
		return nil
	}
	if !cellName.MatchString(c.Cell) {
		return fmt.Errorf("--to-cell %s: two to twelve lower-case letters and digits, as CARILLON_CELL", c.Cell)
	}
	if to, err := url.Parse(c.URL); err != nil || to.Scheme != "http" && to.Scheme != "https" || to.Host == "" {
		return fmt.Errorf("--to-url %s: write an address such as https://us.example.com", c.URL)
	}
	return nil
}

// Run moves the organization. Only the lines for the proxy go to the standard output, so that they can be captured.
func (c organizationsMoveCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.MoveOrganization(ctx, cfg, log, c.To, func(m *pgmove.Move) error {
		m.Organization, m.To, m.URL, m.Report = c.Organization, "cell "+c.Cell, c.URL, reportMove
		plan, err := m.Plan(ctx)
		if err != nil {
			return err
		}
		printMove(plan)
		switch {
		case len(plan.Conflicts) > 0 && !c.Undo:
			return errConflicts(plan)
		case c.DryRun:
			fmt.Fprintln(stderr, "Nothing was changed.")
			return nil
		case !c.Yes && !confirmed(ctx, c.question(plan)):
			return errors.New("nothing was changed")
		}
		m.Organization = plan.Organization
		if c.Undo {
			if err := m.Undo(ctx); err != nil {
				return err
			}
			fmt.Fprintf(stderr, "%s stays, and is served again.\n", plan.Name)
			return nil
		}
		switch err := m.Run(ctx); {
		case err == nil:
		case postgres.IsUniqueViolation(err):
			return fmt.Errorf("the target has a value of its own that there may be once, and takes the organization only without it; --undo gives the move up: %w", err)
		case postgres.Stopped(ctx, err):
			return errors.New("interrupted: the requests of the organization may be refused until the same command has continued the move, " +
				"or --undo has given it up, which is possible until the target has everything")
		default:
			return fmt.Errorf("the move has not ended; the same command continues it: %w", err)
		}
		fmt.Fprintf(stderr, "%s has moved to cell %s. Its keys, for the proxy:\n", plan.Name, c.Cell)
		return c.printKeys(ctx, m)
	})
}

// errConflicts says why a move would not end, before it holds the organization, or how one is given up.
func errConflicts(plan *pgmove.Plan) error {
	undo := "Nothing was changed"
	if plan.Stage != "" {
		undo = "--undo gives the move up"
	}
	return fmt.Errorf("another organization of the target has the same value as: %s. %s. Both cells may have been made with one CARILLON_BOOTSTRAP_API_KEY: "+
		"make another key for its callers, and delete (not only revoke) the one in either cell", strings.Join(plan.Conflicts, ", "), undo)
}

func (c organizationsMoveCommand) question(plan *pgmove.Plan) string {
	if c.Undo {
		return fmt.Sprintf("Give the move of %s up?", plan.Name)
	}
	return fmt.Sprintf("Move %s to cell %s? Its requests are answered with 503 meanwhile.", plan.Name, c.Cell)
}

// printKeys prints the lines of a proxy's map: the hash of each key, and the cell.
func (c organizationsMoveCommand) printKeys(ctx context.Context, m *pgmove.Move) error {
	hashes, err := pgmove.KeyHashes(ctx, m.Target, m.Organization)
	for _, hash := range hashes {
		fmt.Fprintln(stdout, hash, c.Cell)
	}
	return err
}

func printMove(plan *pgmove.Plan) {
	fmt.Fprintf(stderr, "%s (%s), %d environments", plan.Name, plan.Organization, plan.Environments)
	if plan.Stage != "" {
		fmt.Fprintf(stderr, "; a move has begun: %s", plan.Stage)
	}
	fmt.Fprintln(stderr)
	for _, t := range plan.Tables {
		more := " "
		if t.Rows == pgmove.CountCap {
			more = "+"
		}
		fmt.Fprintf(stderr, "%12d%s %s\n", t.Rows, more, t.Table)
	}
}

var moveSteps = map[pgmove.Step]string{
	pgmove.Holding:   "requests of the organization are answered with 503 now",
	pgmove.Copying:   "nothing of it is in flight; copying",
	pgmove.Marking:   "everything is copied and verified; the source gives it up",
	pgmove.Releasing: "releasing what waits",
	pgmove.Clearing:  "deleting the source's rows, but for its keys",
}

func reportMove(step pgmove.Step, text string) {
	if said, ok := moveSteps[step]; ok {
		text = said
	}
	if step == pgmove.Waiting {
		text = "waiting until " + text
	}
	fmt.Fprintln(stderr, text)
}

// confirmed asks a question at the terminal.
func confirmed(ctx context.Context, question string) bool {
	fmt.Fprintf(stderr, "%s [y/N] ", question)
	answer := make(chan string, 1)
	go func() {
		line, _ := bufio.NewReader(os.Stdin).ReadString('\n') // no answer is no
		answer <- strings.ToLower(strings.TrimSpace(line))
	}()
	select {
	case <-ctx.Done():
		return false
	case text := <-answer:
		return text == "y" || text == "yes"
	}
}
