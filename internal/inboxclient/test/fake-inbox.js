/** The clients that the element made, in order. @type {FakeInbox[]} */
export const inboxes = [];

/** A client whose answers the test chooses: what `answers` names, else what the server would say of an inbox of three. */
export class FakeInbox {
	/** @type {Record<string, (...args: any[]) => unknown>} */ static answers = {};
	/** @type {any[][]} */ calls = [];
	address = "https://carillon.example/graphql";
	state = { sequence: 1, total: 3, unread: 2, unseen: 1 };
	status = "online";
	closed = false;
	constructor(options) {
		this.options = options;
		inboxes.push(this);
		for (const name of ["list", "counts", "preferences", "subscriber", "connect", ...changes]) {
			this[name] = async (...args) => {
				this.calls.push([name, ...args]);
				return (FakeInbox.answers[name] ?? defaults[name] ?? (() => []))(...args);
			};
		}
	}
	#listeners = new Set();
	#statusListeners = new Set();
	subscribe(listener) {
		this.#listeners.add(listener);
		return () => this.#listeners.delete(listener);
	}
	update(update) {
		for (const listener of this.#listeners)
			listener({ sequence: 2, messages: [], removedIds: [], state: this.state, ...update });
	}
	onStatus(listener) {
		this.#statusListeners.add(listener);
		return () => this.#statusListeners.delete(listener);
	}
	report(status) {
		this.status = status;
		for (const listener of this.#statusListeners) listener(status);
	}
	close() {
		this.closed = true;
	}
	/** The calls of one method. */
	of(name) {
		return this.calls.filter(([called]) => called === name).map(([, ...args]) => args);
	}
}

const changes = [
	...["markRead", "markUnread", "markSeen", "markAll", "archive", "unarchive", "snooze", "unsnooze", "delete"],
	...["completeAction", "setGlobalPreference", "setPreference", "setSchedule"],
];

/** An unread message, with what `over` replaces. */
export const message = (id, over = {}) => ({
	id,
	subject: `Subject ${id}`,
	content: { text: `Text ${id}` },
	avatar: null,
	read: false,
	seen: true,
	archived: false,
	snoozedUntil: null,
	severity: "NONE",
	workflowIdentifier: "news",
	createdAt: "2026-03-02T10:00:00Z",
	deliveredAt: null,
	cta: null,
	...over,
});

/** The last page of a list. */
export const page = (...messages) => ({ messages, endCursor: null, hasNextPage: false });

const defaults = {
	list: () => page(message("a", { seen: false }), message("b"), message("c", { read: true })),
	counts: () => [2, 2, 0, 0],
	subscriber: () => ({ subscriberId: "ada", locale: null }),
	preferences: () => ({
		global: { enabled: true, channels: { email: true }, schedule: null },
		workflows: [
			{
				enabled: true,
				channels: { email: true },
				stepChannels: ["IN_APP", "EMAIL"],
				workflow: { id: "w", identifier: "w", name: "News" },
			},
		],
	}),
};
