// Package client is the least a program needs to drive Carillon from outside: GraphQL and the REST API over HTTP with an
// API key. The demo, the bench and the tests of the binary use it.
package client

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
)

// Client talks to one Carillon with one environment's key.
type Client struct {
	URL  string // http://host:port
	Key  string
	HTTP *http.Client // http.DefaultClient when nil
}

// GraphQL runs an operation and decodes its data into out (nil: not wanted), with all digits of whole numbers. Errors of the answer are
// joined. A mutation whose answer is lost is sent once more, under the same idempotency key, so that it is carried out once.
func (c *Client) GraphQL(ctx context.Context, query string, variables map[string]any, out any) error {
	if !strings.HasPrefix(strings.TrimSpace(query), "mutation") {
		return c.graphQL(ctx, "", query, variables, out)
	}
	key := rand.Text()
	err := c.graphQL(ctx, key, query, variables, out)
	if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) && !errors.Is(err, syscall.ECONNRESET) && !errors.Is(err, syscall.EPIPE) {
		return err
	}
	again := c.graphQL(ctx, key, query, variables, out)
	if answer := (*Error)(nil); again == nil || errors.As(again, &answer) && answer.Code != fault.CodeKeyInUse {
		return again
	}
	return err // nothing more is known
}

func (c *Client) graphQL(ctx context.Context, key, query string, variables map[string]any, out any) error {
	var answer struct {
		Data   json.RawMessage `json:"data"`
		Errors []struct {
			Message    string         `json:"message"`
			Path       []any          `json:"path"`
			Extensions map[string]any `json:"extensions"`
		} `json:"errors"`
	}
	_, err := c.do(ctx, http.MethodPost, "/graphql", key, map[string]any{"query": query, "variables": variables}, &answer)
	if err != nil && len(answer.Errors) == 0 {
		return err
	}
	var failures []error
	for _, e := range answer.Errors {
		failures = append(failures, newError(e.Message, e.Extensions))
	}
	if len(failures) > 0 {
		return errors.Join(failures...)
	}
	if out == nil {
		return nil
	}
	if err := jsonnum.Unmarshal(answer.Data, out); err != nil {
		return fmt.Errorf("read the answer: %w", err)
	}
	return nil
}

// Error is one error of an answer.
type Error struct {
	Message string
	Code    string  // stable, such as VALIDATION; "" when the answer has none
	Fields  []Field // what is wrong with the input
}

// Field is what is wrong with one field of the input.
type Field struct{ Path, Message string }

// Error is the message with the fields that it does not name itself, and the code.
func (e *Error) Error() string {
	text := strings.Builder{}
	text.WriteString(e.Message)
	for _, f := range e.Fields {
		if one := f.Path + ": " + f.Message; !strings.Contains(e.Message, one) {
			text.WriteString("; " + one)
		}
	}
	if e.Code != "" {
		text.WriteString(" (" + e.Code + ")")
	}
	return text.String()
}

func newError(message string, extensions map[string]any) *Error {
	e := &Error{Message: message}
	e.Code, _ = extensions["code"].(string)
	fields, _ := extensions["fields"].([]any)
	for _, field := range fields {
		if f, ok := field.(map[string]any); ok {
			e.Fields = append(e.Fields, Field{fmt.Sprint(f["path"]), fmt.Sprint(f["message"])})
		}
	}
	return e
}

// Do sends body as JSON and decodes the answer into out (nil: not wanted). A status that is not 2xx is an error, with
// the status and the answer's text; out is filled all the same where it can be.
func (c *Client) Do(ctx context.Context, method, path string, body, out any) (status int, err error) {
	return c.do(ctx, method, path, "", body, out)
}

func (c *Client) do(ctx context.Context, method, path, key string, body, out any) (status int, err error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return 0, fmt.Errorf("encode the request: %w", err)
	}
	if err := checkAddress(c.URL); err != nil {
		return 0, err
	}
	req, err := http.NewRequestWithContext(ctx, method, strings.TrimSuffix(c.URL, "/")+path, bytes.NewReader(raw))
	if err != nil {
		return 0, fmt.Errorf("make the request: %w", err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json")
	req.Header.Set("Authorization", "ApiKey "+c.Key)
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	httpClient := c.HTTP
	if httpClient == nil {
		httpClient = http.DefaultClient
	}
	here := *httpClient
	here.CheckRedirect = checkRedirect
	resp, err := here.Do(req)
	if err != nil {
		return 0, fmt.Errorf("%s %s: %w", method, path, throughProxy(httpClient, req, err))
	}
	defer func() { _ = resp.Body.Close() }()
	answer, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp.StatusCode, fmt.Errorf("%s %s: %w", method, path, &url.Error{Op: method, URL: req.URL.String(), Err: err})
	}
	if to, err := resp.Location(); err == nil && resp.StatusCode/100 == 3 {
		return resp.StatusCode, fmt.Errorf("%s redirects to %s: name that address", c.URL, strings.TrimSuffix(to.String(), path))
	}
	if out != nil {
		err = json.Unmarshal(answer, out)
	}
	if resp.StatusCode/100 != 2 {
		return resp.StatusCode, fmt.Errorf("%s %s: status %d: %s", method, path, resp.StatusCode, answer)
	}
	if err != nil {
		return resp.StatusCode, fmt.Errorf("%s %s: read the answer: %w", method, path, err)
	}
	return resp.StatusCode, nil
}

// checkAddress refuses what is no address of a service, such as a setting that is there and empty.
func checkAddress(address string) error {
	parsed, err := url.Parse(address)
	if err != nil {
		return fmt.Errorf("make the request: %w", err)
	}
	if parsed.Host == "" || parsed.Scheme != "http" && parsed.Scheme != "https" {
		return fmt.Errorf("make the request: %q is not an address such as http://127.0.0.1:8080", address)
	}
	return nil
}

// checkRedirect follows a redirect that keeps the request: most turn a POST into a GET without its body, and the key is not sent to
// another host.
func checkRedirect(next *http.Request, before []*http.Request) error {
	if first := before[0]; next.Method != first.Method || next.URL.Hostname() != first.URL.Hostname() || len(before) >= 10 {
		return http.ErrUseLastResponse
	}
	return nil
}

// throughProxy names the proxy that a call was to take, when no connection was made: the service itself was not asked then.
func throughProxy(c *http.Client, req *http.Request, err error) error {
	choose := http.ProxyFromEnvironment
	if transport, ok := c.Transport.(*http.Transport); ok {
		choose = transport.Proxy
	}
	var dial *net.OpError
	if !errors.As(err, &dial) || dial.Op != "dial" && dial.Op != "proxyconnect" || choose == nil {
		return err
	}
	proxy, proxyErr := choose(req)
	if proxyErr != nil || proxy == nil {
		return err
	}
	var reason error = dial
	for inner := reason; errors.As(inner, &dial); inner = dial.Err { // proxyconnect has a dial inside
		reason = dial.Err
	}
	return fmt.Errorf("the proxy %s of the environment (HTTP_PROXY, HTTPS_PROXY, NO_PROXY) cannot be reached: %w", proxy.Redacted(), reason)
}

// Until calls check every interval until it says done, fails, or ctx ends.
func Until(ctx context.Context, interval time.Duration, check func(context.Context) (done bool, err error)) error {
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		if done, err := check(ctx); done || err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-tick.C:
		}
	}
}
