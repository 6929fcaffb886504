// Package cldr writes numbers, amounts of money, dates and times as the readers of a locale write them, and picks the plural
// form that a number takes in their language. It has the data of the Unicode CLDR in data.zip, which make cldr writes.
//
// The formats are Carillon's own, because those of the libraries that there are for Go rest on older data and differ from ICU's in
// one of six amounts and one of six dates (testdata/icu.mjs). Digits are Latin and dates Gregorian in every locale. All functions
// are pure and safe for concurrent use.
package cldr

import (
	"archive/zip"
	"bytes"
	_ "embed" // the data
	"encoding/json"
	"fmt"
	"maps"
	"strings"
	"sync"

	"golang.org/x/text/language"
)

//go:embed data.zip
var archive []byte

// fallback is the locale of tags of which CLDR knows nothing.
const fallback = "en"

// Locale is what is known of one locale.
type Locale struct {
	tag      string // as CLDR has it
	language string
	data     data
	cardinal []rule
	ordinal  []rule
}

// data are the members of a locale in data.zip; the generator names them.
type data struct {
	Parent   string            `json:"parent"`
	System   string            `json:"system"`
	Grouping int               `json:"grouping"` // digits before the first group that there must be for one
	Symbols  map[string]string `json:"symbols"`
	Patterns map[string]string `json:"patterns"`
	// CompactShort and CompactLong are patterns by power of ten and category, such as 4-one.
	CompactShort map[string]string     `json:"compactShort"`
	CompactLong  map[string]string     `json:"compactLong"`
	Currencies   map[string]string     `json:"currencies"` // symbols by code
	Months       map[string][12]string `json:"months"`     // by context and width, such as format-wide
	Days         map[string][7]string  `json:"days"`
	Periods      map[string]string     `json:"periods"` // names of parts of a day: am, pm, morning1 …
	Eras         map[string]string     `json:"eras"`
	Date         map[Style]string      `json:"date"` // patterns
	Time         map[Style]string      `json:"time"`
	Join         map[Style]string      `json:"join"` // of a date and a time
	Skeletons    map[string]string     `json:"skeletons"`
	Zone         map[string]string     `json:"zone"`
}

// supplement is what holds for all locales.
type supplement struct {
	Fractions map[string]int               `json:"fractions"` // decimals of all currencies
	Cardinal  map[string]map[string]string `json:"cardinal"`
	Ordinal   map[string]map[string]string `json:"ordinal"`
	Periods   map[string]map[string][2]int `json:"periods"` // parts of a day by language: the hours from and before
}

// languages are the files of data.zip that were read, by name; there are as many as the archive has.
type languages struct {
	files  map[string]*zip.File
	shared supplement

	mu      sync.Mutex
	locales map[string]map[string]json.RawMessage // by language and locale
	ready   map[string]*Locale                    // by tag of CLDR
	asked   map[string]string                     // tags of CLDR by tags that were asked for, bounded by maxAsked
}

const maxAsked = 2_000

var known = sync.OnceValue(func() *languages {
	l := &languages{files: map[string]*zip.File{}, locales: map[string]map[string]json.RawMessage{}, ready: map[string]*Locale{}, asked: map[string]string{}}
	in, err := zip.NewReader(bytes.NewReader(archive), int64(len(archive)))
	if err != nil {
		panic(fmt.Sprintf("locale data: %v", err)) // it is part of the program
	}
	for _, f := range in.File {
		l.files[strings.TrimSuffix(f.Name, ".json")] = f
	}
	var shared struct {
		Supplemental supplement `json:"supplemental"`
	}
	l.decode("supplemental", &shared)
	l.shared = shared.Supplemental
	return l
})

// decode reads a file of the archive.
func (l *languages) decode(name string, into any) {
	f, err := l.files[name].Open()
	if err == nil {
		err = json.NewDecoder(f).Decode(into)
	}
	if err != nil {
		panic(fmt.Sprintf("locale data %s: %v", name, err))
	}
}

// For is the locale of a BCP 47 tag; "_" counts as "-". What a region has no data for comes from its language, and English is used
// for a language that is not known.
func For(tag string) *Locale {
	l := known()
	l.mu.Lock()
	defer l.mu.Unlock()
	name, found := l.asked[tag]
	if !found {
		name = l.closest(tag)
		if len(l.asked) >= maxAsked {
			clear(l.asked)
		}
		l.asked[strings.Clone(tag)] = name
	}
	return l.locale(name)
}

// Knows reports whether there are data for the language of a tag.
func Knows(tag string) bool {
	t, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	if err != nil {
		return false
	}
	base, _ := t.Base()
	return known().files[base.String()] != nil
}

// closest tries the tag, then with its script, without its region, and its language.
func (l *languages) closest(tag string) string {
	t, err := language.Parse(strings.ReplaceAll(tag, "_", "-"))
	if err != nil {
		return fallback
	}
	base, _ := t.Base()
	script, _ := t.Script()
	region, _ := t.Region()
	in := l.of(base.String())
	for _, name := range []string{
		base.String() + "-" + region.String(), base.String() + "-" + script.String() + "-" + region.String(),
		base.String() + "-" + script.String(), base.String(),
	} {
		if _, there := in[name]; there {
			return name
		}
	}
	return fallback
}

func (l *languages) of(language string) map[string]json.RawMessage {
	locales, read := l.locales[language]
	if !read && l.files[language] != nil && language != "supplemental" {
		l.decode(language, &locales)
		l.locales[language] = locales
	}
	return locales
}

// locale makes a locale of its own data and that of its parents.
func (l *languages) locale(name string) *Locale {
	if made := l.ready[name]; made != nil {
		return made
	}
	lang, _, _ := strings.Cut(name, "-")
	raw := l.of(lang)[name]
	var own struct {
		Parent string `json:"parent"`
	}
	l.must(name, json.Unmarshal(raw, &own))
	made := &Locale{tag: name, language: lang}
	if own.Parent != "" {
		made.data = l.locale(own.Parent).data.clone()
	}
	l.must(name, json.Unmarshal(raw, &made.data))
	made.cardinal, made.ordinal = rulesOf(l.shared.Cardinal, name), rulesOf(l.shared.Ordinal, name)
	l.ready[name] = made
	return made
}

func (*languages) must(name string, err error) {
	if err != nil {
		panic(fmt.Sprintf("locale data of %s: %v", name, err))
	}
}

// clone copies what decoding into it would change.
func (d data) clone() data {
	for _, m := range []*map[string]string{
		&d.Symbols, &d.Patterns, &d.CompactShort, &d.CompactLong, &d.Currencies, &d.Periods, &d.Eras, &d.Skeletons, &d.Zone,
	} {
		*m = maps.Clone(*m)
	}
	d.Date, d.Time, d.Join = maps.Clone(d.Date), maps.Clone(d.Time), maps.Clone(d.Join)
	d.Months, d.Days = maps.Clone(d.Months), maps.Clone(d.Days)
	return d
}
