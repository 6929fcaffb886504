package audience

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"github.com/99designs/gqlgen/graphql"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/jsonnum"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/workflow"
)

// Bounds of an import.
const (
	MaxImportBytes    = 16 << 20 // of its text
	MaxImportRows     = 10_000   // stored or rejected per call
	MaxImportRejected = 100      // rejected rows that are listed
)

// SubscriberImportFormat is how the text of an import is written.
type SubscriberImportFormat string

// The formats.
const (
	ImportCSV    SubscriberImportFormat = "CSV"    // the first line names the columns; an empty cell leaves its field as it is
	ImportNDJSON SubscriberImportFormat = "NDJSON" // one JSON object per line
)

// ImportSubscribersInput is a text with one subscriber per row.
type ImportSubscribersInput struct {
	Format SubscriberImportFormat
	Text   string
	// FromLine is the line to begin at, from 1; rows before it are skipped. nil: the first.
	FromLine *int
}

// RejectedLine is a row of an import that was not stored.
type RejectedLine struct {
	Line     int // at which the row begins, from 1
	Problems []fault.Field
}

// ImportSubscribersPayload is what became of the rows of one call.
type ImportSubscribersPayload struct {
	Stored        int // rows
	RejectedCount int
	Rejected      []RejectedLine // the first MaxImportRejected
	NextLine      *int           // where the next call continues; nil: the text is done
}

// importRow is one row of an import.
type importRow struct {
	line     int
	input    UpsertSubscriberInput
	problems fault.Problems
}

// rowReader reads the rows of an import one by one; io.EOF ends it.
type rowReader interface{ next() (*importRow, error) }

// Import stores the rows of a text in transactions of MaxBulkSubscribers rows, up to MaxImportRows of them; then the answer
// says where the next call continues. A row that is not valid is rejected, the others are stored. What earlier transactions
// stored stays when a later one fails; the same call can be repeated. It holds one transaction's rows at a time.
func (s *Subscribers) Import(ctx context.Context, in ImportSubscribersInput) (*ImportSubscribersPayload, error) {
	if _, err := usecase.Require(ctx, usecase.WriteAudience); err != nil {
		return nil, err
	}
	rows, err := in.rows()
	if err != nil {
		return nil, err
	}
	out := &ImportSubscribersPayload{Rejected: []RejectedLine{}}
	var waiting []*importRow
	for read := 0; ; {
		row, err := rows.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if in.skips(row) {
			continue
		}
		if row == nil || read == MaxImportRows || len(waiting) == MaxBulkSubscribers {
			if err := s.importRows(ctx, waiting, out); err != nil {
				return nil, err
			}
			waiting = waiting[:0]
		}
		switch {
		case row == nil:
			return out, nil
		case read == MaxImportRows:
			out.NextLine = &row.line
			return out, nil
		}
		waiting = append(waiting, row)
		read++
	}
}

func (in *ImportSubscribersInput) skips(row *importRow) bool {
	return row != nil && in.FromLine != nil && row.line < *in.FromLine
}

func (in *ImportSubscribersInput) rows() (rowReader, error) {
	if len(in.Text) > MaxImportBytes {
		return nil, fault.Invalidf("text", "must not be larger than %d MiB; import it in parts", MaxImportBytes>>20)
	}
	text := strings.TrimPrefix(in.Text, "\ufeff") // some programs begin files with this mark
	if in.Format == ImportNDJSON {
		return &jsonRows{rest: text}, nil
	}
	return newCSVRows(text)
}

// importRows stores the rows that are valid and reports the others.
func (s *Subscribers) importRows(ctx context.Context, rows []*importRow, out *ImportSubscribersPayload) error {
	v, err := usecase.Require(ctx, usecase.WriteAudience)
	if err != nil {
		return err
	}
	accepted, stored := map[string]*workflow.SubscriberInput{}, 0
	for _, row := range rows {
		if !row.problems.Any() {
			var parsed workflow.SubscriberInput
			if parsed, row.problems = row.input.row(); !row.problems.Any() {
				addRow(accepted, parsed)
				stored++
				continue
			}
		}
		out.RejectedCount++
		if len(out.Rejected) < MaxImportRejected {
			out.Rejected = append(out.Rejected, RejectedLine{row.line, row.problems.Fields()})
		}
	}
	if len(accepted) > 0 {
		if _, err := s.upsert(ctx, v.Scope, accepted); err != nil {
			return err
		}
	}
	out.Stored += stored
	return nil
}

