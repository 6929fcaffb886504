package client_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/client"
)

func TestWithoutEnvelope(t *testing.T) {
	t.Parallel()
	for answer, want := range map[string]string{
		`{"data":{"a":1}}`:          `{"a":1}`,
		`{"data": {} }`:             `{}`,
		`{"data":[1],"next":null}`:  `{"data":[1],"next":null}`,
		`{"data":[1]}`:              `{"data":[1]}`,
		`{"data":{"a":1},"more":1}`: `{"data":{"a":1},"more":1}`,
		`[1]`:                       `[1]`,
		`no JSON`:                   `no JSON`,
	} {
		require.Equal(t, want, string(client.WithoutEnvelope([]byte(answer))))
	}
}
