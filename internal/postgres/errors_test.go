package postgres_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/postgres"
)

func TestUnreachable(t *testing.T) {
	t.Parallel()
	for code, want := range map[string]bool{
		"08006": true, "25006": true, "53100": true, "53300": true, "57P01": true, "57P05": true,
		"22021": false, "23505": false, "40P01": false, "55P03": false, "57014": false, // of a statement
	} {
		require.Equal(t, want, postgres.Unreachable(fmt.Errorf("record: %w", &pgconn.PgError{Code: code})), code)
	}
	require.True(t, postgres.Unreachable(io.ErrUnexpectedEOF))
	require.False(t, postgres.Unreachable(errors.New("a bug")))
	require.False(t, postgres.Unreachable(nil))
}
