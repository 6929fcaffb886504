package provider

import "github.com/carillon/carillon/internal/workflow"

// Definition is one provider as data: what GraphQL shows, what credentials are checked against, and how to build it.
type Definition struct {
	ID           string // the own prefix is written "svc"
	Name         string
	Channel      workflow.Channel
	ListedAfter  string `json:"-"` // id of the provider behind which lists show it; "": by its channel
	Credentials  []Field
	Endpoints    []workflow.EndpointType // chat only: the endpoint types it takes
	Capabilities Capabilities
	Receipts     *ReceiptReader `json:"-"` // how it reports what became of messages; nil: it does not
	// New builds the adapter. Its credentials have passed Validate; further mistakes are fault.Invalidf("credentials.…").
	New func(Deps, Credentials) (Adapter, error) `json:"-"`
}

// Capabilities are what a provider can do beyond text.
type Capabilities struct {
	Attachments    bool // e-mail with files
	IdempotencyKey bool // a repeated request with the same message id is harmless
	Receipts       bool // it can report what became of a message; set by the registry
}

// Kind is the type of a credential.
type Kind string

// The kinds. A text has several lines; a url may lack its scheme; bool and number also arrive as strings.
const (
	KindString Kind = "string"
	KindText   Kind = "text"
	KindBool   Kind = "bool"
	KindNumber Kind = "number"
	KindObject Kind = "object"
	KindURL    Kind = "url"
)

// Field is one credential of a provider.
type Field struct {
	Name       string // as in api.md, Credentials
	Label      string
	Kind       Kind
	Required   bool
	Alias      string // another name under which it may come
	RequiredIf string // name of a boolean credential that makes this one required
	Secret     bool   // never shown again, and removed from every error text
	// Destination says that it decides which server the secrets are sent to: whoever changes it gives them again.
	Destination bool
	Local       bool     `json:"-"` // a secret that is used here and never sent
	Options     []string // the only permitted values, empty: any
	Default     string   // used when empty
	// Check gives what is wrong with a value that its kind allows, "" when nothing is: it never quotes the value.
	Check func(value string) string `json:"-"`
}
