package triggers_test

import (
	"encoding/base64"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/triggers"
)

// TestEventSizes measures events at the edges of their bounds: the event without attachments, the files decoded, and what
// attachments hold besides.
func TestEventSizes(t *testing.T) {
	t.Parallel()
	const event, files = triggers.MaxEventBytes, triggers.MaxAttachmentBytes
	file := func(n int) string { return base64.StdEncoding.EncodeToString(make([]byte, n)) }
	attached := func(attachments string) string {
		return `{"name":"w","to":"u","payload":{"a":1,"attachments":` + attachments + `}}`
	}
	long := func(n int, text string) string {
		frame := `{"name":"w","payload":{"a":""}}`
		return strings.Replace(frame, `""`, `"`+strings.Repeat(text, n-len(frame))+`"`, 1)
	}
	for name, c := range map[string]struct {
		document string
		refused  bool
	}{
		"event":                         {long(event, "a"), false},
		"event too large":               {long(event+1, "a"), true},
		"blanks do not count":           {strings.Replace(long(event, "a"), ":", " :\n\t ", 1), false},
		"blanks in texts do":            {long(event+1, " "), true},
		"escapes count what they mean":  {long(event, `\u0061`), false},
		"escaped too large":             {long(event+1, `\u0061`), true},
		"file":                          {attached(`[{"name":"a","file":"` + file(files) + `"}]`), false},
		"file too large":                {attached(`[{"name":"a","file":"` + file(files+1) + `"}]`), true},
		"files together":                {attached(`[{"file":"` + file(files/2) + `"},{"file":"` + file(files/2) + `"}]`), false},
		"files together too large":      {attached(`[{"file":"` + file(files/2) + `"},{"file":"` + file(files/2+1) + `"}]`), true},
		"slashes may be escaped":        {attached(`[{"file":"` + strings.Repeat(`\/`, 8<<20) + `"}]`), false},
		"line breaks are no file":       {attached(`[{"file":"` + strings.Repeat(`AAAA\r\n`, files/3) + `"}]`), false},
		"names beside files":            {attached(`[{"name":"` + strings.Repeat("n", event-30) + `","file":"QUJD"}]`), false},
		"too long names":                {attached(`[{"name":"` + strings.Repeat("n", event) + `","file":"QUJD"}]`), true},
		"attachments that are no files": {attached(`"` + strings.Repeat("n", event) + `"`), true},
		"elsewhere they count":          {`{"name":"w","attachments":[{"file":"` + file(event) + `"}]}`, true},
		"the exact name":                {`{"name":"w","Payload":{"attachments":[{"file":"` + file(event) + `"}]}}`, true},
		"no object":                     {`[` + strings.Repeat("1,", event) + `1]`, true},
	} {
		err := triggers.CheckEventSizes([]*triggers.TriggerInput{triggers.NewTriggerInput([]byte(c.document), nil)}, false)
		if c.refused {
			require.Equal(t, fault.TooLarge, fault.KindOf(err), name)
		} else {
			require.NoError(t, err, name)
		}
	}
	err := triggers.CheckEventSizes([]*triggers.TriggerInput{triggers.NewTriggerInput([]byte(attached(`[{"file":"`+file(files+1)+`"}]`)), nil)}, false)
	require.ErrorContains(t, err, fmt.Sprintf("The event has %d bytes of attachments, at most %d are allowed.", files+1, files))
}
