import * as svelte from "svelte";
import { getContext, onDestroy, setContext } from "svelte";
import { derived, readable } from "svelte/store";
import { InboxStore } from "../store.js";

/**
 * @typedef {import("../inbox.js").Options} Options
 * @typedef {import("../message-list.js").ListOptions} ListOptions
 */

const key = Symbol("carillon-inbox");
const inBrowser = () => typeof window !== "undefined";

/**
 * Connects the components below to the inbox of one subscriber, until this component goes.
 * @param {Options} options
 */
export function provideInbox(options) {
	const store = new InboxStore(options);
	setContext(key, store);
	if (inBrowser()) store.start().catch(() => {}); // the status says that the token was refused
	onDestroy(() => store.close());
	return store;
}

/** The store that a component above provides. @returns {InboxStore} */
export function useInboxStore() {
	const store = getContext(key);
	if (!store) throw new Error("Call provideInbox in a component above.");
	return store;
}

/**
 * @template T
 * @param {import("../observable.js").Observable<T>} source
 * @returns {import("svelte/store").Readable<T>}
 */
const snapshots = (source) =>
	readable(source.snapshot, (set) => {
		if (!inBrowser()) return; // a server renders once, and observing would load
		const stop = source.subscribe(set);
		set(source.snapshot);
		return stop;
	});

/**
 * The messages that meet a filter, kept current, as a store: `$inbox.messages`.
 * @param {ListOptions} [options]
 */
export function useInbox(options) {
	const store = useInboxStore();
	const list = store.list(options);
	return {
		subscribe: derived([snapshots(list), snapshots(store)], ([listing, { status }]) => ({ ...listing, status }))
			.subscribe,
		store,
		more: () => list.more(),
		reload: () => list.load(),
	};
}

/** How many messages are unread, as a store. */
export function useUnreadCount() {
	return derived(snapshots(useInboxStore()), ({ unread }) => unread);
}

/** The preferences of the subscriber, as a store, and what changes them. */
export function usePreferences() {
	const { preferences: store } = useInboxStore();
	return { subscribe: snapshots(store).subscribe, store };
}

/**
 * What the element's property renderMessage takes, to draw what messages say by a component, which gets the message:
 * `<carillon-inbox {token} renderMessage={renderWith(Row)}>`.
 * @param {any} Component
 * @returns {(message: import("../inbox.js").Message, target: HTMLElement) => () => void}
 */
export const renderWith = (Component) => (message, target) => {
	if ("mount" in svelte) {
		const mounted = svelte.mount(Component, { target, props: { message } });
		return () => void svelte.unmount(mounted);
	}
	const mounted = new Component({ target, props: { message } }); // Svelte 4
	return () => mounted.$destroy();
};
