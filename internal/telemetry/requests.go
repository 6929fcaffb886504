package telemetry

import (
	"net/http"

	"go.opentelemetry.io/contrib/instrumentation/net/http/otelhttp"
	"go.opentelemetry.io/otel"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// Requests gives each request to next a span if wanted reports true for it. Without a collector it only reads the headers in which a
// caller names its trace, so that events and calls caused by the request belong to that trace. StartTracing is called before it.
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
