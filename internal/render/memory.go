package render

import (
	"reflect"

	liquid "github.com/osteele/liquid/render"
)

// weigh takes the bytes of the texts in a value from left, and stops when nothing is left. Items of a list may be the same text in
// memory, but what is written of it is not.
func weigh(v any, left int) int {
	switch x := v.(type) {
	case string:
		return left - len(x)
	case escaped:
		return left - len(x)
	case translation:
		return left - len(x.text)
	case []any:
		for _, item := range x {
			if left = weigh(item, left-1); left < 0 {
				return left
			}
		}
	case map[string]any:
		for name, member := range x {
			if left = weigh(member, left-len(name)); left < 0 {
				return left
			}
		}
	}
	return left
}

// keptTexts is how many texts of the greatest size the variables of a rendering may hold together.
const keptTexts = 16

// keep takes note of what a variable of the template holds now.
func (b *budget) keep(name string, value any) error {
	size := 0
	switch v := value.(type) {
	case string:
		size = len(v)
	case escaped:
		size = len(v)
	case translation:
		size = len(v.text) + len(v.markup)
	case []string:
		size = len(v) * int(reflect.TypeFor[string]().Size())
	case []any:
		size = len(v) * int(reflect.TypeFor[any]().Size())
	}
	if b.kept == nil {
		b.kept = map[string]int{}
	}
	b.room += b.kept[name] - size
	b.kept[name] = size
	if b.room < 0 {
		return ErrOutputTooLarge
	}
	return nil
}

func keep(ctx liquid.Context, name string, value any) error {
	b, err := budgetOf(ctx)
	if err != nil {
		return err
	}
	if err := b.keep(name, value); err != nil {
		return err
	}
	ctx.Set(name, value)
	return nil
}
