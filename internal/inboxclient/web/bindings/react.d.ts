/**
 * Connects the hooks below it to the inbox of one subscriber while it is mounted. A new function as token does not
 * connect anew: it is called when a token is needed next.
 * @param {Options & { children?: import("react").ReactNode }} props
 */
export function InboxProvider({ token, url, contextKeys, subscriber, children }: Options & {
    children?: import("react").ReactNode;
}): import("react").FunctionComponentElement<import("react").ProviderProps<InboxStore | undefined>>;
/** The store of the provider above. */
export function useInboxStore(): InboxStore;
/**
 * The messages that meet a filter, kept current, with what can be done with them.
 * @param {ListOptions} [options]
 */
export function useInbox(options?: ListOptions): {
    status: import("../inbox.js").Status;
    store: InboxStore;
    more: () => Promise<void>;
    reload: () => Promise<void>;
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
};
/** How many messages are unread. */
export function useUnreadCount(): number;
/** The preferences of the subscriber, and what changes them. */
export function usePreferences(): {
    store: import("../preference-store.js").PreferenceStore;
    /**
     * Undefined until they are loaded.
     */
    preferences: import("../preference-store.js").Preferences | undefined;
    loading: boolean;
    /**
     * Why the last load failed.
     */
    error: Error | undefined;
};
/**
 * The element `<carillon-inbox>`, on the store of the provider above, or with a token of its own. A new function as token does
 * not connect anew: it is called when a token is needed next. `renderMessage` draws what a message says, in place of its text.
 * @param {{
 *   token?: import("../inbox.js").Token,
 *   renderMessage?: (message: import("../inbox.js").Message) => import("react").ReactNode,
 *   tabs?: import("../element.js").Tab[],
 *   texts?: Partial<import("../texts.js").Texts>,
 *   children?: import("react").ReactNode,
 *   [attribute: string]: unknown,
 * }} props
 */
export function Inbox({ token, renderMessage, tabs, texts, children, ...attributes }: {
    token?: import("../inbox.js").Token;
    renderMessage?: (message: import("../inbox.js").Message) => import("react").ReactNode;
    tabs?: import("../element.js").Tab[];
    texts?: Partial<import("../texts.js").Texts>;
    children?: import("react").ReactNode;
    [attribute: string]: unknown;
}): import("react").DOMElement<import("react").DOMAttributes<import("../element.js").CarillonInbox>, import("../element.js").CarillonInbox>;
export type Options = import("../inbox.js").Options;
export type ListOptions = import("../message-list.js").ListOptions;
import { InboxStore } from "../store.js";
