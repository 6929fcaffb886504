package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/config"
	"github.com/carillon/carillon/internal/version"
)

// operational are the addresses that an operator's machines ask every few seconds; they make no traces.
var operational = map[string]bool{"/healthz": true, "/readyz": true, "/metrics": true}

// health adds what an operator's machines ask: whether the process lives, whether it can serve, and its figures. own reports
// whether it has a listener of its own, which the operator shows to those machines only.
func (a *App) health(mux *http.ServeMux, own bool) {
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { answer(w, http.StatusOK, "ok "+version.Version()) })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		ctx, cancel := context.WithTimeout(r.Context(), 2*time.Second)
		defer cancel()
		status, text := a.condition(ctx).readiness()
		answer(w, status, text)
	})
	metrics := a.metrics.Handler()
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !mayReadMetrics(r, a.cfg.MetricsToken, own) {
			w.Header().Set("WWW-Authenticate", "Bearer")
			answer(w, http.StatusUnauthorized, "send Authorization: Bearer <CARILLON_METRICS_TOKEN>, ask from the machine itself, or set CARILLON_OPERATIONS_ADDR")
			return
		}
		metrics.ServeHTTP(w, r)
	})
}

// Ready asks the process that listens at the configured address of this machine whether it can serve. Containers and
// scripts use it where there is no HTTP client.
func Ready(ctx context.Context, cfg *config.Config) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	switch status, text, err := getOperational(ctx, cfg, "/readyz"); {
	case err != nil:
		return err
	case status != http.StatusOK:
		return fmt.Errorf("not ready: %s", strings.TrimSpace(text))
	default:
		return nil
	}
}

// getOperational reads one of the operational addresses of the process that the configuration describes.
func getOperational(ctx context.Context, cfg *config.Config, path string) (status int, text string, err error) {
	url := "http://" + localAddress(cmp.Or(cfg.OperationsAddr, cfg.Addr)) + path
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return 0, "", err
	}
	direct := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}} // never through a proxy
	resp, err := direct.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
	return resp.StatusCode, string(body), err
}

// mayReadMetrics reports whether a request shows the token, comes from this very machine, or came by a listener that no
// token protects.
func mayReadMetrics(r *http.Request, token string, own bool) bool {
	scheme, shown, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	given, wanted := sha256.Sum256([]byte(strings.TrimSpace(shown))), sha256.Sum256([]byte(token))
	switch {
	case token != "" && strings.EqualFold(scheme, "Bearer") && subtle.ConstantTimeCompare(given[:], wanted[:]) == 1:
		return true
	case token == "" && own:
		return true
	}
	return fromLoopback(r)
}

// forwarding are the headers that a proxy adds: behind one everybody seems to come from this machine.
var forwarding = []string{"Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "X-Real-Ip"}

func fromLoopback(r *http.Request) bool {
	for _, name := range forwarding {
		if len(r.Header.Values(name)) > 0 {
			return false
		}
	}
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	ip := net.ParseIP(host)
	return err == nil && ip != nil && ip.IsLoopback()
}

// serveOperations answers the operator's questions on their own listener when there is one.
func (a *App) serveOperations(ctx context.Context) (stop func(context.Context) error, failed <-chan error, err error) {
	if a.cfg.OperationsAddr == "" {
		none := make(chan error)
		close(none)
		return func(context.Context) error { return nil }, none, nil
	}
	ln, err := new(net.ListenConfig).Listen(ctx, "tcp", a.cfg.OperationsAddr)
	if err != nil {
		return nil, nil, listenError(a.cfg.OperationsAddr, "CARILLON_OPERATIONS_ADDR", err, a.listening()...)
	}
	a.log.InfoContext(ctx, "health and metrics have their own listener", "addr", ln.Addr().String())
	stop, failed = a.serveHealth(ctx, ln, true)
	return stop, failed, nil
}

// listening are the addresses that a serving process listens on before that of its operations.
func (a *App) listening() []listening {
	own := []listening{{"CARILLON_ADDR", a.cfg.Addr}}
	if a.cfg.InboundDomain != "" {
		own = append(own, listening{"CARILLON_INBOUND_SMTP_ADDR", a.cfg.InboundSMTPAddr})
	}
	return own
}

// serveHealth answers the operator's questions only.
func (a *App) serveHealth(ctx context.Context, ln net.Listener, own bool) (stop func(context.Context) error, failed <-chan error) {
	mux := http.NewServeMux()
	a.health(mux, own)
	return a.serveOn(ctx, ln, a.intake.Handler(mux), func() {})
}
