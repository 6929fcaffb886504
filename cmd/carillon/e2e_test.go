//go:build e2e

package main_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/stretchr/testify/require"

	"github.com/carillon/carillon/internal/child"
	"github.com/carillon/carillon/internal/client"
	"github.com/carillon/carillon/internal/stall"
)

// The journeys of `make e2e`: a real browser against the real binary. Screenshots go to bin/e2e, for people to look through.

// screenshots is the folder of the pictures, seen from this package.
const screenshots = "../../bin/e2e"

// axeScript looks for mistakes that keep people out who use a screen reader or a keyboard; `make e2e` installs it.
const axeScript = "../../internal/dashboard/web/node_modules/axe-core/axe.min.js"

// widths are those of a phone, a tablet and the usual page.
var widths = []int64{360, 768, 1440}

// browser is one tab. Whatever goes wrong in it fails the test at its end: messages of the console that are errors,
// exceptions, and requests to other servers.
type browser struct {
	t   *testing.T
	ctx context.Context
	url string // of the server

	mu       sync.Mutex
	problems []string
	expected []string // parts of problems that are meant to happen
}

// browse opens a tab for the pages of a server.
func browse(t *testing.T, p *child.Process) *browser {
	t.Helper()
	options := append(slices.Clone(chromedp.DefaultExecAllocatorOptions[:]), chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("force-prefers-reduced-motion", true))
	if path := os.Getenv("CHROMIUM"); path != "" {
		options = append(options, chromedp.ExecPath(path))
	}
	alloc, stop := chromedp.NewExecAllocator(within(t, 8*time.Minute), options...)
	t.Cleanup(stop)
	ctx, closeTab := chromedp.NewContext(alloc, chromedp.WithErrorf(func(string, ...any) {})) // of events newer than the library
	t.Cleanup(closeTab)
	b := &browser{t: t, ctx: ctx, url: p.URL()}
	chromedp.ListenTarget(ctx, b.hear)
	b.do(network.Enable(), log.Enable(), runtime.Enable())
	t.Cleanup(func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		for _, problem := range b.problems {
			if !slices.ContainsFunc(b.expected, func(part string) bool { return strings.Contains(problem, part) }) {
				t.Errorf("the browser complained: %s", problem)
			}
		}
	})
	return b
}

// expect names a part of a complaint that the journey causes on purpose.
func (b *browser) expect(part string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, part)
}

func (b *browser) hear(event any) {
	problem := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		problem = "exception: " + e.ExceptionDetails.Error()
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			for _, a := range e.Args {
				problem += fmt.Sprintf("console: %s %s", a.Value, a.Description)
			}
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError || e.Entry.Level == log.LevelWarning {
			problem = "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		u, err := url.Parse(e.Request.URL)
		if err == nil && (u.Scheme == "http" || u.Scheme == "https") && !strings.HasPrefix(e.Request.URL, b.url) {
			problem = "request to another server: " + e.Request.URL
		}
	}
	if problem != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.problems = append(b.problems, problem)
	}
}

// do runs actions, each bounded, so that what never appears fails with its place.
func (b *browser) do(actions ...chromedp.Action) {
	b.t.Helper()
	for _, action := range actions {
		ctx, cancel := context.WithTimeoutCause(b.ctx, stall.Limit(time.Minute), errors.New("not within many minutes"))
		if b.ctx.Err() == nil && chromedp.FromContext(b.ctx).Target == nil {
			cancel()
			ctx, cancel = b.ctx, func() {} // the first action starts the browser, whose life is its context's
		}
		err := chromedp.Run(ctx, action)
		cancel()
		if err != nil {
			b.picture("failed", 0)
			var text string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`document.body.innerText`, &text))
			require.NoError(b.t, err, "%T %+v\n%v\nthe page says:\n%s", action, action, b.problems, text)
		}
	}
}

// open goes to a path of the server.
func (b *browser) open(path string) {
	b.t.Helper()
	b.do(chromedp.Navigate(b.url + path))
}

// find is the expression for the visible element of a role with a name, as a screen reader would call it.
const find = `((role, name) => {
	const selectors = {
		button: 'button, [role=button]', link: 'a[href]', field: 'input:not([type=checkbox]), textarea, select, [role=textbox]',
		menuitem: '[role^=menuitem]', checkbox: 'input[type=checkbox]', switch: '[role=switch]', heading: 'h1, h2, h3',
	}
	const called = (e) => (e.getAttribute('aria-label') || [...(e.labels || [])].map((l) => (l.querySelector(':scope > span') || l).innerText).join(' ') || e.innerText || e.placeholder || '').trim()
	const seen = (e) => e.getClientRects().length > 0
	const top = [...document.querySelectorAll('dialog[open], [role=dialog], [role=alertdialog], [role=menu]')].filter(seen).pop() || document
	const found = [...top.querySelectorAll(selectors[role])].filter(seen)
	return found.find((e) => called(e) === name) || found.find((e) => called(e).startsWith(name))
})`

