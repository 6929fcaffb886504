package pgaccess

import (
	"fmt"
	"maps"
	"slices"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
)

// KeyCheck is an API key that is read together with what else its request depends on, or, if it is an environment's, taken for what it was
// found to be before.
type KeyCheck struct {
	Hash    []byte
	found   atomic.Pointer[FoundKey]
	assumed atomic.Bool
}

// FoundKey is what a key was found to give access to.
type FoundKey struct {
	KeyAccess
	OK bool // there is such a key
	// Configuration is the version of the environment's configuration when the key was read; it changes with the key. "" for a key of an
	// organization.
	Configuration string
}

// Found returns what was found; nil when the key was not read.
func (c *KeyCheck) Found() *FoundKey { return c.found.Load() }

// Assume takes what was found before for what the key gives access to now. The commit verifies that the environment's configuration has the
// same version.
func (c *KeyCheck) Assume(found *FoundKey) {
	c.assumed.Store(true)
	c.found.Store(found)
}

// Assumed is what the key is assumed to be; nil when it was read, or not found yet.
func (c *KeyCheck) Assumed() *FoundKey {
	if found := c.found.Load(); found != nil && c.assumed.Load() {
		return found
	}
	return nil
}

// Reset lets the key be read anew.
func (c *KeyCheck) Reset() {
	c.assumed.Store(false)
	c.found.Store(nil)
}

var readKeys = keysOf(", e.configuration_version", ", ''")

// QueueKeys queues the reading of keys.
func QueueKeys(b *pgx.Batch, checks []*KeyCheck) {
	if len(checks) == 0 {
		return
	}
	b.Queue(readKeys, hashesOf(checks)).Query(func(rows pgx.Rows) error {
		list, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (k *FoundKey, err error) {
			k = &FoundKey{OK: true}
			k.KeyAccess, err = scanKeyWith(row, &k.Configuration)
			return k, err
		})
		if err != nil {
			return fmt.Errorf("find API keys: %w", err)
		}
		found := make(map[string]*FoundKey, len(list))
		for _, k := range list {
			found[string(k.Hash)] = k
		}
		for _, c := range checks {
			k := found[string(c.Hash)]
			if k == nil {
				k = &FoundKey{}
			}
			c.found.Store(k)
			c.assumed.Store(false)
		}
		return nil
	})
}

func hashesOf(checks []*KeyCheck) [][]byte {
	distinct := map[string][]byte{}
	for _, c := range checks {
		distinct[string(c.Hash)] = c.Hash
	}
	return slices.Collect(maps.Values(distinct))
}
