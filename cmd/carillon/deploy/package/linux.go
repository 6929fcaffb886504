package main

import (
	"compress/gzip"
	"os"
	"path/filepath"

	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/goreleaser/nfpm/v2"
	_ "github.com/goreleaser/nfpm/v2/deb" // registers itself
	"github.com/goreleaser/nfpm/v2/files"
	_ "github.com/goreleaser/nfpm/v2/rpm" // registers itself
)

// packTarget writes everything that is made from one build. The image is nil for systems without containers.
func (r *release) packTarget(t target) (v1.Image, error) {
	if r.imagesOnly && t.os == "linux" {
		return r.image(t)
	}
	if err := r.archive(t); err != nil {
		return nil, err
	}
	if err := r.materials(t); err != nil {
		return nil, err
	}
	if t.os != "linux" {
		return nil, nil
	}
	for _, format := range []string{"deb", "rpm"} {
		if err := r.linuxPackage(t, format); err != nil {
			return nil, err
		}
	}
	return r.image(t)
}

// linuxPackage writes the program as a package of a distribution: with its service, a user of its own, a settings file that
// upgrades keep, completions and the manual page.
func (r *release) linuxPackage(t target, format string) (err error) {
	page := filepath.Join(r.work, "carillon.1.gz")
	if err := compress(filepath.Join(r.work, "carillon.1"), page); err != nil {
		return err
	}
	info := &nfpm.Info{
		Name: "carillon", Arch: t.arch, Platform: t.os, Version: r.version, MTime: r.time,
		Maintainer: "The Carillon authors <carillon@localhost>", Section: "net", Priority: "optional",
		Description: "Notification delivery service\nDelivers in-app, e-mail, SMS, chat and push notifications: one program and a Postgres.",
		License:     "see /usr/share/doc/carillon/LICENSES.txt",
		Overridables: nfpm.Overridables{
			Recommends: []string{"postgresql"},
			Scripts:    nfpm.Scripts{PostInstall: deploy + "/files/postinstall.sh", PreRemove: deploy + "/files/preremove.sh"},
			Contents: files.Contents{
				r.content(r.binary(t), "/usr/bin/carillon", 0o755),
				r.content(deploy+"/files/carillon.service", "/usr/lib/systemd/system/carillon.service", 0o644),
				r.content(deploy+"/files/carillon.sysusers", "/usr/lib/sysusers.d/carillon.conf", 0o644),
				r.settings(),
				r.content(filepath.Join(r.work, "completion.bash"), "/usr/share/bash-completion/completions/carillon", 0o644),
				r.content(filepath.Join(r.work, "completion.fish"), "/usr/share/fish/vendor_completions.d/carillon.fish", 0o644),
				r.content(page, "/usr/share/man/man1/carillon.1.gz", 0o644),
				r.content(filepath.Join(r.work, "LICENSES.txt"), "/usr/share/doc/carillon/LICENSES.txt", 0o644),
				r.content("internal/docs/changelog.md", "/usr/share/doc/carillon/CHANGELOG.md", 0o644),
			},
		},
	}
	info = nfpm.WithDefaults(info)
	packager, err := nfpm.Get(format)
	if err != nil {
		return err
	}
	out, err := os.Create(r.name(t, "."+format))
	if err != nil {
		return err
	}
	defer func() { err = first(err, out.Close()) }()
	return packager.Package(info, out)
}

func (r *release) content(from, to string, mode os.FileMode) *files.Content {
	return &files.Content{Source: from, Destination: to, FileInfo: &files.ContentFileInfo{Mode: mode, MTime: r.time, Owner: "root", Group: "root"}}
}

// settings is the file of secrets that the service reads; the group is made when the package is configured.
func (r *release) settings() *files.Content {
	c := r.content(deploy+"/files/carillon.env", "/etc/carillon/carillon.env", 0o600)
	c.Type = files.TypeConfigNoReplace
	return c
}

func compress(from, to string) (err error) {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	out, err := os.Create(to)
	if err != nil {
		return err
	}
	defer func() { err = first(err, out.Close()) }()
	zipped, err := gzip.NewWriterLevel(out, gzip.BestCompression) // without a name or time in its header
	if err != nil {
		return err
	}
	if _, err := zipped.Write(text); err != nil {
		return err
	}
	return zipped.Close()
}
