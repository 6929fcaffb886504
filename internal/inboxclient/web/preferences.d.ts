/**
 * @typedef {import("./inbox.js").Channels} Channels
 * @typedef {import("./inbox.js").Schedule} Schedule
 * @typedef {import("./texts.js").Texts} Texts
 */
/**
 * The page on which a subscriber says what to hear, where and when.
 * @param {import("./inbox.js").Inbox} inbox
 * @param {import("./inbox.js").Preferences} preferences
 * @param {Texts} t
 * @param {(work: () => Promise<unknown>) => void} save Called with what stores each change.
 */
export function preferencesPage(inbox: import("./inbox.js").Inbox, preferences: import("./inbox.js").Preferences, t: Texts, save: (work: () => Promise<unknown>) => void): HTMLDivElement;
/** 09:00 PM → 21:00. @param {string} text */
export function toInput(text: string): string;
/** 21:00 → 09:00 PM. @param {string} text */
export function fromInput(text: string): string;
export type Channels = import("./inbox.js").Channels;
export type Schedule = import("./inbox.js").Schedule;
export type Texts = import("./texts.js").Texts;
