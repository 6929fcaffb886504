//go:build race

package rest_test

// Under the race detector a request takes many times as long.
const mutatedRequests = 2_000
