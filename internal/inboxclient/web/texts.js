import en from "./texts/en.js";

export { en as english };

/** @typedef {typeof en} Texts Every text of the element. `{n}` and `{subject}` are filled in. */

/**
 * What loads the texts of a language, when a reader wants it. English is always there.
 * @type {Record<string, () => Promise<{ default: Texts }>>}
 */
const languages = {
	ar: () => import("./texts/ar.js"),
	de: () => import("./texts/de.js"),
	es: () => import("./texts/es.js"),
	fr: () => import("./texts/fr.js"),
	it: () => import("./texts/it.js"),
	ja: () => import("./texts/ja.js"),
	nl: () => import("./texts/nl.js"),
	pl: () => import("./texts/pl.js"),
	pt: () => import("./texts/pt.js"),
};

/** The texts by language that are loaded; add to it for another one. @type {Record<string, Texts>} */
export const dictionaries = { en };

/** The languages that come with the element. */
export const languageNames = ["en", ...Object.keys(languages)];

/** @type {Record<string, Promise<void>>} */
const loading = {};

/** Loads the texts of a language into dictionaries. @param {string} name */
export function load(name) {
	loading[name] ??= languages[name]().then(
		({ default: texts }) => {
			dictionaries[name] ??= texts; // a page may have its own
		},
		(error) => {
			delete loading[name];
			throw error;
		},
	);
	return loading[name];
}

/**
 * Returns the first preferred language that has texts, and these texts, undefined while they are not loaded.
 * @param {(string | null | undefined)[]} wishes Such as de-AT or de_AT, most wanted first.
 * @returns {{ lang: string, name: string, texts: Texts | undefined }}
 */
export function choose(wishes) {
	for (const wish of wishes) {
		const tag = wish?.replaceAll("_", "-") ?? "";
		const base = tag.split("-")[0].toLowerCase();
		const name = [tag, base].find((known) => Object.hasOwn(dictionaries, known) || Object.hasOwn(languages, known));
		if (name)
			return {
				lang: isTag(tag) ? tag : base,
				name,
				texts: Object.hasOwn(dictionaries, name) ? dictionaries[name] : undefined,
			};
	}
	return { lang: "en", name: "en", texts: en };
}

/** Reports whether a browser can format dates by it. @param {string} tag */
function isTag(tag) {
	try {
		return new Intl.Locale(tag).language !== "";
	} catch {
		return false;
	}
}

const rightToLeft = new Set(["ar", "fa", "he", "ur", "ps", "ckb", "dv", "sd", "ug", "yi"]);

/** Reports whether the lines of a language begin at the right. @param {string} lang */
export const isRightToLeft = (lang) => rightToLeft.has(lang.split("-")[0].toLowerCase());

/**
 * Fills the placeholders of a text.
 * @param {string} text
 * @param {Record<string, string | number>} values
 */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (place, name) => String(values[name] ?? place));
