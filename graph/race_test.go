//go:build race

package graph_test

import "time"

// Under the race detector everything takes many times as long.
const maxDocumentCPU time.Duration = 0
