package main

import (
	"maps"
	"strconv"
	"strings"
)

// localeData is what the package needs of a locale, with what it inherits. The names are those of cldr.data.
func localeData(source reader, locale string) object {
	numbers := source.read("cldr-numbers-full/main/"+locale+"/numbers.json", "main", locale, "numbers")
	out := numberData(numbers)
	out["currencies"] = symbols(source.read("cldr-numbers-full/main/"+locale+"/currencies.json", "main", locale, "numbers", "currencies"))
	calendar := source.read("cldr-dates-full/main/"+locale+"/ca-gregorian.json", "main", locale, "dates", "calendars", "gregorian")
	maps.Copy(out, dateData(calendar))
	zones := source.read("cldr-dates-full/main/"+locale+"/timeZoneNames.json", "main", locale, "dates", "timeZoneNames")
	out["zone"] = object{"format": zones["gmtFormat"], "zero": zones["gmtZeroFormat"], "hour": zones["hourFormat"]}
	return out
}

// text is a member that may be absent, as which it is empty.
func text(of object, name string) string {
	s, _ := of[name].(string)
	return s
}

// numberData is of Latin digits, in which package cldr writes everywhere.
func numberData(numbers object) object {
	of := func(name string) object { return numbers[name+"-numberSystem-latn"].(object) }
	signs, decimal, currency := of("symbols"), of("decimalFormats"), of("currencyFormats")
	grouping, _ := strconv.Atoi(numbers["minimumGroupingDigits"].(string))
	return object{
		"grouping": grouping,
		"symbols": object{
			"decimal": signs["decimal"], "group": signs["group"], "plus": signs["plusSign"], "minus": signs["minusSign"],
			"percent": signs["percentSign"], "currencyDecimal": text(signs, "currencyDecimal"), "currencyGroup": text(signs, "currencyGroup"),
		},
		"patterns": object{
			"decimal": decimal["standard"], "percent": of("percentFormats")["standard"], "currency": currency["standard"],
		},
		"compactShort": compact(decimal, "short"), "compactLong": compact(decimal, "long"),
	}
}

// compact are the patterns by power of ten and category, such as 4-one. Those of one that is explicitly 1 are left out: the
// category serves.
func compact(decimal object, length string) object {
	out := object{}
	for name, pattern := range decimal[length].(object)["decimalFormat"].(object) {
		power, category, _ := strings.Cut(name, "-count-")
		if category != "0" && category != "1" {
			out[strconv.Itoa(len(power)-1)+"-"+category] = pattern
		}
	}
	return out
}

func symbols(currencies object) object {
	out := object{}
	for code, currency := range currencies {
		if symbol, there := currency.(object)["symbol"]; there {
			out[code] = symbol
		}
	}
	return out
}

func dateData(calendar object) object {
	months, days := calendar["months"].(object), calendar["days"].(object)
	formats := calendar["dateTimeFormats"].(object)
	available := object{}
	for name, pattern := range formats["availableFormats"].(object) {
		if text, ok := pattern.(string); ok && wanted(name) {
			available[name] = plainSpaces(text)
		}
	}
	whole := styles(calendar["dateFormats"])
	for _, length := range lengths { // of a skeleton that has no format of its own
		pattern := whole[length]
		if name := text(calendar["dateSkeletons"].(object), length); name != "" && wanted(name) && available[name] == nil {
			available[name] = pattern
		}
	}
	periods := calendar["dayPeriods"].(object)["format"].(object)["abbreviated"].(object)
	eras := calendar["eras"].(object)
	return object{
		"months": names(months, monthNumbers()), "days": names(days, []string{"sun", "mon", "tue", "wed", "thu", "fri", "sat"}),
		"periods": dayPeriods(periods),
		"eras":    object{"wide": eras["eraNames"].(object)["1"], "abbreviated": eras["eraAbbr"].(object)["1"]},
		"date":    styles(calendar["dateFormats"]), "time": styles(calendar["timeFormats"]),
		"join":      styles(calendar["dateTimeFormats-atTime"].(object)["standard"]),
		"skeletons": available,
	}
}

// dayPeriods are the names of the parts of a day, without variants.
func dayPeriods(names object) object {
	out := object{}
	for name, text := range names {
		if !strings.Contains(name, "-") {
			out[name] = text
		}
	}
	return out
}

// wanted reports whether a skeleton is one of years, months, days, weekdays or of a time of day.
func wanted(skeleton string) bool {
	return strings.Trim(skeleton, "yMEd") == "" || strings.Trim(skeleton, "hHmsv") == ""
}

// names are the names of months or days: as in a date, and alone.
func names(of object, keys []string) object {
	out := object{}
	for context, kind := range map[string]string{"format": "format", "stand-alone": "alone"} {
		for _, width := range []string{"wide", "abbreviated", "narrow"} {
			var list []any
			for _, key := range keys {
				list = append(list, of[context].(object)[width].(object)[key])
			}
			out[kind+"-"+width] = list
		}
	}
	return out
}

func monthNumbers() (keys []string) {
	for month := 1; month <= 12; month++ {
		keys = append(keys, strconv.Itoa(month))
	}
	return keys
}

// plainSpaces replaces U+202F, which not every device can show and for which an SMS needs a costlier encoding. Browsers do so too.
func plainSpaces(pattern string) string { return strings.ReplaceAll(pattern, "\u202f", " ") }

var lengths = []string{"full", "long", "medium", "short"}

// styles are the patterns of the four lengths; one that has a numbering system of its own is an object.
func styles(of any) object {
	out := object{}
	for _, style := range lengths {
		switch pattern := of.(object)[style].(type) {
		case string:
			out[style] = plainSpaces(pattern)
		case object:
			out[style] = plainSpaces(pattern["_value"].(string))
		}
	}
	return out
}
