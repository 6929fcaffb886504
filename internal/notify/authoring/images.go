package authoring

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/carillon/carillon/ent"
	entenvironment "github.com/carillon/carillon/ent/environment"
	entimage "github.com/carillon/carillon/ent/image"
	"github.com/carillon/carillon/ent/organization"
	"github.com/carillon/carillon/ent/predicate"
	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/id"
	"github.com/carillon/carillon/internal/notify/usecase"
	"github.com/carillon/carillon/internal/postgres"
	"github.com/carillon/carillon/internal/postgres/pgaccess"
	"github.com/carillon/carillon/internal/viewer"
)

// Images are the use cases of the pictures that e-mails show (decisions.md §21).
type Images struct {
	usecase.Deps
	publicURL string
}

// ImagesPath is where images are fetched, with the key behind it.
const ImagesPath = "/images/"

// MaxImages is how many images an environment may have.
const MaxImages = 1000

// ImageConnection is a page of images.
type ImageConnection = usecase.Connection[ent.Image]

// ImageEdge is one image of a page.
type ImageEdge = usecase.Edge[ent.Image]

// ImageFilter narrows a list of images; the fields that are set combine with AND.
type ImageFilter struct {
	NameContains  *string // case-insensitive
	CreatedAfter  *time.Time
	CreatedBefore *time.Time
}

func (f *ImageFilter) predicates() (ps []predicate.Image) {
	if f == nil {
		return nil
	}
	ps = usecase.WithFilter(ps, f.NameContains, entimage.NameContainsFold)
	ps = usecase.WithFilter(ps, f.CreatedAfter, entimage.CreatedAtGT)
	return usecase.WithFilter(ps, f.CreatedBefore, entimage.CreatedAtLT)
}

// List is a page of images.
func (s *Images) List(ctx context.Context, page usecase.Page, order *usecase.Order, filter *ImageFilter) (*ImageConnection, error) {
	return usecase.Read(ctx, s.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ImageConnection, error) {
		return usecase.Paginate(ctx, usecase.ShownImages(db), filter.predicates(), page, order.OrElse(usecase.ColumnID, usecase.OrderDesc))
	})
}

// Get is one image by its global or internal id, without its content.
func (s *Images) Get(ctx context.Context, globalID string) (*ent.Image, error) {
	recordID, err := usecase.RecordID("Image", globalID)
	if err != nil {
		return nil, err
	}
	return usecase.Read(ctx, s.Deps, usecase.ReadContent, func(ctx context.Context, db *ent.Client) (*ent.Image, error) {
		found, err := usecase.ShownImages(db).Where(entimage.ID(recordID)).Only(ctx)
		return found, usecase.NotFound(err, "Image %s was not found.", globalID)
	})
}

// CreateImageInput describes a new image.
type CreateImageInput struct {
	Name    string
	Content string // base64
}

// Create stores an image. The same bytes are one image of the environment: a repetition returns the first one.
func (s *Images) Create(ctx context.Context, in CreateImageInput) (*ent.Image, error) {
	problems := fault.Problems{}
	usecase.CheckName(&problems, "name", in.Name)
	decoded := checkImage(&problems, in.Content)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	digest := sha256.Sum256(decoded.content)
	return usecase.Write(ctx, s.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Image, error) {
		tx, _ := postgres.TxFromContext(ctx)
		v, _ := viewer.FromContext(ctx)
		// One upload of the environment at a time: two could pass the limit, or store the same bytes.
		if err := pgaccess.LockEnvironment(ctx, tx, v.Scope); err != nil {
			return nil, err
		}
		found, err := usecase.ShownImages(db).Where(entimage.Digest(digest[:])).Only(ctx)
		if !ent.IsNotFound(err) {
			return found, err
		}
		switch n, err := db.Image.Query().Count(ctx); {
		case err != nil:
			return nil, err
		case n >= MaxImages:
			return nil, fault.BadRequestf("TOO_MANY_IMAGES", "An environment has at most %d images.", MaxImages)
		}
		created, err := db.Image.Create().SetName(in.Name).SetKey(newImageKey(v.EnvironmentID)).SetContentType(decoded.contentType).
			SetWidth(decoded.width).SetHeight(decoded.height).SetSize(len(decoded.content)).SetDigest(digest[:]).SetContent(decoded.content).Save(ctx)
		if err != nil {
			return nil, err
		}
		return created, usecase.Audit(ctx, db, "create", created, map[string]any{"name": created.Name, "contentType": created.ContentType, "size": created.Size})
	})
}

