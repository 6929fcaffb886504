package notify

import (
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
)

// MaxNameLength and the others bound what records hold. They are ours: the documented API names none of them.
const (
	MaxNameLength = 255 // characters of a name

	maxNameLength = MaxNameLength
	maxTextLength = 2048     // characters of an address, a URL or another text of a profile
	maxDataBytes  = 64 << 10 // bytes of a record's data as compact JSON
)

// checkName reports a name that is empty, too long or not storable.
func checkName(p *fault.Problems, path, name string) {
	if strings.TrimSpace(name) == "" {
		p.Add(path, name, "must not be empty")
		return
	}
	checkText(p, path, &name, maxNameLength)
}

// checkText reports a text that is too long or holds what no text column takes; nil is no text.
func checkText(p *fault.Problems, path string, text *string, limit int) {
	switch {
	case text == nil:
	case utf8.RuneCountInString(*text) > limit:
		p.Add(path, nil, "must not be longer than %d characters", limit)
	case !isStorable(*text):
		p.Add(path, nil, "must be valid UTF-8 without NUL characters")
	}
}

// isStorable reports whether a text column takes text.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// checkData reports data that is too large.
func checkData(p *fault.Problems, path string, data map[string]any) {
	if data == nil {
		return
	}
	text, err := json.Marshal(data)
	if err != nil || len(text) > maxDataBytes {
		p.Add(path, nil, "must not exceed %d bytes of JSON", maxDataBytes)
	} else if _, err := storableJSON(text); err != nil {
		p.Add(path, nil, "%s", err.Error())
	}
}
