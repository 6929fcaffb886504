package document

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/carillon/carillon/graph/transport"
	"github.com/carillon/carillon/internal/viewer"
)

// ReadAllowed reads a list of operations as client generators write it: a JSON object from any key to the operation's text.
// The key does not count; the text's SHA-256 does. Carillon's own operations are allowed, too.
func ReadAllowed(file string, own []string) (map[string]string, error) {
	raw, err := os.ReadFile(file) //nolint:gosec // the operator's own choice
	if err != nil {
		return nil, fmt.Errorf("read the persisted queries: %w", err)
	}
	var listed map[string]string
	if err := json.Unmarshal(raw, &listed); err != nil {
		return nil, fmt.Errorf("read the persisted queries: %s is not a JSON object of texts: %w", file, err)
	}
	allowed := make(map[string]string, len(listed))
	for _, text := range slices.AppendSeq(own, maps.Values(listed)) {
		allowed[hashOf(text)] = text
	}
	return allowed, nil
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// allowList refuses every operation that is not in it, but for people who logged in: the dashboard's operations are ours.
// A listed operation may be named by its hash alone, as automatic persisted queries are.
type allowList map[string]string

// ExtensionName names the list among gqlgen's extensions.
func (allowList) ExtensionName() string { return "AllowList" }

// Validate has nothing to check: an operation that the schema does not know fails when it is sent.
func (allowList) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationParameters puts the text in the place of its hash, and refuses what is not listed.
func (l allowList) MutateOperationParameters(ctx context.Context, request *graphql.RawParams) *gqlerror.Error {
	if v, ok := viewer.FromContext(ctx); ok && v.SessionID != "" {
		return nil
	}
	if persisted, ok := request.Extensions["persistedQuery"].(map[string]any); ok && request.Query == "" {
		hash, _ := persisted["sha256Hash"].(string)
		request.Query = l[hash]
	}
	if request.Query == "" || l[hashOf(request.Query)] == "" {
		return transport.Refuse(transport.CodeNotAllowed, nil, "Only the persisted queries of this server may be run.")
	}
	return nil
}

// secretive refuses questions about the schema.
type secretive struct{}

// ExtensionName names it among gqlgen's extensions.
func (secretive) ExtensionName() string { return "Secretive" }

// Validate has nothing to check.
func (secretive) Validate(graphql.ExecutableSchema) error { return nil }

// MutateOperationContext refuses an operation with a field about the schema, which can be at its root alone.
func (secretive) MutateOperationContext(_ context.Context, op *graphql.OperationContext) *gqlerror.Error {
	if len(rootsOf(op.Operation.SelectionSet).about) > 0 {
		return transport.Refuse(transport.CodeIntrospection, nil, "Introspection is switched off.")
	}
	return nil
}
