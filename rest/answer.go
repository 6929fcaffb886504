package rest

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/coding"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/telemetry"
)

// answering makes a handler of fn: it names the request, writes what fn returns, and logs one line.
func (s *server) answering(fn func(*request) (*Reply, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, req *http.Request) {
		started := s.Now()
		r := &request{Request: telemetry.WithRequestID(w, req), server: s, header: w.Header()}
		reply, err := call(func() (*Reply, error) { return fn(r) })
		var status int
		var body []byte
		if err == nil {
			status = reply.Status
			body, err = s.encode(reply)
		}
		if err != nil {
			status, body = s.present(r, err)
		}
		left := status >= http.StatusInternalServerError && postgres.Stopped(req.Context(), err)
		s.send(w, r, status, body)
		if left {
			status = telemetry.StatusLeft
		}
		s.log(r.Context(), r, status, err, s.Now().Sub(started)) //nolint:contextcheck // the one that knows the viewer
	}
}

// call turns a panic into an error, so that the caller gets an answer and the log a stack.
func call(fn func() (*Reply, error)) (reply *Reply, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v\n%s", p, debug.Stack())
		}
	}()
	return fn()
}

func (r *request) note(key string, value any) { r.facts = append(r.facts, slog.Any(key, value)) }

// log writes the request's line. The cause of a failure of ours is logged here, once.
func (s *server) log(ctx context.Context, r *request, status int, err error, took time.Duration) {
	attrs := []slog.Attr{
		slog.String("method", r.Method), slog.Int("status", status), telemetry.DurationMs(took),
	}
	pattern := ""
	if r.route != nil {
		pattern = r.route.Pattern
		attrs = append(attrs, slog.String("route", pattern))
	} else {
		attrs = append(attrs, slog.String("path", shortened(r.URL.Path)))
	}
	if s.Observe != nil {
		s.Observe(pattern, r.Method, status, took)
	}
	attrs = append(attrs, r.facts...)
	level := slog.LevelInfo
	if err != nil {
		attrs = append(attrs, slog.String("error", err.Error()))
	}
	if status >= http.StatusInternalServerError && !admission.Refused(err) { // refusing is no failure, and often
		level = slog.LevelError
	}
	s.Logger.LogAttrs(ctx, level, "request", attrs...) // the context adds request, environment and trace
}

func shortened(path string) string { return path[:min(len(path), 256)] }

// encode renders a body, wrapped where the operator asked for it.
func (s *server) encode(reply *Reply) ([]byte, error) {
	if reply.raw != nil {
		return reply.raw, nil
	}
	body, err := marshal(reply.Body)
	if err != nil || s.ResponseWrapper != "data" {
		return body, err
	}
	var object map[string]json.RawMessage
	if json.Unmarshal(body, &object) == nil {
		if _, there := object["data"]; there {
			return body, nil
		}
	}
	return marshal(map[string]json.RawMessage{"data": body})
}

func marshal(v any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(v); err != nil {
		return nil, fmt.Errorf("encode the response: %w", err)
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}

// minCompressed is the length below which gzip only makes a body longer.
const minCompressed = 256

// send writes the response. A failure means that the caller left.
func (s *server) send(w http.ResponseWriter, r *request, status int, body []byte) {
	header := w.Header()
	if header.Get("Content-Type") == "" {
		header.Set("Content-Type", "application/json; charset=utf-8")
	}
	body = coding.Apply(header, r.Header.Values("Accept-Encoding"), body, minCompressed)
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
