// Package render owns the way from a template to content: Liquid, sandboxed and bounded, for the texts of every channel.
// It is pure: no clock but the time that it is given, no file, no network. Templates are a stranger's input; none can reach the machine or hold it up.
package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	liquidexpressions "github.com/osteele/liquid/expressions"
	"github.com/osteele/liquid/parser"
	liquid "github.com/osteele/liquid/render"
	"github.com/osteele/liquid/values"

	"github.com/carillon/carillon/internal/workflow"
)

// Limits bound one rendering.
type Limits struct {
	Template   int           // bytes of one template's source
	Output     int           // bytes of one rendered text
	Iterations int           // loop iterations and tags together
	Depth      int           // nested blocks of a template, and levels of rendered data
	Snippets   int           // snippets within snippets
	Time       time.Duration // wall time of one text; only templates with loops or assignments can use any
	Cache      int           // compiled templates kept
	CacheBytes int           // about the bytes that they take together
}

// DefaultLimits are those of the service.
func DefaultLimits() Limits {
	return Limits{
		Template: 1 << 20, Output: 1 << 20, Iterations: 100_000, Depth: 50, Snippets: workflow.MaxSnippetDepth, Time: 2 * time.Second,
		Cache: 10_000, CacheBytes: 64 << 20,
	}
}

// The failures of rendering that have a name. All others carry the template's line and the engine's words.
var (
	ErrOutputTooLarge   = errors.New("the rendered text is too large")
	ErrTooManySteps     = errors.New("the template takes too many steps")
	ErrTemplateTooLarge = errors.New("the template is too large")
	ErrTooDeep          = errors.New("the template is nested too deeply")
)

// mode decides how values are escaped on output.
type mode uint8

const (
	textMode mode = iota // not at all
	htmlMode
	chatMode
	urlMode
	modes // their number
)

// Engine compiles and renders templates. It is safe for concurrent use.
type Engine struct {
	limits  Limits
	configs [modes]liquid.Config // by mode
	cache   *cache
}

// New makes an engine.
func New(limits Limits) *Engine {
	e := &Engine{limits: limits, cache: newCache(limits.Cache, limits.CacheBytes)}
	for m := range e.configs {
		e.configs[m] = e.config(mode(m))
	}
	return e
}

func (e *Engine) config(m mode) liquid.Config {
	cfg := liquid.NewConfig()
	e.addTags(&cfg, m)
	addFilters(&cfg, m, e.limits)
	return cfg
}

// template is a compiled template.
type template struct {
	plain []segment   // text and variables only; nil when there is more to it
	root  liquid.Node // nil for plain templates
	mode  mode
	heavy bool // has parts whose cost does not follow from its length
}

// Text renders a template without escaping.
func (e *Engine) Text(ctx context.Context, source string, b Bindings) (string, error) {
	return e.render(ctx, source, textMode, b)
}

// HTML renders a template, escaping every value for HTML unless it went through the filter raw.
func (e *Engine) HTML(ctx context.Context, source string, b Bindings) (string, error) {
	return e.render(ctx, source, htmlMode, b)
}

// isLiteral reports whether source renders as itself.
func isLiteral(source string) bool {
	return !strings.Contains(source, "{{") && !strings.Contains(source, "{%")
}

func (e *Engine) render(ctx context.Context, source string, m mode, b Bindings) (string, error) {
	if isLiteral(source) {
		if len(source) > e.limits.Output {
			return "", ErrOutputTooLarge
		}
		return source, nil
	}
	t, err := e.compile(source, m)
	if err != nil {
		return "", err
	}
	return e.execute(ctx, t, b)
}

// Check compiles a template without rendering it, so that a syntax error is found when it is saved. It also refuses what
// the Liquid library takes for text, an object or a tag that is not closed, and what it ignores; stored templates are still rendered with
// both.
func (e *Engine) Check(source string, html bool) error {
	m := textMode
	if html {
		m = htmlMode
	}
	if isLiteral(source) {
		return nil
	}
	if err := checkClosed(source); err != nil {
		return err
	}
	if _, err := e.compile(source, m); err != nil {
		return err
	}
	return checkIdle(source)
}

func (e *Engine) compile(source string, m mode) (t *template, err error) {
	key := cacheKey{source, m}
	if t, hit := e.cache.get(key); hit {
		return t, nil
	}
	if len(source) > e.limits.Template {
		return nil, ErrTemplateTooLarge
	}
	defer func() {
		if r := recover(); r != nil {
			t, err = nil, fmt.Errorf("template: %s", firstLine(fmt.Sprint(r)))
		}
	}()
	if segments, plain := plainSegments(source); plain {
		t = &template{plain: segments, mode: m}
		e.cache.put(key, t)
		return t, nil
	}
	prepared, err := prepare(source, e.limits.Depth)
	if err != nil {
		return nil, err
	}
	// Without a path the library says of a fault inside a block only where the block begins; with one it does not quote what is wrong.
	root, liquidErr := e.configs[m].Compile(prepared.source, parser.SourceLoc{Pathname: "template", LineNo: 1})
	if liquidErr != nil {
		if _, quoting := e.configs[m].Compile(prepared.source, parser.SourceLoc{LineNo: 1}); quoting != nil {
			liquidErr = quoting
		}
		return nil, failure(liquidErr)
	}
	t = &template{root: root, mode: m, heavy: prepared.heavy}
	e.cache.put(key, t)
	return t, nil
}

