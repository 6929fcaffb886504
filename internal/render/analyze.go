package render

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/osteele/liquid/parser"

	"github.com/carillon/carillon/internal/render/icu"
	"github.com/carillon/carillon/internal/workflow"
	"github.com/carillon/carillon/internal/workflow/jsonvalue"
)

// signature is what a filter takes: the number of its arguments, and whether they must be numbers.
type signature struct {
	min, max int
	numbers  bool
}

// signatures of all filters. The library pads missing arguments with zero values, which no author means.
var signatures = map[string]signature{
	"default": {1, 2, false}, "json": {0, 1, true}, "compact": {}, "concat": {1, 1, false}, "join": {0, 1, false}, "map": {1, 1, false},
	"reverse": {}, "sort": {0, 1, false}, "first": {}, "last": {}, "uniq": {}, "date": {0, 2, false},
	"date_to_xmlschema": {}, "date_to_rfc822": {}, "date_to_string": {0, 2, false}, "date_to_long_string": {0, 2, false}, "abs": {}, "ceil": {},
	"floor": {}, "modulo": {1, 1, true}, "minus": {1, 1, true}, "plus": {1, 1, true}, "times": {1, 1, true},
	"divided_by": {1, 1, true}, "round": {0, 1, true}, "size": {}, "append": {1, 1, false}, "capitalize": {}, "downcase": {},
	"escape": {}, "escape_once": {}, "newline_to_br": {}, "prepend": {1, 1, false}, "remove": {1, 1, false},
	"remove_first": {1, 1, false}, "replace": {2, 2, false}, "replace_first": {2, 2, false}, "sort_natural": {0, 1, false},
	"slice": {1, 2, true}, "split": {1, 1, false}, "strip_html": {}, "strip_newlines": {}, "strip": {}, "lstrip": {},
	"rstrip": {}, "truncate": {0, 2, false}, "truncatewords": {0, 2, false}, "upcase": {}, "url_encode": {}, "url_decode": {},
	"inspect": {0, 1, true}, "type": {}, "raw": {}, textFilter: {0, maxTextArguments, false}, "number": {0, 1, true}, "percent": {},
	"currency": {1, 1, false}, "local_date": {0, 1, false}, "local_time": {0, 1, false},
	"replace_last": {2, 2, false}, "remove_last": {1, 1, false}, "base64_encode": {}, "base64_decode": {}, "normalize_whitespace": {},
	"number_of_words": {0, 1, false}, "xml_escape": {}, "jsonify": {0, 1, true}, "to_integer": {}, "cgi_escape": {}, "uri_escape": {},
	"slugify": {0, 1, false}, "has": {1, 2, false}, "find_index": {1, 2, false}, "group_by": {1, 1, false}, "push": {1, 1, false},
	"unshift": {1, 1, false}, "pop": {}, "shift": {}, "array_to_sentence_string": {0, 1, false},
	"where": {1, 2, false}, "reject": {1, 2, false}, "find": {1, 2, false}, "sum": {0, 1, false}, "at_least": {1, 1, true}, "at_most": {1, 1, true},
}

