package app

import (
	"context"
	"crypto/x509"
	"errors"
	"io/fs"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/carillon/carillon/internal/postgres/embedded"
)

const (
	spaceWarn = 2 << 30   // bytes; a busy server's write-ahead log alone may take this much
	spaceFail = 200 << 20 // bytes; below, Postgres stops in the middle of things
)

// dataDir looks at the place of the embedded database. It reports whether the database may be looked at.
func (d *doctor) dataDir(ctx context.Context) bool {
	dir := d.cfg.DataDir
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		d.missingDataDir()
		return false
	case err != nil:
		d.fail("data directory", "give the user who runs Carillon access, or set CARILLON_DATA_DIR", "%s", err)
		return false
	case !info.IsDir():
		d.fail("data directory", "move it away, or set CARILLON_DATA_DIR", "%s is not a directory", dir)
		return false
	}
	found, err := embedded.Inspect(ctx, embeddedConfig(d.cfg, d.log))
	if err != nil {
		d.fail("data directory", "as the text says", "%s", err)
		return false
	}
	d.ok("data directory", "%s, the database runs as %s", dir, found.Account)
	d.space(dir)
	if found.Programs == "" {
		d.warn("postgres", "install PostgreSQL 14 or newer, or start once with --obtain-postgres", "no programs are installed")
	} else {
		d.ok("postgres", "%s (PostgreSQL %d)", found.Programs, found.Major)
	}
	if !found.Cluster {
		d.ok("database", "none yet; the first start makes it")
	}
	return found.Cluster
}

// missingDataDir checks whether a first start could create the directory.
func (d *doctor) missingDataDir() {
	parent := filepath.Dir(d.cfg.DataDir)
	for {
		if _, err := os.Stat(parent); !errors.Is(err, fs.ErrNotExist) || parent == filepath.Dir(parent) {
			break
		}
		parent = filepath.Dir(parent)
	}
	const writeAndSearch = 0o3 // access(2): W_OK|X_OK
	if err := syscall.Access(parent, writeAndSearch); err != nil {
		d.fail("data directory", "create it and give it to the user who runs Carillon, or set CARILLON_DATA_DIR",
			"%s does not exist and cannot be made in %s: %s", d.cfg.DataDir, parent, err)
		return
	}
	d.ok("data directory", "%s does not exist yet; the first start makes it", d.cfg.DataDir)
	d.space(parent)
}

func (d *doctor) space(dir string) {
	free, err := d.freeSpace(dir)
	switch {
	case err != nil:
		d.failed("disk space", err)
	case free < spaceFail:
		d.fail("disk space", "make room, or move CARILLON_DATA_DIR", "%d MiB are free in %s", free>>20, dir)
	case free < spaceWarn:
		d.warn("disk space", "make room before it runs out", "%d MiB are free in %s", free>>20, dir)
	default:
		d.ok("disk space", "%d GiB are free in %s", free>>30, dir)
	}
}

// port reports whether the doors could open, or are open already.
func (d *doctor) port(ctx context.Context) {
	var lc net.ListenConfig
	ln, err := lc.Listen(ctx, "tcp", d.cfg.Addr)
	switch {
	case err == nil:
		_ = ln.Close()
		d.ok("port", "%s is free", d.cfg.Addr)
	case !errors.Is(err, syscall.EADDRINUSE):
		d.fail("port", "set CARILLON_ADDR to an address of this machine and a port that you may use", "%s", err)
	case d.heldByCarillon(ctx):
		d.ok("port", "%s is held by a running Carillon", d.cfg.Addr)
	default:
		d.fail("port", "stop that program, or set CARILLON_ADDR", "%s is held by another program", d.cfg.Addr)
	}
}

// heldByCarillon asks for figures that only Carillon has, or learns who may read them.
func (d *doctor) heldByCarillon(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, 3*time.Second)
	defer cancel()
	_, text, err := getOperational(ctx, d.cfg, "/metrics")
	return err == nil && strings.Contains(strings.ToLower(text), "carillon_") // a refusal names settings
}

// egress looks at the operator's own way out.
func (d *doctor) egress(ctx context.Context) {
	d.proxy(ctx, "HTTPS_PROXY", d.cfg.HTTPSProxy)
	if d.cfg.HTTPProxy != d.cfg.HTTPSProxy {
		d.proxy(ctx, "HTTP_PROXY", d.cfg.HTTPProxy)
	}
	file := d.cfg.SSLCertFile
	if file == "" {
		return
	}
	pem, err := os.ReadFile(file)
	switch {
	case err != nil:
		d.fail("certificates", "correct SSL_CERT_FILE, or the file's rights", "%s", err)
	case !x509.NewCertPool().AppendCertsFromPEM(pem):
		d.fail("certificates", "put PEM certificates into it, or unset SSL_CERT_FILE", "%s holds no certificate", file)
	default:
		d.ok("certificates", "%s", file)
	}
}

func (d *doctor) proxy(ctx context.Context, name, value string) {
	if value == "" {
		return
	}
	address, err := proxyAddress(value)
	if err != nil {
		d.fail("egress proxy", "correct "+name, "%s", err)
		return
	}
	dialer := net.Dialer{Timeout: 3 * time.Second}
	conn, err := dialer.DialContext(ctx, "tcp", address)
	if err != nil {
		d.fail("egress proxy", "start the proxy, or correct "+name, "%s does not answer: %s", address, err)
		return
	}
	_ = conn.Close()
	d.ok("egress proxy", "%s answers", address)
}

// proxyAddress is the host and port of a proxy as the environment names it. Its password stays out of every text.
func proxyAddress(value string) (string, error) {
	if !strings.Contains(value, "://") {
		value = "http://" + value
	}
	u, err := url.Parse(value)
	if err != nil || u.Hostname() == "" {
		return "", errors.New("it is not an address such as http://proxy.example:3128")
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	if port == "" {
		port = "80"
	}
	return net.JoinHostPort(u.Hostname(), port), nil
}
