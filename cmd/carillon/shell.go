package main

import (
	"fmt"
	"slices"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

type manCommand struct{}

// Run prints the manual page, as roff.
func (manCommand) Run(program *kong.Kong) error {
	_, err := fmt.Fprint(stdout, mangokong.NewManPage(1, program.Model).Build(roff.NewDocument()))
	return err
}

// showHelp prints a command's help. Commands that ask a running service leave out the settings, which are those of its processes.
func showHelp(options kong.HelpOptions, ctx *kong.Context) error {
	if node := ctx.Selected(); node != nil && asksService(node) {
		for _, flag := range ctx.Model.Flags {
			flag.Hidden = flag.Hidden || flag.Group != nil && flag.Group.Key == "Settings"
		}
	}
	return kong.DefaultHelpPrinter(options, ctx)
}

// asksService reports whether a command, or each of those that it consists of, asks the service at --url.
func asksService(node *kong.Node) bool {
	if node.Leaf() {
		return slices.ContainsFunc(node.Flags, func(f *kong.Flag) bool { return f.Name == "url" && f.HasDefault })
	}
	return !slices.ContainsFunc(node.Children, func(n *kong.Node) bool { return !asksService(n) })
}
