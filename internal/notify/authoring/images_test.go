package authoring_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/notifytest"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/viewer"
	"github.com/carillon/carillon/internal/workflow"
)

// dot is a GIF of one pixel.
const dot = "R0lGODlhAQABAIAAAAAAAP///ywAAAAAAQABAAACAUwAOw=="

// picture is an image of a size as one of the formats.
func picture(t *testing.T, format string, width, height int) string {
	t.Helper()
	var out bytes.Buffer
	made := image.NewPaletted(image.Rect(0, 0, width, height), color.Palette{color.Black, color.White})
	switch format {
	case "png":
		require.NoError(t, png.Encode(&out, made))
	case "jpeg":
		require.NoError(t, jpeg.Encode(&out, made, nil))
	case "gif":
		require.NoError(t, gif.Encode(&out, made, nil))
	}
	return base64.StdEncoding.EncodeToString(out.Bytes())
}

func TestImageRefusals(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	encoded := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	small := picture(t, "png", 1, 1)
	raw, err := base64.StdEncoding.DecodeString(small)
	require.NoError(t, err)
	padded := base64.StdEncoding.EncodeToString(append(raw, make([]byte, authoring.MaxImageBytes+1-len(raw))...))
	for name, c := range map[string]struct {
		in   authoring.CreateImageInput
		want []string
	}{
		"nothing":         {authoring.CreateImageInput{}, []string{"name", "content"}},
		"long name":       {authoring.CreateImageInput{Name: strings.Repeat("a", 256), Content: small}, []string{"name"}},
		"no base64":       {authoring.CreateImageInput{Name: "a", Content: "<svg>"}, []string{"content"}},
		"SVG":             {authoring.CreateImageInput{Name: "a.svg", Content: encoded(`<svg xmlns="http://www.w3.org/2000/svg"/>`)}, []string{"content"}},
		"page":            {authoring.CreateImageInput{Name: "a.png", Content: encoded(`<html><script>alert(1)</script>`)}, []string{"content"}},
		"WebP":            {authoring.CreateImageInput{Name: "a.webp", Content: encoded("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00")}, []string{"content"}},
		"cut off":         {authoring.CreateImageInput{Name: "a", Content: base64.StdEncoding.EncodeToString(raw[:20])}, []string{"content"}},
		"too large":       {authoring.CreateImageInput{Name: "a", Content: padded}, []string{"content"}},
		"much too large":  {authoring.CreateImageInput{Name: "a", Content: strings.Repeat("A", 2*authoring.MaxImageBytes)}, []string{"content"}},
		"too wide":        {authoring.CreateImageInput{Name: "a", Content: picture(t, "png", authoring.MaxImageSide+1, 1)}, []string{"content"}},
		"too high":        {authoring.CreateImageInput{Name: "a", Content: picture(t, "gif", 1, authoring.MaxImageSide+1)}, []string{"content"}},
		"without a pixel": {authoring.CreateImageInput{Name: "a", Content: encoded("GIF89a\x00\x00\x00\x00\x00\x00\x00;")}, []string{"content"}},
	} {
		require.Equal(t, c.want, notifytest.Paths(t, notifytest.Err(a.Images.Create(a.Ctx, c.in))), name)
	}
}

