/**
 * @typedef {import("./inbox.js").Channels} Channels
 * @typedef {import("./inbox.js").Schedule} Schedule
 * @typedef {import("./texts.js").Texts} Texts
 *
 * @callback Save Called with work, which stores a change, and note, which then applies it and reports whether more has changed than is shown.
 * @param {() => Promise<unknown>} work
 * @param {() => boolean} note
 * @returns {void}
 */
/**
 * The page of a subscriber's preferences and schedule.
 * @param {import("./inbox.js").Inbox} inbox
 * @param {import("./inbox.js").Preferences} stored What the server holds; each change is noted in it once it is stored.
 * @param {Texts} t
 * @param {Save} save
 */
export function preferencesPage(inbox: import("./inbox.js").Inbox, stored: import("./inbox.js").Preferences, t: Texts, save: Save): HTMLDivElement;
/** 09:00 PM → 21:00. @param {string} text */
export function toInput(text: string): string;
/** 21:00 → 09:00 PM. @param {string} text */
export function fromInput(text: string): string;
export type Channels = import("./inbox.js").Channels;
export type Schedule = import("./inbox.js").Schedule;
export type Texts = import("./texts.js").Texts;
/**
 * Called with work, which stores a change, and note, which then applies it and reports whether more has changed than is shown.
 */
export type Save = (work: () => Promise<unknown>, note: () => boolean) => void;
