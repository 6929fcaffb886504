package app

import (
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres/pgtest"
)

func TestConnectError(t *testing.T) {
	t.Parallel()
	external := &config.Config{Database: config.Database{DatabaseURL: "postgres://x"}}
	for want, err := range map[string]error{
		"refuses the log-in: password authentication failed": &pgconn.PgError{Code: "28P01", Message: "password authentication failed"},
		"Create it":                     &pgconn.PgError{Code: "3D000", Message: "database does not exist"},
		"CARILLON_DATABASE_MAX_CONNS":   &pgconn.PgError{Code: "53300", Message: "too many clients"},
		"CARILLON_DATABASE_POOLER=true": &pgconn.PgError{Code: "08P01", Message: "unsupported startup parameter: plan_cache_mode"},
		"nowhere.example":               &net.DNSError{Name: "nowhere.example", Err: "no such host"},
		"no database server":            &net.OpError{Op: "dial", Err: os.NewSyscallError("connect", syscall.ECONNREFUSED)},
	} {
		require.ErrorContains(t, connectError(external, err), want)
	}
	other := errors.New("anything else")
	require.Equal(t, other, connectError(external, other))
	require.NoError(t, connectError(external, nil))
}

// TestTargetOfAMove: what keeps a target from being used is said of the flag that names it.
func TestTargetOfAMove(t *testing.T) {
	t.Parallel()
	cfg := &config.Config{Database: config.Database{DatabaseURL: pgtest.NewURL(t)}}
	err := MoveOrganization(t.Context(), cfg, slog.New(slog.DiscardHandler), "postgres://host:port", nil)
	require.EqualError(t, err, "the target: --to is not a connection string such as postgres://user:password@host:5432/name")
}

func TestListenError(t *testing.T) {
	t.Parallel()
	for want, err := range map[string]error{
		"another program":         syscall.EADDRINUSE,
		"no address of this":      syscall.EADDRNOTAVAIL,
		"ports below 1024":        syscall.EACCES,
		"HOST:PORT of this":       &net.DNSError{Name: "x"},
		"cannot listen on h:1 (S": errors.New("odd"),
	} {
		require.ErrorContains(t, listenError("h:1", "S", err), want)
	}
}

// An address that the process itself listens on is no other program's.
func TestListenErrorOfOwnAddresses(t *testing.T) {
	t.Parallel()
	for own, taken := range map[string]bool{"127.0.0.1:8080": true, ":8080": true, "0.0.0.0:8080": true, "[::]:8080": true, "127.0.0.2:8080": false, "127.0.0.1:8081": false, "": false} {
		err := listenError("127.0.0.1:8080", "B", syscall.EADDRINUSE, listening{"A", own})
		if taken {
			require.EqualError(t, err, "B names 127.0.0.1:8080, where this process listens already by A ("+own+"): give it another port", own)
		} else {
			require.ErrorContains(t, err, "another program listens on 127.0.0.1:8080", own)
		}
	}
	require.ErrorContains(t, listenError("127.0.0.1:80", "B", syscall.EACCES, listening{"A", ":80"}), "ports below 1024")
}

func TestRefusal(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]string{"25006": readOnly, "42501": "permission denied for schema public. Migrations need a role"} {
		require.ErrorContains(t, Refusal(fmt.Errorf("migrate: %w", &pgconn.PgError{Code: code, Message: "permission denied for schema public"})), want)
	}
	other := &pgconn.PgError{Code: "42P01"}
	require.Equal(t, error(other), Refusal(other))
}
