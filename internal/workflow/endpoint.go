package workflow

import (
	"net/url"
	"slices"
	"strings"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// maxEndpointText bounds one field of an endpoint, in bytes.
const maxEndpointText = 2048

// endpointFields are the fields of each endpoint type; the last of webhook may be left out (decisions.md §5).
var endpointFields = map[EndpointType]struct{ required, optional []string }{
	EndpointSlackChannel:   {required: []string{"channelId"}},
	EndpointSlackUser:      {required: []string{"userId"}},
	EndpointWebhook:        {required: []string{"url"}, optional: []string{"channel"}},
	EndpointPhone:          {required: []string{"phoneNumber"}},
	EndpointMSTeamsChannel: {required: []string{"teamId", "channelId"}},
	EndpointMSTeamsUser:    {required: []string{"userId"}},
}

// Fields are the fields of d that are set, by their documented names.
func (d EndpointData) Fields() map[string]string {
	fields := map[string]string{}
	for name, value := range map[string]string{
		"channelId": d.ChannelID, "userId": d.UserID, "teamId": d.TeamID,
		"url": d.URL, "channel": d.Channel, "phoneNumber": d.PhoneNumber,
	} {
		if value != "" {
			fields[name] = value
		}
	}
	return fields
}

// Validate reports what keeps d from being the target of an endpoint of type t, under path.
func (d EndpointData) Validate(p *fault.Problems, path string, t EndpointType) {
	want, known := endpointFields[t]
	if !known {
		p.Add("type", t, "must be one of %s", strings.Join(t.Values(), ", "))
		return
	}
	have := d.Fields()
	for _, name := range want.required {
		if have[name] == "" {
			p.Add(jsonvalue.Join(path, name), nil, "is required for an endpoint of type %s", t)
		}
	}
	for _, name := range jsonvalue.SortedKeys(have) {
		switch value := have[name]; {
		case !slices.Contains(want.required, name) && !slices.Contains(want.optional, name):
			p.Add(jsonvalue.Join(path, name), nil, "does not belong to an endpoint of type %s", t)
		case len(value) > maxEndpointText:
			p.Add(jsonvalue.Join(path, name), nil, "must not exceed %d bytes", maxEndpointText)
		case name == "phoneNumber" && !ValidPhone(value):
			p.Add(jsonvalue.Join(path, name), value, "must be a phone number such as +4915112345678")
		case name == "url" && !webAddress(value):
			p.Add(jsonvalue.Join(path, name), nil, "must be an http or https URL without user name and password")
		}
	}
}

func webAddress(raw string) bool {
	u, err := url.Parse(raw)
	return err == nil && u.Host != "" && u.User == nil && (u.Scheme == "http" || u.Scheme == "https")
}

// Fits reports whether the data hold what an endpoint of type t needs.
func (d EndpointData) Fits(t EndpointType) bool {
	switch t {
	case EndpointSlackChannel:
		return d.ChannelID != ""
	case EndpointSlackUser:
		return d.UserID != ""
	case EndpointWebhook:
		return d.URL != ""
	case EndpointPhone:
		return ValidPhone(d.PhoneNumber)
	case EndpointMSTeamsChannel:
		return d.TeamID != "" && d.ChannelID != ""
	case EndpointMSTeamsUser:
		return d.UserID != ""
	}
	return false
}
