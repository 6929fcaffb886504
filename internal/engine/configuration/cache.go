// Package configuration keeps what the authors of environments have set up and runs read.
package configuration

import (
	"context"
	"maps"
	"slices"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"

	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgrun"
)

const (
	// maxBytes bounds the configurations that a process keeps. One that is larger is read whenever it is used.
	maxBytes = 64 << 20
	// leastBytes is what a configuration counts at least, and each of its records beside its texts.
	leastBytes = 512
)

// Cache keeps the configurations of the environments used last, as they were read, up to 64 MiB of them. One is used only while
// its version is that of the environment. Use it from any goroutine.
type Cache struct {
	mu            sync.Mutex
	byEnvironment *simplelru.LRU[string, pgrun.Configuration]
	bytes, most   int
}

// NewCache returns an empty cache.
func NewCache() *Cache { return newCache(maxBytes) }

func newCache(most int) *Cache {
	c := &Cache{most: most}
	c.byEnvironment, _ = simplelru.NewLRU(most/leastBytes, // fails for a size below 1 only
		func(_ string, old pgrun.Configuration) { c.bytes -= bytesOf(&old) })
	return c
}

// Missing returns those of environments of which no configuration is kept.
func (c *Cache) Missing(environments []string) (missing []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, environmentID := range environments {
		if !c.byEnvironment.Contains(environmentID) {
			missing = append(missing, environmentID)
		}
	}
	return missing
}

// Complete gives the environments of a snapshot, which was read by want, their configurations: those that came with it, those
// that are kept and have the same version, and what replaces those that have not, which costs another round trip.
func (c *Cache) Complete(ctx context.Context, q postgres.Querier, snapshot *pgrun.Snapshot, want *pgrun.SnapshotQuery) error {
	c.put(snapshot, want.Configurations)
	others := slices.DeleteFunc(slices.Clone(want.Environments), func(environmentID string) bool { return slices.Contains(want.Configurations, environmentID) })
	if stale := c.fill(snapshot, others); len(stale) > 0 {
		if err := snapshot.LoadConfigurations(ctx, q, stale); err != nil {
			return err //nolint:wrapcheck // says what it did
		}
		c.put(snapshot, stale)
	}
	snapshot.ApplyHealth()
	return nil
}

// Recall gives the environments of a snapshot their configurations, if all are kept and have the version that the environment names,
// and reports whether that is so.
func (c *Cache) Recall(snapshot *pgrun.Snapshot) bool {
	return len(c.fill(snapshot, slices.Collect(maps.Keys(snapshot.Environments)))) == 0
}

// fill gives environments, whose versions were just read, the configurations that are kept, and returns those of which
// another version is kept, or none any more.
func (c *Cache) fill(snapshot *pgrun.Snapshot, environments []string) (stale []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, environmentID := range environments {
		e := snapshot.Environments[environmentID]
		if e == nil {
			continue
		}
		if kept, ok := c.byEnvironment.Get(environmentID); ok && kept.Version == e.Version {
			e.Configuration = kept
		} else {
			stale = append(stale, environmentID)
		}
	}
	return stale
}

// put keeps the configurations of environments, except those larger than all that may be kept.
func (c *Cache) put(snapshot *pgrun.Snapshot, environments []string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, environmentID := range environments {
		c.byEnvironment.Remove(environmentID)
		e := snapshot.Environments[environmentID]
		if e == nil {
			continue
		}
		if size := bytesOf(&e.Configuration); size <= c.most {
			c.bytes += size
			c.byEnvironment.Add(environmentID, e.Configuration)
		}
	}
	for c.bytes > c.most {
		c.byEnvironment.RemoveOldest()
	}
}

// bytesOf is about the memory that a configuration takes.
func bytesOf(c *pgrun.Configuration) int {
	n := leastBytes * (1 + len(c.Integrations) + len(c.Layouts) + len(c.Snippets) + len(c.Variables) + len(c.Secrets) + len(c.Pauses))
	for i := range c.Integrations {
		n += len(c.Integrations[i].Credentials) + len(c.Integrations[i].Configurations)
	}
	for i := range c.Layouts {
		n += len(c.Layouts[i].Content)
	}
	for _, content := range c.Snippets {
		n += len(content)
	}
	for _, texts := range c.Translations {
		for key, text := range texts {
			n += len(key) + len(text) + mapEntryBytes
		}
	}
	for _, value := range c.Variables {
		if text, ok := value.(string); ok {
			n += len(text)
		}
	}
	for i := range c.Secrets {
		n += len(c.Secrets[i].Sealed)
	}
	return n
}

// mapEntryBytes is what an entry of a map of texts takes beside them.
const mapEntryBytes = 40
