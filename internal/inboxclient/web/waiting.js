/** @typedef {import("./changes.js").Change} Change */

const prefix = "carillon-inbox-waiting:";
const lifetime = 30 * 86_400_000;
const digits = 9; // of a time to the base of 36

/**
 * The changes of one inbox that wait in a browser, for 30 days. Each has an item of its own, named by its turn, so that tabs do not
 * overwrite what others keep, and what a closed tab leaves is the others'.
 */
export class Waiting {
	#name;
	#storage;
	/** Called when other tabs changed what waits. @type {() => void} */
	heard = () => {};

	/**
	 * @param {string} name Names the server, the subscriber and the context.
	 * @param {Storage} storage
	 */
	constructor(name, storage) {
		this.#name = name;
		this.#storage = storage;
	}

	/** What waits, in order. @returns {Change[]} */
	read() {
		return this.#turns().flatMap((turn) => {
			try {
				return { ...JSON.parse(this.#storage.getItem(this.#key(turn)) ?? "null"), turn };
			} catch {
				return []; // another program's
			}
		});
	}

	/**
	 * What a tab knows of, with what the others keep and without what they have sent.
	 * @param {Change[]} known
	 * @param {number} most
	 */
	merged(known, most) {
		for (const change of known) if (!change.turn) this.add(change);
		return [...this.read().slice(0, most), ...known.filter(({ turn }) => !turn)];
	}

	/** Keeps one more, and gives it its turn. @param {Change} change */
	add(change) {
		try {
			const last = this.#turns().at(-1);
			const time = Math.max(Date.now(), last ? timeOf(last) + 1 : 0);
			const turn = time.toString(36).padStart(digits, "0") + Math.random().toString(36).slice(2, 8);
			this.#storage.setItem(this.#key(turn), JSON.stringify(change));
			change.turn = turn;
		} catch {
			// The page's storage is full: it waits in this tab alone.
		}
	}

	/** @param {Change} change */
	remove({ turn }) {
		if (turn) this.#storage.removeItem(this.#key(turn));
	}

	/** Removes all, as when the subscriber signs out. */
	clear() {
		this.close();
		for (const turn of this.#turns()) this.#storage.removeItem(this.#key(turn));
	}

	/**
	 * Does work while no other tab does work on this inbox; the others are heard from now on, until close.
	 * @template T @param {() => Promise<T>} work @returns {Promise<T>}
	 */
	async alone(work) {
		addEventListener("storage", this.#listen);
		const { locks } = navigator;
		return locks ? locks.request(prefix + this.#name, work) : work();
	}

	/** Hears the others no longer. */
	close() {
		removeEventListener("storage", this.#listen);
	}

	/** @param {StorageEvent} event Without a key when all items were removed. */
	#listen = ({ key }) => {
		if (key === null || (key.startsWith(prefix) && key.endsWith(` ${this.#name}`))) this.heard();
	};

	/** @param {string} turn */
	#key(turn) {
		return `${prefix}${turn} ${this.#name}`;
	}

	/** The turns of what waits, in order, without what is too old. */
	#turns() {
		/** @type {string[]} */
		const turns = [];
		for (const key of Object.keys(this.#storage)) {
			if (!key.startsWith(prefix)) continue;
			const end = key.indexOf(" ");
			const turn = key.slice(prefix.length, end);
			if (timeOf(turn) < Date.now() - lifetime) this.#storage.removeItem(key);
			else if (key.slice(end + 1) === this.#name) turns.push(turn);
		}
		return turns.sort();
	}
}

/** @param {string} turn */
const timeOf = (turn) => Number.parseInt(turn.slice(0, digits), 36);
