//go:build !race

package graph_test

import "time"

// maxDocumentCPU bounds the processor time of any document.
const maxDocumentCPU = 50 * time.Millisecond
