package provider

import (
	"bytes"
	"encoding/json"
	"maps"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/carillon/carillon/internal/workflow"
)

// Entry is one JSON object of a report.
type Entry map[string]any

// Entries reads a JSON object or array of objects.
func Entries(body []byte) ([]Entry, error) {
	var list []Entry
	if trimmed := bytes.TrimSpace(body); len(trimmed) > 0 && trimmed[0] == '[' {
		if DecodeReport(trimmed, &list) != nil {
			return nil, ErrMalformed
		}
		return list, nil
	}
	var one Entry
	if DecodeReport(body, &one) != nil || one == nil {
		return nil, ErrMalformed
	}
	return []Entry{one}, nil
}

// DecodeReport decodes JSON and keeps numbers as they were written.
func DecodeReport(body []byte, v any) error {
	d := json.NewDecoder(bytes.NewReader(body))
	d.UseNumber()
	return d.Decode(v)
}

// at returns the value under a path of names, nil when there is none; of a list the first item counts.
func (e Entry) at(path ...string) any {
	var v any = map[string]any(e)
	for _, name := range path {
		if list, ok := v.([]any); ok && len(list) > 0 {
			v = list[0]
		}
		object, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = object[name]
	}
	if list, ok := v.([]any); ok && len(list) > 0 {
		return list[0]
	}
	return v
}

// Text returns a value as text; numbers as they were written.
func (e Entry) Text(path ...string) string {
	switch v := e.at(path...).(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	case bool:
		return strconv.FormatBool(v)
	}
	return ""
}

// ReportTime reads seconds since 1970, also with a fraction, or one of the usual forms of a date.
func ReportTime(s string) time.Time {
	if seconds, err := strconv.ParseFloat(s, 64); err == nil {
		if seconds > 1e11 { // milliseconds
			seconds /= 1000
		}
		return time.UnixMicro(int64(seconds * 1e6))
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05.999999Z0700", "2006-01-02 15:04:05", "2006-01-02 15:04:05 -0700", time.RFC1123Z, time.RFC1123} {
		if t, err := time.Parse(layout, s); err == nil {
			return t
		}
	}
	return time.Time{}
}

// hashed returns an id for an entry that the vendor gave none: a repeated entry gets the same one.
func hashed(e Entry) string {
	raw, err := json.Marshal(e)
	if err != nil {
		return ""
	}
	return Digest(raw)
}

// Outcome is what a report says of a message.
type Outcome struct {
	Kind      workflow.ReceiptKind
	Permanent bool // of a bounce: the address will not accept mail later either
}

// Outcomes are a vendor's words for what happened.
type Outcomes map[string]Outcome

// The outcomes.
var (
	OutcomeDelivered  = Outcome{Kind: workflow.ReceiptDelivered}
	OutcomeOpened     = Outcome{Kind: workflow.ReceiptOpened}
	OutcomeClicked    = Outcome{Kind: workflow.ReceiptClicked}
	OutcomeFailed     = Outcome{Kind: workflow.ReceiptFailed}
	OutcomeHardBounce = Outcome{Kind: workflow.ReceiptBounced, Permanent: true}
	OutcomeSoftBounce = Outcome{Kind: workflow.ReceiptBounced}
	OutcomeComplained = Outcome{Kind: workflow.ReceiptComplained}
)

// fields are the parameters of a report that is a form or a query.
func (in *Inbound) fields() (url.Values, error) {
	values := url.Values{}
	maps.Copy(values, in.Query)
	if len(in.Body) == 0 {
		return values, nil
	}
	if strings.HasPrefix(in.Header.Get("Content-Type"), "application/json") {
		list, err := Entries(in.Body)
		if err != nil || len(list) == 0 {
			return nil, ErrMalformed
		}
		for name := range list[0] {
			values.Set(name, list[0].Text(name))
		}
		return values, nil
	}
	form, err := url.ParseQuery(string(in.Body))
	if err != nil {
		return nil, ErrMalformed
	}
	maps.Copy(values, form)
	return values, nil
}

// StatusReport describes a report about one SMS in the parameters of a form, a query or a JSON object.
type StatusReport struct {
	Outcomes Outcomes // by the state in lower case; other states say nothing
	// The names of the parameters; At and Recipient may be "".
	MessageID, State, Recipient, At string
	Details                         []string // parameters to keep beside the state
}

// Parse reads the report.
func (s StatusReport) Parse(in *Inbound) (Reports, error) {
	values, err := in.fields()
	if err != nil {
		return Reports{}, err
	}
	messageID, state := values.Get(s.MessageID), strings.ToLower(values.Get(s.State))
	if messageID == "" || state == "" {
		return Reports{}, ErrMalformed
	}
	out, known := s.Outcomes[state]
	if !known {
		return Reports{}, nil
	}
	detail := []string{state}
	for _, name := range s.Details {
		if v := values.Get(name); v != "" && v != "0" {
			detail = append(detail, name+" "+v)
		}
	}
	return Reports{List: []Reported{{
		EventID: messageID + ":" + state, Kind: out.Kind, MessageID: messageID, Recipient: values.Get(s.Recipient),
		At: ReportTime(values.Get(s.At)), Detail: strings.Join(detail, ", "),
	}}}, nil
}

// Each reads the entries of a report; read returns ok false for an entry that says nothing of a message.
func (in *Inbound) Each(read func(Entry) (report Reported, what Outcome, ok bool)) (Reports, error) {
	list, err := Entries(in.Body)
	if err != nil {
		return Reports{}, err
	}
	var out Reports
	for _, e := range list {
		r, what, ok := read(e)
		if !ok {
			continue
		}
		r.Kind, r.Permanent = what.Kind, what.Permanent
		if r.EventID == "" {
			r.EventID = hashed(e)
		}
		out.List = append(out.List, r)
	}
	return out, nil
}
