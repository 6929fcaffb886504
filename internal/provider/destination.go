package provider

import (
	"cmp"
	"slices"
	"strings"
)

// Moved names the credential by which wanted leads to another server than stored does, "" when none does. Names of variables are compared,
// not their values. Without one that is required, wanted leads nowhere.
func (d Definition) Moved(stored, wanted Credentials) string {
	for _, f := range d.Credentials {
		missing := f.Required && wanted.String(f.Name) == ""
		if f.Destination && !missing && f.address(stored) != f.address(wanted) {
			return f.Name
		}
	}
	return ""
}

// ServerOf reports whether what decides the server of c names a variable.
func (d Definition) ServerOf(c Credentials, variable string) bool {
	for _, f := range d.Credentials {
		if f.Destination && slices.Contains(Credentials{f.Name: c[f.Name]}.Variables(), variable) {
			return true
		}
	}
	return false
}

// Sent lists the names of the secrets among c that its server receives. Those that are nothing but names of variables are left out: who may
// change credentials can name a variable anywhere.
func (d Definition) Sent(c Credentials) (names []string) {
	for _, f := range d.Credentials {
		if !f.Secret || f.Destination || f.Local {
			continue
		}
		for _, name := range []string{f.Name, f.Alias} {
			text, isText := c[name].(string)
			if c[name] != nil && (!isText || strings.TrimSpace(variableReference.ReplaceAllString(text, "")) != "") {
				names = append(names, name)
			}
		}
	}
	return names
}

// address is a destination in the one way in which adapters read the ways to write it.
func (f Field) address(c Credentials) string {
	text := cmp.Or(c.String(f.Name), f.Default)
	if f.Kind != KindURL {
		return strings.ToLower(text)
	}
	if text == "" {
		return ""
	}
	return strings.TrimRight(withScheme(text), "/")
}
