import { describe, expect, test } from "vitest";
import { choose, dictionaries, fill } from "../web/texts.js";

const leaves = (value, path = "") =>
	typeof value === "string" ? [[path, value]] : Object.entries(value).flatMap(([k, v]) => leaves(v, `${path}.${k}`));
const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(Object.entries(dictionaries))("the texts in %s", (_, texts) => {
	const english = leaves(dictionaries.en);
	test("are complete", () => {
		expect(leaves(texts).map(([path]) => path)).toEqual(english.map(([path]) => path));
		expect(leaves(texts).filter(([, text]) => text.trim() === "")).toEqual([]);
	});
	test("have the places of the English ones", () => {
		expect(leaves(texts).map(([, text]) => places(text))).toEqual(english.map(([, text]) => places(text)));
	});
});

test.each([
	[["de-AT", "en"], "de-AT", "de"],
	[["de_CH"], "de-CH", "de"],
	[[null, undefined, "", "fr"], "fr", "fr"],
	[["sv", "es-MX"], "es-MX", "es"],
	[["EN"], "EN", "en"],
	[["de-!!"], "de", "de"],
	[["constructor"], "en", "en"],
	[[], "en", "en"],
])("%j chooses %s", (wishes, lang, dictionary) => {
	expect(choose(wishes)).toEqual({ lang, texts: dictionaries[dictionary] });
});

test("places are filled, and unknown ones stay", () => {
	expect(fill("{n} of {n}, {other}", { n: 0 })).toBe("0 of 0, {other}");
	expect(fill("New: {subject}", { subject: "{n} $& $1" })).toBe("New: {n} $& $1");
});
