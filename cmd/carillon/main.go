// Command carillon is the notification delivery service: flags, signals and exit codes. Everything else is below.
package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/telemetry"
)

// commands are the program's commands; each is a method Run of its struct.
type commands struct {
	config.Config `embed:"" group:"Settings"`

	Serve   serveCommand   `cmd:"" help:"Serve the API and deliver. Without CARILLON_DATABASE_URL it brings its own Postgres."`
	Worker  workerCommand  `cmd:"" help:"Deliver only, beside other processes on the same database."`
	Migrate migrateCommand `cmd:"" help:"Bring an external database's schema up to date."`
	Keys    keysCommand    `cmd:"" help:"Manage environments and their API keys."`
	Users   usersCommand   `cmd:"" help:"Manage the people who log in."`
	Demo    demoCommand    `cmd:"" help:"Run a small real case on all five channels and watch it."`
	Explain explainCommand `cmd:"" help:"Tell what an event would do, step by step, without doing it."`
	Types   typesCommand   `cmd:"" help:"Write Go or TypeScript types for the payloads of triggers, from the workflows' schemas."`
	Doctor  doctorCommand  `cmd:"" help:"Find the usual faults of a set-up and name the cure."`
	Bench   benchCommand   `cmd:"" help:"Measure this machine, with a floor beside every figure."`
	Version versionCommand `cmd:"" help:"Print the version."`

	SMTPSink   smtpSinkCommand   `cmd:"" name:"smtp-sink" hidden:""`
	BenchFloor benchFloorCommand `cmd:"" name:"bench-floor" hidden:""`
}

func main() { os.Exit(run(os.Args[1:])) }

func run(args []string) int {
	var cli commands
	parser, err := kong.New(&cli,
		kong.Name("carillon"),
		kong.Description("Carillon delivers notifications: in-app, e-mail, SMS, chat and push."),
		kong.UsageOnError(),
		kong.DefaultEnvars("CARILLON"),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true}),
	)
	if err != nil {
		fmt.Fprintln(os.Stderr, "carillon:", err)
		return 2
	}
	command, err := parser.Parse(args)
	if err != nil {
		fmt.Fprintln(os.Stderr, "carillon:", err)
		return 2
	}
	if err := cli.Finish(); err != nil {
		fmt.Fprintln(os.Stderr, "carillon: the settings are not right:\n"+err.Error())
		return 2
	}
	log, err := telemetry.NewLogger(os.Stderr, cli.LogLevel, cli.LogFormat)
	if err != nil {
		fmt.Fprintln(os.Stderr, "carillon:", err)
		return 2
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	// A second signal ends at once: an operator who asks twice means it.
	context.AfterFunc(ctx, stop)

	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(&cli.Config, log)
	if err := command.Run(); err != nil && !errors.Is(err, context.Canceled) {
		fmt.Fprintln(os.Stderr, "carillon:", err)
		return 1
	}
	return 0
}

// version is what the build says of itself.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}

type versionCommand struct{}

// Run prints the version.
func (versionCommand) Run(*slog.Logger) error {
	_, err := fmt.Println("carillon", version())
	return err
}