func (e *Engine) execute(ctx context.Context, t *template, b Bindings) (string, error) {
	vars := b.vars
	if t.heavy {
		timed, cancel := context.WithTimeoutCause(ctx, e.limits.Time, ErrTooManySteps)
		defer cancel()
		vars = b.with(budgetKey, &budget{ctx: timed, left: e.limits.Iterations, room: keptTexts * e.limits.Output})
		vars[continueKey] = loopEnds{}
	}
	text, err := e.run(t, vars)
	return t.mode.settle(text), err
}

// run renders a template with variables that hold its budget.
func (e *Engine) run(t *template, vars map[string]any) (text string, err error) {
	if t.root == nil {
		return renderPlain(t.plain, t.mode, vars, e.limits.Output)
	}
	out := &boundedBuffer{limit: e.limits.Output}
	defer func() {
		if r := recover(); r != nil {
			text, err = "", panicked(r)
		}
	}()
	if liquidErr := liquid.Render(t.root, out, vars, e.configs[t.mode]); liquidErr != nil {
		return "", failure(liquidErr)
	}
	return out.String(), nil
}

// boundedBuffer refuses to grow beyond limit.
type boundedBuffer struct {
	bytes.Buffer
	limit int
}

func (b *boundedBuffer) Write(p []byte) (int, error) {
	if b.Len()+len(p) > b.limit {
		return 0, ErrOutputTooLarge
	}
	return b.Buffer.Write(p)
}

// budget is what one rendering may still spend; the tick tag takes from it.
type budget struct {
	ctx  context.Context // lives for one rendering; the Liquid library hands none to tags
	left int
	room int            // bytes that variables may still hold
	kept map[string]int // bytes that each holds

	counters map[string]int // of increment and decrement
	cycles   map[string]int // how often each cycle wrote a value
}

const (
	budgetKey = "_budget"
	tickTag   = "_tick"
)

func budgetOf(ctx liquid.Context) (*budget, error) {
	if b, ok := ctx.Get(budgetKey).(*budget); ok {
		return b, nil
	}
	return nil, ErrTooManySteps // the template overwrote it
}

// check fails when the time is over. Templates whose cost follows from their length have no budget.
func (b *budget) check() error {
	if b != nil && b.ctx.Err() != nil {
		return context.Cause(b.ctx)
	}
	return nil
}

func tick(_ writer, c liquid.Context) error {
	b, err := budgetOf(c)
	if err != nil {
		return err
	}
	if b.left--; b.left < 0 {
		return ErrTooManySteps
	}
	return b.check()
}

// failure gives a Liquid error our words: the named cause when it is ours, else line and message. The library's own
// text quotes the prepared source, which no author has seen.
func failure(err parser.Error) error {
	cause := err.Cause()
	inner := cause
	var filter liquidexpressions.FilterError // hides what the filter returned
	if cause != nil && errors.As(cause, &filter) {
		inner = filter.Err
	}
	for _, named := range []error{ErrOutputTooLarge, ErrTooManySteps, ErrTooDeep, context.Canceled, context.DeadlineExceeded} {
		if inner != nil && errors.Is(inner, named) {
			return named
		}
	}
	message := firstLine(err.Error())
	if cause != nil {
		message = firstLine(cause.Error())
	}
	var parity *values.CallParityError
	switch {
	case errors.As(filter.Err, &parity): // which counts hidden arguments
		message = "filter " + filter.FilterName + ": takes " + signatures[filter.FilterName].count()
	case strings.HasPrefix(filter.FilterName, "_"): // no author wrote it
		message = firstLine(filter.Err.Error())
	case filter.FilterName != "":
		message = firstLine("filter " + filter.FilterName + ": " + filter.Err.Error())
	}
	return fmt.Errorf("template line %d: %s", err.LineNumber(), undress(message))
}

func panicked(r any) error {
	err, ok := r.(error)
	if !ok {
		return fmt.Errorf("template: %s", firstLine(fmt.Sprint(r)))
	}
	var causer interface{ Cause() error }
	if errors.As(err, &causer) && causer.Cause() != nil {
		err = causer.Cause()
	}
	if errors.Is(err, ErrOutputTooLarge) {
		return ErrOutputTooLarge
	}
	return fmt.Errorf("template: %s", firstLine(err.Error()))
}

// firstLine keeps stack traces and long quotations out of error texts.
func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if len(s) > 300 {
		s = strings.ToValidUTF8(s[:300], "") + "…"
	}
	return s
}
