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
 * @property {Error | undefined} error Why the last load failed.
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
		const wanted = Math.max(pageSize, this.stored.length);
		const [page, counts] = await Promise.all([this.#first(wanted, filter), filters ? inbox.counts(filters) : []]);
		if (!this.observed) return;
		if (pages !== this.#pages) {
			this.#stale = true; // a page came meanwhile that this load did not ask for
			return;
		}
		this.#take(page.messages, page, counts);
		const unseen = page.messages.filter((m) => !m.seen && !m.snoozedUntil).map(({ id }) => id);
		if (markSeen && unseen.length > 0) await inbox.markSeen(unseen);
	}

	/**
	 * The first messages, in as many requests as they need.
	 * @param {number} wanted
	 * @param {Filter} [filter]
	 */
	async #first(wanted, filter) {
		const { inbox } = this.#store;
		let page = await inbox.list({ filter, first: Math.min(longestPage, wanted) });
		let { messages } = page;
		for (let left = wanted - longestPage; left > 0 && page.hasNextPage; left -= longestPage) {
			const first = Math.min(longestPage, left);
			page = await inbox.list({ filter, first, after: page.endCursor });
			messages = joined(messages, page.messages);
		}
		return { ...page, messages };
	}

	/** Loads the next page behind those that it shows. */
	async more() {
		const { filter, pageSize: first = usualPageSize } = this.#options;
		let page, after;
		do {
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
		this.stored = messages;
		this.#endCursor = page.endCursor;
		this.#set({ hasMore: page.hasNextPage, counts });
		this.#store.refresh();
	}

	/** Takes what an update says of its messages, and loads anew: others may come or go. @param {import("./inbox.js").Update} update */
	receive({ messages, removedIds }) {
		const changed = new Map(messages.map((m) => [m.id, m]));
		this.stored = this.stored
			.filter(({ internalId }) => !removedIds.includes(internalId))
			.map((m) => changed.get(m.id) ?? m)
			.filter((m) => !changed.has(m.id) || meets(m, this.#options.filter));
		this.show();
		this.load();
	}

	/** Takes over changes that the server has made, in case it could not be asked for the messages since. */
	confirm() {
		if (this.snapshot.error) this.stored = this.snapshot.messages;
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
