// Command carillon is the notification delivery service: flags, signals and exit codes. Everything else is below.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	_ "time/tzdata" // for systems without time zones: an image that holds the program alone

	"github.com/alecthomas/kong"
	kongcompletion "github.com/jotaen/kong-completion"
	_ "golang.org/x/crypto/x509roots/fallback" // for systems without root certificates

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/notices"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/telemetry"
	"github.com/carillon/carillon/internal/version"
)

// commands are the program's commands; each is a method Run of its struct.
type commands struct {
	config.Config `embed:"" group:"Settings"`

	Serve         serveCommand         `cmd:"" help:"Serve the API and deliver. Without CARILLON_DATABASE_URL it runs a Postgres of its own in the data directory."`
	Worker        workerCommand        `cmd:"" help:"Deliver only, beside other processes on the same database."`
	Migrate       migrateCommand       `cmd:"" help:"Bring an external database's schema up to date."`
	Backup        backupCommand        `cmd:"" help:"Write all rows of the installation to a file. The service may run meanwhile."`
	Restore       restoreCommand       `cmd:"" help:"Fill an empty database from a backup."`
	Keys          keysCommand          `cmd:"" help:"Manage environments and their API keys."`
	Organizations organizationsCommand `cmd:"" help:"Move organizations between installations."`
	Users         usersCommand         `cmd:"" help:"Manage the people who log in."`
	Demo          demoCommand          `cmd:"" help:"Run a small real case on all five channels and watch it."`
	Explain       explainCommand       `cmd:"" help:"Show what an event would do, step by step, without doing it."`
	Pull          pullCommand          `cmd:"" help:"Write an environment's workflows, layouts, snippets, translations, topics and integrations as files, without secrets."`
	Plan          planCommand          `cmd:"" help:"Print what apply would change. Exits with 2 when there is a difference."`
	Apply         applyCommand         `cmd:"" help:"Apply the files of a directory to an environment, in one transaction."`
	Promote       promoteCommand       `cmd:"" help:"Take workflows and what belongs to them over from another environment."`
	Import        importCommand        `cmd:"" help:"Move an existing deployment of the documented API, or an export folder, into an environment."`
	Export        exportCommand        `cmd:"" help:"Write an environment into an export folder: its files, subscribers, subscriptions, channel endpoints and preferences."`
	Shadow        shadowCommand        `cmd:"" help:"Forward every call to an existing deployment, play it on an environment with sending held, and report where the outcomes differ."`
	Lint          lintCommand          `cmd:"" help:"Check the files of a directory without a service."`
	Types         typesCommand         `cmd:"" help:"Write Go, TypeScript or Python types for the payloads of triggers, from the workflows' schemas."`
	MCP           mcpCommand           `cmd:"" name:"mcp" help:"Serve assistants over the Model Context Protocol, on standard input and output."`
	Ready         readyCommand         `cmd:"" help:"Ask the process that listens at CARILLON_OPERATIONS_ADDR or CARILLON_ADDR of this machine whether it can serve. Exits with 1 when it cannot."`
	Doctor        doctorCommand        `cmd:"" help:"Check the installation for common problems and print how to fix them."`
	Bench         benchCommand         `cmd:"" help:"Measure throughput and latency on this machine, each beside a baseline."`
	Prove         proveCommand         `cmd:"" help:"Kill and freeze a Carillon of its own under load, fail its providers and its network, and check every acknowledged event. Exits with 1 when a promise was broken."`
	Version       versionCommand       `cmd:"" help:"Print the version."`
	Licenses      licensesCommand      `cmd:"" help:"Print the licences of the software that this program contains."`

	Subscribers    subscribersCommand    `cmd:"" help:"Show or erase what is stored about a person."`
	Repair         repairCommand         `cmd:"" help:"Send again, replay, retry, cancel, recall, pause: what is done by hand to what was triggered."`
	Schedules      schedulesCommand      `cmd:"" help:"Make, change, try and run schedules, which trigger workflows at a time or by a rule."`
	Webhooks       webhooksCommand       `cmd:"" help:"Make, change and try endpoints of outgoing webhooks, look at deliveries and send them again."`
	AdoptSecretKey adoptSecretKeyCommand `cmd:"" name:"adopt-secret-key" help:"Accept the present secret key because the earlier one is lost. Secrets stored with the earlier one stay unreadable."`

	Completion kongcompletion.Completion `cmd:"" help:"Print how to switch on completion in bash, zsh or fish."`
	Man        manCommand                `cmd:"" help:"Print the manual page."`

	SMTPSink   smtpSinkCommand   `cmd:"" name:"smtp-sink" help:"Receive mails and print them, to try e-mail without sending any."`
	BenchFloor benchFloorCommand `cmd:"" name:"bench-floor" hidden:""`
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	if len(args) > 0 && args[0] == "help" { // as in other programs
		args = append(args[1:], "--help")
	}
	var cli commands
	parser, err := kong.New(&cli,
		kong.Name("carillon"),
		kong.Description("Carillon delivers notifications: in-app, e-mail, SMS, chat and push."),
		kong.UsageOnError(),
		commandFlags(), kong.DefaultEnvars("CARILLON"),
		durations(), wholeNumbers(),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}), kong.Help(showHelp),
	)
	if err != nil {
		fmt.Fprintln(stderr, "carillon:", err)
		return 2
	}
	kongcompletion.Register(parser) // answers and exits when a shell asks
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintf(stderr, "carillon: %s\nTry: %s --help\n", sentence(err), misread(err))
		return 2
	}
	if command.Command() == "prove" {
		cli.Prove.setKey(&cli.Config)
	}
	if err := cli.Finish(); err != nil {
		fmt.Fprintln(stderr, "carillon: the settings are not right:\n"+err.Error())
		return 2
	}
	log, err := telemetry.NewLogger(os.Stderr, cli.LogLevel, cli.LogFormat)
	if err != nil {
		fmt.Fprintln(stderr, "carillon:", err)
		return 2
	}
	stops := []os.Signal{syscall.SIGINT, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // as under nohup
		stops = append(stops, syscall.SIGHUP)
	}
	ctx, stop := signal.NotifyContext(context.Background(), stops...)
	defer stop()
	// A second signal ends at once: an operator who asks twice means it.
	context.AfterFunc(ctx, stop)

	switch command.Command() {
	case "serve", "worker", "migrate", "doctor":
		warnOfMisspelt(ctx, parser.Model.Node, os.Environ(), log)
	}
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(&cli.Config, log)
	err = cli.prepare(ctx, command.Command(), log)
	if err == nil {
		err = command.Run()
	}
	findings := errors.Is(err, errDiffers) || errors.Is(err, errPending)
	if lost := raw.err(); lost != nil && (err == nil || findings) {
		err, findings = lost, false
	}
	if findings {
		return 2
	}
	switch {
	case err == nil, postgres.Stopped(ctx, err) && slices.Contains(untilStopped, command.Command()):
		return 0
	case postgres.Stopped(ctx, err):
		err = errors.New("interrupted before everything was done")
	}
	fmt.Fprintln(stderr, "carillon:", sentence(err))
	return 1
}

