import { changed, inverse, isUnreachable, recounted, send } from "./changes.js";
import { Inbox } from "./inbox.js";
import { filterKey, MessageList } from "./message-list.js";
import { Observable } from "./observable.js";
import { Outbox } from "./outbox.js";
import { PreferenceStore } from "./preference-store.js";
import { TabSync } from "./sync.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./inbox.js").Update} Update
 * @typedef {import("./changes.js").Change} Change
 *
 * @typedef {object} Summary
 * @property {import("./inbox.js").Status} status How the live connection is.
 * @property {number} unread
 * @property {number} unseen
 * @property {number} total
 * @property {number} waiting How many changes wait until the server can be reached.
 *
 * @typedef {object} Undoable A change that can be taken back.
 * @property {() => Promise<void>} undo
 * @property {() => Promise<void>} finish Makes it final now.
 */

/** How long a change that another tab made shows, when no update confirms it. */
const trust = 5_000;

/**
 * The inbox of one subscriber as data for a user interface: how many messages are unread, lists of messages, and
 * preferences. What a reader does shows at once, in all tabs of the browser. It is undone when the server refuses it, and sent
 * later when the server cannot be reached.
 * @extends {Observable<Summary>}
 */
export class InboxStore extends Observable {
	/** @type {Set<MessageList>} */ #lists = new Set();
	/** Changes that the server has not confirmed yet. @type {Set<Change>} */ #pending = new Set();
	/** @type {Set<() => Promise<void>>} */ #delayed = new Set();
	/** @type {Set<(error: Error) => void>} */ #refusals = new Set();
	/** @type {Set<() => void>} */ #switches = new Set();
	/** @type {import("./cache.js").Cache | undefined} */ #cache;
	#forgotten = false;
	/** The messages that the browser kept, which changes that wait may be of. @type {Message[]} */ #kept = [];
	/** @type {TabSync | undefined} */ #sync;
	#options;
	#started = 0;
	#told = "";

