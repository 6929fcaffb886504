package main

import (
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/99designs/gqlgen/codegen/config"
	"github.com/99designs/gqlgen/codegen/templates"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/go/packages"
)

const (
	orderType  = "usecase.Order"
	columnType = "usecase.Column"
	entPackage = "github.com/carillon/carillon/ent"
)

// binder completes gqlgen's configuration by rule, so that gqlgen.yml names exceptions only:
//
//   - a type binds to the Go type of its name in the packages of autobind (gqlgen's own rule);
//   - a type whose name begins with that of a package binds to what follows there: EventKind to ent/event's Kind,
//     ConfigurationPlan to configuration.Plan;
//   - <Noun>Order and <Noun>OrderField bind to usecase.Order and usecase.Column;
//   - an input <Name>Input that has no Go type binds like <Name>, which is read and written in one shape;
//   - a value of an enumeration binds to the constant of its Go type that spells the same word: NON_CRITICAL is
//     Criticality's constant "nonCritical";
//   - a nullable field binds to the method of its name and "OrNil", where its Go type has one;
//   - a record (an object of ent's package) shows GlobalID as id and its own ID as internalId.
type binder struct {
	cfg      *config.Config
	packages []*packages.Package
}

// bind applies the rules to cfg. It fails when an enumeration has a value without a constant.
func bind(cfg *config.Config) error {
	if err := cfg.LoadSchema(); err != nil {
		return fmt.Errorf("load the schema: %w", err)
	}
	paths := append(cfg.Models.ReferencedPackages(), cfg.AutoBind...)
	paths = append(paths, recordPackages(cfg)...)
	loaded, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedTypes}, paths...)
	if err != nil {
		return fmt.Errorf("load %s: %w", strings.Join(paths, ", "), err)
	}
	slices.SortStableFunc(loaded, func(x, y *packages.Package) int { // gqlgen looks in the order of autobind
		return slices.Index(cfg.AutoBind, x.PkgPath) - slices.Index(cfg.AutoBind, y.PkgPath)
	})
	b := binder{cfg: cfg, packages: loaded}
	for _, name := range slices.Sorted(maps.Keys(cfg.Schema.Types)) { // an input after what it shares the Go type of
		t := cfg.Schema.Types[name]
		if strings.HasPrefix(t.Name, "__") || cfg.IsRoot(t) {
			continue
		}
		b.bindModel(t)
		if err := b.bindValues(t); err != nil {
			return err
		}
		b.bindFields(t)
	}
	return nil
}

// bindModel binds orders, and inputs that share the Go type of what they write.
func (b binder) bindModel(t *ast.Definition) {
	entry := b.cfg.Models[t.Name]
	if len(entry.Model) > 0 {
		return
	}
	switch {
	case t.Kind == ast.InputObject && strings.HasSuffix(t.Name, "Order"):
		entry.Model = config.StringList{orderType}
	case t.Kind == ast.Enum && strings.HasSuffix(t.Name, "OrderField"):
		entry.Model = config.StringList{columnType}
	case b.find(t.Name).TypeName == nil && b.prefixed(t.Name).TypeName != nil:
		entry.Model = config.StringList{b.prefixed(t.Name).path()}
	case t.Kind == ast.InputObject && b.find(t.Name).TypeName == nil:
		written := strings.TrimSuffix(t.Name, "Input")
		shared := b.cfg.Models[written]
		if len(shared.Model) > 0 {
			entry.Model = shared.Model
		} else if found := b.find(written); found.TypeName != nil && written != t.Name {
			entry.Model = config.StringList{found.path()}
		}
		if len(entry.Model) > 0 {
			entry.Fields = b.find(entry.Model[0]).written(shared.Fields)
		}
	}
	if len(entry.Model) > 0 {
		b.cfg.Models[t.Name] = entry
	}
}

// bindValues binds the values of an enumeration to the constants of its Go type.
func (b binder) bindValues(t *ast.Definition) error {
	entry := b.cfg.Models[t.Name]
	if t.Kind != ast.Enum || len(entry.EnumValues) > 0 {
		return nil
	}
	goType := b.of(t, entry)
	if goType.TypeName == nil {
		return nil // a marshaler reads and writes it
	}
	constants := goType.constants()
	entry.EnumValues = map[string]config.EnumValue{}
	for _, value := range t.EnumValues {
		name, ok := constants[letters(value.Name)]
		if !ok {
			return fmt.Errorf("%s has no constant for %s.%s: declare one, or bind the type in gqlgen.yml", goType.path(), t.Name, value.Name)
		}
		entry.EnumValues[value.Name] = config.EnumValue{Value: goType.Pkg().Path() + "." + name}
	}
	entry.Model = config.StringList{goType.path()}
	b.cfg.Models[t.Name] = entry
	return nil
}

