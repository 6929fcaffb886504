package triggers

import (
	"bytes"
	"encoding/json"

	"github.com/carillon/carillon/internal/notify/usecase"
)

// eventSize is what an event comes to.
type eventSize struct {
	event int // bytes of compact JSON without payload.attachments
	files int // bytes of the attachments' files, decoded
	names int // bytes of compact JSON of the attachments without their files
}

// size measures an event. A document that is short with all its blanks is not measured further, and the files of a long one
// are measured where they are: nothing of them is copied.
func (in *TriggerInput) size() eventSize {
	if len(in.document) <= MaxEventBytes {
		return eventSize{event: len(in.document)}
	}
	var members map[string]payloadSize
	if json.Unmarshal(in.document, &members) != nil {
		return eventSize{event: compactSize(in.document)}
	}
	payload := members["payload"]
	size := eventSize{
		event: compactSize(in.document) - payload.taken, files: payload.attachments.decoded,
		names: payload.attachments.length - payload.attachments.encoded,
	}
	if size.event > MaxEventBytes && size.event <= maxEscaped*MaxEventBytes {
		size.event = in.plainSize() // escapes may have made it longer than it is
	}
	return size
}

// maxEscaped is how many bytes at most an escaped character takes for one plain one.
const maxEscaped = len(`\u0061`)

// plainSize is the length of the event's JSON without attachments and without needless escapes.
func (in *TriggerInput) plainSize() int {
	fields, payload := map[string]any{}, map[string]any{}
	if usecase.DecodeJSON(in.document, &fields) == nil {
		payload, _ = fields["payload"].(map[string]any)
	}
	delete(payload, "attachments")
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(fields) // decoded JSON always encodes
	return out.Len() - 1       // without the line's end
}

// payloadSize measures the attachments of a payload; other JSON has none.
type payloadSize struct {
	attachments attachmentSizes
	taken       int // bytes of compact JSON that go with the attachments
}

// UnmarshalJSON measures a member of an event.
func (s *payloadSize) UnmarshalJSON(raw []byte) error {
	*s = payloadSize{}
	if raw[0] != '{' {
		return nil
	}
	var members map[string]attachmentSizes
	if err := json.Unmarshal(raw, &members); err != nil {
		return err //nolint:wrapcheck // of no interest: the document was found well-formed before
	}
	list, there := members["attachments"]
	if !there {
		return nil
	}
	s.attachments, s.taken = list, len(`"attachments":`)+list.length
	if len(members) > 1 {
		s.taken += len(",")
	}
	return nil
}

// attachmentSizes measures a list of attachments; other JSON is all names.
type attachmentSizes struct{ length, encoded, decoded int }

// UnmarshalJSON measures a member of a payload.
func (s *attachmentSizes) UnmarshalJSON(raw []byte) error {
	*s = attachmentSizes{length: compactSize(raw)}
	var list []struct {
		File fileSize `json:"file"`
	}
	if raw[0] != '[' || json.Unmarshal(raw, &list) != nil {
		return nil //nolint:nilerr // what is no list of attachments holds no files
	}
	for _, attachment := range list {
		s.encoded, s.decoded = s.encoded+attachment.File.encoded, s.decoded+attachment.File.decoded
	}
	return nil
}

// fileSize measures a file in base64.
type fileSize struct{ encoded, decoded int }

// UnmarshalJSON measures a member of an attachment. Padding and line breaks are no bytes of the file.
func (f *fileSize) UnmarshalJSON(raw []byte) error {
	*f = fileSize{}
	if raw[0] != '"' {
		return nil
	}
	digits := 0
	for i := 1; i < len(raw)-1; i++ {
		switch c := raw[i]; {
		case c == '\\':
			i++
			if raw[i] == '/' { // which some encoders escape
				digits++
			}
		case c != '=' && c > ' ':
			digits++
		}
	}
	f.encoded, f.decoded = len(raw)-len(`""`), digits*3/4
	return nil
}

// compactSize is the length of JSON without the blanks between its tokens.
func compactSize(document []byte) int {
	size, text := len(document), false
	for i := 0; i < len(document); i++ {
		switch c := document[i]; {
		case text && c == '\\':
			i++
		case c == '"':
			text = !text
		case !text && (c == ' ' || c == '\t' || c == '\n' || c == '\r'):
			size--
		}
	}
	return size
}
