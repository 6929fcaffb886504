/**
 * Connects the components below to the inbox of one subscriber, until this component goes.
 * @param {Options} options
 */
export function provideInbox(options: Options): InboxStore;
/** The store that a component above provides. @returns {InboxStore} */
export function useInboxStore(): InboxStore;
/**
 * The messages that meet a filter, kept current, as a store: `$inbox.messages`.
 * @param {ListOptions} [options]
 */
export function useInbox(options?: ListOptions): {
    subscribe: (this: void, run: import("svelte/store").Subscriber<{
        status: import("../inbox.js").Status;
        /**
         * Latest first.
         */
        messages: import("../message-list.js").Message[];
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
    }>, invalidate?: () => void) => import("svelte/store").Unsubscriber;
    store: InboxStore;
    more: () => Promise<void>;
    reload: () => Promise<void>;
};
/** How many messages are unread, as a store. */
export function useUnreadCount(): import("svelte/store").Readable<number>;
/** The preferences of the subscriber, as a store, and what changes them. */
export function usePreferences(): {
    subscribe: (this: void, run: import("svelte/store").Subscriber<import("../preference-store.js").PreferenceState>, invalidate?: () => void) => import("svelte/store").Unsubscriber;
    store: import("../preference-store.js").PreferenceStore;
};
export function renderWith(Component: any): (message: import("../inbox.js").Message, target: HTMLElement) => () => void;
export type Options = import("../inbox.js").Options;
export type ListOptions = import("../message-list.js").ListOptions;
import { InboxStore } from "../store.js";
