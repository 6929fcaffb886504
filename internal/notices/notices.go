// Package notices holds the licences of the software that the binary contains: Go modules, and the packages that the
// dashboard and GraphiQL are built from. Both files are generated.
package notices

import _ "embed"

//go:embed go.txt
var modules string

//go:embed web.txt
var web string

// Text returns all notices as plain text.
func Text() string { return modules + "\n" + web }
