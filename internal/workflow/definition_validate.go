package workflow

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// Bounds of a definition. They are far above what people write and keep one run's work finite.
const (
	MaxSteps          = 100
	MaxVariants       = 20
	MaxTemplateBytes  = 256 << 10
	MaxSnippetDepth   = 8 // snippets within snippets
	MaxDefinitionData = 64 << 10
	maxTags           = 64
	MaxAmount         = 1_000_000 // of a unit of time; fewer of the longer units
	maxPath           = 1000      // bytes
	maxCustomTimeout  = 60        // seconds
	maxCustomHeaders  = 50
	maxHeaderName     = 255
)

// The kinds of an e-mail block (api.md, EmailBlock).
const (
	BlockText   = "text"
	BlockButton = "button"
	BlockImage  = "image" // ours: messages hold it as a text (decisions.md §21)
)

// CheckOptions are the settings of the operator that decide what is allowed.
type CheckOptions struct {
	InboundDomain bool // replies can be received, so that reply callbacks may be switched on
}

// Check reports every fault that makes a definition unusable, each with its path (steps.2.email.subject). Texts that
// are merely empty or name unknown variables are issues, not faults: the workflow is saved with them.
func (d *Definition) Check(opts CheckOptions) error {
	p := &fault.Problems{}
	validateSettings(p, d)
	if len(d.Steps) > MaxSteps {
		p.Add("steps", nil, "must not hold more than %d steps", MaxSteps)
		return p.Err()
	}
	condition.ValidateFilters(p, "conditions", d.Conditions, nil)
	seen := map[string]bool{}
	for i := range d.Steps {
		v := stepValidator{p: p, path: jsonvalue.JoinIndex("steps", i), step: &d.Steps[i], earlier: d.StepIDs(i), opts: opts}
		v.validate(seen)
	}
	return p.Err()
}

func validateSettings(p *fault.Problems, d *Definition) {
	if d.Severity != "" && !d.Severity.Valid() {
		p.Add("severity", d.Severity, "must be one of high, medium, low, none")
	}
	oneOfOrEmpty(p, "versioning", string(d.Versioning), d.Versioning.Values()...)
	if _, err := payload.CompileSchema(d.PayloadSchema); err != nil {
		p.Add("payloadSchema", nil, "%s", err.Error())
	}
	if len(d.Tags) > maxTags {
		p.Add("tags", nil, "must not hold more than %d tags", maxTags)
	}
	for i, tag := range d.Tags {
		if !ValidOpaqueIdentifier(tag) {
			p.Add(jsonvalue.JoinIndex("tags", i), tag, "must be 1 to 255 characters")
		}
	}
	boundedData(p, "data", d.Data)
}

func boundedData(p *fault.Problems, path string, data map[string]any) {
	if !FitsJSON(data, MaxDefinitionData) {
		p.Add(path, nil, "must not exceed %d bytes of JSON", MaxDefinitionData)
	}
}

func oneOfOrEmpty(p *fault.Problems, path, value string, allowed ...string) {
	if value != "" && !slices.Contains(allowed, value) {
		p.Add(path, value, "must be one of %s", strings.Join(allowed, ", "))
	}
}

type stepValidator struct {
	p       *fault.Problems
	path    string
	step    *Step
	earlier []string
	opts    CheckOptions
}

func (v stepValidator) add(path string, value any, format string, args ...any) {
	v.p.Add(jsonvalue.Join(v.path, path), value, format, args...)
}

func (v stepValidator) validate(seen map[string]bool) {
	s := v.step
	switch {
	case !ValidStepID(s.StepID):
		v.add("stepId", s.StepID, "must be 1 to 255 letters, digits, - or _")
	case seen[s.StepID]:
		v.add("stepId", s.StepID, "is used by an earlier step")
	}
	seen[s.StepID] = true
	if !slices.Contains(StepTypes(), s.Type) {
		v.add("type", s.Type, "is no step type")
		return
	}
	oneOfOrEmpty(v.p, jsonvalue.Join(v.path, "unknownOutcome"), string(s.UnknownOutcome), string(UnknownRetry), string(UnknownStop))
	if s.DeadlineSeconds < 0 {
		v.add("deadlineSeconds", s.DeadlineSeconds, "must not be negative")
	}
	condition.ValidateFilters(v.p, jsonvalue.Join(v.path, "filters"), s.Filters, v.earlier)
	v.controls()
	v.variants()
	v.replyCallback()
	v.texts()
}

