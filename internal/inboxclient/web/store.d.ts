/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./inbox.js").Update} Update
 *
 * @typedef {object} Summary
 * @property {import("./inbox.js").Status} status How the live connection is.
 * @property {number} unread
 * @property {number} unseen
 * @property {number} total
 *
 * @typedef {object} Patch A change that the server has not confirmed yet.
 * @property {(m: Message) => boolean} affects
 * @property {(m: Message) => Message | undefined} apply Undefined: the message is deleted.
 */
/**
 * The inbox of one subscriber as data for a user interface: how many messages are unread, lists of messages, and
 * preferences. What a reader does shows at once, and is undone when the server refuses it.
 * @extends {Observable<Summary>}
 */
export class InboxStore extends Observable<Summary> {
    /** @param {import("./inbox.js").Options} options */
    constructor(options: import("./inbox.js").Options);
    /** The client that the store works with. */
    inbox: Inbox;
    /** The preferences of the subscriber. */
    preferences: PreferenceStore;
    /**
     * Connects, stays connected until close, and loads the lists that are observed.
     * @returns {Promise<void>} Rejected when the token is refused.
     */
    start(): Promise<void>;
    /** Ends the live connection; start opens it again, and resumes after the last update. */
    close(): void;
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
    /** @param {string[]} messageIds */
    markRead(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
    /** Takes it out of the archive too. @param {string[]} messageIds */
    markUnread(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
    /** @param {string[]} messageIds */
    markSeen(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
    /** Puts messages away, read. @param {string[]} messageIds */
    archive(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
    /** @param {string[]} messageIds */
    unarchive(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
    /**
     * Hides messages until a moment, at most 366 days ahead.
     * @param {string[]} messageIds
     * @param {Date} until
     */
    snooze(messageIds: string[], until: Date): Promise<import("./inbox.js").Message[]>;
    /** @param {string[]} messageIds */
    unsnooze(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
    /** Removes messages for good. @param {string[]} messageIds */
    delete(messageIds: string[]): Promise<import("./inbox.js").Message[]>;
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
export type Summary = {
    /**
     * How the live connection is.
     */
    status: import("./inbox.js").Status;
    unread: number;
    unseen: number;
    total: number;
};
/**
 * A change that the server has not confirmed yet.
 */
export type Patch = {
    affects: (m: Message) => boolean;
    /**
     * Undefined: the message is deleted.
     */
    apply: (m: Message) => Message | undefined;
};
import { Observable } from "./observable.js";
import { Inbox } from "./inbox.js";
import { PreferenceStore } from "./preference-store.js";
import { MessageList } from "./message-list.js";
