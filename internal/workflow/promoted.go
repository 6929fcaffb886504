package workflow

// PromotedResource is one resource that a promotion changed.
type PromotedResource struct {
	Kind          string `json:"kind"` // of a configuration
	Name          string `json:"name"`
	Action        string `json:"action"`
	SourceVersion *int   `json:"sourceVersion,omitempty"` // of a workflow: the published version that was taken over
	Version       *int   `json:"version,omitempty"`       // of a workflow: the version that triggers use afterwards
}
