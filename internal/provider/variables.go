package provider

import (
	"fmt"
	"maps"
	"regexp"
	"slices"

	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/secret"
)

// variableReference is where a credential names a variable of its environment.
var variableReference = regexp.MustCompile(`\{\{\s*env\.([A-Za-z][A-Za-z0-9_]*)\s*\}\}`)

// Variables lists the variables that credentials name as {{ env.NAME }}, sorted.
func (c Credentials) Variables() (names []string) {
	for _, value := range c {
		text, _ := value.(string)
		for _, found := range variableReference.FindAllStringSubmatch(text, -1) {
			names = append(names, found[1])
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// WithVariables puts the values of variables in the place of their names. Names without a value stay as they are.
func (c Credentials) WithVariables(values map[string]string) Credentials {
	out := maps.Clone(c)
	for field, value := range c {
		text, isText := value.(string)
		if !isText {
			continue
		}
		out[field] = variableReference.ReplaceAllStringFunc(text, func(reference string) string {
			if known, set := values[variableReference.FindStringSubmatch(reference)[1]]; set {
				return known
			}
			return reference
		})
	}
	return out
}

// SealVariable encrypts the value of a secret variable for storage.
func SealVariable(k *secret.Keeper, variableID id.ID, value string) ([]byte, error) {
	return k.Seal([]byte(value), sealedVariable+variableID)
}

// OpenVariable decrypts what SealVariable made.
func OpenVariable(k *secret.Keeper, variableID id.ID, sealed []byte) (string, error) {
	value, err := k.Open(sealed, sealedVariable+variableID)
	if err != nil {
		return "", fmt.Errorf("variable %s: %w", variableID, err)
	}
	return string(value), nil
}
