package main_test

import (
	"bufio"
	"net"
	"os/exec"
	"regexp"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/secret"
	"github.com/carillon/carillon/internal/stall"
)

// TestDemoDeliversOnAllFiveChannels: in a Carillon of its own, wherever the settings lead to.
func TestDemoDeliversOnAllFiveChannels(t *testing.T) {
	t.Parallel()
	elsewhere := []string{"CARILLON_DATABASE_URL=postgres://127.0.0.1:1/other", "CARILLON_DATABASE_POOLER=true", "CARILLON_SECRET_KEY=" + secret.Generate()}
	stdout, stderr, code := run(t, elsewhere, "demo", "--limit", stall.Limit(time.Minute).String())
	require.Zero(t, code, "%s\n%s", stdout, stderr)
	for _, line := range []string{
		`in-app +8 +8 +✓`, `email +5 +5 +✓`, `sms +1 +1 +✓`, `chat +1 +1 +✓`, `push +1 +1 +✓`, `Everything arrived: 16 messages`,
		`\+\d+ ms +ada +sms +sent`, // the timeline
	} {
		require.Regexp(t, line, stdout)
	}
	require.NotRegexp(t, `missing|unexpected|✗`, stdout)
}

// TestDemoEndsWithoutItsReader: the Carillon that it has started ends with it, also when nothing reads its output any more.
func TestDemoEndsWithoutItsReader(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary(t), "demo", "--limit", stall.Limit(time.Minute).String())
	cmd.Env = append(cmd.Environ(), "CARILLON_DATABASE_URL=")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var address string
	for lines := bufio.NewScanner(out); address == "" && lines.Scan(); {
		address = regexp.MustCompile(`127\.0\.0\.1:\d+`).FindString(lines.Text())
	}
	require.NotEmpty(t, address)
	require.NoError(t, out.Close())
	require.NoError(t, cmd.Wait())
	_, err = new(net.Dialer).DialContext(t.Context(), "tcp", address)
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

func TestDemoInARunningCarillon(t *testing.T) {
	t.Parallel()
	key := newKey()
	p := serveMigrated(t, newKey(), "CARILLON_EGRESS_ALLOW=127.0.0.0/8", "CARILLON_BOOTSTRAP_ORGANIZATION_KEY="+key)
	for range 2 { // it cleans up behind itself
		stdout, stderr, code := run(t, nil, "demo", "--url", p.URL(), "--key", key, "--limit", stall.Limit(time.Minute).String())
		require.Zero(t, code, "%s\n%s", stdout, stderr)
		require.Regexp(t, `Everything arrived: 16 messages`, stdout)
	}
}

func TestDemoFailsWhenSomethingIsMissing(t *testing.T) {
	t.Parallel()
	key := newKey()
	// Nothing may be called here: webhooks and SMTP are refused by the guard.
	p := serveMigrated(t, newKey(), "CARILLON_EGRESS_ALLOW=", "CARILLON_BOOTSTRAP_ORGANIZATION_KEY="+key)
	stdout, stderr, code := run(t, nil, "demo", "--url", p.URL(), "--key", key, "--limit", stall.Limit(4*time.Second).String())
	require.Equal(t, 1, code)
	require.Regexp(t, `sms +1 +0 +✗`, stdout, stderr)
	require.Contains(t, stdout, "missing")
}