// TestImages: an image is what its bytes are, whatever it is called, and it is one of its environment however often it is uploaded.
func TestImages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	other := inOtherEnvironment(t, a)
	keys := map[string]bool{}
	for format, contentType := range map[string]string{"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif"} {
		content := picture(t, format, authoring.MaxImageSide, 3)
		raw, err := base64.StdEncoding.DecodeString(content)
		require.NoError(t, err)
		made, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "page.html", Content: content})
		require.NoError(t, err)
		require.Equal(t, contentType, made.ContentType)
		require.Equal(t, []int{authoring.MaxImageSide, 3, len(raw)}, []int{made.Width, made.Height, made.Size})
		require.Regexp(t, `^[0-9a-f]{64}$`, made.Key)
		require.NotContains(t, made.Key, made.ID)
		keys[made.Key] = true

		again, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "other", Content: content})
		require.NoError(t, err)
		require.Equal(t, []string{made.ID, "page.html"}, []string{again.ID, again.Name})
		elsewhere, err := a.Images.Create(other, authoring.CreateImageInput{Name: "other", Content: content})
		require.NoError(t, err)
		require.NotEqual(t, made.Key, elsewhere.Key)
		keys[elsewhere.Key] = true

		opened, err := a.Images.Open(t.Context(), made.Key)
		require.NoError(t, err)
		require.Equal(t, raw, opened.Content)
	}
	require.Len(t, keys, 6)

	list, err := a.Images.List(a.Ctx, usecase.Page{First: new(2)}, nil, &authoring.ImageFilter{NameContains: new("PAGE")})
	require.NoError(t, err)
	require.Len(t, list.Edges, 2)
	require.True(t, list.PageInfo.HasNextPage)
	require.Nil(t, list.Edges[0].Node.Content, "lists read no content")
	total, err := list.Total(a.Ctx)
	require.NoError(t, err)
	require.Equal(t, 3, total)

	gone := list.Edges[0].Node
	_, err = a.Images.Delete(other, gone.GlobalID())
	notifytest.RequireKind(t, fault.NotFound, err)
	_, err = a.Images.Delete(a.Ctx, gone.GlobalID())
	require.NoError(t, err)
	_, err = a.Images.Open(t.Context(), gone.Key)
	notifytest.RequireKind(t, fault.NotFound, err)
}

// TestImageOfAnotherCell: mails that were sent before an organization moved lead to the cell that it left.
func TestImageOfAnotherCell(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	made, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "dot", Content: dot})
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(t.Context(), `DELETE FROM images`)
	require.NoError(t, err)
	_, err = a.Images.Open(t.Context(), made.Key)
	notifytest.RequireKind(t, fault.NotFound, err)
	_, err = a.DB.Pool.Exec(t.Context(), `UPDATE organizations SET move = $1, moved_url = 'https://us.example.com'`, organization.MoveMoved)
	require.NoError(t, err)
	_, err = a.Images.Open(t.Context(), made.Key)
	var moved *authoring.MovedImage
	require.ErrorAs(t, err, &moved)
	require.Equal(t, "https://us.example.com", moved.URL)
	for _, wrong := range []string{"", made.ID, made.Key + "0", strings.Repeat("z", len(made.Key)), strings.Repeat("0", len(made.Key))} {
		_, err := a.Images.Open(t.Context(), wrong)
		notifytest.RequireKind(t, fault.NotFound, err)
	}
}

// TestImageLimit: what an environment has already can be uploaded again at the limit.
func TestImageLimit(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	first, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "dot", Content: dot})
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(t.Context(), `INSERT INTO images (id, created_at, updated_at, name, key, content_type, width, height, size, digest, content, environment_id)
SELECT lpad(to_hex(n), 24, '0'), created_at, updated_at, name, key || n, content_type, width, height, size, int4send(n), content, environment_id
FROM images, generate_series(1, $1) n`, authoring.MaxImages-1)
	require.NoError(t, err)
	_, err = a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "one more", Content: picture(t, "png", 1, 1)})
	require.Equal(t, "TOO_MANY_IMAGES", notifytest.Code(err))
	again, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "dot", Content: dot})
	require.NoError(t, err)
	require.Equal(t, first.ID, again.ID)
}

// TestImageUploadedTwiceAtOnce: whoever comes second gets the image of the first.
func TestImageUploadedTwiceAtOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	ids := make(chan string, 8)
	for n := range cap(ids) {
		go func() {
			made, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: fmt.Sprint(n), Content: dot})
			if err != nil {
				ids <- err.Error()
				return
			}
			ids <- made.ID
		}()
	}
	first := <-ids
	for range cap(ids) - 1 {
		require.Equal(t, first, <-ids)
	}
}

