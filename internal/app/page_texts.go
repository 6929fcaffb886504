package app

import (
	_ "embed"
	"encoding/json"
	"net/http"
	"strings"

	"golang.org/x/text/language"

	"github.com/carillon/carillon/internal/fault"
	"github.com/carillon/carillon/internal/notify/audience"
	"github.com/carillon/carillon/internal/workflow"
)

//go:embed pages.json
var pagesText []byte

// pageTexts are the texts of the pages that links in mails lead to, in one language. {workflow} is the name of a workflow.
type pageTexts struct {
	Lang string `json:"-"`
	Dir  string `json:"-"`

	Unsubscribe, Ask, Effect, Done, DoneEffect, More string
	Title, Saved, Choose, Save, Rest, Nothing        string
	Later, Link, Critical, Form                      string
	Channels                                         map[workflow.Channel]string
}

// pageLanguages are the languages of the pages, which are those of the inbox, English first: it is what a reader of another one gets.
var pageLanguages = []string{"en", "ar", "de", "es", "fr", "it", "ja", "nl", "pl", "pt"}

var pagesByLanguage, pageMatcher = loadPages()

func loadPages() (map[string]*pageTexts, language.Matcher) {
	pages := map[string]*pageTexts{}
	if err := json.Unmarshal(pagesText, &pages); err != nil {
		panic(err) // it is part of the program
	}
	tags := make([]language.Tag, len(pageLanguages))
	for i, name := range pageLanguages {
		tags[i] = language.MustParse(name)
		pages[name].Lang, pages[name].Dir = name, "ltr"
	}
	pages["ar"].Dir = "rtl"
	return pages, language.NewMatcher(tags)
}

// textsFor are the texts in the language that a reader's browser asks for.
func textsFor(r *http.Request) *pageTexts {
	const longest = 500
	wanted := r.Header.Get("Accept-Language")
	tags, _, err := language.ParseAcceptLanguage(wanted[:min(len(wanted), longest)])
	if err != nil {
		return pagesByLanguage["en"]
	}
	_, i, _ := pageMatcher.Match(tags...)
	return pagesByLanguage[pageLanguages[i]]
}

// problem is what a reader is told of a refusal.
func (t *pageTexts) problem(known *fault.Error) string {
	switch {
	case known.Kind == fault.Unavailable:
		return t.Later
	case known.Kind == fault.NotFound:
		return t.Link
	case known.Code == audience.CodeCriticalWorkflow:
		return t.Critical
	}
	return t.Form
}

// around is what is before and behind the name of a workflow in a text.
func around(text string) []string { return strings.SplitN(text, "{workflow}", 2) }
