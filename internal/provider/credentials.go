package provider

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"net/mail"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/provider/egress"
	"github.com/carillon/carillon/internal/workflow"
)

// String is the credential as text, trimmed; "" when absent. Numbers become decimal text.
func (c Credentials) String(name string) string {
	return strings.TrimSpace(Text(c[name]))
}

// Secret is the credential as text exactly as given: keys and passwords may begin or end with blanks.
func (c Credentials) Secret(name string) string { return Text(c[name]) }

// Bool is the credential as a switch; the strings true, 1, yes and on count as set.
func (c Credentials) Bool(name string) bool {
	on, _ := asBool(c[name])
	return on
}

// Object is the credential as an object, also when it came as the JSON text of one; nil when absent.
func (c Credentials) Object(name string) map[string]any {
	o, _ := asObject(c[name])
	return o
}

// URL is a chosen base address: https:// is added when there is no scheme, trailing slashes are cut; fallback when empty.
func (c Credentials) URL(name, fallback string) string {
	raw := c.String(name)
	if raw == "" {
		return fallback
	}
	return strings.TrimRight(withScheme(raw), "/")
}

// Address is a chosen address in full: https:// is added when there is no scheme, nothing else changes.
func (c Credentials) Address(name string) string {
	if raw := c.String(name); raw != "" {
		return withScheme(raw)
	}
	return ""
}

func withScheme(raw string) string {
	if strings.Contains(raw, "://") {
		return raw
	}
	return "https://" + raw
}

// Validate reports every problem of c together, as one fault whose fields are "credentials.<name>".
func (d Definition) Validate(c Credentials) error {
	var fields []fault.Field
	for _, f := range d.Credentials {
		if msg := f.check(c); msg != "" {
			fields = append(fields, fault.Field{Path: "credentials." + f.Name, Message: msg})
		}
	}
	if fields == nil {
		return nil
	}
	return &fault.Error{Kind: fault.Invalid, Message: fault.ValidationMessage, Fields: fields}
}

// check is "" or the problem, which never quotes the value.
func (f Field) check(c Credentials) string {
	v, ok := c[f.Name]
	if s, isText := v.(string); !ok || v == nil || isText && strings.TrimSpace(s) == "" {
		if f.Alias != "" && c.String(f.Alias) != "" {
			return ""
		}
		if f.Required || f.RequiredIf != "" && c.Bool(f.RequiredIf) {
			return fmt.Sprintf("%s is required", f.Label)
		}
		return ""
	}
	if !f.wellFormed(v) {
		return fmt.Sprintf("%s must be a %s", f.Label, f.Kind.phrase())
	}
	if len(f.Options) > 0 && !slices.Contains(f.Options, strings.TrimSpace(Text(v))) {
		return fmt.Sprintf("%s must be one of %s", f.Label, strings.Join(f.Options, ", "))
	}
	if f.Kind == KindString && strings.ContainsAny(Text(v), "\r\n\x00") {
		return f.Label + " must be a single line"
	}
	if f.Check != nil {
		if problem := f.Check(strings.TrimSpace(Text(v))); problem != "" {
			return f.Label + " " + problem
		}
	}
	return ""
}

// CheckPort is for the port of a server.
func CheckPort(value string) string {
	if n, err := strconv.Atoi(value); err != nil || n < 1 || n > 65535 {
		return "must be a port between 1 and 65535"
	}
	return ""
}

// CheckHost is for the name or address of a server, without scheme, port and path.
func CheckHost(value string) string {
	if strings.ContainsAny(value, "/@ \t") {
		return "must be the name or the address of a server alone"
	}
	return ""
}

// CheckHello is for the name by which a client greets a mail server: a host name, or an address in brackets.
func CheckHello(value string) string {
	literal, isLiteral := strings.CutPrefix(value, "[")
	if isLiteral {
		literal = strings.TrimPrefix(strings.TrimSuffix(literal, "]"), "IPv6:")
		if _, err := netip.ParseAddr(literal); err == nil && strings.HasSuffix(value, "]") {
			return ""
		}
	} else if helloFormat.MatchString(value) {
		return ""
	}
	return "must be a host name such as mail.example.com, or an address such as [192.0.2.1]"
}

var helloFormat = regexp.MustCompile(`^([A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9]([A-Za-z0-9-]{0,61}[A-Za-z0-9])?$`)

