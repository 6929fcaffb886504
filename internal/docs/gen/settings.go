package main

import (
	"strings"

	"github.com/alecthomas/kong"

	"github.com/carillon/carillon/internal/config"
)

// settings lists the flags that the program makes of its settings.
func settings(out *strings.Builder) error {
	parser, err := kong.New(&config.Config{}, kong.Name("carillon"), kong.DefaultEnvars("CARILLON"), kong.NoDefaultHelp())
	if err != nil {
		return err
	}
	out.WriteString(`# Settings

Every setting is an environment variable and a flag of the same name, ` + "`CARILLON_LOG_LEVEL=debug`" + ` or
` + "`--log-level=debug`" + `; the flag wins. [Deploy](deploy.md) says which ones an installation needs. This page is made from the
program by ` + "`make generate`" + `.

`)
	heads(out, "Setting", "Default", "Meaning")
	for _, flag := range parser.Model.Flags {
		value := flag.Default
		if value != "" {
			value = "`" + value + "`"
		}
		row(out, "`"+strings.Join(flag.Envs, "`, `")+"`", value, flag.Help)
	}
	return nil
}
