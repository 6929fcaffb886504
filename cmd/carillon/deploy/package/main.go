// Command package writes what Carillon is released as: archives, Debian and RPM packages, container images, the Helm chart,
// a bill of materials and checksums. The same commit gives the same bytes.
//
// It is a module of its own, so that the service's go.mod does not name what only a release needs. `make packages` runs it
// from the repository's root.
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strconv"
	"strings"
	"time"
)

// deploy is the folder of the files that packages carry, from the repository's root.
const deploy = "cmd/carillon/deploy"

// release is one run of the command.
type release struct {
	version string
	time    time.Time // of the commit: every file carries it
	dist    string    // where the results go
	work    string    // where files wait for their package

	imagesOnly bool // no archives, packages of distributions and bills of materials
}

// semantic is a version by semver.org.
var semantic = regexp.MustCompile(`^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?(\+[0-9A-Za-z.-]+)?$`)

// target is a platform that the program is built for.
type target struct{ os, arch string }

func (t target) String() string { return t.os + "-" + t.arch }

func main() {
	log.SetFlags(0)
	log.SetPrefix("package: ")
	version := flag.String("version", "", "version of the release, such as 1.2.3")
	dist := flag.String("dist", "bin/release", "folder for the results; it is made anew")
	only := flag.String("targets", "linux/amd64,linux/arm64,darwin/arm64", "platforms, separated by commas")
	images := flag.Bool("images", false, "write the container images alone")
	flag.Parse()
	if err := run(*version, *dist, *only, *images); err != nil {
		log.Fatal(err)
	}
}

func run(version, dist, only string, imagesOnly bool) error {
	if !semantic.MatchString(version) {
		return fmt.Errorf("%q is no semantic version; name one, such as make packages VERSION=1.2.3", version)
	}
	if err := os.RemoveAll(dist); err != nil {
		return err
	}
	if err := os.MkdirAll(dist, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "carillon-package-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	at, err := commitTime()
	if err != nil {
		return err
	}
	if imagesOnly && (strings.Contains(only, "darwin") || strings.Contains(only, "windows")) {
		return errors.New("images are of Linux: name targets such as linux/amd64,linux/arm64")
	}
	r := &release{version: version, time: at, dist: dist, work: work, imagesOnly: imagesOnly}
	if err := r.texts(); err != nil {
		return err
	}
	var images []platformImage
	for name := range strings.SplitSeq(only, ",") {
		system, arch, _ := strings.Cut(name, "/")
		t := target{system, arch}
		log.Printf("%s: build", t)
		if err := r.build(t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		log.Printf("%s: pack", t)
		image, err := r.packTarget(t)
		if err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
		if image != nil {
			images = append(images, platformImage{t, image})
		}
	}
	if err := r.imageIndex(images); err != nil {
		return fmt.Errorf("image: %w", err)
	}
	if !imagesOnly {
		if err := r.chart(); err != nil {
			return fmt.Errorf("chart: %w", err)
		}
	}
	return r.checksums()
}

// commitTime is the time of the commit that is packaged, or SOURCE_DATE_EPOCH (reproducible-builds.org).
func commitTime() (time.Time, error) {
	seconds := os.Getenv("SOURCE_DATE_EPOCH")
	if seconds == "" {
		out, err := exec.Command("git", "log", "-1", "--format=%ct").Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("time of the commit (or set SOURCE_DATE_EPOCH): %w", err)
		}
		seconds = strings.TrimSpace(string(out))
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	return time.Unix(n, 0).UTC(), err
}

func (r *release) binary(t target) string { return filepath.Join(r.work, t.String(), "carillon") }

// build compiles the program as `make release` does, without cgo, so that it runs on any distribution. The program of this
// machine may have been built already, because the texts come from it.
func (r *release) build(t target) error {
	if _, err := os.Stat(r.binary(t)); err == nil {
		return nil
	}
	return r.compile(t, r.binary(t))
}

func (r *release) compile(t target, to string) error {
	c := exec.Command("go", "build", "-trimpath", "-buildvcs=false",
		"-ldflags", "-s -w -X github.com/carillon/carillon/internal/version.number="+r.version, "-o", to, "./cmd/carillon")
	c.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+t.os, "GOARCH="+t.arch, "GOWORK=off")
	c.Stderr = os.Stderr
	return c.Run()
}

// manDate is the date of a manual page, which the generator takes from the clock.
var manDate = regexp.MustCompile(`(?m)^(\.TH CARILLON 1 )"[^"]*"`)

// texts asks the program for the texts that packages carry beside it.
func (r *release) texts() error {
	host := target{runtime.GOOS, runtime.GOARCH}
	self := r.binary(host)
	if err := r.build(host); err != nil {
		return err
	}
	for name, args := range map[string][]string{
		"carillon.1": {"man"}, "LICENSES.txt": {"licenses"},
		"completion.bash": {"completion", "bash", "-c"}, "completion.fish": {"completion", "fish", "-c"},
	} {
		out, err := exec.Command(self, args...).Output()
		if err != nil {
			return fmt.Errorf("carillon %s: %w", strings.Join(args, " "), err)
		}
		out = manDate.ReplaceAll(out, []byte(`${1}"`+r.time.Format(time.DateOnly)+`"`))
		out = bytes.ReplaceAll(out, []byte(self), []byte("/usr/bin/carillon"))
		if err := os.WriteFile(filepath.Join(r.work, name), out, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// name is the file name of a result.
func (r *release) name(t target, ending string) string {
	return filepath.Join(r.dist, strings.Join([]string{"carillon", r.version, t.os, t.arch}, "_")+ending)
}
