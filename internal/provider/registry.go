package provider

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"regexp"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow"
)

// Registry is the set of providers. It is the only list of their ids.
type Registry struct {
	byID map[string]Definition
	ids  []string
}

var idFormat = regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)

// NewRegistry returns the registry of the given providers in their order. It refuses a malformed id, one that comes twice,
// an unknown channel, and a definition without a constructor.
func NewRegistry(defs ...Definition) (*Registry, error) {
	r := &Registry{byID: make(map[string]Definition, len(defs))}
	for _, d := range defs {
		switch {
		case !idFormat.MatchString(d.ID):
			return nil, fmt.Errorf("provider registry: malformed id %q", d.ID)
		case r.Has(d.ID):
			return nil, fmt.Errorf("provider registry: %q comes twice", d.ID)
		case !slices.Contains(workflow.Channels(), d.Channel):
			return nil, fmt.Errorf("provider registry: %q has no channel", d.ID)
		case d.New == nil:
			return nil, fmt.Errorf("provider registry: %q has no constructor", d.ID)
		}
		d.Capabilities.Receipts = d.Receipts != nil
		r.byID[d.ID] = d
		at := len(r.ids)
		if behind := slices.Index(r.ids, d.ListedAfter); behind >= 0 {
			at = behind + 1
		}
		r.ids = slices.Insert(r.ids, at, d.ID)
	}
	return r, nil
}

// IDs lists the ids in the order of the providers. The own prefix is written "svc"; the doors translate VALUE_PREFIX.
func (r *Registry) IDs() []string { return slices.Clone(r.ids) }

// SettingIDs lists the providers for which TakesSettings holds: those of chat, then those of push.
func (r *Registry) SettingIDs() []string {
	var out []string
	for _, c := range []workflow.Channel{workflow.ChannelChat, workflow.ChannelPush} {
		for _, id := range r.ids {
			if r.byID[id].Channel == c {
				out = append(out, id)
			}
		}
	}
	return out
}

// TakesSettings reports whether a subscriber's channel settings may name the provider: one of chat or push.
func (r *Registry) TakesSettings(id string) bool {
	c := r.byID[id].Channel
	return c == workflow.ChannelChat || c == workflow.ChannelPush
}

// Lookup returns the definition of a provider.
func (r *Registry) Lookup(id string) (Definition, bool) {
	d, ok := r.byID[id]
	return d, ok
}

// Has reports whether there is a provider of this id.
func (r *Registry) Has(id string) bool { _, ok := r.byID[id]; return ok }

// All lists the definitions in the order of the providers.
func (r *Registry) All() []Definition {
	out := make([]Definition, len(r.ids))
	for i, id := range r.ids {
		out[i] = r.byID[id]
	}
	return out
}

// ValidateCredentials reports all problems together, as a fault whose fields are "credentials.<name>" or "providerId".
func (r *Registry) ValidateCredentials(id string, c Credentials) error {
	d, err := r.find(id)
	if err != nil {
		return err
	}
	return d.Validate(c)
}

// ValidateWithoutSecrets is ValidateCredentials for credentials whose secrets are entered later. masked reports further names that may be
// missing, because their values are never shown. A field may be missing as well when the other name that it can be given by (Alias) is masked.
func (r *Registry) ValidateWithoutSecrets(id string, c Credentials, masked func(name string) bool) error {
	d, err := r.find(id)
	if err != nil {
		return err
	}
	d.Credentials = slices.DeleteFunc(slices.Clone(d.Credentials), func(f Field) bool {
		return c[f.Name] == nil && (f.Secret || masked(f.Name) || f.Alias != "" && masked(f.Alias))
	})
	return d.Validate(c)
}

func (r *Registry) find(id string) (Definition, error) {
	if d, ok := r.byID[id]; ok {
		return d, nil
	}
	return Definition{}, fault.Invalidf("providerId", "unknown provider")
}

// Open builds the adapter of one integration. Mistakes in the credentials come as ValidateCredentials reports them. What
// the adapter returns is clean: its error is an *Error whose text holds no secret and at most 500 characters, its receipt
// has a date. The adapter also is an io.Closer, which drops the connections that it keeps.
func (r *Registry) Open(deps Deps, id string, c Credentials) (Adapter, error) {
	d, err := r.find(id)
	if err != nil {
		return nil, err
	}
	if err := d.Validate(c); err != nil {
		return nil, err
	}
	if d.Channel == workflow.ChannelEmail {
		c = c.withBareSender()
	}
	deps = deps.withDefaults()
	inner, err := d.New(deps, c)
	if err != nil {
		return nil, err
	}
	return &opened{inner: inner, deps: deps, secrets: d.secrets(c), endpoints: d.Endpoints}, nil
}

// shortestSecret: replacing one or two characters everywhere would leave no readable text and hide nothing.
const shortestSecret = 3

// opened is an adapter together with the promises that hold for all of them.
type opened struct {
	inner     Adapter
	deps      Deps
	secrets   []string
	endpoints []workflow.EndpointType
}

var (
	_ io.Closer = (*opened)(nil)
	_ Recaller  = (*opened)(nil)
	_ Namer     = (*opened)(nil)
)

