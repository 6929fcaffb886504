package engine

// Executor takes runs through their steps.
type Executor struct {
	*shared
	definitions definitionCache
	versions    *versionCache // of workflows that trigger steps start
}

func newExecutor(s *shared) *Executor { return &Executor{shared: s, versions: newVersionCache()} }
