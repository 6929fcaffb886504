package workflow

import (
	"net/url"
	"slices"
	"strings"
	"unicode"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
	"github.com/carillon/carillon/internal/workflow/payload"
)

// Bounds of a definition. They are far above what people write and keep one run's work finite.
const (
	MaxSteps          = 100
	MaxVariants       = 20
	MaxTemplateBytes  = 256 << 10
	MaxDefinitionData = 64 << 10
	maxTags           = 64
	MaxAmount         = 1_000_000 // of a unit of time; fewer of the longer units
	maxPath           = 1000      // bytes
	maxCustomTimeout  = 60        // seconds
)

// The kinds of an e-mail block (api.md, EmailBlock).
const (
	BlockText   = "text"
	BlockButton = "button"
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

// controls demands exactly the controls of the step's type.
func (v stepValidator) controls() {
	s := v.step
	for _, c := range []struct {
		t     StepType
		name  string
		set   bool
		check func()
	}{
		{StepInApp, "inApp", s.InApp != nil, func() {}},
		{StepEmail, "email", s.Email != nil, func() { v.email("email", s.Email) }},
		{StepSMS, "sms", s.SMS != nil, func() {}},
		{StepChat, "chat", s.Chat != nil, func() {}},
		{StepPush, "push", s.Push != nil, func() {}},
		{StepDigest, "digest", s.Digest != nil, func() { v.digest(s.Digest) }},
		{StepDelay, "delay", s.Delay != nil, func() { v.delay(s.Delay) }},
		{StepThrottle, "throttle", s.Throttle != nil, func() { v.throttle(s.Throttle) }},
		{StepTrigger, "trigger", s.Trigger != nil, func() { v.trigger(s.Trigger) }},
		{StepCustom, "custom", s.Custom != nil, func() { v.custom(s.Custom) }},
	} {
		switch {
		case c.set && c.t != s.Type:
			v.add(c.name, nil, "does not belong to a step of type %s", s.Type)
		case !c.set && c.t == s.Type:
			v.add(c.name, nil, "is required for a step of type %s", s.Type)
		case c.set:
			c.check()
		}
	}
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
		if b.Type != BlockText && b.Type != BlockButton {
			v.add(jsonvalue.Join(block, "type"), b.Type, "must be text or button")
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

func (v stepValidator) digest(c *DigestControls) {
	v.payloadPath("digest.digestKey", c.DigestKey)
	switch c.Type {
	case DigestRegular, DigestBackoff:
		v.amount("digest.amount", c.Amount, "digest.unit", c.Unit)
		if c.Type == DigestBackoff || c.Backoff {
			v.amount("digest.backoffAmount", c.BackoffAmount, "digest.backoffUnit", c.BackoffUnit)
		}
	case DigestTimed:
		v.timed(c)
	default:
		v.add("digest.type", c.Type, "must be regular, backoff or timed")
	}
}

func (v stepValidator) timed(c *DigestControls) {
	if c.Backoff {
		v.add("digest.backoff", true, "must be false for a timed digest")
	}
	// An amount left out means every day, week or month.
	v.amount("digest.amount", max(c.Amount, 1), "digest.unit", c.Unit, string(UnitDays), string(UnitWeeks), string(UnitMonths))
	if c.Amount < 0 {
		v.add("digest.amount", c.Amount, "must not be negative")
	}
	if c.Timed == nil {
		v.add("digest.timed", nil, "is required for a timed digest")
		return
	}
	if _, ok := calendar.ParseClock24(c.Timed.AtTime); !ok {
		v.add("digest.timed.atTime", c.Timed.AtTime, "must be a time such as 09:30")
	}
	switch c.Unit {
	case UnitWeeks:
		v.weekDays(c.Timed.WeekDays)
	case UnitMonths:
		v.monthly(c.Timed)
	}
}

func (v stepValidator) weekDays(days []string) {
	if len(days) == 0 {
		v.add("digest.timed.weekDays", nil, "must name at least one weekday")
	}
	for i, day := range days {
		if !slices.Contains(calendar.Weekdays(), day) {
			v.add(jsonvalue.JoinIndex("digest.timed.weekDays", i), day, "must be a weekday, monday to sunday")
		}
	}
}

func (v stepValidator) monthly(t *DigestTimedAt) {
	switch t.MonthlyType {
	case "each":
		if len(t.MonthDays) == 0 {
			v.add("digest.timed.monthDays", nil, "must name at least one day")
		}
		for i, day := range t.MonthDays {
			if _, ok := parseMonthDay(day); !ok {
				v.add(jsonvalue.JoinIndex("digest.timed.monthDays", i), day, "must be a day of the month, 1 to 31")
			}
		}
	case "on":
		if !slices.Contains([]string{"1", "2", "3", "4", "5", "last"}, t.Ordinal) {
			v.add("digest.timed.ordinal", t.Ordinal, "must be 1 to 5 or last")
		}
		if !slices.Contains(append([]string{"day", "weekday", "weekend"}, calendar.Weekdays()...), t.OrdinalValue) {
			v.add("digest.timed.ordinalValue", t.OrdinalValue, "must be day, weekday, weekend or a weekday's name")
		}
	default:
		v.add("digest.timed.monthlyType", t.MonthlyType, "must be each or on")
	}
}

func (v stepValidator) delay(c *DelayControls) {
	switch c.Type {
	case DelayRegular:
		v.amount("delay.amount", c.Amount, "delay.unit", c.Unit)
	case DelayScheduled:
		if strings.TrimSpace(c.DelayPath) == "" {
			v.add("delay.delayPath", nil, "is required for a scheduled delay")
			break
		}
		v.payloadPath("delay.delayPath", c.DelayPath)
	default:
		v.add("delay.type", c.Type, "must be regular or scheduled")
	}
	oneOfOrEmpty(v.p, jsonvalue.Join(v.path, "delay.past"), c.Past, "continue", "fail", "skip")
}

func (v stepValidator) throttle(c *ThrottleControls) {
	if c.Threshold != nil && (*c.Threshold < 1 || *c.Threshold > MaxAmount) {
		v.add("throttle.threshold", *c.Threshold, "must be a whole number from 1 to %d", MaxAmount)
	}
	v.payloadPath("throttle.throttleKey", c.ThrottleKey)
	v.payloadPath("throttle.windowPath", c.WindowPath)
	if c.WindowPath == "" {
		v.amount("throttle.amount", c.Amount, "throttle.unit", c.Unit, string(UnitMinutes), string(UnitHours), string(UnitDays))
	}
	oneOfOrEmpty(v.p, jsonvalue.Join(v.path, "throttle.invalid"), c.Invalid, "pass", "skip")
}

func (v stepValidator) trigger(c *TriggerControls) {
	if !ValidWorkflowIdentifier(c.Workflow) {
		v.add("trigger.workflow", c.Workflow, "must be a workflow's trigger identifier")
	}
	boundedData(v.p, jsonvalue.Join(v.path, "trigger.payload"), c.Payload)
}

func (v stepValidator) custom(c *CustomControls) {
	v.webURL("custom.url", c.URL)
	oneOfOrEmpty(v.p, jsonvalue.Join(v.path, "custom.method"), c.Method, "GET", "POST", "PUT", "PATCH", "DELETE")
	if c.TimeoutSeconds < 0 || c.TimeoutSeconds > maxCustomTimeout {
		v.add("custom.timeoutSeconds", c.TimeoutSeconds, "must be 0 to %d", maxCustomTimeout)
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
