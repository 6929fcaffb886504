package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// file is a file of a package: where it is now, and its name and mode there.
type file struct {
	from, to string
	mode     fs.FileMode
}

// tarball writes files as a gzipped tar that depends on their contents and the commit's time alone.
func (r *release) tarball(to string, files []file) (err error) {
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = first(err, out.Close()) }()
	zipped, err := gzip.NewWriterLevel(out, gzip.BestCompression)
	if err != nil {
		return err
	}
	defer func() { err = first(err, zipped.Close()) }()
	return r.tar(zipped, files)
}

// tar writes files in the order of their names, owned by root.
func (r *release) tar(w io.Writer, files []file) error {
	t := tar.NewWriter(w)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.to, b.to) })
	for _, f := range files {
		content, err := os.ReadFile(f.from)
		if err != nil {
			return err
		}
		h := &tar.Header{Name: f.to, Mode: int64(f.mode), Size: int64(len(content)), ModTime: r.time, Format: tar.FormatPAX}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(content); err != nil {
			return err
		}
	}
	return t.Close()
}

// archive writes the program with what belongs to it, for any system.
func (r *release) archive(t target) error {
	folder := filepath.Base(r.name(t, ""))
	files := []file{
		{r.binary(t), "carillon", 0o755},
		{"README.md", "README.md", 0o644},
		{"internal/docs/changelog.md", "CHANGELOG.md", 0o644},
		{filepath.Join(r.work, "LICENSES.txt"), "LICENSES.txt", 0o644},
		{filepath.Join(r.work, "carillon.1"), "carillon.1", 0o644},
		{filepath.Join(r.work, "completion.bash"), "completion.bash", 0o644},
		{filepath.Join(r.work, "completion.fish"), "completion.fish", 0o644},
	}
	if t.os == "linux" {
		files = append(files,
			file{deploy + "/files/carillon.service", "carillon.service", 0o644},
			file{deploy + "/files/carillon.env", "carillon.env", 0o644},
			file{deploy + "/compose.yml", "compose.yml", 0o644},
			file{deploy + "/monitoring/alerts.yml", "monitoring/alerts.yml", 0o644},
			file{deploy + "/monitoring/grafana.json", "monitoring/grafana.json", 0o644})
	}
	for i := range files {
		files[i].to = path.Join(folder, files[i].to)
	}
	return r.tarball(r.name(t, ".tar.gz"), files)
}

// chart packs the Helm chart with the release's version in it, as `helm package` does.
func (r *release) chart() error {
	root := deploy + "/chart"
	var files []file
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		from := p
		if filepath.Base(p) == "Chart.yaml" {
			text, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			from = filepath.Join(r.work, "Chart.yaml")
			if err := os.WriteFile(from, []byte(strings.ReplaceAll(string(text), "0.0.0", r.version)), 0o644); err != nil {
				return err
			}
		}
		inside, err := filepath.Rel(root, p)
		files = append(files, file{from, path.Join("carillon", filepath.ToSlash(inside)), 0o644})
		return err
	})
	if err != nil {
		return err
	}
	return r.tarball(filepath.Join(r.dist, "carillon-chart-"+r.version+".tgz"), files)
}

// checksums writes SHA256SUMS in the form that `sha256sum --check` reads.
func (r *release) checksums() error {
	entries, err := os.ReadDir(r.dist)
	if err != nil {
		return err
	}
	var sums strings.Builder
	for _, e := range entries {
		f, err := os.Open(filepath.Join(r.dist, e.Name()))
		if err != nil {
			return err
		}
		h := sha256.New()
		_, err = io.Copy(h, f)
		if err = first(err, f.Close()); err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%s  %s\n", hex.EncodeToString(h.Sum(nil)), e.Name())
	}
	return os.WriteFile(filepath.Join(r.dist, "SHA256SUMS"), []byte(sums.String()), 0o644)
}

func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
