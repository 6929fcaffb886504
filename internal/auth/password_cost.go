//go:build !race

package auth

// passwordCost makes one guess take some hundred milliseconds.
const passwordCost = 12