// act runs an expression on the element of a role with a name, as soon as there is one.
func (b *browser) act(role, name, expression string) {
	b.t.Helper()
	script := fmt.Sprintf(`(() => { const e = %s(%q, %q); if (!e || e.disabled) return false; %s; return true })()`, find, role, name, expression)
	b.poll(script, role+" "+name)
}

func (b *browser) poll(script, what string) {
	b.t.Helper()
	deadline := time.Now().Add(stall.Limit(30 * time.Second))
	for {
		var done bool
		err := chromedp.Run(b.ctx, chromedp.Evaluate(script, &done))
		if err == nil && done {
			return
		}
		if b.ctx.Err() != nil || time.Now().After(deadline) {
			b.picture("failed", 0)
			var text string
			_ = chromedp.Run(b.ctx, chromedp.Evaluate(`document.body.innerText`, &text))
			require.FailNow(b.t, "not on the page: "+what, "%v %v\nthe page says:\n%s", err, b.problems, text)
		}
		time.Sleep(50 * time.Millisecond) // a look makes the browser lay the page out
	}
}

// click presses a button, a link, a checkbox or a switch.
func (b *browser) click(role, name string) {
	b.t.Helper()
	b.act(role, name, `e.focus(); if (e.getAttribute('aria-haspopup') === 'menu') e.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, button: 0 })); e.click()`)
}

// fill gives a field its value, as typing or choosing would.
func (b *browser) fill(name, value string) {
	b.t.Helper()
	b.act("field", name, fmt.Sprintf(`e.focus();
		if (e.tagName === 'SELECT' && ![...e.options].some((o) => o.value === %[1]q)) return false;
		if (e.isContentEditable) {
			e.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', keyCode: 65, ctrlKey: true, bubbles: true, cancelable: true }));
			const clipboardData = new DataTransfer(); clipboardData.setData('text/plain', %[1]q);
			e.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
			return true;
		}
		Object.getOwnPropertyDescriptor(Object.getPrototypeOf(e), 'value').set.call(e, %[1]q);
		e.dispatchEvent(new Event(e.tagName === 'SELECT' ? 'change' : 'input', { bubbles: true }))`, value))
}

// sees waits for a text on the page.
func (b *browser) sees(text string) {
	b.t.Helper()
	b.poll(fmt.Sprintf(`document.body.innerText.includes(%q)`, text), text)
}

// misses waits for a text to be gone.
func (b *browser) misses(text string) {
	b.t.Helper()
	b.poll(fmt.Sprintf(`!document.body.innerText.includes(%q)`, text), "the absence of "+text)
}

// holds waits for an expression to become true.
func (b *browser) holds(expression string) {
	b.t.Helper()
	b.poll("!!("+expression+")", expression)
}

// look judges the page as it stands, at every width, light and dark: nothing lies outside of it, axe finds nothing serious, and a picture
// of each is kept. Of the dark colours, which no width changes, axe judges the contrast once.
func (b *browser) look(name string) {
	b.t.Helper()
	for _, width := range widths {
		b.fits(name, width)
		for _, scheme := range []string{"light", "dark"} {
			b.do(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}))
			if scheme == "light" {
				b.axe(name+" light", allRules)
			} else if width == widths[0] {
				b.axe(name+" dark", contrastRule)
			}
			b.picture(name+"-"+scheme, width)
		}
	}
	b.do(emulation.SetEmulatedMedia(), chromedp.EmulateViewport(1440, 900))
}

// fits makes the page as wide as said, and fails when something lies outside of it.
func (b *browser) fits(name string, width int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, 900), chromedp.Evaluate(`scrollTo(0, 0)`, nil))
	// What measures itself, as the canvas does, needs a frame to follow the new width.
	b.poll(`document.documentElement.scrollWidth <= document.documentElement.clientWidth`, fmt.Sprintf("%s within %d px", name, width))
}

// What axe looks for.
const (
	allRules     = `{}`
	contrastRule = `{runOnly: {type: 'rule', values: ['color-contrast']}}`
)

// axe fails the test for every serious or critical finding of some rules.
func (b *browser) axe(name, rules string) {
	b.t.Helper()
	script, err := os.ReadFile(axeScript)
	require.NoError(b.t, err, "run the journeys with `make e2e`, which installs it")
	var present bool
	b.do(chromedp.Evaluate(`typeof window.axe === 'object'`, &present))
	if !present {
		b.do(chromedp.ActionFunc(func(ctx context.Context) error {
			_, thrown, err := runtime.Evaluate(string(script)).Do(ctx)
			if thrown != nil {
				return thrown
			}
			return err
		}))
	}
	var found []struct {
		ID, Impact, Help string
		Nodes            []struct{ HTML string }
	}
	b.do(chromedp.Evaluate(`axe.run(document, {resultTypes: ['violations'], iframes: false, ...`+rules+`}).then((r) => r.violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
		.map((v) => ({ID: v.id, Impact: v.impact, Help: v.help, Nodes: v.nodes.slice(0, 3).map((n) => ({HTML: n.html}))})))`, &found,
		awaited))
	if len(found) > 0 {
		text, _ := json.MarshalIndent(found, "", "  ")
		b.t.Errorf("axe on %s: %s", name, text)
	}
}

