package main_test

import (
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/secret"
)

// raw are texts of Go and of the system that say nothing to a person at a terminal.
const raw = `%!|&\{|map\[|0x[0-9a-f]{6}|dial tcp|listen tcp|lookup |strconv\.|64 bit|time: |SQLSTATE|: EOF|no such file|panic|goroutine`

// TestErrorsAreSentences: whatever is wrong, the program says it in words, with what to do, and fails.
func TestErrorsAreSentences(t *testing.T) {
	t.Parallel()
	ln, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = ln.Close() })
	taken := ln.Addr().String()
	key := secret.Generate()
	own := func(url string) []string {
		return []string{"CARILLON_DATABASE_URL=" + url, "CARILLON_SECRET_KEY=" + key}
	}
	current := pgtest.NewURL(t)
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	for name, c := range map[string]struct {
		env  []string
		args string
		code int
		want string
	}{
		"NoCommand":        {nil, "", 2, "expected one of"},
		"UnknownCommand":   {nil, "dance", 2, "dance"},
		"UnknownFlag":      {nil, "serve --dance", 2, "unknown flag --dance\nTry: carillon serve --help"},
		"Duration":         {nil, "serve --drain-timeout=soon", 2, `--drain-timeout: "soon" is not a span of time such as 90s, 15m or 720h`},
		"DurationInEnv":    {[]string{"CARILLON_RECORD_RETENTION=5"}, "serve", 2, `CARILLON_RECORD_RETENTION`},
		"Number":           {nil, "serve --database-max-conns=many", 2, `--database-max-conns: "many" is not a whole number such as 20`},
		"Choice":           {nil, "serve --log-level=loud", 2, "--log-level must be one of"},
		"Address":          {nil, "serve --addr=nowhere", 2, `CARILLON_ADDR: "nowhere" is not HOST:PORT`},
		"Port":             {nil, "serve --addr=127.0.0.1:99999", 2, "CARILLON_ADDR"},
		"Key":              {[]string{"CARILLON_SECRET_KEY=short"}, "serve", 2, "CARILLON_SECRET_KEY"},
		"Collector":        {[]string{"CARILLON_OTLP_ENDPOINT=%zz"}, "serve", 2, "CARILLON_OTLP_ENDPOINT"},
		"MissingArgument":  {nil, "keys revoke", 2, "Try: carillon keys revoke --help"},
		"WorkerAlone":      {nil, "worker", 1, "CARILLON_DATABASE_URL"},
		"PortInUse":        {append(own(current), "CARILLON_ADDR="+taken), "serve", 1, "another program listens on " + taken + " already"},
		"PortOfNobody":     {append(own(current), "CARILLON_ADDR=192.0.2.1:8080"), "serve", 1, "192.0.2.1:8080 is no address of this machine"},
		"DatabaseURL":      {own("http://x"), "migrate", 1, "CARILLON_DATABASE_URL is not a connection string"},
		"DatabaseName":     {own(strings.Replace(current, "/carillon_test_", "/missing_", 1)), "migrate", 1, `database "missing_`},
		"ReadOnly":         {own(current + "&options=-cdefault_transaction_read_only%3Don"), "serve --addr=127.0.0.1:0", 1, "CARILLON_DATABASE_URL has to lead to the primary"},
		"DatabaseAway":     {own("postgres://u:geheim@127.0.0.1:1/x"), "doctor", 1, "no database server listens where CARILLON_DATABASE_URL leads to"},
		"OldSchema":        {own(pgtest.EmptyURL(t)), "serve", 1, "run `carillon migrate`"},
		"DataDirIsAFile":   {[]string{"CARILLON_DATA_DIR=" + file}, "serve", 1, "CARILLON_DATA_DIR"},
		"DataDirInAFile":   {[]string{"CARILLON_DATA_DIR=" + file + "/x"}, "keys list", 1, "CARILLON_DATA_DIR"},
		"MissingFile":      {nil, "explain --key x /not/there", 1, "/not/there does not exist"},
		"Directory":        {nil, "explain --key x /", 1, "/ is a directory"},
		"NothingGiven":     {nil, "explain --key x", 1, "nothing was given"},
		"AnswerLost":       {nil, "types --lang ts --key x --url " + cutOff(t, ""), 1, "what was asked may be done"},
		"AnswerCutOff":     {nil, "types --lang ts --key x --url " + cutOff(t, `{"data"`), 1, "what was asked may be done"},
		"NobodyListens":    {nil, "types --lang ts --key x --url http://127.0.0.1:1", 1, "start `carillon serve`"},
		"NotAnAddress":     {nil, "types --lang ts --key x --url ::bad", 1, "is not an address such as"},
		"NATSAddress":      {append(own(current), "CARILLON_NATS_URL=nats://u:geheim@127.0.0.1:x"), "serve", 1, `"nats://***@127.0.0.1:x" is not an address`},
		"AddressPassword":  {nil, "types --lang ts --key x --url http://u:geheim/x@h", 1, `"http://***@h" is not an address`},
		"OtherScheme":      {nil, "export --key x --url ftp://u:geheim@h .", 1, `"ftp://***@h" is not like`},
		"PersistedQueries": {append(own(current), "CARILLON_PERSISTED_QUERIES=/not/there"), "serve", 1, "/not/there does not exist"},
		"Certificates":     {append(own(current), "SSL_CERT_FILE=/not/there"), "serve", 1, "/not/there does not exist"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			env := append([]string{"CARILLON_DATABASE_URL=", "CARILLON_DATA_DIR=" + filepath.Join(t.TempDir(), "none")}, c.env...)
			stdout, stderr, code := run(t, env, strings.Fields(c.args)...)
			said := stderr
			if c.args == "doctor" {
				said = stdout
			}
			require.Equal(t, c.code, code, said)
			require.Contains(t, said, c.want)
			for line := range strings.Lines(said) {
				if !strings.HasPrefix(line, "{") { // the log has its own form
					require.NotRegexp(t, raw, line)
				}
			}
			require.NotContains(t, said, "geheim")
		})
	}
}

// cutOff is the address of a server that closes the connection after the beginning of an answer.
func cutOff(t *testing.T, beginning string) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if beginning != "" {
			w.Header().Set("Content-Length", "100")
			_, _ = io.WriteString(w, beginning)
			_ = http.NewResponseController(w).Flush()
		}
		panic(http.ErrAbortHandler)
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestSecondProcessOnTheDataDirectory, and a key that is not the service's.
func TestSecondProcessOnTheDataDirectory(t *testing.T) {
	t.Parallel()
	dir := dataDir(t)
	serve(t, child.Config{DataDir: dir, Key: newKey(), Env: []string{"CARILLON_DATABASE_URL="}})
	env := []string{"CARILLON_DATABASE_URL=", "CARILLON_DATA_DIR=" + dir, "CARILLON_ADDR=127.0.0.1:0"}
	_, stderr, code := run(t, env, "serve")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "the data directory is in use")
	require.Contains(t, stderr, "CARILLON_DATA_DIR")
	_, stderr, code = run(t, append(env, "CARILLON_SECRET_KEY="+secret.Generate()), "keys", "list")
	require.Equal(t, 1, code)
	require.Contains(t, stderr, "CARILLON_SECRET_KEY is not the key that this installation was set up with")
	require.Contains(t, stderr, "adopt-secret-key")
}
