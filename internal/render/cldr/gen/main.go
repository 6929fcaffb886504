// Command gen writes the locale data of package cldr from the JSON packages that the Unicode Consortium publishes: make cldr.
package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

type object = map[string]any

func main() {
	if len(os.Args) != 3 {
		log.Fatal("usage: gen <directory of the npm packages> <file to write>")
	}
	source := reader{os.Args[1]}
	files := object{"supplemental": supplemental(source)}
	for _, locale := range source.locales() {
		language, _, _ := strings.Cut(locale, "-")
		of, _ := files[language].(object)
		if of == nil {
			of = object{}
			files[language] = of
		}
		of[locale] = locale // replaced by what differs from its parent
	}
	parents := source.read("cldr-core/supplemental/parentLocales.json", "supplemental", "parentLocales", "parentLocale")
	for language, of := range files {
		if language != "supplemental" {
			subtract(source, of.(object), parents)
		}
	}
	if err := write(os.Args[2], files); err != nil {
		log.Fatal(err)
	}
}

// subtract replaces the locales of a language by their parents and what differs from these. A parent of another language
// counts as the root, which has no data: a file is read alone.
func subtract(source reader, locales, parents object) {
	full := map[string]object{}
	for locale := range locales {
		full[locale] = localeData(source, locale)
	}
	for locale := range locales {
		parent := parentOf(locale, parents, locales)
		own := without(full[locale], full[parent])
		own["parent"] = parent
		locales[locale] = own
	}
	for _, own := range locales { // last, for parents share their objects with what differs from them
		if own := own.(object); own["parent"] == "" { // a currency without symbol is shown by its code
			maps.DeleteFunc(own["currencies"].(object), func(code string, symbol any) bool { return code == symbol })
		}
	}
}

func parentOf(locale string, parents, known object) string {
	for locale != "" {
		if parent, named := parents[locale].(string); named {
			locale = parent
		} else if at := strings.LastIndexByte(locale, '-'); at > 0 {
			locale = locale[:at]
		} else {
			return ""
		}
		if _, there := known[locale]; there {
			return locale
		}
	}
	return ""
}

// without keeps what differs from the parent: members of objects one by one, everything else whole.
func without(child, parent object) object {
	out := object{}
	for name, value := range child {
		inherited, there := parent[name]
		members, isObject := value.(object)
		if above, both := inherited.(object); isObject && both {
			if own := without(members, above); len(own) > 0 {
				out[name] = own
			}
			continue
		}
		if a, b := encode(value), encode(inherited); !there || !bytes.Equal(a, b) {
			out[name] = value
		}
	}
	return out
}

// supplemental is what holds for all locales.
func supplemental(source reader) object {
	digits := source.read("cldr-core/supplemental/currencyData.json", "supplemental", "currencyData", "fractions")
	fractions := object{}
	for code := range source.read("cldr-numbers-full/main/en/currencies.json", "main", "en", "numbers", "currencies") {
		fraction, own := digits[code].(object)
		if !own {
			fraction = digits["DEFAULT"].(object)
		}
		fractions[code], _ = strconv.Atoi(fraction["_digits"].(string))
	}
	return object{"supplemental": object{
		"fractions": fractions, "periods": hours(source),
		"cardinal": plurals(source.read("cldr-core/supplemental/plurals.json", "supplemental", "plurals-type-cardinal")),
		"ordinal":  plurals(source.read("cldr-core/supplemental/ordinals.json", "supplemental", "plurals-type-ordinal")),
	}}
}

// hours are those of the parts of a day that are ranges, by language.
func hours(source reader) object {
	hour := func(text any) int {
		h, _ := strconv.Atoi(strings.TrimSuffix(text.(string), ":00"))
		return h
	}
	out := object{}
	for language, parts := range source.read("cldr-core/supplemental/dayPeriods.json", "supplemental", "dayPeriodRuleSet") {
		of := object{}
		for name, rule := range parts.(object) {
			if rule := rule.(object); rule["_from"] != nil {
				of[name] = []int{hour(rule["_from"]), hour(rule["_before"])}
			}
		}
		out[language] = of
	}
	return out
}

// plurals are the rules without their samples, by language and category.
func plurals(rules object) object {
	out := object{}
	for language, of := range rules {
		categories := object{}
		for name, rule := range of.(object) {
			condition, _, _ := strings.Cut(rule.(string), "@")
			categories[strings.TrimPrefix(name, "pluralRule-count-")] = strings.TrimSpace(condition)
		}
		out[language] = categories
	}
	return out
}

// reader reads files of the packages; what is not there ends the program.
type reader struct{ root string }

func (r reader) locales() []string {
	entries, err := os.ReadDir(filepath.Join(r.root, "cldr-dates-full/main"))
	if err != nil {
		log.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		if e.Name() != "und" {
			names = append(names, e.Name())
		}
	}
	return names
}

func (r reader) read(file string, path ...string) object {
	raw, err := os.ReadFile(filepath.Join(r.root, file))
	if err != nil {
		log.Fatal(err)
	}
	var in object
	if err := json.Unmarshal(raw, &in); err != nil {
		log.Fatalf("%s: %v", file, err)
	}
	for _, name := range path {
		below, there := in[name].(object)
		if !there {
			log.Fatalf("%s: no %s", file, name)
		}
		in = below
	}
	return in
}

func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		log.Fatal(err)
	}
	return b.Bytes()
}

// write makes the archive, one file per language, always the same for the same data.
func write(name string, files object) error {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	w.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(out, flate.BestCompression)
	})
	for _, language := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: language + ".json", Method: zip.Deflate})
		if err != nil {
			return fmt.Errorf("add %s: %w", language, err)
		}
		if _, err := f.Write(encode(files[language])); err != nil {
			return fmt.Errorf("write %s: %w", language, err)
		}
	}
	if err := w.Close(); err != nil {
		return fmt.Errorf("close the archive: %w", err)
	}
	return os.WriteFile(name, b.Bytes(), 0o644) //nolint:gosec,wrapcheck // a file of the repository; main prints the path
}
