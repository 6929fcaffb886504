package payload_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/carillon/carillon/internal/workflow/payload"
)

// TestFile: every encoder's base64 is read, other texts are not.
func TestFile(t *testing.T) {
	t.Parallel()
	bytes := "\xff\xfe\xfd\xfc"
	for text, want := range map[string]string{
		"": "", "//79/A==": bytes, "//79/A": bytes, "__79_A==": bytes, "__79_A": bytes, "//79\r\n/A==\r\n": bytes, "//79 /A\t=\n=": bytes,
	} {
		file, err := payload.File(text)
		assert.NoError(t, err, text)
		assert.Equal(t, want, string(file), text)
	}
	for _, text := range []string{"a", "aGk=x", "data:text/plain;base64,aGk=", "report.pdf", "ä", "aGVsb"} {
		_, err := payload.File(text)
		assert.Error(t, err, text)
	}
}
