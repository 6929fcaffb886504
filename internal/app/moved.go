package app

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httputil"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/notify/integrations"
)

// forwardedFrom is the header of a request that one cell passes on to another. Each cell that does so adds a value: the addresses,
// separated by spaces, that its caller may have put before the path. Some vendors sign them. It is our own header because proxies
// overwrite the usual ones.
const forwardedFrom = "Carillon-Forwarded-From"

const (
	// maxForwards is how many cells a request may pass through. More have the same organization move round in a circle, or an
	// address that leads back here.
	maxForwards = 4
	// passOnTime is how long another cell may take to answer.
	passOnTime = 10 * time.Second
	// maxForwardedText bounds what of the header is read.
	maxForwardedText = 4 << 10
)

// forwards are the values of the header, and the addresses in them that may stand before a path.
func forwards(h http.Header) (hops int, before []string) {
	text := strings.Join(h.Values(forwardedFrom), ",")
	if text == "" {
		return 0, nil
	}
	if len(text) > maxForwardedText {
		return maxForwards, nil
	}
	for hop := range strings.SplitSeq(text, ",") {
		hops++
		for address := range strings.FieldsSeq(hop) {
			if u, err := url.Parse(address); err == nil && u.Host != "" && u.RawQuery == "" && u.Fragment == "" {
				before = append(before, address)
			}
		}
	}
	return hops, before
}

// passOn lets the cell that an organization has moved to answer in our place: with the request as it came, so that signatures count
// there. When that cell cannot be reached, or leads elsewhere, failed answers.
func (a *App) passOn(w http.ResponseWriter, r *http.Request, moved *integrations.Elsewhere, failed func(http.ResponseWriter)) {
	asked := r.Context()
	refuse := func(err error) {
		a.log.ErrorContext(asked, "request for a moved organization not passed on", "cell", moved.URL, "error", err.Error())
		failed(w)
	}
	to, err := url.Parse(moved.URL)
	if err != nil {
		refuse(err)
		return
	}
	if hops, _ := forwards(r.Header); hops >= maxForwards {
		refuse(fmt.Errorf("it has passed through %d cells already", hops))
		return
	}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(p *httputil.ProxyRequest) {
			p.SetURL(to)
			p.Out.URL.RawQuery = p.In.URL.RawQuery // as it was signed
			p.Out.Header["X-Forwarded-For"] = slices.Clone(p.In.Header["X-Forwarded-For"])
			p.SetXForwarded()
			p.Out.Header.Add(forwardedFrom, strings.Join(origins(a.cfg.PublicURL, r.Host), " "))
		},
		ModifyResponse: func(answer *http.Response) error {
			if answer.StatusCode/100 == 3 { // which vendors and mail programs do not follow
				return fmt.Errorf("it answers with status %d", answer.StatusCode)
			}
			return nil
		},
		ErrorHandler: func(_ http.ResponseWriter, _ *http.Request, err error) { refuse(err) },
	}
	ctx, cancel := context.WithTimeout(asked, passOnTime)
	defer cancel()
	r = r.WithContext(ctx)
	r.Body = http.MaxBytesReader(w, r.Body, integrations.MaxInbound)
	proxy.ServeHTTP(w, r)
}

// unread gives a request its body back.
func unread(r *http.Request, body []byte) *http.Request {
	r.Body, r.ContentLength, r.TransferEncoding = io.NopCloser(bytes.NewReader(body)), int64(len(body)), nil
	return r
}

// origins are the addresses under which this server may have been called, without the path.
func origins(public, host string) (list []string) {
	if public != "" {
		list = append(list, strings.TrimSuffix(public, "/"))
	}
	return append(list, "https://"+host, "http://"+host)
}
