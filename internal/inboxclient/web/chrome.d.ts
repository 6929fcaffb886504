/**
 * @typedef {object} HeaderActions
 * @property {(opener: HTMLElement) => unknown} filter
 * @property {() => unknown} readAll
 * @property {(opener: HTMLElement) => unknown} menu
 * @property {(page: "list" | "preferences") => unknown} go
 * @property {() => unknown} close
 */
/**
 * The head of the panel: over the list what concerns all of it, over the preferences the way back.
 * @param {Texts} t
 * @param {{ listing: boolean, narrowed: boolean, bulk: boolean, inline: boolean }} view
 * @param {HeaderActions} actions
 */
export function header(t: Texts, { listing, narrowed, bulk, inline }: {
    listing: boolean;
    narrowed: boolean;
    bulk: boolean;
    inline: boolean;
}, { filter, readAll, menu, go, close }: HeaderActions): (false | HTMLButtonElement | HTMLHeadingElement)[];
/**
 * @param {import("./element.js").Tab[]} tabs
 * @param {number[]} counts of unread messages, one per tab
 * @param {number} chosen
 * @param {(i: number) => void} choose
 */
export function tabButtons(tabs: import("./element.js").Tab[], counts: number[], chosen: number, choose: (i: number) => void): HTMLButtonElement[];
export function usualTabs(t: Texts): import("./element.js").Tab[];
export function unfiltered(): Narrowing;
export function isNarrowed({ unread, important, since }: Narrowing): boolean;
export function narrowed(filter: Filter, { unread, important, since }: Narrowing): Filter;
export function iconButton(key: string, name: import("./icons.js").Icon, label: string, run: (opener: HTMLElement) => unknown, more?: Record<string, any>): HTMLButtonElement;
/** How long a change can be taken back. */
export const undoTime: 6000;
/** The line that says what was done and offers to take it back. */
export class Snackbar {
    /** @param {(work: () => Promise<void>) => unknown} run Runs what may fail. */
    constructor(run: (work: () => Promise<void>) => unknown);
    element: HTMLDivElement;
    /** Reports whether something can be taken back. */
    get open(): boolean;
    /**
     * @param {string} text
     * @param {string} label
     * @param {import("./store.js").Undoable} undoable
     */
    show(text: string, label: string, undoable: import("./store.js").Undoable): void;
    undo(): void;
    /** Makes final what can be taken back. */
    hide(): void;
    #private;
}
/** The button that says how many messages arrived above what is seen. */
export class NewAbove {
    /** @param {() => unknown} go Shows them. */
    constructor(go: () => unknown);
    element: HTMLDivElement;
    /** @param {number} n @param {Texts} t */
    add(n: number, t: Texts): void;
    hide(): void;
    #private;
}
/** What shows in place of messages. */
export class Empty {
    element: HTMLDivElement;
    /** @param {string} text */
    show(text: string): void;
    #private;
}
/** What the reader should know: whether there is a connection, and what failed. */
export class Notices {
    elements: HTMLParagraphElement[];
    /**
     * @param {Texts} t
     * @param {string} problem
     * @param {import("./store.js").Summary} [summary]
     */
    show(t: Texts, problem: string, summary?: import("./store.js").Summary): void;
    #private;
}
export type HeaderActions = {
    filter: (opener: HTMLElement) => unknown;
    readAll: () => unknown;
    menu: (opener: HTMLElement) => unknown;
    go: (page: "list" | "preferences") => unknown;
    close: () => unknown;
};
export type Filter = import("./inbox.js").Filter;
export type Texts = import("./texts.js").Texts;
/**
 * What the reader filters by within a tab.
 */
export type Narrowing = {
    unread: boolean;
    important: boolean;
    since: string | undefined;
};
