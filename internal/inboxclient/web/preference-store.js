import { Observable } from "./observable.js";

/**
 * @typedef {import("./inbox.js").Preferences} Preferences
 * @typedef {import("./inbox.js").Channels} Channels
 *
 * @typedef {object} PreferenceState
 * @property {Preferences | undefined} preferences Undefined until they are loaded.
 * @property {boolean} loading
 * @property {Error | undefined} error Why the last load failed.
 */

/**
 * The preferences of one subscriber. They load once they are observed; changes show at once, are stored one after the
 * other, so that the last one wins, and are undone when the server refuses them.
 * @extends {Observable<PreferenceState>}
 */
export class PreferenceStore extends Observable {
	/** @type {import("./inbox.js").Inbox} */ #inbox;
	/** @type {Preferences | undefined} */ #stored;
	/** @type {Set<(p: Preferences) => Preferences>} */ #pending = new Set();
	/** @type {Promise<unknown>} */ #saved = Promise.resolve();
	/** @type {Promise<void> | undefined} */ #loading;
	#stale = false;

	#tellStored = () => {};

	/**
	 * @param {import("./inbox.js").Inbox} inbox
	 * @param {() => void} [stored] Called when a change was stored.
	 */
	constructor(inbox, stored = () => {}) {
		super({ preferences: undefined, loading: false, error: undefined });
		this.#tellStored = stored;
		this.#inbox = inbox;
	}

	/**
	 * Calls listener with every change, until the function that it returns is called. The first listener makes it load.
	 * @override
	 * @param {(state: PreferenceState) => void} listener
	 */
	subscribe(listener) {
		const first = !this.observed;
		const stop = super.subscribe(listener);
		if (first) this.load();
		return stop;
	}

	/** Drops what was another subscriber's, and loads anew what is observed. */
	clear() {
		this.#stored = undefined;
		this.#pending.clear();
		this.#show();
		if (this.observed) this.load();
	}

	/** Loads them anew once all changes are stored, and again when one is stored meanwhile. A failure shows in the snapshot. */
	load() {
		this.#stale = true;
		this.#loading ??= this.#run().finally(() => (this.#loading = undefined));
		return this.#loading;
	}

	async #run() {
		this.publish({ ...this.snapshot, loading: true });
		/** @type {Error | undefined} */
		let error;
		while (this.#stale) {
			error = undefined;
			try {
				await this.#saved;
				this.#stale = false;
				const stored = await this.#inbox.preferences();
				if (!this.#stale) this.#stored = stored; // else the answer may be of before
			} catch (problem) {
				error = problem instanceof Error ? problem : new Error(String(problem));
			}
		}
		this.#show({ loading: false, error });
	}

	/**
	 * Stores a wish for everything, which replaces those for single workflows.
	 * @param {Channels} channels
	 */
	setGlobalPreference(channels) {
		return this.#change(
			({ global, workflows }) => ({
				global: { ...global, channels: { ...global.channels, ...channels } },
				workflows: workflows.map((w) => ({ ...w, channels: { ...w.channels, ...channels } })),
			}),
			() => this.#inbox.setGlobalPreference(channels),
		);
	}

	/**
	 * Stores a wish for one workflow; channels left out keep theirs.
	 * @param {string} workflowId Its id or identifier.
	 * @param {Channels} channels
	 */
	setPreference(workflowId, channels) {
		return this.#change(
			(p) => ({
				...p,
				workflows: p.workflows.map((w) =>
					w.workflow.id === workflowId || w.workflow.identifier === workflowId
						? { ...w, channels: { ...w.channels, ...channels } }
						: w,
				),
			}),
			() => this.#inbox.setPreference(workflowId, channels),
		);
	}

	/**
	 * Replaces the hours; null removes them.
	 * @param {import("./inbox.js").Schedule | null} schedule
	 */
	setSchedule(schedule) {
		return this.#change(
			(p) => ({ ...p, global: { ...p.global, schedule } }),
			() => this.#inbox.setSchedule(schedule),
		);
	}

	/**
	 * @param {(p: Preferences) => Preferences} apply
	 * @param {() => Promise<void>} work
	 */
	async #change(apply, work) {
		this.#pending.add(apply);
		this.#show();
		const done = this.#saved.then(work);
		this.#saved = done.catch(() => {});
		try {
			await done;
			if (this.#stored) this.#stored = apply(this.#stored);
			this.#stale = true;
			this.#tellStored();
		} finally {
			this.#pending.delete(apply);
			this.#show();
		}
	}

	/** @param {Partial<PreferenceState>} [change] */
	#show(change) {
		let preferences = this.#stored;
		for (const apply of this.#pending) if (preferences) preferences = apply(preferences);
		this.publish({ ...this.snapshot, ...change, preferences });
	}
}
