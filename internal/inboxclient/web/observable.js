/**
 * A value that user interfaces observe. Each change replaces it, so that comparing references finds changes.
 * @template T
 */
export class Observable {
	/** @type {Set<(snapshot: T) => void>} */ #listeners = new Set();

	/** @param {T} snapshot */
	constructor(snapshot) {
		/** The value as it is now. */
		this.snapshot = snapshot;
	}

	/** Whether anything listens. */
	get observed() {
		return this.#listeners.size > 0;
	}

	/**
	 * Calls listener with every new value, until the function that it returns is called.
	 * @param {(snapshot: T) => void} listener
	 * @returns {() => void}
	 */
	subscribe(listener) {
		const own = (/** @type {T} */ snapshot) => listener(snapshot); // the same function may listen twice
		this.#listeners.add(own);
		return () => void this.#listeners.delete(own);
	}

	/** @param {T} snapshot */
	publish(snapshot) {
		this.snapshot = snapshot;
		for (const listener of [...this.#listeners]) listener(snapshot);
	}
}
