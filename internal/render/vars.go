package render

import (
	"maps"
	"time"
)

// Vars is what templates see (semantics.md §11.19), as decoded JSON: maps, lists, strings, numbers, bool and nil. Other
// Go values must not be put in, because templates could call their methods.
type Vars struct {
	Subscriber map[string]any
	Payload    map[string]any
	Actor      map[string]any
	Tenant     map[string]any
	Context    map[string]any    // type → {id, data}
	Step       map[string]any    // of a digest: events, total_count
	Steps      map[string]any    // earlier steps by stepId
	Texts      *Translator       // for the filter t, and the locale of numbers and dates; nil leaves keys as they are
	Snippets   map[string]string // sources by identifier, for the tag render
	Env        map[string]any    // variables of the environment by name
	Now        time.Time         // what now and today are to the filters of dates, which write the words where it is zero
}

// Bindings are Vars made ready for rendering. Make them once per recipient and step, and use them for all its texts.
type Bindings struct{ vars map[string]any }

// Bind makes v ready.
func (v Vars) Bind() Bindings {
	vars := map[string]any{readerKey: v.reader(), snippetsKey: snippetScope{sources: v.Snippets, env: v.Env}}
	for name, value := range map[string]map[string]any{
		"subscriber": v.Subscriber, "payload": v.Payload, "actor": v.Actor, "tenant": v.Tenant,
		"context": v.Context, "step": v.Step, "steps": v.Steps, envKey: v.Env,
	} {
		if value != nil {
			vars[name] = value
		}
	}
	addWords(vars)
	return Bindings{vars}
}

func (v Vars) reader() *reader {
	zone, _ := v.Subscriber["timezone"].(string)
	return &reader{texts: v.Texts, zone: zone, now: v.Now.UTC()}
}

func (b Bindings) with(name string, value any) map[string]any {
	vars := make(map[string]any, len(b.vars)+1)
	maps.Copy(vars, b.vars)
	vars[name] = value
	return vars
}
