/**
 * Connects the components below to the inbox of one subscriber, until this component goes.
 * @param {Options} options
 */
export function provideInbox(options: Options): InboxStore;
/** The store that a component above provides. */
export function useInboxStore(): InboxStore;
/**
 * The messages that meet a filter, kept current, with what can be done with them.
 * @param {import("vue").MaybeRefOrGetter<ListOptions>} [options]
 */
export function useInbox(options?: import("vue").MaybeRefOrGetter<ListOptions>): {
    store: InboxStore;
    messages: import("vue").ComputedRef<import("../inbox.js").Message[]>;
    hasMore: import("vue").ComputedRef<boolean>;
    loading: import("vue").ComputedRef<boolean>;
    error: import("vue").ComputedRef<Error | undefined>;
    counts: import("vue").ComputedRef<number[]>;
    status: import("vue").ComputedRef<import("../inbox.js").Status>;
    more: () => Promise<void>;
    reload: () => Promise<void>;
};
/** How many messages are unread. */
export function useUnreadCount(): import("vue").ComputedRef<number>;
/** The preferences of the subscriber, and what changes them. */
export function usePreferences(): {
    store: import("../preference-store.js").PreferenceStore;
    preferences: import("vue").ComputedRef<import("../inbox.js").Preferences | undefined>;
    loading: import("vue").ComputedRef<boolean>;
    error: import("vue").ComputedRef<Error | undefined>;
};
/**
 * The element `<carillon-inbox>`, on the store that a component above provides, or with a token of its own. A new function as
 * token does not connect anew: it is called when a token is needed next. The slot `message` draws what a message says, in place
 * of its text.
 */
export const InboxElement: import("vue").DefineComponent<ElementProps>;
export type Options = import("../inbox.js").Options;
export type ListOptions = import("../message-list.js").ListOptions;
export type ElementProps = {
    token?: import("../inbox.js").Token;
};
import { InboxStore } from "../store.js";
