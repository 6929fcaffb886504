import { describe, expect, test } from "vitest";
import { choose, dictionaries, fill, isRightToLeft, languageNames, load } from "../web/texts.js";

await Promise.all(languageNames.filter((name) => name !== "en").map(load));
const english = dictionaries.en;

const leaves = (value, path = "") =>
	typeof value === "string" ? [[path, value]] : Object.entries(value).flatMap(([k, v]) => leaves(v, `${path}.${k}`));
const places = (text) => (text.match(/\{\w+\}/g) ?? []).sort();

describe.each(Object.entries(dictionaries))("the texts in %s", (_, texts) => {
	const expected = leaves(english);
	test("are complete", () => {
		expect(leaves(texts).map(([path]) => path)).toEqual(expected.map(([path]) => path));
		expect(leaves(texts).filter(([, text]) => text.trim() === "")).toEqual([]);
	});
	test("have the places of the English ones", () => {
		expect(leaves(texts).map(([, text]) => places(text))).toEqual(expected.map(([, text]) => places(text)));
	});
});

test.each([
	[["de-AT", "en"], "de-AT", "de"],
	[["de_CH"], "de-CH", "de"],
	[[null, undefined, "", "fr"], "fr", "fr"],
	[["sv", "es-MX"], "es-MX", "es"],
	[["pt_BR"], "pt-BR", "pt"],
	[["EN"], "EN", "en"],
	[["de-!!"], "de", "de"],
	[["constructor"], "en", "en"],
	[[], "en", "en"],
])("%j chooses %s", (wishes, lang, dictionary) => {
	expect(choose(wishes)).toEqual({ lang, name: dictionary, texts: dictionaries[dictionary] });
});

test("places are filled, and unknown ones stay", () => {
	expect(fill("{n} of {n}, {other}", { n: 0 })).toBe("0 of 0, {other}");
	expect(fill("New: {subject}", { subject: "{n} $& $1" })).toBe("New: {n} $& $1");
});

test("there are ten languages, and each says its own", () => {
	expect(Object.keys(dictionaries).sort()).toEqual(["ar", "de", "en", "es", "fr", "it", "ja", "nl", "pl", "pt"]);
	for (const [name, texts] of Object.entries(dictionaries)) {
		const same = leaves(texts).filter(([path, text]) => leaves(english).some(([p, e]) => p === path && e === text));
		if (name !== "en") expect(same.length, name).toBeLessThan(8); // names such as Chat, Push and SMS
	}
});

test.each([
	["ar", true],
	["he-IL", true],
	["en", false],
	["arn", false],
])("the lines of %s begin at the right: %s", (lang, right) => expect(isRightToLeft(lang)).toBe(right));

test("a language that a page brings along is chosen, and those that cannot be loaded are tried again", async () => {
	dictionaries.sv = { ...english, inbox: "Aviseringar" };
	expect(choose(["sv-SE"])).toMatchObject({ lang: "sv-SE", texts: { inbox: "Aviseringar" } });
	delete dictionaries.sv;
	await expect(load("de")).resolves.toBeUndefined();
});
