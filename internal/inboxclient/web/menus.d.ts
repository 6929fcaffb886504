/**
 * What can be done with a message.
 * @param {Message} m
 * @param {Texts} t
 * @param {(op: Operation) => unknown} run
 * @param {() => unknown} select
 * @returns {Item[]}
 */
export function messageItems(m: Message, t: Texts, run: (op: Operation) => unknown, select: () => unknown): Item[];
/**
 * A form for any moment within the bounds of the server.
 * @param {Texts} t
 * @param {(until: Date) => unknown} done
 * @param {() => unknown} cancel
 */
export function snoozeForm(t: Texts, done: (until: Date) => unknown, cancel: () => unknown): HTMLFormElement;
/**
 * Opens what the reader can filter by.
 * @param {import("./menu.js").Popover} popover
 * @param {HTMLElement} opener
 * @param {Texts} t
 * @param {import("./chrome.js").Narrowing} now
 * @param {(narrowing: import("./chrome.js").Narrowing) => unknown} set
 */
export function openFilter(popover: import("./menu.js").Popover, opener: HTMLElement, t: Texts, now: import("./chrome.js").Narrowing, set: (narrowing: import("./chrome.js").Narrowing) => unknown): void;
/**
 * Opens what can be done with all messages of a list.
 * @param {import("./menu.js").Popover} popover
 * @param {HTMLElement} opener
 * @param {Texts} t
 * @param {Filter} filter
 * @param {{ archive: (filter: Filter) => unknown, select: () => unknown }} does
 */
export function openListMenu(popover: import("./menu.js").Popover, opener: HTMLElement, t: Texts, filter: Filter, { archive, select }: {
    archive: (filter: Filter) => unknown;
    select: () => unknown;
}): void;
/**
 * Opens the choices until when messages are put off.
 * @param {import("./menu.js").Popover} popover
 * @param {HTMLElement} opener
 * @param {Texts} t
 * @param {string} lang
 * @param {(until: Date) => unknown} done
 */
export function openSnooze(popover: import("./menu.js").Popover, opener: HTMLElement, t: Texts, lang: string, done: (until: Date) => unknown): void;
export function snoozeItems(t: Texts, lang: string, run: (until: Date) => unknown, custom: () => unknown): Item[];
export type Message = import("./inbox.js").Message;
export type Filter = import("./inbox.js").Filter;
export type Operation = import("./changes.js").Operation;
export type Item = import("./menu.js").Item;
export type Texts = import("./texts.js").Texts;
