package workflow

import (
	"slices"
	"strings"

	"golang.org/x/net/http/httpguts"

	"github.com/carillon/carillon/internal/workflow/calendar"
	"github.com/carillon/carillon/internal/workflow/condition"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// StepType is the kind of a step: the five channels and the five that act on the run itself.
type StepType string

// The step types (api.md, Workflow list item).
const (
	StepInApp    StepType = "in_app"
	StepEmail    StepType = "email"
	StepSMS      StepType = "sms"
	StepChat     StepType = "chat"
	StepPush     StepType = "push"
	StepDigest   StepType = "digest"
	StepTrigger  StepType = "trigger"
	StepDelay    StepType = "delay"
	StepThrottle StepType = "throttle"
	StepCustom   StepType = "custom"
)

// StepTypes lists all step types.
func StepTypes() []StepType {
	return []StepType{StepInApp, StepEmail, StepSMS, StepChat, StepPush, StepDigest, StepTrigger, StepDelay, StepThrottle, StepCustom}
}

// Channel is the channel of a channel step; ok is false for the other five types.
func (t StepType) Channel() (c Channel, ok bool) { return Channel(t), Channel(t).Valid() }

// Step is one step of a workflow. Exactly the controls of its type are set.
type Step struct {
	ID               string                 `json:"id,omitempty"` // record id, 24 hex; its base62 code ends the slug
	StepID           string                 `json:"stepId"`       // the author's name for it: unique in the workflow, key of overrides.steps
	Name             string                 `json:"name"`
	Type             StepType               `json:"type"`
	Active           bool                   `json:"active"`
	ShouldStopOnFail bool                   `json:"shouldStopOnFail"`
	Filters          []condition.StepFilter `json:"filters,omitempty"` // combined with AND (semantics.md §11.9)
	UnknownOutcome   UnknownPolicy          `json:"unknownOutcome,omitempty"`
	AllowDuplicate   bool                   `json:"allowDuplicate,omitempty"`  // an unknown outcome may move to another integration
	DeadlineSeconds  int                    `json:"deadlineSeconds,omitempty"` // give up this long after the step was due; 0: the channel's default
	InApp            *InAppControls         `json:"inApp,omitempty"`
	Email            *EmailControls         `json:"email,omitempty"`
	SMS              *TextControls          `json:"sms,omitempty"`
	Chat             *TextControls          `json:"chat,omitempty"`
	Push             *PushControls          `json:"push,omitempty"`
	Digest           *DigestControls        `json:"digest,omitempty"`
	Delay            *DelayControls         `json:"delay,omitempty"`
	Throttle         *ThrottleControls      `json:"throttle,omitempty"`
	Trigger          *TriggerControls       `json:"trigger,omitempty"`
	Custom           *CustomControls        `json:"custom,omitempty"`
	ReplyCallback    *ReplyCallback         `json:"replyCallback,omitempty"`
	Variants         []Variant              `json:"variants,omitempty"` // the first whose filters pass replaces the content
}

// Variant is a whole step's content without variants of its own (semantics.md §2.11).
type Variant struct {
	ID      string                 `json:"id,omitempty"`
	Name    string                 `json:"name"`
	Filters []condition.StepFilter `json:"filters"`
	InApp   *InAppControls         `json:"inApp,omitempty"`
	Email   *EmailControls         `json:"email,omitempty"`
	SMS     *TextControls          `json:"sms,omitempty"`
	Chat    *TextControls          `json:"chat,omitempty"`
	Push    *PushControls          `json:"push,omitempty"`
}

// DigestType is the kind of a digest window.
type DigestType string

// The digest kinds (api.md, Step metadata variants).
const (
	DigestRegular DigestType = "regular"
	DigestBackoff DigestType = "backoff"
	DigestTimed   DigestType = "timed"
)

// DigestControls describes a digest window (semantics.md §3).
type DigestControls struct {
	Type             DigestType     `json:"type"`
	Amount           int            `json:"amount,omitempty"`
	Unit             Unit           `json:"unit,omitempty"`
	DigestKey        string         `json:"digestKey,omitempty"` // path into the payload
	Backoff          bool           `json:"backoff,omitempty"`
	BackoffAmount    int            `json:"backoffAmount,omitempty"`
	BackoffUnit      Unit           `json:"backoffUnit,omitempty"`
	UpdateMode       bool           `json:"updateMode,omitempty"`
	Timed            *DigestTimedAt `json:"timed,omitempty"`
	ExtendToSchedule bool           `json:"extendToSchedule,omitempty"`
}

// DigestTimedAt is the wall-clock moment at which a timed digest closes (api.md, digest timed).
type DigestTimedAt struct {
	AtTime       string   `json:"atTime,omitempty"` // HH:MM in the subscriber's zone
	WeekDays     []string `json:"weekDays,omitempty"`
	MonthDays    []string `json:"monthDays,omitempty"`
	Ordinal      string   `json:"ordinal,omitempty"`
	OrdinalValue string   `json:"ordinalValue,omitempty"`
	MonthlyType  string   `json:"monthlyType,omitempty"`
}

// DelayType is the kind of a delay.
type DelayType string

// The delay kinds.
const (
	DelayRegular   DelayType = "regular"
	DelayScheduled DelayType = "scheduled"
)

// DelayControls describes a delay (semantics.md §4).
type DelayControls struct {
	Type             DelayType `json:"type"`
	Amount           int       `json:"amount,omitempty"`
	Unit             Unit      `json:"unit,omitempty"`
	DelayPath        string    `json:"delayPath,omitempty"`
	Past             string    `json:"past,omitempty"` // continue (default), fail or skip
	ExtendToSchedule bool      `json:"extendToSchedule,omitempty"`
}

// ThrottleControls describes a throttle (semantics.md §5).
type ThrottleControls struct {
	Threshold   *int   `json:"threshold,omitempty"` // at least 1; nil: 1
	Amount      int    `json:"amount,omitempty"`
	Unit        Unit   `json:"unit,omitempty"`
	ThrottleKey string `json:"throttleKey,omitempty"` // path into the payload, added to the identity
	WindowPath  string `json:"windowPath,omitempty"`  // dynamic window: path of a date or duration in the payload
	Invalid     string `json:"invalid,omitempty"`     // pass (default) or skip, when the dynamic window cannot be read
}

// Allowed is how many runs a window lets through.
func (c *ThrottleControls) Allowed() int {
	if c.Threshold == nil {
		return 1
	}
	return max(*c.Threshold, 1)
}

// TriggerControls starts another workflow for the same subscriber (semantics.md §11.27).
type TriggerControls struct {
	Workflow string         `json:"workflow"`          // trigger identifier
	Payload  map[string]any `json:"payload,omitempty"` // strings inside are Liquid
}

// CustomControls is an HTTP step.
type CustomControls struct {
	URL            string            `json:"url"`
	Method         string            `json:"method,omitempty"` // POST when empty
	Headers        map[string]string `json:"headers,omitempty"`
	Body           string            `json:"body,omitempty"` // Liquid; the run's data as JSON when empty
	TimeoutSeconds int               `json:"timeoutSeconds,omitempty"`
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
	if len(c.Headers) > maxCustomHeaders {
		v.add("custom.headers", nil, "must not hold more than %d headers", maxCustomHeaders)
		return
	}
	for _, name := range jsonvalue.SortedKeys(c.Headers) {
		if len(name) > maxHeaderName || !httpguts.ValidHeaderFieldName(name) {
			v.add(jsonvalue.Join("custom.headers", name), nil, "must be named by 1 to %d characters that names of HTTP headers have", maxHeaderName)
		}
	}
}
