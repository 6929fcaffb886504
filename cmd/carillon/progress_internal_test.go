package main

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestProgress: a command that works through thousands of pages says how far it is now and then, and how many there were of each kind.
func TestProgress(t *testing.T) { //nolint:paralleltest // it takes what the process prints
	var said bytes.Buffer
	before := stderr
	stderr = &said
	t.Cleanup(func() { stderr = before })
	var p fileProgress
	p.said = time.Now()
	for range 1000 {
		p.more("subscribers", 50)
		p.more("subscriptions", 1)
	}
	require.Empty(t, said.String(), "not in the first seconds")
	p.said = time.Now().Add(-progressEvery)
	p.more("subscribers", 50)
	require.Equal(t, "subscribers: 50050 more\nsubscriptions: 1000 more\n", said.String())
	said.Reset()
	p.more("subscribers", 50)
	p.more("topics", 3)
	require.Empty(t, said.String())
	p.end()
	p.end()
	require.Equal(t, "subscribers: 50100 more\ntopics: 3 more\n", said.String())
}