// Send checks the target, makes the one attempt and cleans what comes back.
func (o *opened) Send(ctx context.Context, m *Message) (*Receipt, error) {
	if t := m.Target.EndpointType; t != "" && o.endpoints != nil && !slices.Contains(o.endpoints, t) {
		return nil, Failf(Permanent, "the provider takes no endpoint of type %s", t)
	}
	limit := o.deps.Timeout
	if own, ok := o.inner.(TimeLimited); ok {
		limit = own.TimeLimit(m)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTimeout)
	defer cancel()
	receipt, err := o.inner.Send(ctx, m)
	if err != nil {
		return nil, clean(err, o.redactor(m))
	}
	if receipt.Date.IsZero() {
		receipt.Date = o.deps.Now()
	}
	receipt.ID, receipt.Data = storableID(receipt.ID), storableData(receipt.Data)
	if receipt.Warning != "" {
		receipt.Warning = cut(o.redactor(m)(Storable(receipt.Warning)))
	}
	return receipt, nil
}

// Recall deletes a delivered message and cleans what comes back.
func (o *opened) Recall(ctx context.Context, m *Message, data map[string]string) error {
	inner, ok := o.inner.(Recaller)
	if !ok {
		return Failf(Permanent, "the provider takes no message back")
	}
	ctx, cancel := context.WithTimeoutCause(ctx, o.deps.Timeout, errTimeout)
	defer cancel()
	if err := inner.Recall(ctx, m, data); err != nil {
		return clean(err, o.redactor(m))
	}
	return nil
}

// ReceiptID is what the adapter knows of a receipt before the call.
func (o *opened) ReceiptID(messageID string) string {
	if n, ok := o.inner.(Namer); ok {
		return storableID(n.ReceiptID(messageID))
	}
	return ""
}

// Close drops kept connections.
func (o *opened) Close() error {
	if c, ok := o.inner.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

func clean(err error, hide func(string) string) *Error {
	var e *Error
	if !errors.As(err, &e) {
		return Failf(Permanent, "the message could not be built")
	}
	tidy := *e
	tidy.Text, tidy.Code = cut(hide(Storable(e.Text))), cut(hide(Storable(e.Code)))
	return &tidy
}

// storableID is a vendor's message id as it is stored, and indexed. Reports of a message name it up to the same length.
func storableID(id string) string { return bounded(id, maxReceiptName) }

// longestData bounds each value of a receipt's data: vendors' handles have some tens of bytes, and are stored with the message.
const longestData = 1024

// storableData is data as the database takes it; nil when a value is too long to be a vendor's handle.
func storableData(data map[string]string) map[string]string {
	for name, value := range data {
		if len(value) > longestData {
			return nil
		}
		data[name] = Storable(value)
	}
	return data
}

// Storable is s as the database takes it: what it refuses would keep the outcome from being recorded, and the message
// would be sent for ever.
func Storable(s string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(s, ""), "\x00", "")
}

// redactor replaces every secret of the integration and of the target.
func (o *opened) redactor(m *Message) func(string) string {
	secrets := slices.Clone(o.secrets)
	for _, u := range []string{m.Target.Endpoint.URL, Override(m, "webhookUrl")} {
		if u != "" {
			secrets = append(secrets, urlSecrets(u)...)
		}
	}
	for _, s := range []string{m.Target.ConnectionToken, Override(m, "hmacSecretKey"), Override(m, "apiKey")} {
		if s != "" {
			secrets = append(secrets, s)
		}
	}
	return Redactor(secrets)
}

// Redactor returns a function that replaces secrets in a text, also in the encodings in which servers echo them.
func Redactor(secrets []string) func(string) string {
	// The longest first: a secret that is part of another must not break the other into a recognisable rest.
	longest := slices.SortedFunc(slices.Values(secrets), func(a, b string) int { return len(b) - len(a) })
	var pairs []string
	for _, s := range longest {
		if len(s) < shortestSecret {
			continue
		}
		quoted, _ := EncodeJSON(s)
		forHTML, _ := json.Marshal(s)
		for _, form := range []string{
			s, string(quoted[1 : len(quoted)-1]), string(forHTML[1 : len(forHTML)-1]), url.QueryEscape(s), url.PathEscape(s),
			base64.StdEncoding.EncodeToString([]byte(s)),
		} {
			pairs = append(pairs, form, "***")
		}
		for _, part := range inBase64(s) {
			pairs = append(pairs, part, "***", urlAlphabet.Replace(part), "***")
		}
	}
	return strings.NewReplacer(pairs...).Replace
}

// urlAlphabet turns base64 into its form for URLs.
var urlAlphabet = strings.NewReplacer("+", "-", "/", "_")

// inBase64 are the characters that stand for s alone in the base64 of a longer text, such as user and password of Basic
// authentication: three ways, by what stands before it. Characters at its ends that it shares with its neighbours are left out.
func inBase64(s string) (parts []string) {
	for before := range 3 {
		text := base64.StdEncoding.EncodeToString(append(make([]byte, before), s...))
		from, to := (before*8+5)/6, (before+len(s))*8/6
		if to-from >= shortestSecret {
			parts = append(parts, text[from:to])
		}
	}
	return parts
}
