package main

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/tarball"
	"github.com/google/go-containerregistry/pkg/v1/types"
)

// platformImage is the image for one platform.
type platformImage struct {
	target
	image v1.Image
}

// user is the one that distroless images call nonroot.
const user = "65532:65532"

// image makes an image that holds nothing but the program: it brings its own root certificates and time zones. It runs
// without root and writes nothing to its own file system. The archive beside it is for `docker load` and `podman load`.
func (r *release) image(t target) (v1.Image, error) {
	files := []file{
		{r.binary(t), "usr/bin/carillon", 0o755},
		{filepath.Join(r.work, "LICENSES.txt"), "usr/share/doc/carillon/LICENSES.txt", 0o644},
	}
	for name, text := range map[string]string{
		"passwd": "nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n", "group": "nonroot:x:65532:\n",
		"hosts": "127.0.0.1 localhost\n::1 localhost\n", // for runtimes that do not bring their own
	} {
		from := filepath.Join(r.work, name)
		if err := os.WriteFile(from, []byte(text), 0o644); err != nil {
			return nil, err
		}
		files = append(files, file{from, "etc/" + name, 0o644})
	}
	var content bytes.Buffer
	if err := r.tar(&content, files); err != nil {
		return nil, err
	}
	layer, err := tarball.LayerFromOpener(func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(content.Bytes())), nil },
		tarball.WithMediaType(types.OCILayer), tarball.WithCompressedCaching) // it is written twice, and its digest and size are asked for
	if err != nil {
		return nil, err
	}
	image, err := mutate.AppendLayers(mutate.ConfigMediaType(mutate.MediaType(empty.Image, types.OCIManifestSchema1), types.OCIConfigJSON), layer)
	if err != nil {
		return nil, err
	}
	file, err := image.ConfigFile()
	if err != nil {
		return nil, err
	}
	file = file.DeepCopy()
	file.OS, file.Architecture, file.Created = t.os, t.arch, v1.Time{Time: r.time}
	for i := range file.History {
		file.History[i].Created = v1.Time{Time: r.time}
	}
	file.Config = v1.Config{
		Entrypoint: []string{"/usr/bin/carillon"}, Cmd: []string{"serve"}, User: user, WorkingDir: "/",
		Env:          []string{"PATH=/usr/bin", "CARILLON_ADDR=0.0.0.0:8080"},
		ExposedPorts: map[string]struct{}{"8080/tcp": {}},
		Healthcheck: &v1.HealthConfig{
			Test: []string{"CMD", "/usr/bin/carillon", "ready"}, Interval: 10 * time.Second, Timeout: 6 * time.Second,
			StartPeriod: 30 * time.Second, Retries: 3,
		},
		Labels: map[string]string{
			"org.opencontainers.image.title": "carillon", "org.opencontainers.image.version": r.version,
			"org.opencontainers.image.description": "Notification delivery service",
		},
	}
	if image, err = mutate.ConfigFile(image, file); err != nil {
		return nil, err
	}
	tag, err := name.NewTag("carillon:" + strings.ReplaceAll(r.version, "+", "-"))
	if err != nil {
		return nil, err
	}
	return image, tarball.WriteToFile(r.name(t, "_image.tar"), tag, image)
}

// imageIndex writes the images of all platforms as one OCI archive, for `skopeo copy oci-archive:…` and `crane push`.
func (r *release) imageIndex(images []platformImage) error {
	if len(images) == 0 {
		return nil
	}
	index := mutate.IndexMediaType(empty.Index, types.OCIImageIndex)
	for _, i := range images {
		index = mutate.AppendManifests(index, mutate.IndexAddendum{
			Add: i.image, Descriptor: v1.Descriptor{Platform: &v1.Platform{OS: i.os, Architecture: i.arch}},
		})
	}
	folder := filepath.Join(r.work, "oci")
	if _, err := layout.Write(folder, index); err != nil {
		return err
	}
	var files []file
	err := filepath.WalkDir(folder, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		inside, err := filepath.Rel(folder, p)
		files = append(files, file{p, filepath.ToSlash(inside), 0o644})
		return err
	})
	if err != nil {
		return err
	}
	out, err := os.Create(filepath.Join(r.dist, "carillon_"+r.version+"_image.oci.tar"))
	if err != nil {
		return err
	}
	return first(r.tar(out, files), out.Close())
}
