export { InboxError };
/** The inbox, preferences and subscriptions of one subscriber. */
export class Inbox {
    /** @param {Options} options */
    constructor(options: Options);
    /** The last sequence that was seen; undefined before the first. @type {number | undefined} */
    sequence: number | undefined;
    /** The size of the inbox as of the last update. @type {State} */
    state: State;
    /** How the live connection is. @type {Status} */
    status: Status;
    /** Called when a new token is another subscriber's, who has logged in meanwhile. */
    switched: () => void;
    /** The address of the server's GraphQL endpoint. */
    get address(): string;
    /**
     * Listens for changes from now on, and after a lost connection from where it was, until close. Resolves once it is
     * connected; with `after`, what changed since may still be to come.
     * @param {number} [after] A sequence that was seen before, to hear what changed since.
     * @returns {Promise<State>}
     */
    connect(after?: number): Promise<State>;
    /** Ends the live connection. */
    close(): void;
    /**
     * Calls listener with every change, until the function that it returns is called.
     * @param {(update: Update) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (update: Update) => void): () => void;
    /**
     * Calls listener whenever the connection comes or goes, until the function that it returns is called.
     * @param {(status: Status) => void} listener
     * @returns {() => void}
     */
    onStatus(listener: (status: Status) => void): () => void;
    /** Whose inbox it is, and the language that the subscriber speaks. */
    subscriber(): Promise<{
        subscriberId: string;
        locale: string | null;
    }>;
    /**
     * A page of messages, latest first.
     * @param {{ filter?: Filter, first?: number, after?: string | null }} [options]
     * @returns {Promise<Page>}
     */
    list({ filter, first, after }?: {
        filter?: Filter;
        first?: number;
        after?: string | null;
    }): Promise<Page>;
    /**
     * How many messages meet each of up to 20 filters, in one call.
     * @param {Filter[]} filters
     * @returns {Promise<number[]>}
     */
    counts(filters: Filter[]): Promise<number[]>;
    /** @param {string[]} messageIds */
    markRead(messageIds: string[]): Promise<Message[]>;
    /** @param {string[]} messageIds */
    markUnread(messageIds: string[]): Promise<Message[]>;
    /** @param {string[]} messageIds */
    markSeen(messageIds: string[]): Promise<Message[]>;
    /** @param {string[]} messageIds */
    markUnseen(messageIds: string[]): Promise<Message[]>;
    /** Puts messages away, read. @param {string[]} messageIds */
    archive(messageIds: string[]): Promise<Message[]>;
    /** @param {string[]} messageIds */
    unarchive(messageIds: string[]): Promise<Message[]>;
    /**
     * Hides messages until a moment, at most 366 days ahead.
     * @param {string[]} messageIds
     * @param {Date} until
     */
    snooze(messageIds: string[], until: Date): Promise<Message[]>;
    /** @param {string[]} messageIds */
    unsnooze(messageIds: string[]): Promise<Message[]>;
    /** Removes messages for good. @param {string[]} messageIds */
    delete(messageIds: string[]): Promise<Message[]>;
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
     * @param {ButtonType} button
     * @param {Record<string, any>} [payload] What to keep with it.
     * @returns {Promise<Message>}
     */
    completeAction(messageId: string, button: ButtonType, payload?: Record<string, any>): Promise<Message>;
    /**
     * What the subscriber wishes, with the hours.
     * @returns {Promise<Preferences>}
     */
    preferences(): Promise<Preferences>;
    /**
     * Stores a wish for one workflow; channels left out keep theirs.
     * @param {string} workflowId Its id or identifier.
     * @param {Channels} channels
     */
    setPreference(workflowId: string, channels: Channels): Promise<void>;
    /** Stores a wish for everything. @param {Channels} channels */
    setGlobalPreference(channels: Channels): Promise<void>;
    /**
     * Replaces the hours; null removes them.
     * @param {Schedule | null} schedule
     */
    setSchedule(schedule: Schedule | null): Promise<void>;
    /**
     * The topics that the subscriber follows.
     * @returns {Promise<Subscription[]>}
     */
    subscriptions(): Promise<Subscription[]>;
    /** Follows a topic that exists. @param {string} topicKey */
    follow(topicKey: string): Promise<void>;
    /** Follows a topic no longer. @param {string} topicKey */
    unfollow(topicKey: string): Promise<void>;
    #private;
}
export type Channel = "IN_APP" | "EMAIL" | "SMS" | "CHAT" | "PUSH";
export type Severity = "HIGH" | "MEDIUM" | "LOW" | "NONE";
export type ButtonType = "PRIMARY" | "SECONDARY";
/**
 * One of a message's buttons.
 */