func (v stepValidator) email(path string, c *EmailControls) {
	if c.HTML != "" && len(c.Blocks) > 0 {
		v.add(jsonvalue.Join(path, "blocks"), nil, "must be empty when html is set")
	}
	if c.NoLayout && c.LayoutID != "" {
		v.add(jsonvalue.Join(path, "layoutId"), c.LayoutID, "must be empty when noLayout is set")
	}
	if len(c.Blocks) > MaxSteps {
		v.add(jsonvalue.Join(path, "blocks"), nil, "must not hold more than %d blocks", MaxSteps)
	}
	for i, b := range c.Blocks {
		block := jsonvalue.JoinIndex(jsonvalue.Join(path, "blocks"), i)
		if b.Type != BlockText && b.Type != BlockButton && b.Type != BlockImage {
			v.add(jsonvalue.Join(block, "type"), b.Type, "must be text, button or image")
		}
		if b.Styles != nil && !slices.Contains([]string{"center", "left", "right"}, b.Styles.TextAlign) {
			v.add(jsonvalue.Join(block, "styles.textAlign"), b.Styles.TextAlign, "must be center, left or right")
		}
	}
}

func (v stepValidator) amount(amountKey string, amount int, unitKey string, unit Unit, units ...string) {
	if most := unit.Most(); amount < 1 || amount > most {
		v.add(amountKey, amount, "must be a whole number from 1 to %d", most)
	}
	if len(units) == 0 {
		units = unit.Values()
	}
	if !slices.Contains(units, string(unit)) {
		v.add(unitKey, unit, "must be one of %s", strings.Join(units, ", "))
	}
}

// Most bounds amounts of the unit: no wait is longer than a century.
func (u Unit) Most() int {
	switch u {
	case UnitHours:
		return 100 * 365 * 24
	case UnitDays:
		return 100 * 365
	case UnitWeeks:
		return 100 * 52
	case UnitMonths:
		return 100 * 12
	}
	return MaxAmount
}

// payloadPath checks a path into the payload; an empty one passes.
func (v stepValidator) payloadPath(key, path string) {
	odd := strings.TrimSpace(path) != path || strings.ContainsFunc(path, unicode.IsControl) || strings.ContainsAny(path, "{}")
	if path != "" && (odd || len(path) > maxPath || slices.Contains(strings.Split(path, "."), "")) {
		v.add(key, path, "must be a path into the payload such as order.id")
	}
}

// webURL checks what of a URL is known before it is rendered.
func (v stepValidator) webURL(path, raw string) {
	u, err := url.Parse(raw)
	switch {
	case strings.TrimSpace(raw) == "":
		v.add(path, nil, "is required")
	case strings.HasPrefix(raw, "{{"):
	case strings.Contains(raw, "{{") || strings.Contains(raw, "{%"):
		if !strings.HasPrefix(raw, "http://") && !strings.HasPrefix(raw, "https://") {
			v.add(path, raw, "must be an http or https URL")
		}
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		v.add(path, raw, "must be an http or https URL")
	}
}

func (v stepValidator) variants() {
	_, isChannel := v.step.Type.Channel()
	switch {
	case len(v.step.Variants) > 0 && !isChannel:
		v.add("variants", nil, "only channel steps have variants")
		return
	case len(v.step.Variants) > MaxVariants:
		v.add("variants", nil, "must not hold more than %d variants", MaxVariants)
		return
	}
	for i := range v.step.Variants {
		variant, path := &v.step.Variants[i], jsonvalue.JoinIndex("variants", i)
		if types := variant.content().types(); !slices.Equal(types, []StepType{v.step.Type}) {
			v.add(path, nil, "must hold the content of a step of type %s and no other", v.step.Type)
		}
		if len(variant.Filters) == 0 {
			v.add(jsonvalue.Join(path, "filters"), nil, "must hold at least one filter")
		}
		condition.ValidateFilters(v.p, jsonvalue.Join(v.path, path, "filters"), variant.Filters, v.earlier)
		if variant.Email != nil {
			v.email(jsonvalue.Join(path, "email"), variant.Email)
		}
	}
}

func (v stepValidator) replyCallback() {
	r := v.step.ReplyCallback
	if r == nil || !r.Active {
		return
	}
	switch {
	case v.step.Type != StepEmail:
		v.add("replyCallback", nil, "only e-mail steps have a reply callback")
	case !v.opts.InboundDomain:
		v.add("replyCallback.active", true, "needs an inbound mail domain, and this server has none configured")
	default:
		v.webURL("replyCallback.url", r.URL)
	}
}

func (v stepValidator) texts() {
	for _, t := range v.step.Texts() {
		if len(t.Text) > MaxTemplateBytes {
			v.add(t.Path, nil, "must not exceed %d bytes", MaxTemplateBytes)
		}
		if t.Link && !isTemplate(t.Text) && !SafeLink(t.Text) {
			v.add(t.Path, t.Text, linkMessage)
		}
	}
}

// UnsupportedSteps refuses a definition with step types that the running engine does not know; publishing asks it.
func (d *Definition) UnsupportedSteps(supported map[StepType]bool) error {
	p := &fault.Problems{}
	for i, s := range d.Steps {
		if !supported[s.Type] {
			p.Add(jsonvalue.Join(jsonvalue.JoinIndex("steps", i), "type"), s.Type,
				"the engine does not run steps of type %s yet; the draft is kept, but it cannot be published", s.Type)
		}
	}
	return p.Err()
}
