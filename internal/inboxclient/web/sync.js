/**
 * @typedef {import("./changes.js").Change} Change
 * @typedef {{ type: "change", change: Change } | { type: "undone", change: Change } | { type: "preferences" }} News
 */

/** Tells the other tabs of the browser that show the same inbox what happened in this one. */
export class TabSync {
	/** @type {BroadcastChannel | undefined} */ #channel;

	/**
	 * @param {string} name Names the server, the subscriber and the context.
	 * @param {(news: News) => void} heard
	 */
	constructor(name, heard) {
		try {
			this.#channel = new BroadcastChannel(`carillon-inbox:${name}`);
		} catch {
			return; // an old browser, or Firefox where cookies are blocked
		}
		this.#channel.onmessage = ({ data }) => heard(data);
	}

	/** @param {News} news */
	tell(news) {
		this.#channel?.postMessage(news);
	}

	close() {
		this.#channel?.close();
		this.#channel = undefined;
	}
}

/**
 * Does work in one of the tabs that want to, such as playing a sound for a message.
 * @param {string} name
 * @param {() => unknown} work
 */
export async function inOneTab(name, work) {
	const { locks } = navigator;
	if (!locks) return work();
	await locks.request(`carillon-inbox:${name}`, { ifAvailable: true }, async (lock) => {
		if (!lock) return;
		await work();
		await new Promise((resolve) => setTimeout(resolve, 2_000)); // the other tabs hear of it meanwhile
	});
}
