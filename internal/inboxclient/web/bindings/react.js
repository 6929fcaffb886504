"use client";
import {
	createContext,
	createElement,
	useCallback,
	useContext,
	useEffect,
	useMemo,
	useRef,
	useState,
	useSyncExternalStore,
} from "react";
import { createPortal } from "react-dom";
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
export function InboxProvider({ token, url, contextKeys, subscriber, children }) {
	const credential = useToken(token);
	const contexts = JSON.stringify(contextKeys);
	const store = useMemo(
		() =>
			new InboxStore({
				token: credential,
				url,
				contextKeys: contexts === undefined ? undefined : JSON.parse(contexts),
				subscriber,
			}),
		[credential, url, contexts, subscriber],
	);
	useEffect(() => {
		store.start().catch(() => {}); // the status says that the token was refused
		return () => store.close();
	}, [store]);
	return createElement(Context.Provider, { value: store }, children);
}

/**
 * The token, or one function for all renderings that calls the token function of the last one.
 * @template {import("../inbox.js").Token | undefined} T
 * @param {T} token
 * @returns {T}
 */
function useToken(token) {
	const latest = useRef(token);
	useEffect(() => {
		latest.current = token;
	});
	const given = typeof token === "function" ? undefined : token;
	const fetched = typeof token === "function";
	return useMemo(() => {
		if (!fetched) return /** @type {T} */ (given);
		return /** @type {T} */ (() => (typeof latest.current === "function" ? latest.current() : (latest.current ?? "")));
	}, [fetched, given]);
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
export function Inbox({ token, renderMessage, tabs, texts, children, ...attributes }) {
	const store = useContext(Context);
	const credential = useToken(token);
	const [drawn, setDrawn] = useState(/** @type {[HTMLElement, import("../inbox.js").Message][]} */ ([]));
	const host = useRef(/** @type {import("../element.js").CarillonInbox | null} */ (null));
	const draws = renderMessage !== undefined;
	useEffect(() => {
		import("../carillon-inbox.js"); // defines the element, in browsers only
	}, []);
	useEffect(() => {
		const element = host.current;
		if (!element) return;
		element.token = credential;
		element.store = credential === undefined ? store : undefined;
	}, [credential, store]);
	useEffect(() => {
		if (host.current && tabs) host.current.tabs = tabs;
	}, [tabs]);
	useEffect(() => {
		if (host.current && texts) host.current.texts = texts;
	}, [texts]);
	useEffect(() => {
		const element = host.current;
		if (!element || !draws) return;
		element.renderMessage = (message, container) => {
			setDrawn((before) => [...before, [container, message]]);
			return () => setDrawn((before) => before.filter(([other]) => other !== container));
		};
		return () => {
			element.renderMessage = undefined;
		};
	}, [draws]);
	return createElement(
		"carillon-inbox",
		{ ref: host, ...attributes },
		children,
		draws && drawn.map(([container, message]) => createPortal(renderMessage(message), container, message.id)),
	);
}
