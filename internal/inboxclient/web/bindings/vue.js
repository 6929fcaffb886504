import {
	computed,
	defineComponent,
	h,
	inject,
	onMounted,
	onScopeDispose,
	provide,
	shallowReactive,
	shallowRef,
	Teleport,
	toValue,
	watch,
} from "vue";
import { InboxStore } from "../store.js";

/**
 * @typedef {import("../inbox.js").Options} Options
 * @typedef {import("../message-list.js").ListOptions} ListOptions
 * @typedef {{ token?: import("../inbox.js").Token }} ElementProps
 */

const key = /** @type {import("vue").InjectionKey<InboxStore>} */ (Symbol("carillon-inbox"));

/**
 * Connects the components below to the inbox of one subscriber, until this component goes.
 * @param {Options} options
 */
export function provideInbox(options) {
	const store = new InboxStore(options);
	provide(key, store);
	if (inBrowser) store.start().catch(() => {}); // the status says that the token was refused
	onScopeDispose(() => store.close());
	return store;
}

/** The store that a component above provides. */
export function useInboxStore() {
	const store = inject(key);
	if (!store) throw new Error("Call provideInbox in a component above.");
	return store;
}

const inBrowser = typeof window !== "undefined";

/**
 * @template T
 * @param {() => import("../observable.js").Observable<T>} source
 * @returns {import("vue").ShallowRef<T>}
 */
function useSnapshot(source) {
	const snapshot = /** @type {import("vue").ShallowRef<T>} */ (shallowRef(source().snapshot));
	if (!inBrowser) return snapshot; // a server renders once
	watch(
		source,
		(now, _before, onCleanup) => {
			const take = (/** @type {any} */ value) => {
				snapshot.value = value;
			};
			take(now.snapshot);
			onCleanup(now.subscribe(take));
		},
		{ immediate: true, flush: "sync" },
	);
	return snapshot;
}

/**
 * The messages that meet a filter, kept current, with what can be done with them.
 * @param {import("vue").MaybeRefOrGetter<ListOptions>} [options]
 */
export function useInbox(options) {
	const store = useInboxStore();
	const chosen = computed(() => JSON.stringify(toValue(options) ?? {})); // an equal value loads nothing anew
	const list = computed(() => store.list(JSON.parse(chosen.value)));
	const listing = useSnapshot(() => list.value);
	const summary = useSnapshot(() => store);
	return {
		store,
		messages: computed(() => listing.value.messages),
		hasMore: computed(() => listing.value.hasMore),
		loading: computed(() => listing.value.loading),
		error: computed(() => listing.value.error),
		counts: computed(() => listing.value.counts),
		status: computed(() => summary.value.status),
		more: () => list.value.more(),
		reload: () => list.value.load(),
	};
}

/** How many messages are unread. */
export function useUnreadCount() {
	const store = useInboxStore();
	const summary = useSnapshot(() => store);
	return computed(() => summary.value.unread);
}

/** The preferences of the subscriber, and what changes them. */
export function usePreferences() {
	const { preferences: store } = useInboxStore();
	const state = useSnapshot(() => store);
	return {
		store,
		preferences: computed(() => state.value.preferences),
		loading: computed(() => state.value.loading),
		error: computed(() => state.value.error),
	};
}

/**
 * The element `<carillon-inbox>`, on the store that a component above provides, or with a token of its own. A new function as
 * token does not connect anew: it is called when a token is needed next. The slot `message` draws what a message says, in place
 * of its text.
 */
export const InboxElement = /** @type {import("vue").DefineComponent<ElementProps>} */ (
	defineComponent({
		name: "InboxElement",
		inheritAttrs: false,
		props: { token: { type: /** @type {any} */ ([String, Function]), default: undefined } },
		setup(props, { slots, attrs }) {
			const store = inject(key, undefined);
			const host = shallowRef(/** @type {import("../element.js").CarillonInbox | undefined} */ (undefined));
			const drawn = shallowReactive(/** @type {Map<HTMLElement, import("../inbox.js").Message>} */ (new Map()));
			const latest = () => (typeof props.token === "function" ? props.token() : (props.token ?? ""));
			onMounted(() => {
				import("../carillon-inbox.js"); // defines the element, in browsers only
				const element = host.value;
				if (!element) return;
				watch(
					() => (typeof props.token === "function" ? latest : props.token), // templates make functions anew
					(token) => {
						element.token = token;
						element.store = token === undefined ? store : undefined;
					},
					{ immediate: true },
				);
				if (slots.message)
					element.renderMessage = (message, container) => {
						drawn.set(container, message);
						return () => void drawn.delete(container);
					};
			});
			return () =>
				h("carillon-inbox", { ref: host, ...attrs }, [
					slots.default?.(),
					...[...drawn].map(([container, message]) =>
						h(/** @type {any} */ (Teleport), { to: container, key: message.id }, () => slots.message?.({ message })),
					),
				]);
		},
	})
);