// bindFields binds the two ids of a record, and what is null when its Go field is empty.
func (b binder) bindFields(t *ast.Definition) {
	if t.Kind != ast.Object {
		return
	}
	entry := b.cfg.Models[t.Name]
	fields := map[string]config.TypeMapField{}
	if t.Fields.ForName("internalId") != nil {
		fields["id"] = config.TypeMapField{FieldName: "GlobalID"}
		fields["internalId"] = config.TypeMapField{FieldName: "ID"}
	}
	goType := b.of(t, entry)
	for _, field := range t.Fields {
		if method := templates.ToGo(field.Name) + "OrNil"; goType.hasMethod(method) {
			fields[field.Name] = config.TypeMapField{FieldName: method}
		}
	}
	if len(fields) == 0 {
		return
	}
	maps.Copy(fields, entry.Fields)
	entry.Fields = fields
	b.cfg.Models[t.Name] = entry
}

// of returns the Go type that a type of the schema binds to.
func (b binder) of(t *ast.Definition, entry config.TypeMapEntry) goType {
	if len(entry.Model) > 0 {
		return b.find(entry.Model[0])
	}
	return b.find(t.Name)
}

// goType is a Go type that a type of the schema binds to; its TypeName is nil when there is none.
type goType struct{ *types.TypeName }

func (t goType) path() string { return t.Pkg().Path() + "." + t.Name() }

// constants returns the names of the constants of the type by the letters of their text.
func (t goType) constants() map[string]string {
	out := map[string]string{}
	named, ok := types.Unalias(t.Type()).(*types.Named)
	if !ok {
		return out
	}
	scope := named.Obj().Pkg().Scope()
	for _, name := range scope.Names() {
		c, ok := scope.Lookup(name).(*types.Const)
		if ok && types.Identical(c.Type(), named) && c.Val().Kind() == constant.String {
			out[letters(constant.StringVal(c.Val()))] = name
		}
	}
	return out
}

func (t goType) hasMethod(name string) bool {
	_, ok := t.member(name).(*types.Func)
	return ok
}

// written returns those of the fields that are fields of the Go type as well: an input cannot be written to a method.
func (t goType) written(fields map[string]config.TypeMapField) map[string]config.TypeMapField {
	out := map[string]config.TypeMapField{}
	for name, field := range fields {
		if _, ok := t.member(field.FieldName).(*types.Var); ok {
			out[name] = field
		}
	}
	return out
}

func (t goType) member(name string) types.Object {
	if t.TypeName == nil || name == "" {
		return nil
	}
	found, _, _ := types.LookupFieldOrMethod(types.Unalias(t.Type()), true, t.Pkg(), name)
	return found
}

// find returns the Go type of a name: "Topic" in any package of autobind, "usecase.Order" in the package of that name, or a
// full import path and name.
func (b binder) find(name string) goType {
	pkg, typeName := "", name
	if dot := strings.LastIndex(name, "."); dot >= 0 {
		pkg, typeName = name[:dot], name[dot+1:]
	}
	for _, p := range b.packages {
		switch {
		case pkg == "" && !slices.Contains(b.cfg.AutoBind, p.PkgPath):
		case pkg != "" && pkg != p.PkgPath && pkg != p.Name:
		default:
			for _, spelling := range []string{typeName, templates.ToGo(typeName)} {
				if found, ok := p.Types.Scope().Lookup(spelling).(*types.TypeName); ok {
					return goType{found}
				}
			}
		}
	}
	return goType{}
}

// prefixed returns the Go type of a name that begins with that of its package: "EventKind" is Kind in a package event.
func (b binder) prefixed(name string) goType {
	for i, r := range name {
		if i == 0 || !unicode.IsUpper(r) {
			continue
		}
		if found := b.find(strings.ToLower(name[:i]) + "." + name[i:]); found.TypeName != nil {
			return found
		}
	}
	return goType{}
}

// recordPackages returns the packages of ent that hold the enumerations of records: ent/event for the type Event.
func recordPackages(cfg *config.Config) []string {
	var out []string
	for _, name := range slices.Sorted(maps.Keys(cfg.Schema.Types)) {
		if cfg.Schema.Types[name].Fields.ForName("internalId") != nil {
			out = append(out, entPackage+"/"+strings.ToLower(name))
		}
	}
	return out
}

// letters returns the letters and digits of a word, upper case: NON_CRITICAL and nonCritical are one word.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToUpper(r)
	}, word)
}
