/** The panel: tabs over a list of messages, and the preferences. */
export class Panel {
    /** @param {Surroundings} around */
    constructor(around: Surroundings);
    snackbar: Snackbar;
    element: HTMLDivElement;
    get isOpen(): boolean;
    open(): void;
    /** Loads what the reader is about to need. */
    preload(): void;
    close(): void;
    reset(): void;
    restyle(): void;
    started(): void;
    /** Chooses a tab. @param {number} i */
    chooseTab(i: number): void;
    /** Shows that the server refused something. @param {unknown} error */
    refused(error: unknown): void;
    show(): void;
    /** Says that messages arrived above what is seen. @param {number} n */
    arrived(n: number): void;
    tick(): void;
    /** Follows a message. A server that is slow to mark it read does not keep the reader: the request outlives the page. @param {Message} m */
    choose(m: Message): Promise<void>;
    /** @param {KeyboardEvent} event */
    key(event: KeyboardEvent): void;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Operation = import("./changes.js").Operation;
export type InboxStore = import("./store.js").InboxStore;
export type Surroundings = import("./surroundings.js").Surroundings;
import { Snackbar } from "./chrome.js";
