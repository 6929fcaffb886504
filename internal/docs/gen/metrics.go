package main

import (
	"go/ast"
	"slices"
	"strings"
)

// figure is one that /metrics shows.
type figure struct{ name, kind, labels, help string }

// metrics lists the figures that the sources declare: by an Opts of a kind, or by a description.
func metrics(out *strings.Builder) error {
	var all []figure
	err := walk([]string{"internal"}, func(node ast.Node) {
		call, ok := node.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return
		}
		name := called(call)
		if name == "NewDesc" && len(call.Args) > 2 {
			all = append(all, figure{text(call.Args[0]), "", texts(call.Args[2]), text(call.Args[1])})
			return
		}
		kind, isNew := strings.CutPrefix(name, "New")
		options, isLiteral := call.Args[0].(*ast.CompositeLit)
		if !isNew || !isLiteral {
			return
		}
		one := figure{kind: strings.ToLower(strings.TrimSuffix(kind, "Vec"))}
		for _, element := range options.Elts {
			member, ok := element.(*ast.KeyValueExpr)
			if !ok {
				return
			}
			switch word(member.Key) {
			case "Name":
				one.name = text(member.Value)
			case "Help":
				one.help = text(member.Value)
			}
		}
		if len(call.Args) > 1 {
			one.labels = texts(call.Args[1])
		}
		if one.name != "" && one.help != "" {
			all = append(all, one)
		}
	})
	if err != nil {
		return err
	}
	slices.SortFunc(all, func(a, b figure) int { return strings.Compare(a.name, b.name) })
	out.WriteString(`# Metrics

What ` + "`/metrics`" + ` shows of one process, for Prometheus, beside the usual figures of a Go process (` + "`go_…`, `process_…`" + `).
[Monitoring](monitoring.md) names those to watch. A histogram has ` + "`_bucket`, `_sum` and `_count`" + `. This page is made from the sources
by ` + "`make generate`" + `.

`)
	heads(out, "Name", "Type", "Labels", "Meaning")
	for _, one := range all {
		if one.kind == "" { // a description names none; by convention a counter ends so
			one.kind = "gauge"
			if strings.HasSuffix(one.name, "_total") {
				one.kind = "counter"
			}
		}
		row(out, "`"+one.name+"`", one.kind, one.labels, one.help)
	}
	return nil
}