// awaited makes an expression's promise its value.
func awaited(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// picture keeps what is seen; width 0: as wide as it happens to be. CI, which throws the folder away, takes those of failures only.
func (b *browser) picture(name string, width int64) {
	b.t.Helper()
	if os.Getenv("CI") != "" && name != "failed" {
		return
	}
	var png []byte
	take := chromedp.ActionFunc(func(ctx context.Context) (err error) {
		png, err = page.CaptureScreenshot().WithCaptureBeyondViewport(true).Do(ctx)
		return err
	})
	if err := chromedp.Run(b.ctx, take); err != nil {
		return // a picture of a page that died helps nobody
	}
	require.NoError(b.t, os.MkdirAll(screenshots, 0o750))
	file := fmt.Sprintf("%s-%s-%d.png", strings.ReplaceAll(b.t.Name(), "/", "-"), name, width)
	require.NoError(b.t, os.WriteFile(filepath.Join(screenshots, file), png, 0o600))
}

// The person of the journeys.
const (
	operatorEmail    = "operator@example.org"
	operatorPassword = "correct horse battery"
)

// office is a server with a person who may log in, a client with its API key, and one with a key of the organization.
type office struct {
	*child.Process
	api          *client.Client
	organization *client.Client
	key          string
	database     []string // the settings with which a command finds its database
}

// detailed marks a journey that walks in detail what others pass, which -short leaves out.
func detailed(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("make e2e runs it")
	}
}

// openOffice starts a server for journeys, with environment variables of the test's choice.
func openOffice(t *testing.T, env ...string) *office {
	t.Helper()
	key, organization := newKey(), newKey()
	database := migrated(t)
	p := serve(t, child.Config{DataDir: t.TempDir(), Key: key, Env: slices.Concat(database, []string{
		"CARILLON_CLOCK=virtual", "CARILLON_BOOTSTRAP_ORGANIZATION_KEY=" + organization,
	}, env)})
	o := &office{p, &client.Client{URL: p.URL(), Key: key}, &client.Client{URL: p.URL(), Key: organization}, key, database}
	o.users(t, "create", operatorEmail)
	return o
}

// users runs the command that manages people, with the operator's password as its input.
func (o *office) users(t *testing.T, args ...string) {
	t.Helper()
	input := strings.NewReader(operatorPassword + "\n")
	out, err := runWith(t, input, o.database, binary(t), append([]string{"users"}, args...)...)
	require.NoError(t, err, out)
}

// organize runs a GraphQL operation with the organization's key.
func (o *office) organize(t *testing.T, query string, variables map[string]any) {
	t.Helper()
	require.NoError(t, o.organization.GraphQL(within(t, time.Minute), query, variables, nil))
}

// ask runs a GraphQL operation with the API key.
func (o *office) ask(t *testing.T, query string, variables, out any) {
	t.Helper()
	vars, _ := variables.(map[string]any)
	require.NoError(t, o.api.GraphQL(within(t, time.Minute), query, vars, out))
}

// logIn is a tab with the operator logged in, on a path of the dashboard.
func (o *office) logIn(t *testing.T, path string) *browser {
	t.Helper()
	return o.logInAs(t, operatorEmail, path)
}

// logInAs is a tab with somebody logged in who has the operator's password.
func (o *office) logInAs(t *testing.T, email, path string) *browser {
	t.Helper()
	b := browse(t, o.Process)
	b.do(chromedp.EmulateViewport(1440, 900))
	b.open("/dashboard" + path)
	b.fill("E-mail address", email)
	b.fill("Password", operatorPassword)
	b.click("button", "Log in")
	b.sees(email)
	return b
}

// logOut ends the log-in of the person with an address.
func (b *browser) logOut(email string) {
	b.t.Helper()
	b.click("button", email)
	b.click("menuitem", "Log out")
}

// switchEnvironment moves to another environment.
func (b *browser) switchEnvironment(name string) {
	b.t.Helper()
	b.click("button", "Environment: ")
	b.click("menuitem", name)
	b.holds(fmt.Sprintf(`document.querySelector('.side [aria-haspopup=menu]')?.ariaLabel.startsWith('Environment: ' + %q)`, name))
}

// runWith runs a command that reads from input.
func runWith(t *testing.T, input io.Reader, env []string, program string, args ...string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(within(t, 2*time.Minute), program, args...)
	cmd.Env, cmd.Stdin = append(os.Environ(), env...), input
	out, err := cmd.CombinedOutput()
	return string(out), err
}
