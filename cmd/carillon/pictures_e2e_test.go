//go:build e2e

package main_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/stall"
)

// pictures is the folder of the committed pictures.
const pictures = "testdata/pictures"

// samePage runs before a page's own scripts. It makes what differs from run to run the same: the page's clock stands still, and what
// the server dates to the run is dated to five minutes before it, what it dates to later hours to as many hours later, and its version is
// that of a build without one. It counts the requests that have no answer, gives the page fonts that most machines with a browser have,
// and hides the chart of latencies, which differ. Dates of the page itself pass JSON.parse, too: they are left as they are as long as the
// run is more than 200 days away from the page's clock.
const samePage = `(() => {
	const began = %d, now = Date.UTC(2026, 2, 2, 9, 30), hour = 3600_000, near = 200 * 24 * hour
	const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/, { parse } = JSON, real = Date, { fetch } = window
	const shown = (text) => {
		const since = real.parse(text) - began
		return Math.abs(since) > near ? text : new real(now - hour / 12 + Math.round(since / hour) * hour).toISOString()
	}
	JSON.parse = (text, reviver) => parse(text, (key, value, context) => {
		let v = typeof value === 'string' && instant.test(value) ? shown(value) : value
		if (key === 'version' && typeof v === 'string') v = 'dev'
		return reviver ? reviver(key, v, context) : v
	})
	Response.prototype.json = async function () { return JSON.parse(await this.text()) }
	window.waiting = 0
	window.fetch = async (path, init) => {
		const asked = (text) => '"' + new real(real.parse(text.slice(1, -1)) - now + began + hour / 2).toISOString() + '"'
		if (typeof init?.body === 'string') init = { ...init, body: init.body.replace(/"\d{4}-\d\d-\d\dT[\d:.]+Z"/g, asked) }
		waiting++
		try { return await fetch(path, init) } finally { waiting-- }
	}
	window.Date = class extends real {
		constructor(...of) { of.length ? super(...of) : super(now) }
		static now() { return now }
	}
	const canvas = CanvasRenderingContext2D.prototype, font = Object.getOwnPropertyDescriptor(canvas, 'font')
	Object.defineProperty(canvas, 'font', { ...font, set(of) { font.set.call(this, of.replace(/system-ui.*/, '"Liberation Sans"')) } })
	document.addEventListener('DOMContentLoaded', () => {
		const style = new CSSStyleSheet()
		style.replaceSync(':root { --sans: "Liberation Sans"; --mono: "Liberation Mono"; --carillon-font: 14px/1.45 "Liberation Sans" } * { caret-color: transparent !important } .charts > :nth-child(2) .uplot { visibility: hidden }')
		document.adoptedStyleSheets.push(style)
	})
})()`

// sameTexts writes the same text where the server's texts differ from run to run: identifiers, keys, lengths of time and sizes.
const sameTexts = `(() => {
	const same = (text) => text
		.replace(/\b(?=[a-z]*[_-]?\w*\d)[a-z]{0,12}_?[0-9a-z]{20,}\b/gi, 'abcdefgh0123456789abcdef')
		.replace(/\b[\d.]+\s(ms|s|kB|MB|KiB|MiB)\b/g, '10 $1')
		.replace(/127\.0\.0\.1:\d+/g, '127.0.0.1:8080')
	const walk = (root) => {
		const texts = document.createTreeWalker(root, NodeFilter.SHOW_ALL)
		for (let n = texts.nextNode(); n; n = texts.nextNode()) {
			if (n.nodeType === 3 && same(n.nodeValue) !== n.nodeValue) n.nodeValue = same(n.nodeValue)
			if (n.nodeName === 'CODE' && location.pathname.endsWith('/environments') && /^\w{4}$/.test(n.innerText)) n.innerText = 'abcd' // ends of keys
			if (n.shadowRoot) walk(n.shadowRoot)
		}
	}
	walk(document.body)
	return window.waiting === 0 && document.fonts.status === 'loaded' && [...document.images].every((i) => i.complete) && (location.pathname.endsWith('/design') || !document.querySelector('[aria-busy=true], .skeleton'))
})()`

// hasFonts is whether the machine has the fonts of the pictures.
const hasFonts = `['Liberation Sans', 'Liberation Mono'].every((font) => ['serif', 'cursive'].some((other) => {
	const of = (name) => { const c = document.createElement('canvas').getContext('2d'); c.font = '40px ' + name; return c.measureText('The wil0 |').width }
	return of(JSON.stringify(font) + ', ' + other) !== of(other)
}))`

