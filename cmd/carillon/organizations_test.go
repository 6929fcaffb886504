package main_test

import (
	"bufio"
	"context"
	"crypto/hmac"
	"crypto/sha1"
	"encoding/base64"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

// setting is the value of a variable of the cell's environment.
func (c *cell) setting(name string) (value string) {
	for _, text := range c.env {
		if of, is := strings.CutPrefix(text, name+"="); is {
			value = of
		}
	}
	return value
}

// TestOrganizationMoves moves an organization from one cell to another while it triggers through the published proxy, runs of it
// wait, and the move is killed once. What was acknowledged is delivered once on every channel.
func TestOrganizationMoves(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("haproxy"); err != nil {
		t.Skip("HAProxy is not installed")
	}
	key := "CARILLON_SECRET_KEY=" + secret.Generate()
	eu, us := newCell(t, "eu", key), newCell(t, "us", key)
	conn, err := pgx.Connect(t.Context(), eu.setting("CARILLON_DATABASE_URL"))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var organization string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT id FROM organizations`).Scan(&organization))

	other := newOtherSide(t)
	other.furnish(t, &client.Client{URL: eu.URL(), Key: eu.made}, 2, object{"stepId": "pause", "type": "DELAY", "delay": object{"type": "REGULAR", "amount": 3, "unit": "SECONDS"}})

	twilio := twilioReport(t, eu)

	started := []string{"CARILLON_CELL_EU_1=" + eu.Addr, "CARILLON_CELL_EU_2=" + eu.Addr, "CARILLON_CELL_US_1=" + us.Addr}
	through := &client.Client{URL: startProxy(t, started...).URL(), Key: eu.made}
	acknowledged := map[string]bool{}
	trigger := func() (refused string) {
		id := fmt.Sprintf("t-%d", len(acknowledged))
		err := client.Until(within(t, time.Minute), 20*time.Millisecond, func(ctx context.Context) (bool, error) {
			processed, err := fire(ctx, through, "everything", id, subscriber(len(acknowledged)%2))
			if err != nil && strings.Contains(err.Error(), "has moved to") {
				refused = err.Error()
			}
			return processed || refused != "", nil
		})
		require.NoError(t, err)
		if refused == "" {
			acknowledged[id] = true
		}
		return refused
	}
	for range 5 {
		require.Empty(t, trigger())
	}

	args := []string{"organizations", "move", organization, "--to", us.setting("CARILLON_DATABASE_URL"), "--to-cell", "us", "--to-url", us.URL()}
	_, stderr, code := run(t, eu.env, append(args, "--dry-run")...)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "Nothing was changed.")
	_, stderr, code = run(t, append(eu.env, "CARILLON_SECRET_KEY="+secret.Generate()), append(args, "--yes")...)
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "CARILLON_SECRET_KEY")
	killWhen(t, eu, append(args, "--yes"), "copied and verified")
	_, err = through.Do(t.Context(), http.MethodPost, "/v1/events/trigger", object{"name": "everything", "to": "s0"}, nil)
	require.ErrorContains(t, err, "moved to ", "it is held, or gone already")

	lines := make(chan string, 1)
	go func() {
		stdout, stderr, code := run(t, eu.env, append(args, "--yes")...)
		if code != 0 {
			stdout = ""
			t.Log(stderr)
		}
		lines <- stdout
	}()
	require.Contains(t, trigger(), "has moved to cell us", "the old cell says where it is now")
	printed := <-lines
	require.NotEmpty(t, printed)

	moved := filepath.Join(t.TempDir(), "moved.map")
	require.NoError(t, os.WriteFile(moved, []byte(printed), 0o600))
	through.URL = startProxy(t, append(started, "CARILLON_CELL_MAP="+moved)...).URL()
	until(t, time.Minute, "the proxy has found the cell", func(ctx context.Context) (bool, error) {
		_, err := inbox(ctx, through, "s0")
		return err == nil, nil
	})
	for range 3 {
		require.Empty(t, trigger())
	}
	until(t, patience, "everything is delivered", func(context.Context) (bool, error) {
		done := 0
		for _, channels := range other.calls() {
			done += len(channels)
		}
		return done == 4*len(acknowledged), nil
	})
	for id, channels := range other.calls() {
		require.True(t, acknowledged[id], id)
		require.Equal(t, map[string]int{"EMAIL": 1, "SMS": 1, "CHAT": 1, "PUSH": 1}, channels, id)
	}
	until(t, patience, "each is in its inbox once", func(ctx context.Context) (bool, error) {
		a, err := inbox(ctx, through, "s0")
		if err != nil {
			return false, err
		}
		b, err := inbox(ctx, through, "s1")
		return a+b == len(acknowledged), err
	})

	// Vendors go on calling the old cell, under whose address they sign.
	require.Equal(t, http.StatusUnauthorized, twilio("forged"))
	require.Equal(t, http.StatusOK, twilio(""))
	var reported struct{ Receipts struct{ TotalCount int } }
	graphQL(t, through, `{ receipts(filter: {kindIn: [DELIVERED]}) { totalCount } }`, nil, &reported)
	require.Equal(t, 1, reported.Receipts.TotalCount, "the new cell has it")
}

// twilioReport gives an organization of the cell an integration, and returns what posts a signed receipt to the cell.
func twilioReport(t *testing.T, c *cell) (post func(forged string) int) {
	t.Helper()
	var made struct {
		CreateIntegration struct{ Integration struct{ InboundPath string } }
	}
	graphQL(t, &client.Client{URL: c.URL(), Key: c.made}, `mutation($input: CreateIntegrationInput!) { createIntegration(input: $input) { integration { inboundPath } } }`,
		object{"input": object{
			"providerId": "twilio", "credentials": object{"accountSid": "AC1", "token": "tw", "from": "+15550100"},
			"configurations": object{"inboundWebhookEnabled": true},
		}}, &made)
	address := c.URL() + made.CreateIntegration.Integration.InboundPath + "?from=%7etwilio"
	return func(forged string) int {
		mac := hmac.New(sha1.New, []byte("tw"))
		mac.Write([]byte(address + "MessageSidSM1MessageStatusdelivered" + forged))
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, strings.NewReader("MessageSid=SM1&MessageStatus=delivered"))
		require.NoError(t, err)
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("X-Twilio-Signature", base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		resp, err := http.DefaultClient.Do(req)
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		return resp.StatusCode
	}
}

// killWhen starts a command of the cell and kills it when it says something.
func killWhen(t *testing.T, c *cell, args []string, says string) {
	t.Helper()
	cmd := exec.CommandContext(within(t, time.Minute), binary(t), args...)
	cmd.Env = append(os.Environ(), c.env...)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	said := ""
	for lines := bufio.NewScanner(log); !strings.Contains(said, says) && lines.Scan(); {
		said += lines.Text() + "\n"
	}
	require.NoError(t, cmd.Process.Kill(), said)
	_ = cmd.Wait()
	require.Contains(t, said, says)
}

// TestInterruptedMove: who interrupts a move hears that the organization is held, and how that ends.
func TestInterruptedMove(t *testing.T) {
	t.Parallel()
	key := "CARILLON_SECRET_KEY=" + secret.Generate()
	eu, us := newCell(t, "eu", key), newCell(t, "us", key)
	conn, err := pgx.Connect(t.Context(), eu.setting("CARILLON_DATABASE_URL"))
	require.NoError(t, err)
	defer conn.Close(context.Background())
	var organization string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT id FROM organizations`).Scan(&organization))
	target, err := pgx.Connect(t.Context(), us.setting("CARILLON_DATABASE_URL"))
	require.NoError(t, err)
	defer target.Close(context.Background())
	_, err = target.Exec(t.Context(), `BEGIN; LOCK TABLE workflow_versions`) // which holds the copy up
	require.NoError(t, err)

	args := []string{"organizations", "move", organization, "--yes", "--to", us.setting("CARILLON_DATABASE_URL"), "--to-cell", "us", "--to-url", us.URL()}
	cmd := exec.CommandContext(within(t, time.Minute), binary(t), args...)
	cmd.Env = append(os.Environ(), eu.env...)
	log, err := cmd.StderrPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	var said strings.Builder
	for lines := bufio.NewScanner(log); lines.Scan(); {
		said.WriteString(lines.Text() + "\n")
		if strings.Contains(lines.Text(), "in flight; copying") {
			require.NoError(t, cmd.Process.Signal(os.Interrupt))
		}
	}
	require.Error(t, cmd.Wait())
	require.Equal(t, 1, cmd.ProcessState.ExitCode(), said.String())
	require.Contains(t, said.String(), "the same command has continued the move, or --undo has given it up")
	_, err = target.Exec(t.Context(), `ROLLBACK`)
	require.NoError(t, err)
	_, stderr, code := run(t, eu.env, append(args, "--undo")...)
	require.Zero(t, code, stderr)
	require.Contains(t, stderr, "is served again")
}

