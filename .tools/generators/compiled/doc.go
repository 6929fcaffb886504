// Package compiled is the client that oapi-codegen makes of the OpenAPI document in 3.0, as a user of it would; it only has to
// compile.
package compiled

import _ "github.com/oapi-codegen/runtime" // what it needs