// CheckEmail is for the address of a sender, also with a name beside it.
func CheckEmail(value string) string {
	if _, err := mail.ParseAddress(value); err != nil {
		return "must be an e-mail address such as shop@example.com; a name belongs in the sender's name, or as Shop <shop@example.com>"
	}
	return ""
}

// SplitSender takes "Name <address>" apart; name is "" when text is a bare address. ok is false when it holds no address.
func SplitSender(text string) (address, name string, ok bool) {
	text = strings.TrimSpace(text)
	parsed, err := mail.ParseAddress(text)
	switch {
	case err != nil:
		return text, "", false
	case parsed.Name == "" && !strings.HasSuffix(text, ">"):
		return text, "", true
	}
	return strings.Trim((&mail.Address{Address: parsed.Address}).String(), "<>"), parsed.Name, true
}

// withBareSender is c with the address of the sender alone and in ASCII, and the name that stood beside it in its own
// credential: vendors take the two apart, and some log in with the address.
func (c Credentials) withBareSender() Credentials {
	address, name, ok := SplitSender(c.String("from"))
	address, _ = workflow.ASCIIDomain(address)
	if !ok || address == c.String("from") {
		return c
	}
	c = maps.Clone(c)
	c["from"] = address
	if c.String("senderName") == "" {
		c["senderName"] = name
	}
	return c
}

func (k Kind) phrase() string {
	switch k {
	case KindBool:
		return "boolean"
	case KindNumber:
		return "whole number"
	case KindObject:
		return "JSON object"
	case KindURL:
		return "http or https address without user name and password"
	default:
		return "text"
	}
}

func (f Field) wellFormed(v any) bool {
	switch f.Kind {
	case KindBool:
		_, ok := asBool(v)
		return ok
	case KindNumber:
		_, err := strconv.Atoi(strings.TrimSpace(Text(v)))
		return err == nil
	case KindObject:
		_, ok := asObject(v)
		return ok
	case KindURL:
		s, ok := v.(string)
		if !ok {
			return false
		}
		_, err := egress.CheckURL(withScheme(strings.TrimSpace(s)))
		return err == nil
	default:
		return isScalar(v)
	}
}

// CheckURL reads a URL that a user chose to be called. Where it leads is checked when it is called.
func CheckURL(raw string) (*url.URL, error) { return egress.CheckURL(raw) }

func isScalar(v any) bool {
	switch v.(type) {
	case string, json.Number, float64, int, int64:
		return true
	}
	return false
}

// Text renders a scalar of a JSON value; a whole number never gets an exponent. Anything else is "".
func Text(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case int:
		return strconv.Itoa(v)
	case int64:
		return strconv.FormatInt(v, 10)
	case bool:
		return strconv.FormatBool(v)
	default:
		return ""
	}
}

func asBool(v any) (on, ok bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "true", "1", "yes", "on":
			return true, true
		case "false", "0", "no", "off", "":
			return false, true
		}
	}
	return false, false
}

func asObject(v any) (map[string]any, bool) {
	switch v := v.(type) {
	case map[string]any:
		return v, true
	case string:
		var o map[string]any
		if strings.TrimSpace(v) == "" {
			return nil, true
		}
		err := json.Unmarshal([]byte(v), &o)
		return o, err == nil && o != nil
	}
	return nil, false
}

// secrets are the texts that must not appear in what is stored or shown: the secret credentials, and those parts of a
// secret URL that identify it.
func (d Definition) secrets(c Credentials) []string {
	var out []string
	for _, f := range d.Credentials {
		v := cmp.Or(c.Secret(f.Name), c.Secret(f.Alias))
		if !f.Secret || v == "" {
			continue
		}
		if f.Kind == KindURL {
			out = append(out, urlSecrets(v)...)
			continue
		}
		out = append(out, v)
	}
	return out
}

// urlSecrets are the URL, its request part, and the long parts of path and query, which alone would open a webhook.
func urlSecrets(raw string) []string {
	out := []string{raw}
	u, err := url.Parse(raw)
	if err != nil {
		return out
	}
	if p := u.RequestURI(); len(p) >= shortestURLSecret {
		out = append(out, p)
	}
	for part := range strings.SplitSeq(u.Path, "/") {
		if len(part) >= shortestURLSecret {
			out = append(out, part)
		}
	}
	for _, values := range u.Query() {
		for _, v := range values {
			if len(v) >= shortestURLSecret {
				out = append(out, v)
			}
		}
	}
	return out
}

// shortestURLSecret keeps ordinary words of a path ("hooks", "api") readable in error texts.
const shortestURLSecret = 8
