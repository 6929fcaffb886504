package rest

import "github.com/carillon/carillon/internal/shape"

// schema is a JSON Schema, or any other object of the OpenAPI document.
type schema = shape.Schema

// refTo documents a value by a schema of the document.
func refTo(name string) func(*shape.Document) schema {
	return func(*shape.Document) schema { return shape.Ref(name) }
}

func enum[T ~string](description string, values ...T) schema {
	return shape.Enum(values...).Describe(description).Schema(nil)
}

func text(description string) schema { return shape.Text().Describe(description).Schema(nil) }

func anything(description string) schema { return shape.Free().Describe(description).Schema(nil) }

func list(description string, items schema, bounds ...shape.Bounds) schema {
	item := shape.Free().As(func(*shape.Document) schema { return items })
	return shape.List(item, bounds...).Describe(description).Schema(nil)
}

func whole(description string) schema {
	return schema{"type": "integer", "minimum": 0, "description": description}
}
