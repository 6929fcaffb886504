package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strings"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/access"
)

// usersCommand manages the people who log in, without a log-in: whoever may run it owns the database. It works beside a
// running service.
type usersCommand struct {
	installing `embed:""`

	Create            usersCreateCommand            `cmd:"" help:"Add a member who can log in. The password is read from standard input."`
	Password          usersPasswordCommand          `cmd:"" help:"Set a person's password and end their sessions. It is read from standard input."`
	Invite            usersInviteCommand            `cmd:"" help:"Invite an e-mail address and print the invitation link once."`
	ResetLink         usersResetLinkCommand         `cmd:"" name:"reset-link" help:"Create a password reset link and print it once."`
	ResetSecondFactor usersResetSecondFactorCommand `cmd:"" name:"reset-second-factor" help:"Remove the second factor of a person who lost it, and end their sessions."`
}

// prepare reads and checks the password before anything is made, an installation included.
func (c *usersCommand) prepare(ctx context.Context, command string, cfg *config.Config, log *slog.Logger) error {
	var password *string
	switch {
	case strings.HasPrefix(command, "users create"):
		password = &c.Create.password
	case strings.HasPrefix(command, "users password"):
		password = &c.Password.password
	}
	return c.prepareAfter(ctx, cfg, log, func() (err error) {
		if password == nil {
			return nil
		}
		if *password, err = readPassword(); err != nil {
			return err
		}
		return access.CheckPassword(*password)
	})
}

type usersCreateCommand struct {
	Email string `arg:"" help:"E-mail address."`
	Role  string `help:"owner, admin, editor or viewer." default:"owner" enum:"owner,admin,editor,viewer"`

	password string
}

// Run makes the person.
func (c usersCreateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		made, err := s.Operator.CreatePerson(ctx, access.CreatePersonInput{Email: c.Email, Role: member.Role(c.Role), Password: c.password})
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s can log in as %s.\n", made.Edges.User.Email, made.Role)
		return nil
	})
}

type usersPasswordCommand struct {
	Email string `arg:"" help:"E-mail address."`

	password string
}

// Run sets the password.
func (c usersPasswordCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		changed, err := s.Operator.SetPassword(ctx, c.Email, c.password)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "The password of %s is set. All their sessions have ended.\n", changed.Edges.User.Email)
		return nil
	})
}

type usersInviteCommand struct {
	Email string `arg:"" help:"E-mail address."`
	Role  string `help:"owner, admin, editor or viewer." default:"viewer" enum:"owner,admin,editor,viewer"`
}

// Run invites the address. Only the link goes to the standard output, so that it can be captured.
func (c usersInviteCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		made, err := s.Invitations.Create(ctx, access.CreateInvitationInput{Email: c.Email, Role: member.Role(c.Role)})
		if err != nil {
			return err
		}
		printLink(cfg, "The invitation of "+made.Invitation.Email, made.URL)
		return nil
	})
}

type usersResetLinkCommand struct {
	Email string `arg:"" help:"E-mail address."`
}

// Run makes the link.
func (c usersResetLinkCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		made, err := s.Operator.CreateReset(ctx, c.Email)
		if err != nil {
			return err
		}
		printLink(cfg, "The link by which "+made.User.Email+" sets a new password", made.URL)
		return nil
	})
}

func printLink(cfg *config.Config, what, url string) {
	if strings.HasPrefix(url, "/") {
		url = "http://" + cfg.Addr + url
	}
	fmt.Fprintln(stderr, what+" is shown only once. It can be used once, within 24 hours:")
	fmt.Fprintln(stdout, url)
}

type usersResetSecondFactorCommand struct {
	Email string `arg:"" help:"E-mail address."`
}

// Run removes the second factor.
func (c usersResetSecondFactorCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		changed, err := s.Operator.ResetSecondFactor(ctx, c.Email)
		if err != nil {
			return err
		}
		fmt.Fprintf(stdout, "%s now logs in with the password alone. All their sessions have ended.\n", changed.Edges.User.Email)
		return nil
	})
}

// readPassword takes the first line of standard input, so that the password is in no list of processes.
func readPassword() (string, error) {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprint(stderr, "Password: ")
	}
	// One byte at a time: what follows the line may answer a question.
	line, err := readLine(os.Stdin)
	line = strings.TrimSuffix(line, "\r")
	if err != nil && !errors.Is(err, io.EOF) || line == "" {
		return "", fault.Invalidf("password", "give it on standard input")
	}
	return line, nil
}
