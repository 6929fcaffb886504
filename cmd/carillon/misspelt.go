package main

import (
	"context"
	"log/slog"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/alecthomas/kong"
)

// warnOfMisspelt logs variables whose names are almost those of settings: nothing reads them, so the default is in force. Other names that
// begin like ours may mean something where Carillon is deployed.
func warnOfMisspelt(ctx context.Context, model *kong.Node, environ []string, log *slog.Logger) {
	var known []string
	var collect func(*kong.Node)
	collect = func(node *kong.Node) {
		for _, flag := range node.Flags {
			known = append(known, flag.Envs...)
		}
		for _, child := range node.Children {
			collect(child)
		}
	}
	collect(model)
	for _, variable := range environ {
		name, _, _ := strings.Cut(variable, "=")
		if meant := almost(name, known); meant != "" {
			log.WarnContext(ctx, "a variable is not read: no setting has its name", "variable", name, "setting", meant)
		}
	}
}

// mostSlips is how many letters make a name another one; a short one has fewer.
const mostSlips = 2

// almost is the known name that name differs from by few letters, or "" when it is one itself or like none.
func almost(name string, known []string) (meant string) {
	least := mostSlips + 1
	for _, k := range known {
		if k == name {
			return ""
		}
		if slips := levenshtein.ComputeDistance(name, k); slips < least && slips*4 <= len(strings.TrimPrefix(k, "CARILLON_")) {
			least, meant = slips, k
		}
	}
	return meant
}
