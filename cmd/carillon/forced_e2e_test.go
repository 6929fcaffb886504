//go:build e2e

package main_test

import (
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestJourneyForcedColours: where people choose the colours, what is on, chosen and highlighted is told apart from what is not.
func TestJourneyForcedColours(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t)
	b := o.logIn(t, "/workflows/hello")
	b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "forced-colors", Value: "active"}}))
	b.sees("Draft saved")
	differ := func(one, other, pseudo, property string) string {
		return `getComputedStyle(document.querySelector('` + one + `'), '` + pseudo + `').` + property +
			` !== getComputedStyle(document.querySelector('` + other + `'), '` + pseudo + `').` + property
	}
	b.holds(differ(".tabs a[aria-current]", ".tabs a:not([aria-current])", "", "borderBottomColor"))
	b.holds(differ(".switch", "body", "::before", "backgroundColor"))
	b.holds(`getComputedStyle(document.querySelector('.switch'), '::after').borderTopStyle === 'solid'`)
	b.picture("forced", 1440)
	b.do(chromedp.Evaluate(`document.querySelector('.step-card [aria-haspopup=menu]').focus()`, nil))
	b.keys(kb.Enter)
	b.holds(`document.querySelector('.item[data-highlighted]')`)
	b.holds(differ(".item[data-highlighted]", ".item:not([data-highlighted])", "", "backgroundColor"))
}