// screen is one picture: a page in a size, a colour scheme and a language.
type screen struct {
	name   string
	path   string
	sees   string // a text that is there once the page is
	width  int64
	dark   bool
	german bool
	do     func(b *browser) // what is done on the page before
}

// TestJourneyPictures compares the pictures of the key screens with those that are committed. UPDATE_GOLDEN=1 writes them anew.
func TestJourneyPictures(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	o.furnishPictures(t)
	began := time.Now().Truncate(time.Millisecond)
	o.furnishTraffic(t, began)
	b := browse(t, o.Process)
	b.expect("Blocked script execution in 'about:srcdoc'") // that is samePage, in the preview of an e-mail
	b.do(emulation.SetTimezoneOverride("UTC"), chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := page.AddScriptToEvaluateOnNewDocument(fmt.Sprintf(samePage, began.UnixMilli())).Do(ctx)
		return err
	}))
	b.open("/dashboard/")
	var fonts bool
	if b.do(chromedp.Evaluate(hasFonts, &fonts)); !fonts {
		t.Skip("the pictures are drawn with Liberation Sans and Mono, which this machine does not have")
	}
	b.compare(screen{name: "log-in", path: "/dashboard/", sees: "Log in", width: 1440})
	b.fill("E-mail address", operatorEmail)
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees(operatorEmail)
	for _, s := range screens(subscriberToken(t, o.api, "anna")) {
		t.Run(s.name, func(t *testing.T) {
			b.t = t
			b.compare(s)
		})
	}
	b.t = t
}

// compare takes the picture of a screen, and fails when it differs from the committed one.
func (b *browser) compare(s screen) {
	b.t.Helper()
	got := b.takePicture(s)
	file := filepath.Join(pictures, s.name+".png")
	if os.Getenv("UPDATE_GOLDEN") != "" {
		keepPicture(b.t, file, got)
		return
	}
	f, err := os.Open(file) //nolint:gosec // a file of ours
	require.NoError(b.t, err, "UPDATE_GOLDEN=1 writes it")
	defer f.Close()
	decoded, err := png.Decode(f)
	require.NoError(b.t, err, file)
	want := image.NewNRGBA(decoded.Bounds())
	draw.Draw(want, want.Bounds(), decoded, image.Point{}, draw.Src)
	if found := differences(want, got); len(found) > 0 {
		took, difference := filepath.Join(screenshots, "picture-"+s.name+".png"), filepath.Join(screenshots, "picture-"+s.name+"-difference.png")
		keepPicture(b.t, took, got)
		keepPicture(b.t, difference, marked(got, found))
		b.t.Errorf("%s differs from %s in %d places, the first at %v: see %s and %s; UPDATE_GOLDEN=1 accepts it",
			s.name, file, len(found), found[0].Min.Mul(2), took, difference)
	}
}

func keepPicture(t *testing.T, file string, m image.Image) {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, m))
	require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o750))
	require.NoError(t, os.WriteFile(file, out.Bytes(), 0o600))
}

// takePicture opens a screen and takes its picture once nothing changes any more.
func (b *browser) takePicture(s screen) *image.NRGBA {
	b.t.Helper()
	scheme, language, height := "light", "en", int64(900)
	if s.dark {
		scheme = "dark"
	}
	if s.german {
		language = "de"
	}
	if s.width == 360 {
		height = 780
	}
	b.do(
		chromedp.EmulateViewport(s.width, height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}),
		chromedp.Evaluate(fmt.Sprintf(`localStorage.setItem('carillon-language', %q)`, language), nil),
		chromedp.Navigate("about:blank"), // an address that differs in its fragment only loads nothing
	)
	b.open(s.path)
	b.sees(s.sees)
	if s.do != nil {
		s.do(b)
	}
	return b.still(s.name)
}

// still is the picture of a page that is complete and was the same twice.
func (b *browser) still(name string) *image.NRGBA {
	b.t.Helper()
	var before []byte
	for deadline := time.Now().Add(stall.Limit(30 * time.Second)); ; {
		var complete bool
		var now []byte
		b.do(chromedp.Evaluate(sameTexts, &complete), chromedp.ActionFunc(func(ctx context.Context) (err error) {
			now, err = page.CaptureScreenshot().Do(ctx)
			return err
		}))
		if complete && bytes.Equal(before, now) {
			m, err := png.Decode(bytes.NewReader(now))
			require.NoError(b.t, err)
			return halved(m)
		}
		require.True(b.t, time.Now().Before(deadline), "%s does not come to rest", name)
		before = now
	}
}