// TestMoveBetweenCellsWithOneKey is refused before the organization is held: the target could never take the key.
func TestMoveBetweenCellsWithOneKey(t *testing.T) {
	t.Parallel()
	key, sealing := newKey(), secret.Generate()
	env := func() []string {
		env := []string{"CARILLON_DATABASE_URL=" + pgtest.NewURL(t), "CARILLON_SECRET_KEY=" + sealing}
		p := serve(t, child.Config{DataDir: t.TempDir(), Key: key, Env: env})
		require.NoError(t, p.Stop(drainTime))
		return env
	}
	source, target := env(), env()
	conn, err := pgx.Connect(t.Context(), strings.TrimPrefix(source[0], "CARILLON_DATABASE_URL="))
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var organization, move string
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT id FROM organizations`).Scan(&organization))
	for _, how := range []string{"--dry-run", "--yes"} {
		_, stderr, code := run(t, source, "organizations", "move", organization, "--to", strings.TrimPrefix(target[0], "CARILLON_DATABASE_URL="),
			"--to-cell", "us", "--to-url", "https://us.example.com", how)
		require.Equal(t, 1, code)
		require.Contains(t, stderr, "another organization of the target has the same value as: api_keys ")
		require.Contains(t, stderr, "Nothing was changed.")
	}
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT move FROM organizations`).Scan(&move))
	require.Equal(t, "none", move)
}
