import { Waiting } from "./waiting.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 *
 * @typedef {object} Kept
 * @property {number} at When it was kept, in milliseconds.
 * @property {import("./inbox.js").State} state
 * @property {Record<string, Message[]>} lists The first messages of each list, by its filter.
 */

const prefix = "carillon-inbox:";
const longest = 200_000; // characters, of one subscriber
const mostMessages = 50; // of a list
const mostLists = 4;
const mostInboxes = 3;
const lifetime = 30 * 86_400_000;

/** @returns {Kept} */
const nothing = () => ({ at: 0, state: { sequence: 0, total: 0, unread: 0, unseen: 0 }, lists: {} });

/**
 * What a browser keeps of one subscriber's inbox, so that it shows while the server cannot be reached: the first messages of
 * each list, and the counts. It is bounded, and gone after 30 days.
 */
export class Cache {
	/** @type {string} */ #key;
	/** @type {Storage | undefined} */ #storage;

	/**
	 * @param {string} name Names the server, the subscriber and the context.
	 * @param {Storage | undefined} storage
	 */
	constructor(name, storage) {
		this.#key = prefix + name;
		this.#storage = storage;
	}

	/** @returns {Kept} */
	read() {
		try {
			const kept = JSON.parse(this.#storage?.getItem(this.#key) ?? "null");
			if (!kept || Date.now() - kept.at > lifetime) return nothing();
			return { ...nothing(), ...kept };
		} catch {
			return nothing();
		}
	}

	/** @param {Partial<Kept>} change */
	write(change) {
		const kept = { ...this.read(), ...change, at: Date.now() };
		const lists = Object.entries(kept.lists).slice(-mostLists);
		for (let most = mostMessages; ; most = Math.floor(most / 2)) {
			kept.lists = Object.fromEntries(lists.map(([key, messages]) => [key, messages.slice(0, most)]));
			const text = JSON.stringify(kept);
			if (text.length <= longest || most === 0) return this.#store(text);
		}
	}

	/** @param {string} text */
	#store(text) {
		try {
			this.#storage?.setItem(this.#key, text);
			this.#bound();
		} catch {
			// The page's storage is full or refused: nothing is kept.
		}
	}

	/** Removes the inboxes that were kept longest ago. */
	#bound() {
		const storage = this.#storage;
		if (!storage) return;
		const keys = Array.from({ length: storage.length }, (_, i) => storage.key(i) ?? "").filter(
			(key) => key.startsWith(prefix) && key !== this.#key,
		);
		if (keys.length < mostInboxes) return;
		/** @param {string} key */
		const age = (key) => Number(/"at":(\d+)/.exec(storage.getItem(key) ?? "")?.[1] ?? 0);
		keys.sort((a, b) => age(a) - age(b));
		for (const key of keys.slice(0, keys.length - mostInboxes + 1)) storage.removeItem(key);
	}

	/** Removes what is kept, as when the subscriber signs out. */
	clear() {
		try {
			this.#storage?.removeItem(this.#key);
		} catch {
			// There was nothing.
		}
	}
}

/**
 * Opens what the browser keeps of an inbox.
 * @param {string} name Names the server, the subscriber and the context.
 */
export function open(name) {
	/** @type {Storage | undefined} */
	let storage;
	try {
		storage = globalThis.localStorage;
	} catch {
		// It is a page without an origin of its own.
	}
	return { cache: new Cache(name, storage), waiting: storage && new Waiting(name, storage) };
}
