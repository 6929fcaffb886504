package telemetry

import (
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// Metrics are the figures of one process, in Prometheus' form. No label takes a value that a stranger chooses.
type Metrics struct {
	registry *prometheus.Registry

	requests      *prometheus.HistogramVec
	triggers      *prometheus.CounterVec
	notifications *prometheus.CounterVec
	messages      *prometheus.CounterVec
	attempts      *prometheus.HistogramVec
	breakers      *prometheus.CounterVec
	passwords     prometheus.Counter
}

// NewMetrics makes the figures of this process.
func NewMetrics(version string) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(registry)
	with.NewGaugeVec(prometheus.GaugeOpts{Name: "carillon_build_info", Help: "1; the label says which version runs."},
		[]string{"version"}).WithLabelValues(version).Set(1)
	return &Metrics{
		registry: registry,
		requests: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "carillon_http_request_duration_seconds", Help: "Time to answer a request, by route and status.",
			Buckets: prometheus.ExponentialBuckets(0.0005, 2, 15),
		}, []string{"route", "method", "status"}),
		triggers: with.NewCounterVec(prometheus.CounterOpts{
			Name: "carillon_triggers_total", Help: "Triggers by outcome (TriggerStatus of the API document).",
		}, []string{"status"}),
		notifications: with.NewCounterVec(prometheus.CounterOpts{
			Name: "carillon_notifications_total", Help: "Notifications by the status their run reached.",
		}, []string{"status"}),
		messages: with.NewCounterVec(prometheus.CounterOpts{
			Name: "carillon_messages_total", Help: "Messages by channel and the status they reached.",
		}, []string{"channel", "status"}),
		attempts: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "carillon_attempt_duration_seconds", Help: "Time of one call to a provider, by outcome.",
			Buckets: prometheus.ExponentialBuckets(0.001, 2, 16),
		}, []string{"provider", "outcome"}),
		passwords: with.NewCounter(prometheus.CounterOpts{
			Name: "carillon_password_hashes_total", Help: "Passwords that were hashed or compared, which takes a core for a while.",
		}),
		breakers: with.NewCounterVec(prometheus.CounterOpts{
			Name: "carillon_breaker_changes_total", Help: "Breakers of integrations that came to a state: open, closed.",
		}, []string{"provider", "state"}),
	}
}

// Handler answers /metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Register adds figures that another part keeps, such as the pool's.
func (m *Metrics) Register(c prometheus.Collector) error { return m.registry.Register(c) }

// Request records an answered request. route is the pattern, never the path.
func (m *Metrics) Request(route, method string, status int, took time.Duration) {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
	default:
		method = "other" // a label takes no value that a stranger chooses
	}
	m.requests.WithLabelValues(route, method, strconv.Itoa(status)).Observe(took.Seconds())
}

// Triggers records outcomes of trigger calls.
func (m *Metrics) Triggers(status string, n int) { m.triggers.WithLabelValues(status).Add(float64(n)) }

// Password records that a password was hashed or compared.
func (m *Metrics) Password() { m.passwords.Inc() }

// Notifications records runs that reached a status.
func (m *Metrics) Notifications(status string, n int) {
	m.notifications.WithLabelValues(status).Add(float64(n))
}

// Messages records messages that reached a status.
func (m *Metrics) Messages(channel, status string, n int) {
	m.messages.WithLabelValues(channel, status).Add(float64(n))
}

// Attempt records one call to a provider.
func (m *Metrics) Attempt(provider, outcome string, took time.Duration) {
	m.attempts.WithLabelValues(provider, outcome).Observe(took.Seconds())
}

// Breaker records that the breaker of one of a provider's integrations came to a state.
func (m *Metrics) Breaker(provider, state string) { m.breakers.WithLabelValues(provider, state).Inc() }
