package postgres_test

import (
	"fmt"
	"io/fs"
	"net"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
)

// TestFullDisksOfOurOwn: what a command cannot write is no fault of the database, although system calls of both fail with the same numbers.
func TestFullDisksOfOurOwn(t *testing.T) {
	t.Parallel()
	full := fmt.Errorf("back up events: %w", &fs.PathError{Op: "write", Path: "/backups/new", Err: syscall.ENOSPC})
	require.Equal(t, full, postgres.Translate(full))
	reset := &net.OpError{Op: "read", Net: "tcp", Err: syscall.ECONNRESET}
	require.Equal(t, fault.Unavailable, fault.KindOf(postgres.Translate(reset)))
}
