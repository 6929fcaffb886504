package rest

import (
	"bytes"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Listen lets a server on ln report requests that cannot be parsed, such as one for /%zz, and of expectations that are not
// met, in the one shape of errors. net/http answers these by itself, before any handler hears of them.
func Listen(ln net.Listener, now func() time.Time) net.Listener { return listener{ln, now} }

type listener struct {
	net.Listener
	now func() time.Time
}

func (l listener) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	return &listened{Conn: conn, now: l.now}, nil
}

type listened struct {
	net.Conn
	now  func() time.Time
	last []byte // what was read last; it is the server's buffer, which stays as it is until the next read
}

func (c *listened) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.last = p[:n]
	return n, err
}

func (c *listened) Write(p []byte) (int, error) {
	status := plainRefusal(p)
	if status == 0 {
		return c.Conn.Write(p)
	}
	if _, err := c.Conn.Write(c.refusal(status)); err != nil {
		return 0, err
	}
	return len(p), nil
}

// CloseWrite lets the server wait until a caller has read its answer.
func (c *listened) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}

// plainHeaders are all headers of the answers that net/http gives by itself to what it cannot parse; those of handlers have
// a date besides.
const plainHeaders = "\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"

// plainRefusal is the status of an answer that net/http gave by itself; 0 for any other bytes.
func plainRefusal(p []byte) int {
	rest, found := bytes.CutPrefix(p, []byte("HTTP/1.1 "))
	if !found || len(rest) < 3 {
		return 0
	}
	status, err := strconv.Atoi(string(rest[:3]))
	line, headers, _ := bytes.Cut(rest, []byte("\r\n"))
	switch {
	case err != nil || status < http.StatusBadRequest:
		return 0
	case bytes.HasPrefix(rest[len(line):], []byte(plainHeaders)):
		return status
	case status == http.StatusExpectationFailed && !bytes.Contains(headers, []byte("Content-Type: ")):
		return status // a refused expectation has no body; the answers of handlers have one
	}
	return 0
}

func (c *listened) refusal(status int) []byte {
	body := map[string]any{
		"statusCode": status, "timestamp": timestamp(c.now()), "path": requestTarget(c.last),
		"message": "The request cannot be read: " + http.StatusText(status) + ".",
	}
	switch status {
	case http.StatusBadRequest:
		body["type"], body["errors"] = "MALFORMED_REQUEST", []any{}
	case http.StatusExpectationFailed:
		body["message"] = expectationMessage
	}
	text, _ := marshal(body) // plain values only
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\nVary: Accept-Encoding\r\nConnection: close\r\n\r\n%s",
		status, http.StatusText(status), len(text), text)
}

// requestTarget is the target in the first line of a request, of which the beginning may be missing; "" without one.
func requestTarget(raw []byte) string {
	line, _, _ := strings.Cut(string(raw), "\r\n")
	_, target, _ := strings.Cut(line, " ")
	target, _, found := strings.Cut(target, " HTTP/")
	if !found || len(target) > maxTarget {
		return ""
	}
	return strings.ToValidUTF8(target, "\uFFFD")
}
