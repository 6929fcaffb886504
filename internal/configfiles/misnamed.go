package configfiles

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/agnivade/levenshtein"
)

// Holds reports whether the directory has anything that is read, or the schemas that a pull writes.
func (d *Directory) Holds() bool { return len(d.Document) > 0 || d.pulled }

// misnamed refuses directories and YAML files whose names are almost those of places, as workflow/ or topic.yaml: they would be passed
// over, and what is in them would count as absent. Others may mean something to other programs.
func (r *reader) misnamed() error {
	entries, err := fs.ReadDir(r.root.FS(), ".")
	if err != nil {
		return fmt.Errorf("read the directory: %w", err)
	}
	for _, entry := range entries {
		name := entry.Name()
		stem, ending := name, ""
		if !entry.IsDir() {
			ending = path.Ext(name)
			stem = strings.TrimSuffix(name, ending)
		}
		if !entry.IsDir() && ending != ".yaml" && ending != ".yml" || strings.HasPrefix(name, ".") {
			continue
		}
		for _, p := range places {
			meant := strings.TrimSuffix(p.dir+p.file, ".yaml")
			slips := levenshtein.ComputeDistance(strings.ToLower(stem), meant)
			if name != p.dir+p.file && slips*4 <= len(meant) {
				return fmt.Errorf("%s: is not read: name it %s", name, cmp.Or(p.file, p.dir+"/"))
			}
		}
	}
	return nil
}
