package pgtest

import "testing"

// DataDir is where the private server stands.
func DataDir(tb testing.TB) string {
	tb.Helper()
	return running(tb).dataDir
}
