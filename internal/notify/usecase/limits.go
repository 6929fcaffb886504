package usecase

import (
	"context"
	"encoding/json"
	"strings"
	"unicode/utf8"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/shape"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// MaxNameLength and the others bound what records hold. They are ours: the documented API names none of them.
const (
	MaxNameLength = workflow.MaxName // characters of a name
	MaxDataBytes  = 64 << 10         // bytes of a record's data as compact JSON

	MaxTextLength = 2048 // characters of a text of channel settings
)

// CheckRoom returns full when the environment has as many records of a kind (their table) as it may have. Until the transaction ends,
// others who make such records wait: two who count at once would pass the limit together.
func CheckRoom(ctx context.Context, kind string, most int, count func(context.Context) (int, error), full error) error {
	tx, _ := postgres.TxFromContext(ctx)
	v, _ := viewer.FromContext(ctx)
	if err := pgaccess.LockKind(ctx, tx, v.Scope, kind); err != nil {
		return err
	}
	n, err := count(ctx)
	if err == nil && n >= most {
		return full
	}
	return err
}

// CheckName reports a name that is empty, too long or not storable.
func CheckName(p *fault.Problems, path, name string) {
	if strings.TrimSpace(name) == "" {
		p.Add(path, name, "must not be empty")
		return
	}
	CheckText(p, path, &name, MaxNameLength)
}

// CheckText reports a text that is too long or holds what no text column takes; nil is no text.
func CheckText(p *fault.Problems, path string, text *string, limit int) {
	switch {
	case text == nil:
	case utf8.RuneCountInString(*text) > limit:
		p.Add(path, nil, "must not be longer than %d characters", limit)
	case !isStorable(*text):
		p.Add(path, nil, "must be valid UTF-8 without the character U+0000")
	}
}

// isStorable reports whether a text column takes text.
func isStorable(text string) bool { return utf8.ValidString(text) && !strings.Contains(text, "\x00") }

// CheckData reports data that is too large.
func CheckData(p *fault.Problems, path string, data map[string]any) {
	if data == nil {
		return
	}
	if !workflow.FitsJSON(data, MaxDataBytes) {
		p.Add(path, nil, "must not exceed %d bytes of JSON", MaxDataBytes)
		return
	}
	text, err := json.Marshal(data)
	if err != nil {
		p.Add(path, nil, "cannot be stored")
	} else if _, err := shape.StorableJSON(text); err != nil {
		p.Add(path, nil, "%s", err.Error())
	}
}