	/** @param {import("./inbox.js").Options} options */
	constructor(options) {
		super({ status: "offline", unread: 0, unseen: 0, total: 0, waiting: 0 });
		this.#options = options;
		/** The client that the store works with. */
		this.inbox = new Inbox(options);
		this.inbox.switched = () => this.#switch();
		/** The preferences of the subscriber. */
		this.preferences = new PreferenceStore(this.inbox, () => this.#sync?.tell({ type: "preferences" }));
		/** The changes that wait until the server can be reached. */
		this.outbox = new Outbox({
			send: (change) => this.#deliver(change),
			changed: () => this.#show(),
			refused: (error) => this.#refuse(error),
			emptied: () => {
				this.#kept = [];
				this.reload();
			},
		});
		if (options.subscriber) this.#remember(options.subscriber).catch(() => {}); // it is not kept
		let sequence = 0;
		this.inbox.subscribe((update) => {
			const renewed = update.sequence < sequence;
			const news = update.messages.length + update.removedIds.length > 0 || renewed;
			sequence = update.sequence;
			if (news) for (const list of this.#lists) list.receive(update, renewed);
			this.#keep();
			this.refresh();
		});
		this.inbox.onStatus((status) => {
			if (status === "online" && this.#told === "offline") this.#heal();
			if (status !== "connecting") this.#told = status;
			this.refresh();
		});
	}

	/**
	 * Connects, stays connected until close, and loads the lists that are observed.
	 * @returns {Promise<void>} Rejected when the token is refused.
	 */
	async start() {
		const start = ++this.#started;
		this.#identify();
		await this.inbox.connect();
		if (start !== this.#started) return;
		this.outbox.flush();
		this.reload();
	}

	/** Ends the live connection; start opens it again, and resumes after the last update. */
	close() {
		this.#started++;
		for (const finish of [...this.#delayed]) finish();
		this.outbox.close();
		this.#sync?.close();
		this.#sync = undefined;
		this.inbox.close();
		this.#told = ""; // start loads by itself
	}

	/** Removes what the browser keeps of this inbox, as when the subscriber signs out. */
	forget() {
		this.#forgotten = true;
		this.outbox.forget();
		this.#kept = [];
		this.#cache?.clear();
		this.#cache = undefined;
	}

	/** Loads again what failed, and sends what waits. */
	#heal() {
		this.outbox.flush();
		this.reload();
		if (this.preferences.observed) this.preferences.load();
	}

	async #identify() {
		const start = this.#started;
		const who = await this.inbox.subscriber?.().catch(() => {});
		if (who && start === this.#started) this.#known(who.subscriberId);
	}

	/** Begins anew with the inbox of another subscriber, and leaves nothing of the one before. */
	#switch() {
		this.forget();
		this.#pending.clear();
		this.#delayed.clear();
		for (const list of this.#lists) list.clear();
		this.preferences.clear();
		this.refresh();
		this.#identify();
		this.reload();
		for (const listener of [...this.#switches]) listener();
	}

	/** Whose inbox the server says it is. @param {string} subscriber */
	#known(subscriber) {
		const { subscriber: named } = this.#options;
		if (named !== undefined && named !== subscriber) {
			this.forget(); // it is another one's
			for (const list of this.#lists) list.clear();
		}
		this.#sync?.close();
		this.#sync = new TabSync(this.#name(subscriber), (news) => this.#hear(news));
	}

	/** @param {string} subscriber */
	#name(subscriber) {
		const { contextKeys = [] } = this.#options;
		return [this.inbox.address, subscriber, ...[...contextKeys].sort()].join(" ");
	}

	/** Shows what the browser kept of the inbox, and keeps more from now on. @param {string} subscriber */
	async #remember(subscriber) {
		const { open } = await import("./cache.js");
		const { cache, waiting } = open(this.#name(subscriber));
		if (this.#forgotten) {
			cache.clear();
			waiting?.clear();
			return;
		}
		this.#cache = cache;
		const { state, lists } = cache.read();
		this.#kept = Object.values(lists).flat();
		if (this.inbox.state.sequence === 0) this.inbox.state = state;
		if (waiting) this.outbox.share(waiting);
		for (const list of this.#lists) this.#restore(list);
		if (this.inbox.status === "online") this.outbox.flush();
		this.#keep(); // what was loaded meanwhile
		this.refresh();
	}

	/** @param {MessageList} list */
	#restore(list) {
		const kept = list.loaded ? undefined : this.#cache?.read().lists[filterKey(list.filter)];
		if (kept) list.restore(kept);
	}

	/** @param {import("./sync.js").News} news */
	#hear(news) {
		if (news.type === "preferences") {
			if (this.preferences.observed) this.preferences.load();
			return;
		}
		this.#pending.add(news.change);
		this.#show();
		setTimeout(() => {
			this.#pending.delete(news.change);
			this.#show();
		}, trust);
	}

	/**
	 * A list of messages, which loads and follows changes while it is observed.
	 * @param {import("./message-list.js").ListOptions} [options]
	 */
	list(options) {
		const list = new MessageList(this, options);
		this.#restore(list);
		return list;
	}

	/** @param {MessageList} list */
	attach(list) {
		this.#lists.add(list);
	}
	/** @param {MessageList} list */
	detach(list) {
		this.#lists.delete(list);
		this.refresh();
	}

	/** Loads the observed lists anew. */
	async reload() {
		await Promise.all([...this.#lists].map((list) => list.load()));
		this.#keep();
	}

	#keep() {
		if (!this.#cache) return;
		const { lists } = this.#cache.read();
		for (const { filter, stored, loaded } of this.#lists) if (loaded) lists[filterKey(filter)] = stored;
		this.#cache.write({ lists, state: this.inbox.state });
	}

	/** The message with the changes that wait for the server; undefined when one deletes it. @param {Message} m */
	patched(m) {
		/** @type {Message | undefined} */
		let now = m;
		for (const changes of [this.outbox.entries, this.#pending])
			for (const change of changes) if (now) now = changed(change, now);
		return now;
	}

	/** Publishes anew what is derived from the server's counts and the changes that wait. */
	refresh() {
		const { state, status } = this.inbox;
		const waiting = this.outbox.entries.length;
		const known = [...this.#kept, ...[...this.#lists].flatMap(({ stored }) => stored)];
		const changing = this.#pending.size + waiting > 0 ? known : [];
		this.publish({ status, waiting, ...recounted(state, changing, (m) => this.patched(m)) });
	}

	/** @param {string[]} ids */
	markRead(ids) {
		return this.change({ op: "markRead", ids });
	}
	/** Takes it out of the archive too. @param {string[]} ids */
	markUnread(ids) {
		return this.change({ op: "markUnread", ids });
	}
	/** @param {string[]} ids */
	markSeen(ids) {
		return this.change({ op: "markSeen", ids });
	}
	/** Puts messages away, read. @param {string[]} ids */
	archive(ids) {
		return this.change({ op: "archive", ids });
	}
	/** @param {string[]} ids */
	unarchive(ids) {
		return this.change({ op: "unarchive", ids });
	}
	/**
	 * Hides messages until a moment, at most 366 days ahead.
	 * @param {string[]} ids
	 * @param {Date} until
	 */
	snooze(ids, until) {
		return this.change({ op: "snooze", ids, until: until.toISOString() });
	}
	/** @param {string[]} ids */
	unsnooze(ids) {
		return this.change({ op: "unsnooze", ids });
	}
	/** Removes messages for good. @param {string[]} ids */
	delete(ids) {
		return this.change({ op: "delete", ids });
	}

	/**
	 * Makes a change, at once or, when the server cannot be reached, later.
	 * @param {Change} change
	 * @returns {Promise<Message[]>} The messages afterwards; none when it waits.
	 */
	async change(change) {
		if (this.outbox.entries.length > 0 && this.outbox.accepts) {
			this.outbox.add(change); // behind those that wait
			this.outbox.flush();
			return [];
		}
		try {
			return await this.#deliver(change);
		} catch (error) {
			if (!isUnreachable(error) || !this.outbox.accepts) throw error;
			this.outbox.add(change);
			return [];
		}
	}

	/**
	 * Makes a change that can be taken back. What the server cannot undo, it is told only after a while, or when the page or the
	 * store closes.
	 * @param {Change} change
	 * @param {number} [wait] How long, in milliseconds.
	 * @returns {Promise<Undoable>}
	 */
	async changeUndoably(change, wait = 6_000) {
		if (change.op === "delete") return this.#delay(change, wait);
		const before = [...this.#lists].flatMap(({ stored }) => stored.filter(({ id }) => change.ids.includes(id)));
		await this.change(change);
		return {
			undo: async () => {
				await Promise.all(inverse(change, before).map((back) => this.change(back)));
			},
			finish: async () => {},
		};
	}

	/**
	 * @param {Change} change
	 * @param {number} wait
	 * @returns {Undoable}
	 */
	#delay(change, wait) {
		this.#pending.add(change);
		this.#show();
		const finish = async () => {
			if (!this.#delayed.delete(finish)) return;
			clearTimeout(timer);
			const sent = this.change(change);
			this.#pending.delete(change); // change shows it now
			await sent;
		};
		this.#delayed.add(finish);
		const timer = setTimeout(() => finish().catch((error) => this.#refuse(error)), wait);
		return {
			undo: async () => {
				if (!this.#delayed.delete(finish)) return;
				clearTimeout(timer);
				this.#pending.delete(change);
				this.#show();
			},
			finish,
		};
	}

	/** @param {Error} error */
	#refuse(error) {
		for (const listener of [...this.#refusals]) listener(error);
	}

	/**
	 * Calls listener when the server refuses a change that had to wait, until the function that it returns is called.
	 * @param {(error: Error) => void} listener
	 * @returns {() => void}
	 */
	onRefusal(listener) {
		this.#refusals.add(listener);
		return () => void this.#refusals.delete(listener);
	}

	/** Calls listener when the inbox has become another subscriber's, until the result is called. @param {() => void} listener */
	onSwitch(listener) {
		this.#switches.add(listener);
		return () => void this.#switches.delete(listener);
	}

	/**
	 * Acts on all messages that match the filter, and returns how many it changed.
	 * @param {"READ" | "SEEN" | "ARCHIVE" | "DELETE"} action
	 * @param {Filter} [filter]
	 * @returns {Promise<number>}
	 */
	async markAll(action, filter) {
		return this.#act(undefined, () => this.inbox.markAll(action, filter));
	}

	/**
	 * Records that a button of a message was used; the first use counts.
	 * @param {string} messageId
	 * @param {import("./inbox.js").ButtonType} button
	 * @param {Record<string, any>} [payload] What to keep with it.
	 * @returns {Promise<Message>}
	 */
	completeAction(messageId, button, payload) {
		return this.#act(undefined, () =>
			payload === undefined
				? this.inbox.completeAction(messageId, button)
				: this.inbox.completeAction(messageId, button, payload),
		);
	}

	/** @param {Change} change */
	#deliver(change) {
		return this.#act(change, async () => {
			const messages = await send(this.inbox, change);
			this.#sync?.tell({ type: "change", change });
			return messages;
		});
	}

	/**
	 * Shows the change while the server makes it. Once it did, the change shows until the lists are loaded anew; when it
	 * refuses, they show what they did before.
	 * @template T
	 * @param {Change | undefined} change
	 * @param {() => Promise<T>} work
	 * @returns {Promise<T>}
	 */
	async #act(change, work) {
		const shown = change && { ...change }; // the same change may wait in the outbox
		if (shown) this.#pending.add(shown);
		this.#show();
		const settle = () => {
			if (!shown) return;
			this.#pending.delete(shown);
			this.#show();
		};
		try {
			const result = await work();
			this.reload().then(() => {
				if (shown) for (const list of this.#lists) list.confirm(shown);
				settle();
			});
			return result;
		} catch (error) {
			if (isUnreachable(error) && shown)
				queueMicrotask(settle); // once it is in the outbox
			else settle();
			this.reload(); // the server may have made the change although its answer was lost
			throw error;
		}
	}

	#show() {
		for (const list of this.#lists) list.show();
		this.refresh();
	}
}
