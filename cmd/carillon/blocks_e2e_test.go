//go:build e2e

package main_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/require"
)

// says waits for what a screen reader is told of a block that is dragged.
func (b *browser) says(text string) {
	b.t.Helper()
	b.holds(fmt.Sprintf(`document.querySelector('[id^=DndLiveRegion]')?.textContent === %q`, text))
}

// drag takes the button of one name to that of another with the mouse, and says where it is before it lets go.
func (b *browser) drag(from, to, over string) {
	b.t.Helper()
	at := func(name string) (x, y float64) {
		b.act("button", name, `e.scrollIntoView({ block: 'nearest' })`)
		var place struct{ X, Y, Width, Height float64 }
		b.do(chromedp.Evaluate(fmt.Sprintf(`(%s)('button', %q).getBoundingClientRect().toJSON()`, find, name), &place))
		return place.X + place.Width/2, place.Y + place.Height/2
	}
	fromX, fromY := at(from)
	toX, toY := at(to)
	b.do(
		chromedp.MouseEvent(input.MousePressed, fromX, fromY, chromedp.ButtonLeft, chromedp.ClickCount(1)),
		chromedp.MouseEvent(input.MouseMoved, fromX, fromY+10, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, toX, (fromY+toY)/2, chromedp.ButtonLeft),
		chromedp.MouseEvent(input.MouseMoved, toX, toY, chromedp.ButtonLeft),
	)
	b.says(over)
	b.do(chromedp.MouseEvent(input.MouseReleased, toX, toY, chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// TestJourneyBlocks writes an e-mail as blocks: inserted between others, dragged by the mouse, moved by keys, copied, removed and
// brought back; and sees it as its readers do.
func TestJourneyBlocks(t *testing.T) {
	t.Parallel()
	o := openOffice(t)
	o.ask(t, `mutation { createTranslation(input: {locale: "de", content: {bye: "Servus"}}) { __typename } }`, nil, nil)
	o.ask(t, `mutation { createWorkflow(input: {name: "Letter", identifier: "letter", publish: false, definition: {translations: true, steps: [{type: EMAIL, stepId: "mail", email: {
		subject: "Hello", blocks: [{type: TEXT, content: "one"}, {type: TEXT, content: "{{ 'bye' | t }}"}, {type: BUTTON, content: "three", url: "https://example.org/"}]
	}}]}}) { workflow { id } } }`, nil, nil)
	b := o.logIn(t, "/workflows/letter")
	b.do(chromedp.EmulateViewport(1440, 1400))
	order := func(want string) {
		t.Helper()
		b.holds(fmt.Sprintf(`[...document.querySelectorAll('.block')].map((e) => {
			const text = e.querySelector('.cm-content')?.cloneNode(true)
			text?.querySelectorAll('.cm-beside').forEach((e) => e.remove())
			return text?.textContent ?? e.querySelector('textarea, input').value
		}).join() === %q`, want))
	}
	order("one,{{ 'bye' | t }},three")

	b.drag("Move block 1", "Move block 3", "Block 1 is over place 3.")
	order("{{ 'bye' | t }},three,one")
	b.act("button", "Move block 3", `e.focus()`)
	b.do(chromedp.KeyEvent(" "))
	b.says("Block 3 is over place 3.")
	// The block listens to the arrows once the timers that its lifting has begun have ended; keys come before timers.
	b.do(chromedp.Evaluate(`new Promise((done) => setTimeout(done))`, nil, awaited), chromedp.KeyEvent(kb.ArrowUp))
	b.says("Block 3 is over place 2.")
	b.do(chromedp.KeyEvent(" "))
	order("{{ 'bye' | t }},one,three")
	b.holds(`document.activeElement.ariaLabel === 'Move block 2'`)

	b.click("button", "Insert a block before block 2")
	b.click("menuitem", "Text")
	b.fill("Text 2", "between")
	b.click("button", "Duplicate block 2")
	order("{{ 'bye' | t }},between,between,one,three")
	b.click("button", "Remove block 4")
	b.sees("Block 4 was removed.")
	order("{{ 'bye' | t }},between,between,three")
	b.click("button", "Undo")
	order("{{ 'bye' | t }},between,between,one,three")
	b.click("button", "Remove block 3")
	b.do(chromedp.Evaluate(`document.activeElement.blur()`, nil), chromedp.KeyEvent("z", chromedp.KeyModifiers(input.ModifierCtrl)))
	order("{{ 'bye' | t }},between,between,one,three")

	b.fill("Text 4", "")
	b.typed("{{ subscriber.fi")
	b.take("firstName")
	b.holds(`document.querySelector('[aria-label="Text 4"]').innerText.includes('subscriber.firstName')`)
	b.fill("Text 4", "one")

	b.fill("Locale", "de")
	b.click("button", "Phone")
	b.click("button", "Dark")
	b.holds(`document.querySelector('.mail-frame.phone iframe')?.srcdoc.match(/Servus[^]*between[^]*invert/)`)
	b.look("mail-blocks")
	b.click("button", "Plain text")
	b.holds(`document.querySelector('.mail-frame pre')?.innerText.includes('Servus')`)
	b.sees("Draft saved")

	var out struct {
		WorkflowByReference struct {
			Draft struct {
				Steps []struct {
					Email struct{ Blocks []struct{ Content string } }
				}
			}
		}
	}
	o.ask(t, `{ workflowByReference(reference: "letter") { draft { steps { email { blocks { content } } } } } }`, nil, &out)
	contents := []string{}
	for _, block := range out.WorkflowByReference.Draft.Steps[0].Email.Blocks {
		contents = append(contents, block.Content)
	}
	require.Equal(t, []string{"{{ 'bye' | t }}", "between", "between", "one", "three"}, contents)
}

// TestJourneyImages uploads an image into a block, by choosing and by dropping a file, takes it again from the list into HTML, and
// deletes it. Previews ask this server for it, whatever address mails carry.
func TestJourneyImages(t *testing.T) {
	detailed(t)
	t.Parallel()
	o := openOffice(t, "CARILLON_PUBLIC_URL=http://notify.example.org")
	o.ask(t, `mutation { createWorkflow(input: {name: "Letter", identifier: "letter", publish: false, definition: {steps: [
		{type: EMAIL, stepId: "mail", email: {subject: "Hello", blocks: [{type: TEXT, content: "one"}]}},
		{type: EMAIL, stepId: "code", email: {subject: "Hello", html: "<p>HTML</p>"}}
	]}}) { workflow { id } } }`, nil, nil)
	folder := t.TempDir()
	file := func(name string, content []byte) string {
		path := filepath.Join(folder, name)
		require.NoError(t, os.WriteFile(path, content, 0o600))
		return path
	}
	var logo bytes.Buffer
	require.NoError(t, png.Encode(&logo, image.NewNRGBA(image.Rect(0, 0, 240, 80))))
	b := o.logIn(t, "/workflows/letter")
	b.do(chromedp.EmulateViewport(1440, 1400))
	upload := func(path string) {
		b.do(chromedp.SetUploadFiles(`.dialog input[type=file]`, []string{path}, chromedp.ByQuery))
	}

	b.click("button", "Add image")
	b.click("button", "Image 2: upload or choose")
	b.sees("No images yet.")
	upload(file("page.txt", []byte("no image")))
	b.sees("page.txt is no PNG, JPEG or GIF image.")
	upload(file("large.png", append(logo.Bytes(), make([]byte, 1<<20)...)))
	b.sees("large.png has 1.1 MiB; an image has at most 1 MiB.")
	upload(file("logo.png", logo.Bytes()))
	b.holds(`!document.querySelector('.dialog')`)
	b.fill("Image 2: alternative text", "Our logo")
	const address = `/^http:\/\/notify\.example\.org\/images\/[0-9a-f]{64}$/`
	url := `document.querySelectorAll('.block')[1].querySelector('.cm-content').innerText`
	b.holds(address + `.test(` + url + `)`)
	b.holds(`document.querySelector('.mail-frame iframe')?.srcdoc.includes('<img src="' + location.origin + new URL(` + url + `).pathname + '" alt="Our logo"')`)

	b.do(chromedp.Evaluate(fmt.Sprintf(`(async () => {
		const data = new DataTransfer()
		data.items.add(new File([await (await fetch(new URL(%s).pathname)).blob()], 'again.png', { type: 'image/png' }))
		const to = document.querySelector('.block .image-drop')
		for (const name of ['dragover', 'drop']) to.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer: data }))
	})()`, url), nil, awaited))
	b.holds(`!document.querySelector('.dialog')`)
	b.sees("Draft saved")
	for _, width := range widths { // the panel of the step is another one at each, without what it had opened
		b.fits("images", width)
		b.holds(`document.querySelector('[data-editor]').classList.contains('alone') === (innerWidth <= 820)`)
		b.click("button", "Image 2: upload or choose")
		b.holds(`document.querySelector('.images img')?.naturalWidth === 240 && document.querySelectorAll('.images > li').length === 1`)
		b.sees("240 × 80")
		b.sees("Used in 1 place")
		for _, scheme := range []string{"light", "dark"} {
			b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
			b.axe("images "+scheme, allRules)
			b.picture("images-"+scheme, width)
		}
		b.click("button", "Close")
	}
	b.do(emulation.SetEmulatedMedia(), chromedp.EmulateViewport(1440, 1400))

	b.click("button", "code")
	b.act("field", "HTML", `e.focus()`)
	b.click("button", "Insert image into HTML")
	b.fill("Alternative text", `Logo "A"`)
	b.click("button", "logo.png")
	b.holds(`/<img src="http:\/\/notify\.example\.org\/images\/[0-9a-f]{64}" alt="Logo &quot;A&quot;"/.test(document.querySelector('[aria-label=HTML]').innerText)`)
	b.sees("Draft saved")

	b.click("button", "Insert image into HTML")
	b.click("button", "Delete logo.png")
	b.sees("logo.png is used.")
	b.click("button", "Delete although it is used")
	b.sees("No images yet.")
}
