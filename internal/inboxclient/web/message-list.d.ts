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
    /** The messages as the server said, without changes that wait for it. @type {Message[]} */
    stored: Message[];
    /** Loads what it shows anew, and again when that changes meanwhile. A failure shows in the snapshot. */
    load(): Promise<void>;
    /** Loads the next page behind those that it shows. */
    more(): Promise<void>;
    /** Takes what an update says of its messages, and loads anew: others may come or go. @param {import("./inbox.js").Update} update */
    receive({ messages, removedIds }: import("./inbox.js").Update): void;
    /** Takes over changes that the server has made, in case it could not be asked for the messages since. */
    confirm(): void;
    /** Publishes the messages anew with the changes that wait for the server. */
    show(): void;
    #private;
}
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
     * Why the last load failed.
     */
    error: Error | undefined;
    /**
     * One for each filter of the options.
     */
    counts: number[];
};
import { Observable } from "./observable.js";
