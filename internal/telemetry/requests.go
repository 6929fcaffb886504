package telemetry

import (
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Requests gives each request to next a span, those aside that wanted leaves out. Without a collector (StartTracing, which comes before)
// it only notes the trace that a caller names, which goes on to whatever the request causes.
func Requests(next http.Handler, wanted func(*http.Request) bool) http.Handler {
	if _, sent := otel.GetTracerProvider().(*sdktrace.TracerProvider); sent {
		return otelhttp.NewHandler(next, "request", otelhttp.WithFilter(wanted))
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Traceparent")+r.Header.Get("Baggage") != "" && wanted(r) {
			r = r.WithContext(otel.GetTextMapPropagator().Extract(r.Context(), propagation.HeaderCarrier(r.Header)))
		}
		next.ServeHTTP(w, r)
	})
}
