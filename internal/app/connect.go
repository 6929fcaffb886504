package app

import (
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"syscall"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/postgres"
)

// connectError says in words what keeps the configured database from being used, and which setting or server to look at.
func connectError(cfg *config.Config, err error) error {
	if err == nil || cfg.Embedded() {
		return err
	}
	return connectErrorOf("CARILLON_DATABASE_URL", err)
}

// connectErrorOf says so of the database that a setting or flag names.
func connectErrorOf(setting string, err error) error {
	var parse *pgconn.ParseConfigError
	var refused *pgconn.PgError
	var name *net.DNSError
	var connect *pgconn.ConnectError
	switch {
	case errors.As(err, &parse):
		return fmt.Errorf("%s is not a connection string such as postgres://user:password@host:5432/name", setting)
	case errors.As(err, &refused) && strings.HasPrefix(refused.Code, "28"):
		return fmt.Errorf("the database server refuses the log-in: %s. Correct the user and the password in %s", refused.Message, setting)
	case errors.As(err, &refused) && refused.Code == "3D000":
		return fmt.Errorf("the database server says: %s. Create it, or correct the name in %s", refused.Message, setting)
	case errors.As(err, &refused) && refused.Code == "53300":
		return fmt.Errorf("the database server says: %s. Lower CARILLON_DATABASE_MAX_CONNS of the processes, or permit more connections there", refused.Message)
	case errors.As(err, &refused) && postgres.FromPooler(refused):
		return fmt.Errorf("%s leads to a pooler such as pgbouncer, which says: %s. Set CARILLON_DATABASE_POOLER=true; "+
			"`carillon migrate` needs the address of the server itself", setting, refused.Message)
	case errors.As(err, &refused):
		return fmt.Errorf("the database server says: %s (%s)", refused.Message, refused.Code)
	case errors.As(err, &name):
		return fmt.Errorf("the host %s of %s cannot be resolved; correct it, or look at this machine's name service", name.Name, setting)
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("no database server listens where %s leads to (connection refused): start it, or correct the host and the port", setting)
	case errors.As(err, &connect):
		return fmt.Errorf("the database of %s does not answer: look at the server, the way to it, and its certificate where sslmode asks for one", setting)
	}
	return err
}

// readOnly says what to do about a database that takes no writes.
const readOnly = "the database is read-only: CARILLON_DATABASE_URL has to lead to the primary; it may name several hosts"

// Refusal is err, or says in words why the database refused what a command did, where its settings are to blame.
func Refusal(err error) error {
	var refused *pgconn.PgError
	switch {
	case !errors.As(err, &refused):
	case refused.Code == "25006":
		return errors.New(readOnly)
	case refused.Code == "42501":
		return fmt.Errorf("the database server says: %s. Migrations need a role that may create in its schema and owns the tables that are there "+
			"(GRANT CREATE ON SCHEMA public TO …; ALTER TABLE … OWNER TO …); all else needs one that may read and write them: name it in CARILLON_DATABASE_URL",
			refused.Message)
	}
	return err
}

// listening is an address that this process listens on, and the setting that names it.
type listening struct{ setting, addr string }

// holds reports whether another address cannot be listened on beside this one.
func (l listening) holds(addr string) bool {
	host, port, err := net.SplitHostPort(addr)
	own, ownPort, ownErr := net.SplitHostPort(l.addr)
	if err != nil || ownErr != nil || port != ownPort {
		return false
	}
	everywhere := func(host string) bool { return host == "" || net.ParseIP(host).IsUnspecified() }
	return host == own || everywhere(host) || everywhere(own)
}

// listenError says in words why an address cannot be listened on, and which setting names it. own are those that this process listens
// on.
func listenError(addr, setting string, err error, own ...listening) error {
	if i := slices.IndexFunc(own, func(l listening) bool { return l.holds(addr) }); i >= 0 && errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("%s names %s, where this process listens already by %s (%s): give it another port", setting, addr, own[i].setting, own[i].addr)
	}
	var name *net.DNSError
	var form *net.AddrError
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("another program listens on %s already: stop it, or set %s to another address", addr, setting)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("%s is no address of this machine: set %s to one, such as 127.0.0.1:8080", addr, setting)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("this user may not listen on %s: ports below 1024 are for root; set %s to a higher one", addr, setting)
	case errors.As(err, &name), errors.As(err, &form):
		return fmt.Errorf("%s is not an address to listen on: set %s to HOST:PORT of this machine", addr, setting)
	}
	return fmt.Errorf("cannot listen on %s (%s): %w", addr, setting, err)
}