export type Button = {
    type: ButtonType;
    /**
     * The label.
     */
    content: string;
    /**
     * The label after its use; empty: the same.
     */
    resultContent: string;
    /**
     * Where it leads; empty: nowhere.
     */
    url: string;
};
/**
 * One in-app message. What it says is text, never HTML.
 */
export type Message = {
    id: string;
    /**
     * What updates name removed messages by.
     */
    internalId: string;
    subject: string | null;
    content: {
        text: string;
    } | null;
    avatar: string | null;
    read: boolean;
    seen: boolean;
    archived: boolean;
    snoozedUntil: string | null;
    severity: Severity;
    tags: string[] | null;
    data: Record<string, any> | null;
    workflowIdentifier: string;
    /**
     * Grows with every change of the inbox.
     */
    sequence: number;
    createdAt: string;
    deliveredAt: string[] | null;
    cta: {
        data: {
            url: string;
        } | null;
        action: {
            status: "PENDING" | "DONE" | null;
            buttons: Button[] | null;
            result: {
                type: ButtonType;
            } | null;
        } | null;
    } | null;
};
/**
 * Narrows an inbox; what is set combines with AND. Archived and snoozed messages only on request.
 */
export type Filter = {
    read?: boolean | undefined;
    seen?: boolean | undefined;
    archived?: boolean | undefined;
    snoozed?: boolean | undefined;
    tagsAny?: string[] | undefined;
    severityIn?: Severity[] | undefined;
    workflowIn?: string[] | undefined;
    feedId?: string | undefined;
    /**
     * Identifiers of feeds.
     */
    feedIn?: string[] | undefined;
    data?: Record<string, any> | undefined;
    createdAfter?: string | undefined;
    createdBefore?: string | undefined;
};
export type Page = {
    messages: Message[];
    /**
     * Pass it as `after` for the next page.
     */
    endCursor: string | null;
    hasNextPage: boolean;
};
/**
 * How much is in the inbox.
 */
export type State = {
    sequence: number;
    total: number;
    unread: number;
    unseen: number;
};
/**
 * What changed, once and in order.
 */
export type Update = {
    /**
     * Grows; a lower one than before means that the inbox was created anew and starts over.
     */
    sequence: number;
    /**
     * New or changed, as they are now.
     */
    messages: Message[];
    /**
     * Internal ids of messages that are gone.
     */
    removedIds: string[];
    /**
     * Null while the inbox never had a message.
     */
    state: State | null;
};
export type Status = "connecting" | "online" | "offline" | "unauthorized";
export type Channels = {
    email?: boolean | null;
    sms?: boolean | null;
    inApp?: boolean | null;
    chat?: boolean | null;
    push?: boolean | null;
};
/**
 * Such as 09:00 AM; the subscriber's time zone.
 */
export type TimeRange = {
    start: string;
    end: string;
};
export type Day = {
    isEnabled: boolean;
    hours?: TimeRange[] | null;
};
export type Weekday = "monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday";
export type Schedule = {
    isEnabled: boolean;
    weeklySchedule?: { [day in Weekday]?: Day | null; } | null;
};
export type Preferences = {
    global: {
        enabled: boolean;
        channels: Channels;
        schedule: Schedule | null;
    };
    workflows: {
        enabled: boolean;
        channels: Channels;
        stepChannels: Channel[];
        workflow: {
            id: string;
            identifier: string;
            name: string;
        };
    }[];
};
export type Subscription = {
    identifier: string;
    name: string | null;
    topic: {
        key: string;
        name: string | null;
    } | null;
    contextKeys: string[];
};
/**
 * A subscriber token, or what fetches a new one when the last has ended.
 */
export type Token = string | (() => string | Promise<string>);
export type Options = {
    token: Token;
    /**
     * Whose inbox it is, by your identifier. When it is given, the browser keeps the last messages and
     * what could not be sent, for when the server cannot be reached.
     */
    subscriber?: string | undefined;
    /**
     * Address of Carillon; the server that this module came from when left out.
     */
    url?: string | undefined;
    /**
     * The context set (type:id) whose inbox it is; the token's own, else none, when left out.
     */
    contextKeys?: string[] | undefined;
};
import { InboxError } from "./error.js";
