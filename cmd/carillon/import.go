package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/carillon/carillon/internal/importer"
)

type importCommand struct {
	environmentFlags `embed:""`

	Dir         string `arg:"" help:"Export folder (migrate.md): what it holds is taken over. With --from it is filled first."`
	From        string `help:"Address of the deployment that is moved, such as https://notify.example.com. Empty: the folder alone." env:"CARILLON_FROM_URL" placeholder:"URL"`
	FromKey     string `help:"API key of the deployment that is moved." env:"CARILLON_FROM_API_KEY"`
	State       string `help:"Directory in which is kept how far the move has come, and the report. Empty: .carillon/import in the folder." type:"path"`
	Restart     bool   `help:"Begin anew instead of continuing. What is taken over already stays and is unchanged."`
	Concurrency int    `help:"Requests at the same time." default:"8"`
}

// Validate refuses what cannot be meant.
func (c importCommand) Validate() error {
	if c.From == "" != (c.FromKey == "") {
		return errors.New("--from and --from-key belong together: give the address and the API key of the deployment that is moved")
	}
	if c.Concurrency < 1 {
		return errors.New("--concurrency must be at least 1")
	}
	return nil
}

// Run moves a deployment, or a folder, into an environment.
func (c importCommand) Run(ctx context.Context) error {
	if c.From == "" { // the state below makes the folder, which only --from fills
		if _, err := os.ReadDir(c.Dir); err != nil {
			return err
		}
	}
	folder := &importer.Folder{Dir: c.Dir}
	target, err := importer.NewTarget(c.URL, c.Key, importer.Patience)
	if err != nil {
		return fmt.Errorf("--url: %w", err)
	}
	state, release, err := openState(stateDir(c.State, c.Dir, "import"), c.From, c.URL, c.Restart)
	if err != nil {
		return err
	}
	defer release()
	var notRead []importer.NotRead
	if c.From != "" {
		notRead = importer.NotDocumented()
		if err := c.read(ctx, folder, state); err != nil {
			return continued(err)
		}
	}
	var said progress
	err = importer.Import(ctx, importer.Options{
		Folder: folder, State: state, Target: target, Secret: os.LookupEnv, Concurrency: c.Concurrency,
		Progress: func(kind string, counts importer.Counts) {
			said.note(kind, fmt.Sprintf("%d taken, %d unchanged, %d refused", counts.Taken, counts.Unchanged, counts.Refused))
		},
	})
	said.end()
	if err != nil {
		return continued(err)
	}
	report, err := state.Report(stdout, notRead)
	if err != nil {
		return err
	}
	fmt.Fprintln(stdout, "The report is in", report+". After a change of the folder use --restart: what is taken over already is unchanged.")
	return nil
}

func (c importCommand) read(ctx context.Context, folder *importer.Folder, state *importer.State) error {
	source, err := importer.NewSource(c.From, c.FromKey, importer.Patience)
	if err != nil {
		return fmt.Errorf("--from: %w", err)
	}
	var said fileProgress
	defer said.end()
	return importer.Read(ctx, importer.ReadOptions{Folder: folder, State: state, Source: source, Concurrency: c.Concurrency, Progress: said.more})
}

// stateDir is where a command keeps how far it has come.
func stateDir(given, dir, command string) string {
	if given != "" {
		return given
	}
	return filepath.Join(dir, ".carillon", command)
}

// openState opens the state in a directory for this run alone.
func openState(dir, source, target string, restart bool) (state *importer.State, release func(), err error) {
	if release, err = importer.Hold(dir); err != nil {
		return nil, nil, err
	}
	if state, err = importer.OpenState(dir, source, target, restart); err != nil {
		release()
	}
	return state, release, err
}

// continued says that a command that was interrupted may be run again.
func continued(err error) error {
	if errors.Is(err, context.Canceled) {
		return errors.New("interrupted; run the same command again and it continues")
	}
	return fmt.Errorf("%w\nRun the same command again when that is settled: it continues", err)
}

type exportCommand struct {
	environmentFlags `embed:""`

	Dir     string `arg:"" help:"Folder to fill (migrate.md)."`
	State   string `help:"Directory in which is kept how far the export has come. Empty: .carillon/export in the folder." type:"path"`
	Restart bool   `help:"Begin anew instead of continuing."`
}

// Run writes an environment into an export folder.
func (c exportCommand) Run(ctx context.Context) error {
	from, err := importer.NewTarget(c.URL, c.Key, importer.Patience)
	if err != nil {
		return fmt.Errorf("--url: %w", err)
	}
	state, release, err := openState(stateDir(c.State, c.Dir, "export"), c.URL, "", c.Restart)
	if err != nil {
		return err
	}
	defer release()
	var said fileProgress
	err = importer.Export(ctx, importer.ExportOptions{Folder: &importer.Folder{Dir: c.Dir}, State: state, From: from, Progress: said.more})
	said.end()
	if err != nil {
		return continued(err)
	}
	fmt.Fprintln(stdout, "The environment is in", c.Dir+"; secrets and masked addresses are not.")
	return nil
}
