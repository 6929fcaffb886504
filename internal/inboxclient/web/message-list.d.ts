/**
 * The messages that meet a filter, page behind page. It loads and follows changes while it is observed.
 * @extends {Observable<Listing>}
 */
export class MessageList extends Observable<Listing> {
    /**
     * @param {import("./store.js").InboxStore} store
     * @param {ListOptions} [options]
     */
    constructor(store: import("./store.js").InboxStore, options?: ListOptions);
    /** Whether the server has been asked. */
    loaded: boolean;
    /** The messages as the server said, without changes that wait for it. @type {Message[]} */
    stored: Message[];
    /** What the messages meet. */
    get filter(): import("./inbox.js").Filter | undefined;
    /** Shows messages that a browser kept, until the list is loaded. @param {Message[]} messages */
    restore(messages: Message[]): void;
    /** Drops the messages: they were another subscriber's. */
    clear(): void;
    /** Loads what it shows anew, and again when that changes meanwhile. A failure shows in the snapshot. */
    load(): Promise<void>;
    /**
     * Loads the next page behind those that it shows, if there is one.
     * @returns {Promise<void>} Rejected when that fails, which shows in the snapshot as well, until a page comes.
     */
    more(): Promise<void>;
    /**
     * Takes what an update says of its messages, and loads anew: others may come or go.
     * @param {import("./inbox.js").Update} update
     * @param {boolean} [renewed] Whether the inbox was made anew.
     */
    receive({ messages, removedIds }: import("./inbox.js").Update, renewed?: boolean): void;
    /** Takes over a change that the server has made, in case it could not be asked for the messages since. @param {import("./changes.js").Change} change */
    confirm(change: import("./changes.js").Change): void;
    /** Publishes the messages anew with the changes that wait for the server. */
    show(): void;
    #private;
}
export function filterKey(filter?: Filter): string;
export type Message = import("./inbox.js").Message;
export type Filter = import("./inbox.js").Filter;
export type ListOptions = {
    filter?: import("./inbox.js").Filter | undefined;
    /**
     * At most 100; 20 when left out.
     */
    pageSize?: number | undefined;
    /**
     * Marks messages seen that the list has loaded.
     */
    markSeen?: boolean | undefined;
    /**
     * Filters whose matches are counted with each load.
     */
    counts?: import("./inbox.js").Filter[] | undefined;
};
export type Listing = {
    /**
     * Latest first.
     */
    messages: Message[];
    /**
     * Whether there are further pages.
     */
    hasMore: boolean;
    loading: boolean;
    /**
     * Why the last load failed, or the next page could not be loaded.
     */
    error: Error | undefined;
    /**
     * One for each filter of the options.
     */
    counts: number[];
};
import { Observable } from "./observable.js";
