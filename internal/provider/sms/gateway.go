package sms

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"time"

	"github.com/carillon/carillon/internal/provider"
)

// gateway is the adapter of a vendor that takes one text with one request. The vendor's file writes the request and
// reads the answer; what is the same for all of them happens here.
type gateway struct {
	client *provider.Client
	from   string
	style  provider.Style

	request func(m *provider.Message, t *text) *provider.Request
	read    func(ans *provider.Answer) reply
	// codes are the vendor's codes whose class the status does not show.
	codes map[string]provider.Class
	// ownID is the id where the vendor names none.
	ownID func(m *provider.Message) string
	// plain: the vendor answers in something else than JSON.
	plain bool
	// sign authenticates the finished request, when that takes more than a header known beforehand.
	sign func(ctx context.Context, req *provider.Request)
	// do makes the call; nil: the client does.
	do func(ctx context.Context, req *provider.Request) (*provider.Answer, error)
}

// reply is what a vendor's answer says.
type reply struct {
	id   string
	date time.Time

	failed     bool // the body says no, although the status says yes
	code, text string
	status     int // the HTTP status that the body names for this one text, 0 without
}

// open completes g with what every gateway takes from the integration.
func open(d provider.Deps, c provider.Credentials, g gateway) (provider.Adapter, error) {
	g.client, g.from = d.Client(), cmp.Or(g.from, c.String("from"))
	if g.do == nil {
		g.do = g.client.Do
	}
	return &g, nil
}

// Send posts one text.
func (g *gateway) Send(ctx context.Context, m *provider.Message) (*provider.Receipt, error) {
	t, err := compose(m, g.from)
	if err != nil {
		return nil, err
	}
	req := g.request(m, t)
	req.Apply(m, g.style, interpreted...)
	if g.sign != nil {
		g.sign(ctx, req)
	}
	ans, err := g.do(ctx, req)
	if err != nil {
		return nil, err
	}
	r := g.understand(ans)
	if r.failed {
		return nil, g.failure(ans, r)
	}
	if r.id == "" && g.ownID != nil {
		r.id = g.ownID(m)
	}
	receipt := ans.Accepted(ctx, m, r.id)
	receipt.Date = r.date
	return receipt, nil
}

// understand reads the answer. A 2xx that cannot be read is a yes without an id: only a readable no is a no.
func (g *gateway) understand(ans *provider.Answer) reply {
	if ans.OK() && (ans.Broken || !g.plain && ans.JSON() == nil) {
		return reply{}
	}
	r := g.read(ans)
	r.failed = r.failed || !ans.OK()
	return r
}

// failure takes the class from the vendor's code, else from the status in the body, else from the status.
func (g *gateway) failure(ans *provider.Answer, r reply) *provider.Error {
	failure := ans.Failure(r.code, r.text)
	if ans.OK() && r.status >= 400 {
		failure.Class = provider.ClassOfStatus(r.status, provider.OriginVendor)
	}
	if class, known := g.codes[r.code]; known {
		failure.Class = class
	}
	return failure
}

// classes turns lists of codes into the table that a gateway takes. Permanent ones are about one text or its recipient, although the
// status may be that of a refused key.
func classes(faults, transients []string, permanents ...string) map[string]provider.Class {
	out := make(map[string]provider.Class, len(faults)+len(transients)+len(permanents))
	for class, codes := range map[provider.Class][]string{
		provider.Fault: faults, provider.Transient: transients, provider.Permanent: permanents,
	} {
		for _, code := range codes {
			out[code] = class
		}
	}
	return out
}

// json is a JSON body without what is empty.
func json(fields map[string]any) *provider.JSON {
	return &provider.JSON{Root: provider.Present(fields)}
}

// when is value where present is not empty.
func when(present, value string) string {
	if present == "" {
		return ""
	}
	return value
}

// acceptJSON asks vendors for JSON that would otherwise answer a form with something else.
func acceptJSON() http.Header { return http.Header{"Accept": {"application/json"}} }

// moment reads the dates that vendors write: RFC 3339 with or without a colon in the zone, the same without a zone
// (UTC then), the forms of HTTP and of mail, or Unix seconds or milliseconds. Zero when it is none of them.
func moment(s string) time.Time {
	if n, err := strconv.ParseInt(s, 10, 64); err == nil && n > 0 {
		if n > lastSecond {
			return time.UnixMilli(n).UTC()
		}
		return time.Unix(n, 0).UTC()
	}
	for _, layout := range []string{
		time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05", time.DateTime, time.RFC1123, time.RFC1123Z,
	} {
		if at, err := time.Parse(layout, s); err == nil {
			return at.UTC()
		}
	}
	return time.Time{}
}

// lastSecond is in the year 5138: a greater number counts milliseconds.
const lastSecond = 1e11

// originOf: an address in the credentials is guarded, the vendor's own is not.
func originOf(c provider.Credentials, name string) provider.Origin {
	if c.String(name) != "" {
		return provider.OriginCredentials
	}
	return provider.OriginVendor
}

// customText is a text of the overrides' customData.
func (t *text) customText(name, fallback string) string {
	return cmp.Or(provider.Text(t.custom[name]), fallback)
}