// jsonRows reads one JSON object per line; empty lines are skipped.
type jsonRows struct {
	rest string
	line int
}

func (r *jsonRows) next() (*importRow, error) {
	for r.rest != "" {
		var text string
		text, r.rest, _ = strings.Cut(r.rest, "\n")
		r.line++
		if text = strings.TrimSpace(text); text == "" {
			continue
		}
		row := &importRow{line: r.line}
		decoder := json.NewDecoder(strings.NewReader(text))
		decoder.DisallowUnknownFields()
		var members struct {
			SubscriberID string `json:"subscriberId"`
			ProfileChanges
			Data json.RawMessage `json:"data"`
		}
		if err := decoder.Decode(&members); err != nil {
			row.problems.Add("general", nil, "is no JSON object of a subscriber: %s", strings.TrimPrefix(err.Error(), "json: "))
		} else if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
			row.problems.Add("general", nil, "holds more than one JSON object")
		}
		row.input = UpsertSubscriberInput{SubscriberID: members.SubscriberID, ProfileChanges: members.ProfileChanges}
		row.data(members.Data)
		return row, nil
	}
	return nil, io.EOF
}

// data sets the data of the row from JSON; without any it stays as it is.
func (r *importRow) data(raw []byte) {
	if len(raw) == 0 {
		return
	}
	var data map[string]any
	if err := jsonnum.Unmarshal(bytes.TrimSpace(raw), &data); err != nil {
		r.problems.Add("data", nil, "must be a JSON object")
		return
	}
	r.input.Data = graphql.OmittableOf(data)
}

// csvRows reads rows of cells below a line with the names of the columns.
type csvRows struct {
	reader  *csv.Reader
	columns []string
}

func newCSVRows(text string) (*csvRows, error) {
	r := &csvRows{reader: csv.NewReader(strings.NewReader(text))}
	columns, err := r.reader.Read()
	if err != nil {
		return nil, fault.Invalidf("text", "must begin with a line that names the columns")
	}
	known := map[string]bool{"subscriberId": true, "data": true}
	for _, text := range workflow.ProfileTexts() {
		known[text.Name] = true
	}
	var p fault.Problems
	for _, column := range columns {
		if column = strings.TrimSpace(column); !known[column] {
			p.Add("text", column, "names a column that is unknown or there twice")
		}
		delete(known, column)
		r.columns = append(r.columns, column)
	}
	if known["subscriberId"] {
		p.Add("text", nil, "must have a column subscriberId")
	}
	return r, p.Err()
}

func (r *csvRows) next() (*importRow, error) {
	cells, err := r.reader.Read()
	var wrong *csv.ParseError
	switch {
	case errors.Is(err, io.EOF):
		return nil, io.EOF
	case errors.As(err, &wrong):
		row := &importRow{line: wrong.StartLine}
		row.problems.Add("general", nil, "is no row of the columns named in the first line: %s", wrong.Err)
		return row, nil
	case err != nil:
		return nil, err //nolint:wrapcheck // of a text in memory: there is none
	}
	line, _ := r.reader.FieldPos(0)
	row := &importRow{line: line}
	texts := row.input.Texts()
	for i, column := range r.columns {
		switch cell := cells[i]; {
		case column == "subscriberId":
			row.input.SubscriberID = cell
		case cell == "":
		case column == "data":
			row.data([]byte(cell))
		default:
			for _, text := range texts {
				if text.Name == column {
					*text.Value = graphql.OmittableOf(&cell)
				}
			}
		}
	}
	return row, nil
}
