import { changed } from "./changes.js";
import { arrival } from "./days.js";
import { Observable } from "./observable.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 *
 * @typedef {object} ListOptions
 * @property {Filter} [filter]
 * @property {number} [pageSize] At most 100; 20 when left out.
 * @property {boolean} [markSeen] Marks messages seen that the list has loaded.
 * @property {Filter[]} [counts] Filters whose matches are counted with each load.
 *
 * @typedef {object} Listing
 * @property {Message[]} messages Latest first.
 * @property {boolean} hasMore Whether there are further pages.
 * @property {boolean} loading
 * @property {Error | undefined} error Why the last load failed, or the next page could not be loaded.
 * @property {number[]} counts One for each filter of the options.
 */

const usualPageSize = 20;
const longestPage = 100;

/**
 * The messages that meet a filter, page behind page. It loads and follows changes while it is observed.
 * @extends {Observable<Listing>}
 */
export class MessageList extends Observable {
	/** @type {import("./store.js").InboxStore} */ #store;
	/** @type {ListOptions} */ #options;
	/** @type {string | null} */ #endCursor = null;
	/** @type {Promise<void> | undefined} */ #loading;
	#stale = false;
	#pages = 0; // that more has added
	/** Why the last page could not be loaded. @type {Error | undefined} */ #missed;
	/** Whether the server has been asked. */
	loaded = false;
	/** The messages as the server said, without changes that wait for it. @type {Message[]} */
	stored = [];

	/**
	 * @param {import("./store.js").InboxStore} store
	 * @param {ListOptions} [options]
	 */
	constructor(store, options = {}) {
		super({ messages: [], hasMore: false, loading: true, error: undefined, counts: [] });
		this.#store = store;
		this.#options = options;
	}

	/** What the messages meet. */
	get filter() {
		return this.#options.filter;
	}

	/** Shows messages that a browser kept, until the list is loaded. @param {Message[]} messages */
	restore(messages) {
		this.stored = messages;
		this.#set({});
	}

	/** Drops the messages: they were another subscriber's. */
	clear() {
		this.stored = [];
		this.#set({ hasMore: false });
	}

	/**
	 * Calls listener with every change, until the function that it returns is called. The first listener makes it load.
	 * @override
	 * @param {(listing: Listing) => void} listener
	 */
	subscribe(listener) {
		const first = !this.observed;
		const stop = super.subscribe(listener);
		if (first) {
			this.#store.attach(this);
			this.load();
		}
		return () => {
			if (!this.observed) return;
			stop();
			if (!this.observed) this.#store.detach(this);
		};
	}

	/** Loads what it shows anew, and again when that changes meanwhile. A failure shows in the snapshot. */
	load() {
		this.#stale = true;
		this.#loading ??= this.#run().finally(() => (this.#loading = undefined));
		return this.#loading;
	}