// untilStopped are the commands that end as they should when a signal ends them, also while they start.
var untilStopped = []string{"serve", "worker", "demo", "shadow", "mcp", "smtp-sink"}

// outliveReader lets the process go on when the program that reads its output has ended, such as head: writes fail then. By default such
// a write ends a process at once, and those that it has started would be left behind.
func outliveReader() { signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) }

// commandFlags keeps flags of commands out of the environment, unless they name a variable: only settings are there by their names.
// CARILLON_VERSION may mean something else where Carillon is deployed, and CARILLON_YES would answer every question.
func commandFlags() kong.Option {
	var keep func(*kong.Node)
	keep = func(node *kong.Node) {
		for _, command := range node.Children {
			for _, flag := range command.Flags {
				if len(flag.Envs) == 0 {
					flag.Envs = []string{"-"}
				}
			}
			keep(command)
		}
	}
	return kong.PostBuild(func(k *kong.Kong) error {
		keep(k.Model.Node)
		return nil
	})
}

// prepare makes sure of an installation for the commands that need one.
func (c *commands) prepare(ctx context.Context, command string, log *slog.Logger) error {
	name, _, _ := strings.Cut(command, " ")
	switch {
	case name == "keys":
		return c.Keys.prepare(ctx, &c.Config, log)
	case name == "users":
		return c.Users.prepare(ctx, command, &c.Config, log)
	case name == "types" && c.Types.URL == "":
		return c.Types.prepare(ctx, &c.Config, log)
	}
	return nil
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run() error {
	_, err := fmt.Fprintln(stdout, "carillon", version.Version())
	return err
}

type licensesCommand struct{}

// Run prints the licences.
func (licensesCommand) Run() error {
	_, err := fmt.Fprint(stdout, notices.Text())
	return err
}
