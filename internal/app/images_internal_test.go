package app

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/admission"
	"github.com/carillon/carillon/internal/intake"
	"github.com/carillon/carillon/internal/notify"
	"github.com/carillon/carillon/internal/notify/authoring"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres/pgtest"
	"github.com/carillon/carillon/internal/viewer"
)

// slowReader is what a caller is answered with who does not read it before release is closed.
type slowReader struct {
	*httptest.ResponseRecorder
	writing, release chan struct{}
}

func (u *slowReader) Write(p []byte) (int, error) {
	close(u.writing)
	<-u.release
	return u.ResponseRecorder.Write(p)
}

// TestSlowReadersOfImages: a stranger who has an image's address from a mail, and does not read, keeps neither a turn nor all of the memory
// from others.
func TestSlowReadersOfImages(t *testing.T) {
	t.Parallel()
	db, ctx := pgtest.New(t), viewer.SystemContext(t.Context())
	organization := db.Ent.Organization.Create().SetName("o").SaveX(ctx)
	environment := db.Ent.Environment.Create().SetName("e").SetIdentifier("e").SetOrganizationID(organization.ID).SaveX(ctx)
	content := make([]byte, 10<<10)
	key := environment.ID + strings.Repeat("a", 40)
	db.Ent.Image.Create().SetName("i").SetKey(key).SetContentType("image/png").SetWidth(1).SetHeight(1).SetSize(len(content)).
		SetDigest([]byte("d")).SetContent(content).
		ExecX(viewer.InScope(t.Context(), viewer.Scope{OrganizationID: organization.ID, EnvironmentID: environment.ID}))
	a := &App{log: slog.New(slog.DiscardHandler), services: &notify.Services{}, intake: intake.New(intake.Config{Memory: 256 << 10})}
	a.services.Images = &authoring.Images{Deps: usecase.Deps{DB: db}}
	images := a.intake.Handler(a.images(admission.Gates{Work: admission.New(admission.Config{Least: 1, Most: 1})}))
	ask := func(w http.ResponseWriter, address string) {
		r := httptest.NewRequest(http.MethodGet, authoring.ImagesPath+key, nil)
		images.ServeHTTP(w, r.WithContext(viewer.WithAddress(r.Context(), address)))
	}

	slow := &slowReader{httptest.NewRecorder(), make(chan struct{}), make(chan struct{})}
	done := make(chan struct{})
	go func() {
		defer close(done)
		ask(slow, "192.0.2.1")
	}()
	<-slow.writing
	rec := httptest.NewRecorder()
	ask(rec, "192.0.2.2")
	require.Equal(t, http.StatusOK, rec.Code)
	require.Equal(t, content, rec.Body.Bytes())
	rec = httptest.NewRecorder()
	ask(rec, "192.0.2.1")
	require.Equal(t, http.StatusServiceUnavailable, rec.Code, "one caller has a part of the memory")
	require.NotEmpty(t, rec.Header().Get("Retry-After"))
	close(slow.release)
	<-done
	require.Equal(t, content, slow.Body.Bytes())
	rec = httptest.NewRecorder()
	ask(rec, "192.0.2.1")
	require.Equal(t, http.StatusOK, rec.Code)
}
