package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"
	mangokong "github.com/alecthomas/mango-kong"
	"github.com/muesli/roff"
)

type manCommand struct{}

// Run prints the manual page, as roff.
func (manCommand) Run(program *kong.Kong) error {
	_, err := fmt.Fprint(os.Stdout, mangokong.NewManPage(1, program.Model).Build(roff.NewDocument()))
	return err
}
