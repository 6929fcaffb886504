package main

import (
	"bufio"
	"context"
	"fmt"
	"log/slog"
	"os"
	"strings"

	"github.com/carillon/carillon/ent/member"
	"github.com/carillon/carillon/internal/app"
	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify"
)

// usersCommand manages the people who log in, without a log-in: whoever may run it owns the database. It works beside a
// running service.
type usersCommand struct {
	Create   usersCreateCommand   `cmd:"" help:"Make a person a member who can log in. The password is read from standard input."`
	Password usersPasswordCommand `cmd:"" help:"Set a person's password, which ends their log-ins. It is read from standard input."`
}

type usersCreateCommand struct {
	Email string `arg:"" help:"E-mail address."`
	Role  string `help:"owner, admin, editor or viewer." default:"owner" enum:"owner,admin,editor,viewer"`
}

// Run makes the person.
func (c usersCreateCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	password, err := readPassword()
	if err != nil {
		return err
	}
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		made, err := s.Members.Create(ctx, notify.CreateMemberInput{Email: c.Email, Role: member.Role(c.Role)})
		if err != nil {
			return err
		}
		if err := setPassword(ctx, s, made.UserID, password); err != nil {
			return err
		}
		fmt.Printf("%s can log in as %s.\n", strings.ToLower(c.Email), c.Role)
		return nil
	})
}

type usersPasswordCommand struct {
	Email string `arg:"" help:"E-mail address."`
}

// Run sets the password.
func (c usersPasswordCommand) Run(ctx context.Context, cfg *config.Config, log *slog.Logger) error {
	password, err := readPassword()
	if err != nil {
		return err
	}
	return app.Administer(ctx, cfg, log, func(ctx context.Context, s *notify.Services) error {
		found, err := s.Users.ByEmail(ctx, c.Email)
		if err != nil {
			return err
		}
		return setPassword(ctx, s, found.ID, password)
	})
}

func setPassword(ctx context.Context, s *notify.Services, userID, password string) error {
	_, err := s.Sessions.SetPassword(ctx, notify.SetPasswordInput{UserID: &userID, Password: password})
	return err
}

// readPassword takes the first line of standard input, so that the password stands in no list of processes.
func readPassword() (string, error) {
	if info, err := os.Stdin.Stat(); err == nil && info.Mode()&os.ModeCharDevice != 0 {
		fmt.Fprint(os.Stderr, "Password: ")
	}
	line := bufio.NewScanner(os.Stdin)
	if !line.Scan() || line.Text() == "" {
		return "", fault.Invalidf("password", "give it on standard input")
	}
	return line.Text(), nil
}