// Variables lists the variables that a template names, sorted: dotted paths, local ones included. The error is a
// template that cannot be compiled.
func (e *Engine) Variables(source string, html bool) ([]string, error) {
	if err := e.Check(source, html); err != nil {
		return nil, err
	}
	var names []string
	for _, l := range expressionsOf(source) {
		for i, x := range l.lexemes {
			if x.kind == lexPath && !isDeclaration(l.tag, x) && !l.isArgument(i) {
				names = append(names, strings.Join(members(x.text), "."))
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// Analyze finds what is wrong with a template beyond its syntax; it is the Analyze of workflow.IssueInput. A template
// that cannot be compiled has one fault, which names the line.
func (e *Engine) Analyze(source string, scope workflow.TemplateScope) []workflow.TemplateFault {
	if err := e.Check(source, scope.HTML); err != nil {
		return []workflow.TemplateFault{{Type: workflow.IssueIllegalVariable, Message: err.Error()}}
	}
	a := analysis{scope: scope, snippets: map[string]bool{}}
	a.template(source, nil, 0)
	return a.faults
}

// template analyzes a template of the step, or a snippet with the names of its arguments.
func (a *analysis) template(source string, arguments []string, depth int) {
	a.local = map[string]bool{loopVariable: true, tableVariable: true}
	for _, name := range arguments {
		a.local[name] = true
	}
	found := expressionsOf(source)
	for _, x := range found {
		for _, l := range x.lexemes {
			if isDeclaration(x.tag, l) {
				a.local[strings.Trim(l.text, `"'`)] = true
			}
		}
	}
	for _, x := range found {
		a.expression(x)
	}
	for _, x := range found {
		if x.tag == renderTag && a.scope.Snippets != nil {
			a.snippet(x.args, depth+1)
		}
	}
}

// snippet analyzes a snippet once for every way in which it is rendered.
func (a *analysis) snippet(args string, depth int) {
	call, err := parseRender(args)
	if err != nil || depth > workflow.MaxSnippetDepth {
		return // another check refuses it
	}
	var names []string
	for _, argument := range call.arguments {
		names = append(names, argument.name)
	}
	slices.Sort(names)
	way := call.identifier + "\x00" + strings.Join(names, ",")
	if a.snippets[way] {
		return
	}
	a.snippets[way] = true
	within := a.within
	a.within = call.identifier
	a.template(a.scope.Snippets[call.identifier], names, depth)
	a.within = within
}

// AnalyzeLayout is Analyze for a layout, which also sees content, subject and preheader.
func (e *Engine) AnalyzeLayout(source string) []workflow.TemplateFault {
	var out []workflow.TemplateFault
	for _, f := range e.Analyze(source, workflow.TemplateScope{HTML: true}) {
		if f.Variable != "content" && f.Variable != "subject" && f.Variable != "preheader" {
			out = append(out, f)
		}
	}
	return out
}

// found is one object or tag of a template.
type found struct {
	tag     string // "" for {{ }}
	args    string
	lexemes []lexeme
	line    int // of args, from 1
}

func expressionsOf(source string) []found {
	var out []found
	verbatim := ""
	for _, t := range scan(source) {
		before, _, _ := strings.Cut(t.Source, t.Args)
		line := t.SourceLoc.LineNo + strings.Count(before, "\n")
		switch {
		case verbatim != "":
			if t.Type == parser.TagTokenType && t.Name == verbatim {
				verbatim = ""
			}
		case t.Type == parser.ObjTokenType:
			out = append(out, found{"", t.Args, lex(t.Args), line})
		case t.Type != parser.TagTokenType || t.Name == commentTag:
		case t.Name == "raw" || t.Name == "comment":
			verbatim = "end" + t.Name
		default:
			out = append(out, found{t.Name, t.Args, lex(t.Args), line})
		}
	}
	return out
}

// isDeclaration reports whether the lexeme is the name that its tag declares, which is always the first.
func isDeclaration(tag string, l lexeme) bool {
	switch tag {
	case "assign", "capture", "for", "tablerow", "increment", "decrement":
		return l.start == 0
	}
	return false
}

type analysis struct {
	scope    workflow.TemplateScope
	local    map[string]bool
	within   string          // the snippet that is analyzed; "" for the step's own template
	snippets map[string]bool // ways in which snippets were analyzed: identifier and names of arguments
	faults   []workflow.TemplateFault
}

func (a *analysis) add(kind, variable, format string, args ...any) {
	f := workflow.TemplateFault{Type: kind, Variable: variable, Message: fmt.Sprintf(format, args...)}
	if root, _, _ := strings.Cut(variable, "."); a.within != "" && root != envKey && !a.scope.Strict {
		return // a snippet may do without arguments that others give it
	}
	if a.within != "" {
		f.Message = fmt.Sprintf("Snippet %s: %s", a.within, f.Message)
	}
	same := func(other workflow.TemplateFault) bool {
		return other.Message == f.Message && other.Variable == variable
	}
	if !slices.ContainsFunc(a.faults, same) {
		a.faults = append(a.faults, f)
	}
}

func (a *analysis) expression(x found) {
	variable := ""
	for i, l := range x.lexemes {
		if x.isArgument(i) {
			if x.tag == renderTag {
				variable = "" // another expression begins
			}
			continue
		}
		switch l.kind {
		case lexString:
			key, used := x.keyAt(i)
			if used {
				a.translation(key, textArguments(x.lexemes[i+1:]))
			}
		case lexPath:
			if !isDeclaration(x.tag, l) {
				variable = strings.Join(members(l.text), ".")
				a.variable(variable, members(l.text))
			}
		case lexFilter:
			a.filter(variable, l.text, x.lexemes[i+1:])
		}
	}
}

// translation looks for the text of a key, and in all texts of it for arguments that the template does not give.
func (a *analysis) translation(key string, given []string) {
	if a.scope.Translation != nil {
		if _, known := a.scope.Translation(key); !known {
			a.add(workflow.IssueMissingValue, key, "There is no translation of %s in the environment's default locale.", key)
		}
	}
	if a.scope.Texts == nil {
		return
	}
	texts := a.scope.Texts(key)
	reported := map[string]bool{}
	for _, locale := range slices.Sorted(maps.Keys(texts)) {
		text := texts[locale]
		if len(given) == 0 && !icu.IsTyped(text) {
			continue // not a message
		}
		message, err := icu.Parse(text)
		if err != nil {
			a.addOfText(workflow.IssueInvalidFilterArg, key, "The translation of %s for %s takes no arguments: %s.", key, locale, err)
			continue
		}
		for _, name := range message.Arguments() {
			if !slices.Contains(given, name) && !reported[name] {
				reported[name] = true
				a.addOfText(workflow.IssueMissingValue, key, "The translation of %s for %s needs the argument %s: {{ '%s' | t: %s: … }}.", key, locale, name, key, name)
			}
		}
	}
}

// addOfText adds a fault that lies between a template and a text of translations.
func (a *analysis) addOfText(kind, key, format string, args ...any) {
	before := len(a.faults)
	a.add(kind, key, format, args...)
	for i := before; i < len(a.faults); i++ {
		a.faults[i].OfText = true
	}
}

func (a *analysis) filter(variable, name string, rest []lexeme) {
	s, known := signatures[name]
	if !known {
		a.add(workflow.IssueInvalidFilterArg, variable, "There is no filter %s.", name)
		return
	}
	args := arguments(rest)
	if len(args) < s.min || len(args) > s.max {
		a.add(workflow.IssueInvalidFilterArg, variable, "The filter %s takes %s, not %d.", name, s.count(), len(args))
		return
	}
	for i, arg := range args {
		mustNumber := s.numbers || i == 0 && (name == "truncate" || name == "truncatewords")
		if mustNumber && arg.kind == lexString && !isNumberText(arg.text) {
			a.add(workflow.IssueInvalidFilterArg, variable, "The filter %s needs a number, not %s.", name, arg.text)
		}
	}
}

// isNumberText reports whether a text in quotes is a number, which filters read.
func isNumberText(quoted string) bool {
	_, ok := jsonvalue.ParseNumber(strings.Trim(quoted, `"'`))
	return ok
}

func (s signature) count() string {
	switch {
	case s.max == 0:
		return "no argument"
	case s.min == s.max:
		return fmt.Sprintf("%d argument(s)", s.min)
	default:
		return fmt.Sprintf("%d to %d arguments", s.min, s.max)
	}
}

// arguments are the first lexemes of the arguments that follow a filter's name.
func arguments(rest []lexeme) []lexeme {
	if len(rest) == 0 || rest[0].text != ":" {
		return nil
	}
	var args []lexeme
	wanted := true
	for _, l := range rest[1:] {
		switch {
		case l.text == "|" || l.text == ")":
			return args
		case l.text == ",":
			wanted = true
		case wanted:
			args = append(args, l)
			wanted = false
		}
	}
	return args
}

// subscriberFields are what templates see of a subscriber; what is below data is free.
var subscriberFields = func() []string {
	fields := []string{"subscriberId", "data", "channels", "isOnline", "lastOnlineAt", "createdAt", "updatedAt", "_id"}
	for _, text := range workflow.ProfileTexts() {
		fields = append(fields, text.Name)
	}
	return fields
}()

// tenantFields and stepFields are what templates see of a tenant, and of the step they belong to.
var (
	tenantFields = []string{"identifier", "name", "data", "_id"}
	stepFields   = []string{"events", "total_count", "digest", "id", "stepId"}
)

func (a *analysis) variable(full string, names []string) {
	root := names[0]
	switch {
	case a.local[root]:
		return
	case a.within != "" && root != envKey:
		a.add(workflow.IssueIllegalVariable, full, "There is no variable %s: it sees its arguments and env only.", full)
	case root == "subscriber" || root == "actor":
		a.member(full, names, subscriberFields)
	case root == "tenant":
		a.member(full, names, tenantFields)
	case root == "step":
		a.member(full, names, stepFields)
	case root == "steps":
		a.member(full, names, a.scope.Steps)
	case root == "context":
	case root == "env":
		a.environmentVariable(full, names[1:])
	case root == "payload":
		if !schemaKnows(a.scope.PayloadSchema, names[1:]) {
			a.add(workflow.IssueIllegalVariable, full, "The payload schema has no %s.", full)
		}
	default:
		a.add(workflow.IssueIllegalVariable, full, "There is no variable %s.", full)
	}
}

func (a *analysis) member(full string, names, known []string) {
	if len(names) > 1 && !slices.Contains(known, names[1]) && !IsListMember(names[1]) {
		a.add(workflow.IssueIllegalVariable, full, "There is no variable %s.", full)
	}
}

// environmentVariable reports a variable of the environment that there is not, or that is secret where secrets are not shown.
func (a *analysis) environmentVariable(full string, names []string) {
	if a.scope.Variables == nil {
		return
	}
	if len(names) == 0 {
		a.add(workflow.IssueIllegalVariable, full, "Name a variable of the environment: env.NAME.")
		return
	}
	secret, known := a.scope.Variables[names[0]]
	switch {
	case !known:
		a.add(workflow.IssueIllegalVariable, full, "The environment has no variable %s.", names[0])
	case secret && !a.scope.Secrets:
		before := len(a.faults)
		a.add(workflow.IssueIllegalVariable, full, "The variable %s is secret: only credentials of integrations and headers of HTTP steps can use it.", names[0])
		for i := before; i < len(a.faults); i++ {
			a.faults[i].Secret = true
		}
	}
}

// IsListMember reports whether a name after a dot asks for the size or an end of a list, whatever the list is of.
func IsListMember(name string) bool { return name == "size" || name == "first" || name == "last" }

// schemaKnows walks the schema's plain properties; wherever it could also allow others, the answer is yes.
func schemaKnows(schema map[string]any, names []string) bool {
	if len(names) == 0 || IsListMember(names[0]) || isOpen(schema) {
		return true
	}
	if items, ok := schema["items"].(map[string]any); ok {
		return schemaKnows(items, names[1:])
	}
	properties, ok := schema["properties"].(map[string]any)
	if !ok {
		return true
	}
	property, ok := properties[names[0]]
	if !ok {
		return false
	}
	below, _ := property.(map[string]any)
	return schemaKnows(below, names[1:])
}

func isOpen(schema map[string]any) bool {
	for _, key := range []string{"$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "patternProperties", "dependentSchemas"} {
		if _, there := schema[key]; there {
			return true
		}
	}
	extra, there := schema["additionalProperties"]
	return there && extra != false
}