// TestImageLimitAtOnce: uploads at once do not pass the limit together.
func TestImageLimitAtOnce(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	_, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "dot", Content: dot})
	require.NoError(t, err)
	_, err = a.DB.Pool.Exec(t.Context(), `INSERT INTO images (id, created_at, updated_at, name, key, content_type, width, height, size, digest, content, environment_id)
SELECT lpad(to_hex(n), 24, '0'), created_at, updated_at, name, key || n, content_type, width, height, size, int4send(n), content, environment_id
FROM images, generate_series(1, $1) n`, authoring.MaxImages-2)
	require.NoError(t, err)
	codes := make(chan string, 8)
	for n := range cap(codes) {
		content := picture(t, "png", n+1, 1)
		go func() {
			_, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "more", Content: content})
			codes <- notifytest.Code(err)
		}()
	}
	made := 0
	for range cap(codes) {
		if code := <-codes; code != "TOO_MANY_IMAGES" {
			require.Empty(t, code)
			made++
		}
	}
	require.Equal(t, 1, made)
}

// TestImageUsages: an image is used by what has its address somewhere, of the same environment.
func TestImageUsages(t *testing.T) {
	t.Parallel()
	a := notifytest.NewAuthoring(t)
	other := inOtherEnvironment(t, a)
	var keys []string
	for n := range 2 {
		made, err := a.Images.Create(a.Ctx, authoring.CreateImageInput{Name: "a.png", Content: picture(t, "png", n+1, 1)})
		require.NoError(t, err)
		keys = append(keys, made.Key)
	}
	shows := `<img src="https://notify.example.com/images/` + keys[0] + `"><img src="/images/` + keys[0] + `">`
	for _, ctx := range []context.Context{a.Ctx, other} {
		_, err := a.Snippets.Create(ctx, authoring.CreateSnippetInput{Name: "Logo", Content: shows})
		require.NoError(t, err)
	}
	_, err := a.Layouts.Create(a.Ctx, authoring.CreateLayoutInput{Name: "Frame", Content: shows + "{{content}}"})
	require.NoError(t, err)
	order := func(html string) workflow.Definition {
		return workflow.Definition{Steps: []workflow.Step{{Type: workflow.StepEmail, Active: true, Email: &workflow.EmailControls{Subject: "s", HTML: html}}}}
	}
	made, err := a.Workflows.Create(a.Ctx, authoring.CreateWorkflowInput{Name: "Order", Definition: order(shows)})
	require.NoError(t, err)
	_, err = a.Workflows.Update(a.Ctx, authoring.UpdateWorkflowInput{ID: made.GlobalID(), Definition: new(order("none"))})
	require.NoError(t, err)

	used, err := a.Images.Usages(a.Ctx, append(keys, "of another"))
	require.NoError(t, err)
	require.Equal(t, map[string][]*authoring.ImageUsage{
		keys[0]: {
			{Kind: authoring.ImageUserLayout, Name: "frame"},
			{Kind: authoring.ImageUserSnippet, Name: "logo"},
			{Kind: authoring.ImageUserWorkflow, Name: "order"}, // the version that triggers use
		},
		keys[1]: {}, "of another": {},
	}, used)
}

// inOtherEnvironment is the context of a key of another environment of the organization.
func inOtherEnvironment(t *testing.T, a *notifytest.Authoring) context.Context {
	t.Helper()
	v, _ := viewer.FromContext(a.Ctx)
	made, err := a.DB.Ent.Environment.Create().SetOrganizationID(v.OrganizationID).SetIdentifier("other").SetName("Other").
		Save(viewer.SystemContext(t.Context()))
	require.NoError(t, err)
	return viewer.NewContext(t.Context(), viewer.Viewer{
		Scope: viewer.Scope{OrganizationID: v.OrganizationID, EnvironmentID: made.ID}, Role: viewer.RoleKey, Grants: viewer.FullGrants, APIKeyID: "other key",
	})
}
