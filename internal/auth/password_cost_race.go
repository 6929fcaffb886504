//go:build race

package auth

import "golang.org/x/crypto/bcrypt"

// passwordCost is the least there is: the race detector makes a hash of the usual cost take half a minute on a busy machine,
// and programs built with it are for tests only.
const passwordCost = bcrypt.MinCost
