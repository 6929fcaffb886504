package pgupkeep

import (
	"context"
	"fmt"
	"strings"

	"github.com/carillon/carillon/internal/postgres"
)

// MarkServed records that the installation is served, and reports whether it is for the first time.
func MarkServed(ctx context.Context, tx *postgres.Tx) (first bool, err error) {
	tag, err := tx.Pgx.Exec(ctx, `UPDATE carillon_installation SET first_served_at = now() WHERE first_served_at IS NULL`)
	if err != nil {
		return false, postgres.Translate(fmt.Errorf("record the first start: %w", err))
	}
	return tag.RowsAffected() == 1, nil
}

// SecretCheck is the text that was sealed under the installation's secret key when it was first served; nil before that.
func SecretCheck(ctx context.Context, db *postgres.DB) (sealed []byte, err error) {
	if err := db.Pool.QueryRow(ctx, `SELECT secret_check FROM carillon_installation`).Scan(&sealed); err != nil {
		return nil, postgres.Translate(fmt.Errorf("read the check of the secret key: %w", err))
	}
	return sealed, nil
}

// ReplaceSecretCheck stores another check where the present one is known (nil: none), and reports whether it did: another
// process may have been first.
func ReplaceSecretCheck(ctx context.Context, db *postgres.DB, known, sealed []byte) (stored bool, err error) {
	tag, err := db.Pool.Exec(ctx, `UPDATE carillon_installation SET secret_check = $2 WHERE secret_check IS NOT DISTINCT FROM $1`, known, sealed)
	if err != nil {
		return false, postgres.Translate(fmt.Errorf("store the check of the secret key: %w", err))
	}
	return tag.RowsAffected() == 1, nil
}

// URLsSealed is the prefix of MarkURLsSealed; "" before it, and after a release that seals more columns.
func URLsSealed(ctx context.Context, db *postgres.DB) (under string, err error) {
	var mark string
	if err := db.Pool.QueryRow(ctx, `SELECT coalesce(urls_sealed, '') FROM carillon_installation`).Scan(&mark); err != nil {
		return "", postgres.Translate(fmt.Errorf("read whether webhook URLs are sealed: %w", err))
	}
	under, all := strings.CutSuffix(mark, sealedColumns())
	if !all {
		return "", nil
	}
	return under, nil
}

// MarkURLsSealed records that all stored webhook URLs begin with a prefix, which names the key that seals them.
func MarkURLsSealed(ctx context.Context, db *postgres.DB, prefix string) error {
	if _, err := db.Pool.Exec(ctx, `UPDATE carillon_installation SET urls_sealed = $1`, prefix+sealedColumns()); err != nil {
		return postgres.Translate(fmt.Errorf("record that webhook URLs are sealed: %w", err))
	}
	return nil
}

// sealedColumns is how many columns a mark is about, behind its prefix.
func sealedColumns() string { return fmt.Sprintf(" %d", len(URLColumns())) }
