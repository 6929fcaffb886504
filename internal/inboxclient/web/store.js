import { Inbox } from "./inbox.js";
import { MessageList } from "./message-list.js";
import { Observable } from "./observable.js";
import { PreferenceStore } from "./preference-store.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./inbox.js").Update} Update
 *
 * @typedef {object} Summary
 * @property {import("./inbox.js").Status} status How the live connection is.
 * @property {number} unread
 * @property {number} unseen
 * @property {number} total
 *
 * @typedef {object} Patch A change that the server has not confirmed yet.
 * @property {(m: Message) => boolean} affects
 * @property {(m: Message) => Message | undefined} apply Undefined: the message is deleted.
 */

/**
 * The inbox of one subscriber as data for a user interface: how many messages are unread, lists of messages, and
 * preferences. What a reader does shows at once, and is undone when the server refuses it.
 * @extends {Observable<Summary>}
 */
export class InboxStore extends Observable {
	/** @type {Set<MessageList>} */ #lists = new Set();
	/** @type {Set<Patch>} */ #pending = new Set();
	#started = 0;

	/** @param {import("./inbox.js").Options} options */
	constructor(options) {
		super({ status: "offline", unread: 0, unseen: 0, total: 0 });
		/** The client that the store works with. */
		this.inbox = new Inbox(options);
		/** The preferences of the subscriber. */
		this.preferences = new PreferenceStore(this.inbox);
		let sequence = 0;
		this.inbox.subscribe((update) => {
			const changed = update.messages.length + update.removedIds.length > 0 || update.sequence < sequence;
			sequence = update.sequence;
			if (changed) for (const list of this.#lists) list.receive(update);
			this.refresh();
		});
		this.inbox.onStatus(() => this.refresh());
	}

	/**
	 * Connects, stays connected until close, and loads the lists that are observed.
	 * @returns {Promise<void>} Rejected when the token is refused.
	 */
	async start() {
		const start = ++this.#started;
		await this.inbox.connect();
		if (start === this.#started) this.reload();
	}

	/** Ends the live connection; start opens it again, and resumes after the last update. */
	close() {
		this.#started++;
		this.inbox.close();
	}

	/**
	 * A list of messages, which loads and follows changes while it is observed.
	 * @param {import("./message-list.js").ListOptions} [options]
	 */
	list(options) {
		return new MessageList(this, options);
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
	}

	/** The message with the changes that wait for the server; undefined when one deletes it. @param {Message} m */
	patched(m) {
		/** @type {Message | undefined} */
		let now = m;
		for (const patch of this.#pending) if (now && patch.affects(m)) now = patch.apply(now);
		return now;
	}

	/** Publishes anew what is derived from the server's counts and the changes that wait. */
	refresh() {
		const { state, status } = this.inbox;
		/** @type {Map<string, Message>} */
		const known = new Map();
		for (const list of this.#lists) for (const m of list.stored) known.set(m.id, m);
		let { unread, unseen, total } = state;
		if (this.#pending.size > 0)
			for (const before of known.values()) {
				const after = this.patched(before);
				unread += Number(isUnread(after)) - Number(isUnread(before));
				unseen += Number(isUnseen(after)) - Number(isUnseen(before));
				total += Number(isListed(after)) - Number(isListed(before));
			}
		this.publish({ status, unread: Math.max(0, unread), unseen: Math.max(0, unseen), total: Math.max(0, total) });
	}

	/** @param {string[]} messageIds */
	markRead(messageIds) {
		return this.#change(messageIds, read, () => this.inbox.markRead(messageIds));
	}
	/** Takes it out of the archive too. @param {string[]} messageIds */
	markUnread(messageIds) {
		return this.#change(messageIds, unread, () => this.inbox.markUnread(messageIds));
	}
	/** @param {string[]} messageIds */
	markSeen(messageIds) {
		return this.#change(messageIds, seen, () => this.inbox.markSeen(messageIds));
	}
	/** Puts messages away, read. @param {string[]} messageIds */
	archive(messageIds) {
		return this.#change(messageIds, archived, () => this.inbox.archive(messageIds));
	}
	/** @param {string[]} messageIds */
	unarchive(messageIds) {
		return this.#change(messageIds, unarchived, () => this.inbox.unarchive(messageIds));
	}
	/**
	 * Hides messages until a moment, at most 366 days ahead.
	 * @param {string[]} messageIds
	 * @param {Date} until
	 */
	snooze(messageIds, until) {
		return this.#change(
			messageIds,
			(m) => ({ ...m, snoozedUntil: until.toISOString() }),
			() => this.inbox.snooze(messageIds, until),
		);
	}
	/** @param {string[]} messageIds */
	unsnooze(messageIds) {
		return this.#change(
			messageIds,
			(m) => ({ ...m, snoozedUntil: null }),
			() => this.inbox.unsnooze(messageIds),
		);
	}
	/** Removes messages for good. @param {string[]} messageIds */
	delete(messageIds) {
		return this.#change(
			messageIds,
			() => undefined,
			() => this.inbox.delete(messageIds),
		);
	}

	/**
	 * Acts on all messages that match the filter, and returns how many it changed.
	 * @param {"READ" | "SEEN" | "ARCHIVE" | "DELETE"} action
	 * @param {Filter} [filter]
	 * @returns {Promise<number>}
	 */
	markAll(action, filter) {
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

	/**
	 * @param {string[]} messageIds
	 * @param {Patch["apply"]} apply
	 * @param {() => Promise<Message[]>} work
	 */
	#change(messageIds, apply, work) {
		const ids = new Set(messageIds);
		return this.#act({ affects: ({ id }) => ids.has(id), apply }, work);
	}

	/**
	 * Shows the change while the server makes it. Once it did, the change shows until the lists are loaded anew; when it
	 * refuses, they show what they did before.
	 * @template T
	 * @param {Patch | undefined} patch
	 * @param {() => Promise<T>} work
	 * @returns {Promise<T>}
	 */
	async #act(patch, work) {
		if (patch) this.#pending.add(patch);
		this.#show();
		const settle = () => {
			if (!patch) return;
			this.#pending.delete(patch);
			this.#show();
		};
		try {
			const result = await work();
			this.reload().then(() => {
				if (patch) for (const list of this.#lists) list.confirm();
				settle();
			});
			return result;
		} catch (error) {
			settle();
			this.reload(); // the server may have made the change although its answer was lost
			throw error;
		}
	}

	#show() {
		for (const list of this.#lists) list.show();
		this.refresh();
	}
}

/** @type {(m: Message) => Message} */
const read = (m) => ({ ...m, read: true, seen: true });
/** @type {(m: Message) => Message} */
const unread = (m) => ({ ...m, read: false, archived: false });
/** @type {(m: Message) => Message} */
const seen = (m) => ({ ...m, seen: true });
/** @type {(m: Message) => Message} */
const archived = (m) => ({ ...m, read: true, seen: true, archived: true });
/** @type {(m: Message) => Message} */
const unarchived = (m) => ({ ...m, archived: false });

/** Whether the usual list has it, as the server counts. @param {Message | undefined} m */
const isListed = (m) => m !== undefined && !m.archived && !m.snoozedUntil;
/** @param {Message | undefined} m */
const isUnread = (m) => isListed(m) && m?.read === false;
/** @param {Message | undefined} m */
const isUnseen = (m) => isListed(m) && m?.seen === false;
