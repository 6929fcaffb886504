import { isChange, isSignedOut, isUnreachable } from "./changes.js";

/**
 * @typedef {import("./changes.js").Change} Change
 *
 * @typedef {object} OutboxOptions
 * @property {(change: Change) => Promise<unknown>} send
 * @property {() => void} changed Called when a change was added, sent or refused.
 * @property {(error: Error, change: Change) => void} refused Called when the server refuses a change.
 * @property {() => void} [emptied] Called when the last one was sent.
 */

const shortestPause = 2_000;
const longestPause = 30_000;
const most = 200;

/** Changes that could not reach the server, which are sent in order once it is reached again, by one tab of the browser. */
export class Outbox {
	/** @type {OutboxOptions} */ #options;
	/** What the tabs share, when the browser keeps it. @type {import("./waiting.js").Waiting | undefined} */ #waiting;
	/** @type {Promise<void> | undefined} */ #sending;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
	#failures = 0;
	/** What waits, in order. @type {Change[]} */
	entries = [];

	/** @param {OutboxOptions} options */
	constructor(options) {
		this.#options = options;
	}

	/** Reports whether one more change is taken: the number that waits is bounded. */
	get accepts() {
		return this.entries.length < most;
	}

	/** @param {Change} change */
	add(change) {
		this.entries = [...this.entries, { ...change }];
		this.#merge();
		this.#retry();
	}

	/** Shares what waits with other tabs and later pages. @param {import("./waiting.js").Waiting} waiting */
	share(waiting) {
		this.#waiting = waiting;
		waiting.heard = () => {
			this.#merge();
			if (this.entries.length > 0) this.#later(shortestPause);
		};
		this.#merge();
	}

	#merge() {
		this.entries = this.#waiting?.merged(this.entries, most).filter(isChange) ?? this.entries;
		this.#options.changed();
	}

	/** Removes what waits, and shares nothing more. */
	forget() {
		this.entries = [];
		this.#waiting?.clear();
		this.#waiting = undefined;
	}

	/** Sends what waits. Resolves when nothing waits or the server cannot be reached. */
	flush() {
		const send = () => this.#send();
		this.#sending ??= (this.#waiting?.alone(send) ?? send()).finally(() => (this.#sending = undefined));
		return this.#sending;
	}

	/** Sends nothing more by itself. */
	close() {
		this.#waiting?.close();
		clearTimeout(this.#timer);
	}

	async #send() {
		clearTimeout(this.#timer);
		const any = this.entries.length > 0;
		for (this.#merge(); this.entries.length > 0; this.#merge()) {
			const [change] = this.entries;
			try {
				await this.#options.send(change);
			} catch (error) {
				if (isUnreachable(error)) return this.#retry();
				if (isSignedOut(error)) return; // it waits for a token that is good
				this.#remove(change);
				this.#options.refused(error instanceof Error ? error : new Error(String(error)), change);
				continue;
			}
			this.#failures = 0;
			this.#remove(change);
		}
		if (any) this.#options.emptied?.();
	}

	/** @param {Change} change */
	#remove(change) {
		this.#waiting?.remove(change);
		this.entries = this.entries.filter((entry) => entry !== change && !(change.turn && entry.turn === change.turn));
	}

	#retry() {
		this.#later(Math.min(longestPause, shortestPause * 2 ** Math.min(this.#failures++, 8)));
	}

	/** @param {number} pause */
	#later(pause) {
		clearTimeout(this.#timer);
		this.#timer = setTimeout(() => this.flush(), pause);
	}
}
