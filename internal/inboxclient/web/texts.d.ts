/** Loads the texts of a language into dictionaries. @param {string} name */
export function load(name: string): Promise<void>;
/**
 * Returns the first preferred language that has texts, and these texts, undefined while they are not loaded.
 * @param {(string | null | undefined)[]} wishes Such as de-AT or de_AT, most wanted first.
 * @returns {{ lang: string, name: string, texts: Texts | undefined }}
 */
export function choose(wishes: (string | null | undefined)[]): {
    lang: string;
    name: string;
    texts: Texts | undefined;
};
export { en as english };
/** The texts by language that are loaded; add to it for another one. @type {Record<string, Texts>} */
export const dictionaries: Record<string, Texts>;
/** The languages that come with the element. */
export const languageNames: string[];
export function isRightToLeft(lang: string): boolean;
export function fill(text: string, values: Record<string, string | number>): string;
/**
 * Every text of the element. `{n}` and `{subject}` are filled in.
 */
export type Texts = typeof en;
import en from "./texts/en.js";
