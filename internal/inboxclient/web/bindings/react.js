"use client";
import {
	createContext,
	createElement,
	useCallback,
	useContext,
	useEffect,
	useMemo,
	useRef,
	useSyncExternalStore,
} from "react";
import { InboxStore } from "../store.js";

/**
 * @typedef {import("../inbox.js").Options} Options
 * @typedef {import("../message-list.js").ListOptions} ListOptions
 */

const Context = createContext(/** @type {InboxStore | undefined} */ (undefined));

/**
 * Connects the hooks below it to the inbox of one subscriber while it is mounted. A new function as token does not
 * connect anew: it is called when a token is needed next.
 * @param {Options & { children?: import("react").ReactNode }} props
 */
export function InboxProvider({ token, url, contextKeys, children }) {
	const latest = useRef(token);
	const fixed = typeof token === "string" ? token : undefined;
	const contexts = JSON.stringify(contextKeys);
	const store = useMemo(
		() =>
			new InboxStore({
				token: fixed ?? (() => (typeof latest.current === "function" ? latest.current() : latest.current)),
				url,
				contextKeys: contexts === undefined ? undefined : JSON.parse(contexts),
			}),
		[fixed, url, contexts],
	);
	useEffect(() => {
		latest.current = token;
	});
	useEffect(() => {
		store.start().catch(() => {}); // the status says that the token was refused
		return () => store.close();
	}, [store]);
	return createElement(Context.Provider, { value: store }, children);
}

/** The store of the provider above. */
export function useInboxStore() {
	const store = useContext(Context);
	if (!store) throw new Error("Use this hook below <InboxProvider>.");
	return store;
}

/**
 * @template T
 * @param {import("../observable.js").Observable<T>} source
 * @returns {T}
 */
function useSnapshot(source) {
	const subscribe = useCallback((/** @type {() => void} */ changed) => source.subscribe(changed), [source]);
	const current = () => source.snapshot;
	return useSyncExternalStore(subscribe, current, current);
}

/**
 * The messages that meet a filter, kept current, with what can be done with them.
 * @param {ListOptions} [options]
 */
export function useInbox(options) {
	const store = useInboxStore();
	const key = JSON.stringify(options ?? {});
	const list = useMemo(() => store.list(JSON.parse(key)), [store, key]);
	const listing = useSnapshot(list);
	const { status } = useSnapshot(store);
	return { ...listing, status, store, more: () => list.more(), reload: () => list.load() };
}

/** How many messages are unread. */
export function useUnreadCount() {
	return useSnapshot(useInboxStore()).unread;
}

/** The preferences of the subscriber, and what changes them. */
export function usePreferences() {
	const { preferences: store } = useInboxStore();
	return { ...useSnapshot(store), store };
}
