/**
 * @typedef {import("./inbox.js").Channels} Channels
 * @typedef {import("./inbox.js").Schedule} Schedule
 * @typedef {import("./texts.js").Texts} Texts
 *
 * @callback Save Called with work, which stores a change, and whether more than the field that was used changes with it.
 * @param {() => Promise<unknown>} work
 * @param {boolean} replaces
 * @returns {void}
 */
/**
 * The page of a subscriber's preferences and schedule.
 * @param {import("./preference-store.js").PreferenceStore} store whose preferences are loaded
 * @param {Texts} t
 * @param {Save} save
 */
export function preferencesPage(store: import("./preference-store.js").PreferenceStore, t: Texts, save: Save): HTMLDivElement;
/** 09:00 PM → 21:00. @param {string} text */
export function toInput(text: string): string;
/** 21:00 → 09:00 PM. @param {string} text */
export function fromInput(text: string): string;
export type Channels = import("./inbox.js").Channels;
export type Schedule = import("./inbox.js").Schedule;
export type Texts = import("./texts.js").Texts;
/**
 * Called with work, which stores a change, and whether more than the field that was used changes with it.
 */
export type Save = (work: () => Promise<unknown>, replaces: boolean) => void;
