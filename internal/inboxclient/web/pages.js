/**
 * @typedef {object} PagesView
 * @property {() => import("./message-list.js").MessageList | undefined} list The list that shows.
 * @property {(error: unknown) => void} failed
 * @property {() => void} changed Called when a page came, or when it is time to try again.
 */

const shortestPause = 2_000;
const longestPause = 30_000;

/** Loads further pages of a list as its end comes near: one at a time, and after a failure not before a pause. */
export class Pages {
	/** @type {PagesView} */ #view;
	#busy = false;
	#failures = 0;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ #pause;

	/** @param {PagesView} view */
	constructor(view) {
		this.#view = view;
	}

	/** Loads the next page, if there is one and it is time. It is called with every drawing of a list whose end is near. */
	load() {
		const list = this.#view.list();
		if (this.#busy || this.#pause !== undefined || !list?.snapshot.hasMore) return;
		const shows = () => list === this.#view.list();
		this.#busy = true;
		list
			.more()
			.then(
				() => (this.#failures = 0),
				(error) => {
					if (!shows()) return;
					this.#wait();
					this.#view.failed(error);
				},
			)
			.finally(() => {
				this.#busy = false;
				if (shows()) this.#view.changed();
			});
	}

	#wait() {
		const pause = Math.min(longestPause, shortestPause * 2 ** this.#failures++);
		this.#pause = setTimeout(() => {
			this.#pause = undefined;
			this.#view.changed();
		}, pause);
	}

	/** Forgets failures: another list shows, or none. */
	reset() {
		clearTimeout(this.#pause);
		this.#pause = undefined;
		this.#failures = 0;
	}
}