// Delete removes an image. Mails that were sent with it show it no more.
func (s *Images) Delete(ctx context.Context, globalID string) (*ent.Image, error) {
	return usecase.Write(ctx, s.Deps, usecase.WriteContent, func(ctx context.Context, db *ent.Client) (*ent.Image, error) {
		found, err := s.Get(ctx, globalID)
		if err != nil {
			return nil, err
		}
		if err := db.Image.DeleteOne(found).Exec(ctx); err != nil {
			return nil, err
		}
		return found, usecase.Audit(ctx, db, "delete", found, map[string]any{"name": found.Name})
	})
}

// Path is the address of an image on this server.
func (s *Images) Path(of *ent.Image) string { return ImagesPath + of.Key }

// URL is the address of an image that mails carry; nil when the server has no public URL.
func (s *Images) URL(of *ent.Image) *string {
	if s.publicURL == "" {
		return nil
	}
	return new(strings.TrimSuffix(s.publicURL, "/") + s.Path(of))
}

// Below is the address below which mails find images; nil when the server has no public URL.
func (s *Images) Below(ctx context.Context) (*string, error) {
	if _, err := usecase.Require(ctx, usecase.ReadContent); err != nil || s.publicURL == "" {
		return nil, err
	}
	return new(strings.TrimSuffix(s.publicURL, "/") + ImagesPath), nil
}

// The key of an image is the id of its environment, by which a cell finds out where the image has moved to, and a secret. It is
// not the image's id, which logs and audits show.
const secretOfImageKey = 20 // bytes

func newImageKey(environmentID id.ID) string {
	secret := make([]byte, secretOfImageKey)
	_, _ = rand.Read(secret)
	return environmentID + hex.EncodeToString(secret)
}

// environmentOfImageKey returns "" for what is no key, whatever bytes a stranger has put into the address.
func environmentOfImageKey(key string) id.ID {
	raw, err := hex.DecodeString(key)
	environmentID := key[:min(len(key), 24)]
	if err != nil || len(raw) != hex.DecodedLen(len(environmentID))+secretOfImageKey || !id.Valid(environmentID) {
		return ""
	}
	return environmentID
}

// MovedImage is the failure of a key whose organization has moved to another cell. The same path is there.
type MovedImage struct{ URL string }

// Error names the cell's address.
func (e *MovedImage) Error() string { return "the image is at " + e.URL + " now" }

// Open is an image with its content, for whoever knows its key. Cost: one query, two when there is none.
func (s *Images) Open(ctx context.Context, key string) (*ent.Image, error) {
	ctx = viewer.SystemContext(ctx)
	environmentID := environmentOfImageKey(key)
	if environmentID == "" {
		return nil, errNoImage()
	}
	db := s.DB.Client(ctx)
	found, err := db.Image.Query().Where(entimage.Key(key)).Only(ctx)
	if !ent.IsNotFound(err) {
		return found, postgres.Translate(err)
	}
	environment, err := db.Environment.Query().Where(entenvironment.ID(environmentID)).WithOrganization().Only(ctx)
	switch {
	case ent.IsNotFound(err):
		return nil, errNoImage()
	case err != nil:
		return nil, postgres.Translate(err)
	}
	if owner := environment.Edges.Organization; owner.Move == organization.MoveMoved && owner.MovedURL != "" {
		return nil, &MovedImage{owner.MovedURL}
	}
	return nil, errNoImage()
}

func errNoImage() error { return fault.NotFoundf("There is no such image.") }
