package usecase

import (
	"slices"

	"entgo.io/ent/dialect/sql"

	"github.com/carillon/carillon/ent"
	"github.com/carillon/carillon/ent/image"
)

var shownImageColumns = slices.DeleteFunc(slices.Clone(image.Columns), func(column string) bool {
	return column == image.FieldContent || column == image.FieldDigest
})

// ShownImages reads images without their content, which is up to a megabyte of each.
func ShownImages(db *ent.Client) *ent.ImageQuery {
	all := db.Image.Query()
	all.Modify(func(s *sql.Selector) { s.Select(s.Columns(shownImageColumns...)...) }) // lists are counted, which a selection of ent's is not
	return all
}
