//go:build !race

package rest_test

// mutatedRequests is how many requests TestMutatedRequests sends.
const mutatedRequests = 20_000
