/**
 * The inbox of one subscriber as data for a user interface: how many messages are unread, lists of messages, and
 * preferences. What a reader does shows at once, in all tabs of the browser. It is undone when the server refuses it, and sent
 * later when the server cannot be reached.
 * @extends {Observable<Summary>}
 */
export class InboxStore extends Observable<Summary> {
    /** @param {import("./inbox.js").Options} options */
    constructor(options: import("./inbox.js").Options);
    /** The client that the store works with. */
    inbox: Inbox;
    /** The preferences of the subscriber. */
    preferences: PreferenceStore;
    /** The changes that wait until the server can be reached. */
    outbox: Outbox;
    /**
     * Connects, stays connected until close, and loads the lists that are observed.
     * @returns {Promise<void>} Rejected when the token is refused.
     */
    start(): Promise<void>;
    /** Ends the live connection; start opens it again, and resumes after the last update. */
    close(): void;
    /** Removes what the browser keeps of this inbox, as when the subscriber signs out. */
    forget(): void;
    /**
     * A list of messages, which loads and follows changes while it is observed.
     * @param {import("./message-list.js").ListOptions} [options]
     */
    list(options?: import("./message-list.js").ListOptions): MessageList;
    /** @param {MessageList} list */
    attach(list: MessageList): void;
    /** @param {MessageList} list */
    detach(list: MessageList): void;
    /** Loads the observed lists anew. */
    reload(): Promise<void>;
    /** The message with the changes that wait for the server; undefined when one deletes it. @param {Message} m */
    patched(m: Message): import("./inbox.js").Message | undefined;
    /** Publishes anew what is derived from the server's counts and the changes that wait. */
    refresh(): void;
    /** @param {string[]} ids */
    markRead(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /** Takes it out of the archive too. @param {string[]} ids */
    markUnread(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /** @param {string[]} ids */
    markSeen(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /** Puts messages away, read. @param {string[]} ids */
    archive(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /** @param {string[]} ids */
    unarchive(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /**
     * Hides messages until a moment, at most 366 days ahead.
     * @param {string[]} ids
     * @param {Date} until
     */
    snooze(ids: string[], until: Date): Promise<import("./inbox.js").Message[]>;
    /** @param {string[]} ids */
    unsnooze(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /** Removes messages for good. @param {string[]} ids */
    delete(ids: string[]): Promise<import("./inbox.js").Message[]>;
    /**
     * Makes a change, at once or, when the server cannot be reached, later.
     * @param {Change} change
     * @returns {Promise<Message[]>} The messages afterwards; none when it waits.
     */
    change(change: Change): Promise<Message[]>;
    /**
     * Makes a change that can be taken back. What the server cannot undo, it is told only after a while, or when the page or the
     * store closes.
     * @param {Change} change
     * @param {number} [wait] How long, in milliseconds.
     * @returns {Promise<Undoable>}
     */
    changeUndoably(change: Change, wait?: number): Promise<Undoable>;
    /**
     * Calls listener when the server refuses a change that had to wait, until the function that it returns is called.
     * @param {(error: Error) => void} listener
     * @returns {() => void}
     */
    onRefusal(listener: (error: Error) => void): () => void;
    /** Calls listener when the inbox has become another subscriber's, until the result is called. @param {() => void} listener */
    onSwitch(listener: () => void): () => undefined;
    /**
     * Acts on all messages that match the filter, and returns how many it changed.
     * @param {"READ" | "SEEN" | "ARCHIVE" | "DELETE"} action
     * @param {Filter} [filter]
     * @returns {Promise<number>}
     */
    markAll(action: "READ" | "SEEN" | "ARCHIVE" | "DELETE", filter?: Filter): Promise<number>;
    /**
     * Records that a button of a message was used; the first use counts.
     * @param {string} messageId
     * @param {import("./inbox.js").ButtonType} button
     * @param {Record<string, any>} [payload] What to keep with it.
     * @returns {Promise<Message>}
     */
    completeAction(messageId: string, button: import("./inbox.js").ButtonType, payload?: Record<string, any>): Promise<Message>;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Filter = import("./inbox.js").Filter;
export type Update = import("./inbox.js").Update;
export type Change = import("./changes.js").Change;
export type Summary = {
    /**
     * How the live connection is.
     */
    status: import("./inbox.js").Status;
    unread: number;
    unseen: number;
    total: number;
    /**
     * How many changes wait until the server can be reached.
     */
    waiting: number;
};
/**
 * A change that can be taken back.
 */
export type Undoable = {
    undo: () => Promise<void>;
    /**
     * Makes it final now.
     */
    finish: () => Promise<void>;
};
import { Observable } from "./observable.js";
import { Inbox } from "./inbox.js";
import { PreferenceStore } from "./preference-store.js";
import { Outbox } from "./outbox.js";
import { MessageList } from "./message-list.js";
