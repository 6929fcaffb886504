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
	failures      *prometheus.CounterVec
	failedSteps   *prometheus.CounterVec
	breakers      *prometheus.CounterVec
	receipts      *prometheus.CounterVec
	webhooks      *prometheus.HistogramVec
	takenUp       *prometheus.CounterVec
	delivered     *prometheus.HistogramVec
	groups        *prometheus.HistogramVec
	commits       *prometheus.HistogramVec
	operations    *prometheus.HistogramVec
	operationErrs *prometheus.CounterVec
	passwords     prometheus.Counter
}

// NewMetrics makes the figures of this process.
func NewMetrics(version string) *Metrics {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	with := promauto.With(registry)
	with.NewGaugeVec(prometheus.GaugeOpts{Name: "carillon_build_info", Help: "1; the label says which version runs."},
		[]string{"version"}).WithLabelValues(version).Set(1)
	m := &Metrics{
		registry: registry,
		requests: with.NewHistogramVec(prometheus.HistogramOpts{
			Name: "carillon_http_request_duration_seconds", Help: "Time to answer a request, by route and status; 499: its caller left before it had an answer.",
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
	m.addWork(with)
	return m
}

// addWork adds the figures of work behind the requests, and of GraphQL.
func (m *Metrics) addWork(with promauto.Factory) {
	m.failures = with.NewCounterVec(prometheus.CounterOpts{
		Name: "carillon_attempt_failures_total", Help: "Failed calls to providers by class: permanent, transient, unknown (it may have taken the message), fault (of the integration).",
	}, []string{"provider", "class"})
	m.failedSteps = with.NewCounterVec(prometheus.CounterOpts{
		Name: "carillon_step_failures_total", Help: "Steps of workflows that failed before a message was made, by reason: render_failed (a template), delay_failed, not_triggered, or rejected and exhausted (a call of a custom step). They are no messages, so that carillon_messages_total does not show them.",
	}, []string{"reason"})
	m.receipts = with.NewCounterVec(prometheus.CounterOpts{
		Name: "carillon_receipts_total", Help: "Receipts that providers sent, by kind; a repeated one counts once.",
	}, []string{"provider", "kind"})
	m.webhooks = with.NewHistogramVec(prometheus.HistogramOpts{
		Name: "carillon_webhook_attempt_duration_seconds", Help: "Time of one attempt of an outgoing webhook's delivery, by what it came to: delivered, pending (it is tried again), failed (it was the last).",
		Buckets: prometheus.ExponentialBuckets(0.004, 2, 13),
	}, []string{"outcome"})
	m.takenUp = with.NewCounterVec(prometheus.CounterOpts{
		Name: "carillon_taken_up_total", Help: "Rows that this process came across in its looks at what is due, and events and messages that it took up straight from their commit, by kind.",
	}, []string{"kind"})
	m.delivered = with.NewHistogramVec(prometheus.HistogramOpts{
		Name: "carillon_delivery_duration_seconds", Help: "Time from the acceptance of an event, or from the end of the last wait that its workflow asked for, until the provider or the inbox took the message.",
		Buckets: prometheus.ExponentialBuckets(0.005, 3, 13),
	}, []string{"lane", "channel"})
	m.groups = with.NewHistogramVec(prometheus.HistogramOpts{
		Name: "carillon_commit_group_size", Help: "Requests (writer events) or outcomes of attempts (writer outcomes) that shared one commit; the count is that of commits.",
		Buckets: prometheus.ExponentialBuckets(1, 2, 10),
	}, []string{"writer"})
	m.commits = with.NewHistogramVec(prometheus.HistogramOpts{
		Name: "carillon_commit_duration_seconds", Help: "Time of one shared commit with its reads and writes, by writer.",
		Buckets: prometheus.ExponentialBuckets(0.0005, 2, 15),
	}, []string{"writer"})
	m.operations = with.NewHistogramVec(prometheus.HistogramOpts{
		Name: "carillon_graphql_operation_duration_seconds", Help: "Time of GraphQL queries and mutations by their first root field; subscriptions are live connections. Kind none: the document was refused.",
		Buckets: prometheus.ExponentialBuckets(0.001, 4, 8),
	}, []string{"kind", "field"})
	m.operationErrs = with.NewCounterVec(prometheus.CounterOpts{
		Name: "carillon_graphql_errors_total", Help: "GraphQL queries and mutations that were answered with an error, by their first root field and the first error's code.",
	}, []string{"kind", "field", "code"})
}

// Handler answers /metrics.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{Registry: m.registry})
}

// Register adds figures that another part keeps, such as the pool's.
func (m *Metrics) Register(c prometheus.Collector) error { return m.registry.Register(c) }

// StatusLeft stands in logs and figures for the status of a request that failed because its caller had closed the connection: that is
// no failure of the service. No caller reads it.
const StatusLeft = 499

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

// Attempt records one call to a provider; class is the class of its failure, "" for none.
func (m *Metrics) Attempt(provider, outcome, class string, took time.Duration) {
	m.attempts.WithLabelValues(provider, outcome).Observe(took.Seconds())
	if class != "" {
		m.failures.WithLabelValues(provider, class).Inc()
	}
}

// FailedSteps records steps that failed before there was a message.
func (m *Metrics) FailedSteps(reason string, n int) {
	m.failedSteps.WithLabelValues(reason).Add(float64(n))
}

// Receipt records a receipt that a provider sent.
func (m *Metrics) Receipt(provider, kind string) { m.receipts.WithLabelValues(provider, kind).Inc() }

// Webhook records an attempt of an outgoing webhook's delivery.
func (m *Metrics) Webhook(outcome string, took time.Duration) {
	m.webhooks.WithLabelValues(outcome).Observe(took.Seconds())
}

// TakenUp records work that was taken up.
func (m *Metrics) TakenUp(kind string, n int) { m.takenUp.WithLabelValues(kind).Add(float64(n)) }

// Delivered records a message that its provider or inbox took.
func (m *Metrics) Delivered(lane, channel string, took time.Duration) {
	m.delivered.WithLabelValues(lane, channel).Observe(took.Seconds())
}

// Commit records a commit that several pieces of work shared.
func (m *Metrics) Commit(writer string, size int, took time.Duration) {
	m.groups.WithLabelValues(writer).Observe(float64(size))
	m.commits.WithLabelValues(writer).Observe(took.Seconds())
}

// Operation records a GraphQL operation by its first root field; code is that of its first error, "" for none.
func (m *Metrics) Operation(kind, field, code string, took time.Duration) {
	m.operations.WithLabelValues(kind, field).Observe(took.Seconds())
	if code != "" {
		m.operationErrs.WithLabelValues(kind, field, code).Inc()
	}
}

// Breaker records that the breaker of one of a provider's integrations came to a state.
func (m *Metrics) Breaker(provider, state string) { m.breakers.WithLabelValues(provider, state).Inc() }
