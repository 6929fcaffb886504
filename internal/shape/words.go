package shape

import (
	"fmt"
	"strconv"
)

// MaxDepth bounds the nesting of what callers store, below what the database's parser can take.
const MaxDepth = 512

// StorableText says which JSON the database can hold.
var StorableText = fmt.Sprintf("Nested at most %d deep, without the character U+0000 and without numbers beyond a double.", MaxDepth)

// Grouped writes a number as people do: 1,000.
func Grouped(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return Grouped(n/1000) + fmt.Sprintf(",%03d", n%1000)
}
