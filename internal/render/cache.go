package render

import (
	"container/list"
	"strings"
	"sync"
)

type cacheKey struct {
	source string
	mode   mode
}

// nodeBytes is about what the library keeps of an object or a tag of a template, however short it is.
const nodeBytes = 512

// size is about what a compiled template takes.
func (k cacheKey) size() int {
	nodes := strings.Count(k.source, "{{") + strings.Count(k.source, "{%")
	if strings.Contains(k.source, liquidTag) { // a tag on each line
		nodes += strings.Count(k.source, "\n")
	}
	return len(k.source) + nodeBytes*nodes
}

// cache keeps the compiled templates used last, bounded by their number and by about the bytes that they take.
type cache struct {
	mu       sync.Mutex
	entries  map[cacheKey]*list.Element
	order    *list.List // front: used last
	limit    int
	maxBytes int
	bytes    int
}

type cacheEntry struct {
	key      cacheKey
	template *template
}

func newCache(limit, maxBytes int) *cache {
	return &cache{entries: map[cacheKey]*list.Element{}, order: list.New(), limit: limit, maxBytes: maxBytes}
}

func (c *cache) get(key cacheKey) (*template, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	el, hit := c.entries[key]
	if !hit {
		return nil, false
	}
	c.order.MoveToFront(el)
	return el.Value.(*cacheEntry).template, true
}

func (c *cache) put(key cacheKey, t *template) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, hit := c.entries[key]; hit {
		return
	}
	c.entries[key] = c.order.PushFront(&cacheEntry{key, t})
	c.bytes += key.size()
	for c.order.Len() > 1 && (c.order.Len() > c.limit || c.bytes > c.maxBytes) {
		oldest := c.order.Remove(c.order.Back()).(*cacheEntry)
		delete(c.entries, oldest.key)
		c.bytes -= oldest.key.size()
	}
}