	async #run() {
		this.#set({ loading: true });
		/** @type {Error | undefined} */
		let error;
		while (this.#stale && this.observed) {
			this.#stale = false;
			error = undefined;
			try {
				await this.#fetch();
			} catch (problem) {
				error = problem instanceof Error ? problem : new Error(String(problem));
			}
		}
		this.#set({ loading: false, error });
	}

	async #fetch() {
		const { filter, pageSize = usualPageSize, markSeen, counts: filters } = this.#options;
		const { inbox } = this.#store;
		const pages = this.#pages;
		const first = Math.min(longestPage, Math.max(pageSize, this.stored.length));
		const [page, counts] = await Promise.all([inbox.list({ filter, first }), filters ? inbox.counts(filters) : []]);
		if (!this.observed) return;
		if (pages !== this.#pages) {
			this.#stale = true; // a page came meanwhile that this load did not ask for
			return;
		}
		const rest = this.#behind(page);
		if (rest.length > 0) this.#take(joined(page.messages, rest), { ...this.#end(), messages: [] }, counts);
		else this.#take(page.messages, page, counts);
		const unseen = page.messages.filter((m) => !m.seen && !m.snoozedUntil).map(({ id }) => id);
		if (markSeen && unseen.length > 0) await inbox.markSeen(unseen);
	}

	/**
	 * What is known of a long list behind its first messages, which are all that is loaded anew: updates have said what
	 * changed in it.
	 * @param {import("./inbox.js").Page} page
	 */
	#behind({ messages, hasNextPage }) {
		if (!hasNextPage || this.stored.length <= longestPage) return [];
		const last = messages.at(-1)?.id;
		const at = this.stored.findIndex(({ id }) => id === last);
		return at < 0 ? [] : this.stored.slice(at + 1);
	}

	#end() {
		return { endCursor: this.#endCursor, hasNextPage: this.snapshot.hasMore };
	}

	/**
	 * Loads the next page behind those that it shows, if there is one.
	 * @returns {Promise<void>} Rejected when that fails, which shows in the snapshot as well, until a page comes.
	 */
	async more() {
		try {
			await this.#next();
			if (this.snapshot.error === this.#missed) this.#set({ error: undefined });
		} catch (problem) {
			this.#missed = problem instanceof Error ? problem : new Error(String(problem));
			this.#set({ error: this.#missed });
			throw problem;
		}
	}

	async #next() {
		const { filter, pageSize: first = usualPageSize } = this.#options;
		let page, after;
		do {
			if (this.loaded && !this.snapshot.hasMore) return;
			after = this.#endCursor;
			page = await this.#store.inbox.list({ filter, first, after });
		} while (after !== this.#endCursor); // the list was loaded anew meanwhile, and ends elsewhere
		this.#pages++;
		this.#take(joined(this.stored, page.messages), page, this.snapshot.counts);
	}

	/**
	 * @param {Message[]} messages
	 * @param {import("./inbox.js").Page} page
	 * @param {number[]} counts
	 */
	#take(messages, page, counts) {
		const known = new Map(this.stored.map((m) => [m.id, m]));
		this.stored = messages.map((m) => same(known.get(m.id), m)); // so that only what changed is drawn anew
		this.loaded = true;
		this.#endCursor = page.endCursor;
		this.#set({ hasMore: page.hasNextPage, counts });
		this.#store.refresh();
	}

	/**
	 * Takes what an update says of its messages, and loads anew: others may come or go.
	 * @param {import("./inbox.js").Update} update
	 * @param {boolean} [renewed] Whether the inbox was made anew.
	 */
	receive({ messages, removedIds }, renewed) {
		const { filter } = this.#options;
		const removed = new Set(removedIds);
		const changed = new Map(messages.map((m) => [m.id, m]));
		if (renewed) this.stored = this.stored.slice(0, longestPage);
		const known = new Set(this.stored.map(({ id }) => id));
		this.stored = this.stored
			.filter(({ internalId }) => !removed.has(internalId))
			.map((m) => changed.get(m.id) ?? m)
			.filter((m) => !changed.has(m.id) || meets(m, filter));
		if (this.stored.length > longestPage && decidable(filter))
			for (const m of messages) if (!known.has(m.id) && meets(m, filter)) this.#insert(m);
		this.show();
		this.load();
	}

	/** Puts a message in its place: the list loads only its first ones anew. @param {Message} m */
	#insert(m) {
		const at = this.stored.findIndex((other) => arrival(other) < arrival(m));
		if (at >= 0) this.stored.splice(at, 0, m);
		else if (!this.snapshot.hasMore) this.stored.push(m);
	}

	/** Takes over a change that the server has made, in case it could not be asked for the messages since. @param {import("./changes.js").Change} change */
	confirm(change) {
		const { filter } = this.#options;
		if (!this.snapshot.error && this.stored.length <= longestPage) return;
		this.stored = this.stored.flatMap((m) => {
			const now = changed(change, m);
			return now && (now === m || meets(now, filter)) ? [now] : [];
		});
	}

	/** Publishes the messages anew with the changes that wait for the server. */
	show() {
		this.#set({});
	}

	/** @param {Partial<Listing>} change */
	#set(change) {
		const messages = this.stored.flatMap((m) => {
			const now = this.#store.patched(m);
			return now && (now === m || meets(now, this.#options.filter)) ? [now] : [];
		});
		this.publish({ ...this.snapshot, ...change, messages });
	}
}

/** Messages and those of the page behind them; one that has moved meanwhile shows once. @param {Message[]} messages @param {Message[]} next */
function joined(messages, next) {
	const known = new Set(messages.map(({ id }) => id));
	return [...messages, ...next.filter(({ id }) => !known.has(id))];
}

/** What is known already when it is the same. @param {Message | undefined} known @param {Message} m */
const same = (known, m) => (known && JSON.stringify(known) === JSON.stringify(m) ? known : m);

/** A name for a filter. @param {Filter} [filter] */
export const filterKey = (filter = {}) => JSON.stringify(Object.entries(filter).sort());

/** Whether a message's flags say that it meets a filter. @param {Filter} [filter] */
const decidable = (filter = {}) =>
	Object.keys(filter).every((key) => ["read", "seen", "archived", "snoozed"].includes(key));

/**
 * Whether a message that the server listed is still within the filter after a change of its flags.
 * @param {Message} m
 * @param {Filter} [filter]
 */
function meets(m, filter = {}) {
	return (
		(filter.read ?? m.read) === m.read &&
		(filter.seen ?? m.seen) === m.seen &&
		(filter.archived ?? false) === m.archived &&
		(filter.snoozed ?? false) === (m.snoozedUntil !== null)
	);
}
