package app_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/app/apptest"
)

const dot = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=="

// answer is what is read of a response beside its body.
type answer struct {
	Status int
	Length int64
	Header http.Header
}

// TestImages: what was uploaded is fetched without a credential, by its key alone, and a browser may do nothing but show it.
func TestImages(t *testing.T) {
	t.Parallel()
	server := apptest.Serve(t)
	ask := func(method, path string, header map[string]string, body []byte) (answer, []byte) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), method, server+path, bytes.NewReader(body))
		require.NoError(t, err)
		for name, value := range header {
			r.Header.Set(name, value)
		}
		resp, err := http.DefaultClient.Do(r)
		require.NoError(t, err)
		defer func() { _ = resp.Body.Close() }()
		text, err := io.ReadAll(resp.Body)
		require.NoError(t, err)
		return answer{resp.StatusCode, resp.ContentLength, resp.Header}, text
	}
	const upload = `mutation ($content: String!) { createImage(input: {name: "dot.html", content: $content}) { image { id path url } } }`
	body, err := json.Marshal(map[string]any{"query": upload, "variables": map[string]string{"content": dot}})
	require.NoError(t, err)
	_, text := ask(http.MethodPost, "/graphql", map[string]string{"Authorization": "ApiKey " + apptest.Key, "Content-Type": "application/json"}, body)
	var out struct {
		Data struct {
			CreateImage struct {
				Image struct {
					ID, Path string
					URL      *string
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal(text, &out))
	made := out.Data.CreateImage.Image
	require.Regexp(t, `^/images/[0-9a-f]{64}$`, made.Path, string(text))
	require.Nil(t, made.URL, "the server has no public URL")

	content, err := base64.StdEncoding.DecodeString(dot)
	require.NoError(t, err)
	resp, got := ask(http.MethodGet, made.Path, nil, nil)
	require.Equal(t, http.StatusOK, resp.Status)
	require.Equal(t, content, got)
	for name, want := range map[string]string{
		"Content-Type": "image/gif", "X-Content-Type-Options": "nosniff", "Cache-Control": "public, max-age=31536000, immutable",
		"Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'; sandbox", "Cross-Origin-Resource-Policy": "cross-origin",
	} {
		require.Equal(t, want, resp.Header.Get(name), name)
	}
	tag := resp.Header.Get("ETag")
	require.NotEmpty(t, tag)

	resp, got = ask(http.MethodGet, made.Path, map[string]string{"If-None-Match": tag}, nil)
	require.Equal(t, http.StatusNotModified, resp.Status)
	require.Empty(t, got)
	resp, got = ask(http.MethodHead, made.Path, nil, nil)
	require.Equal(t, http.StatusOK, resp.Status)
	require.EqualValues(t, len(content), resp.Length)
	require.Empty(t, got)

	last := made.Path[len(made.Path)-1:]
	other := map[bool]string{true: "1", false: "0"}[last == "0"]
	for path, status := range map[string]int{
		made.Path[:len(made.Path)-1] + other: http.StatusNotFound, "/images/" + made.ID: http.StatusNotFound, "/images/": http.StatusNotFound,
		made.Path + "/": http.StatusNotFound, made.Path[:len(made.Path)-1] + "%00": http.StatusNotFound, made.Path[:len(made.Path)-1] + "%ff": http.StatusNotFound,
	} {
		resp, got = ask(http.MethodGet, path, map[string]string{"If-None-Match": tag}, nil)
		require.Equal(t, status, resp.Status, path)
		require.NotContains(t, resp.Header.Get("Cache-Control"), "immutable")
		var refusal struct {
			StatusCode    int
			Message, Path string
		}
		require.NoError(t, json.Unmarshal(got, &refusal), path)
		require.Equal(t, status, refusal.StatusCode)
		require.NotEmpty(t, refusal.Message)
	}
	resp, _ = ask(http.MethodPost, made.Path, nil, nil)
	require.Equal(t, http.StatusMethodNotAllowed, resp.Status)
	require.Equal(t, "GET, HEAD", resp.Header.Get("Allow"))
}
