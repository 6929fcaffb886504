//go:build e2e

package main_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"
)

// TestJourneyDocs reads every document in a window of 320 px, as wide as a page of 1280 px is at 400 %: it scrolls downwards alone, and
// begins in the first window.
func TestJourneyDocs(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := browse(t, o.Process)
	b.open("/docs")
	var documents []string
	b.do(chromedp.Evaluate(`[...new Set([...document.querySelectorAll('nav a')].map((a) => a.getAttribute('href')))]`, &documents))
	require.NotEmpty(t, documents)
	for _, path := range append(documents, "/docs", "/docs?q=postgres") {
		b.open(path)
		b.fits(path, 320)
		b.holds(`document.querySelector('h1').getBoundingClientRect().top < innerHeight`)
	}

	// On paper, say of A4, nothing is cut at its side, and there is nothing to press.
	b.open("/docs/deploy")
	b.do(emulation.SetEmulatedMedia().WithMedia("print"), chromedp.EmulateViewport(718, 900))
	b.holds(`[...document.querySelectorAll('header, nav')].every((e) => !e.getClientRects().length)`)
	b.holds(`[...document.querySelectorAll('main *')].every((e) => e.getBoundingClientRect().right <= innerWidth && (getComputedStyle(e).overflowX === 'visible' || e.scrollWidth <= e.clientWidth))`)
}
