//go:build race

package graph_test

// Under the race detector everything takes many times as long.
const maxDocumentCPU = 0
