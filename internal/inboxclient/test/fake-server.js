import { vi } from "vitest";
import { operations } from "../web/operations.js";
import { message } from "./fake-inbox.js";

const names = new Map(Object.entries(operations).map(([name, query]) => [query, name]));

/** A server with one subscriber's messages behind fetch and WebSocket, which answers the operations that the inbox sends. */
export class FakeServer {
	/** Latest first. @type {any[]} */ messages = [];
	/** The operations that came, with their variables. @type {[string, any][]} */ requests = [];
	/** @type {FakeSocket[]} */ sockets = [];
	/** What takes the place of an answer, by operation. @type {Record<string, (variables: any) => unknown>} */ answers =
		{};
	tokens = ["cst_1"];
	sequence = 1;
	/** Whether the network loses every request. */
	unreachable = false;
	/** The code with which every request is put off, if any. */
	busy = "";
	preferences = {
		global: { enabled: true, channels: { email: true }, schedule: null },
		workflows: [
			{
				enabled: true,
				channels: { email: true },
				stepChannels: ["IN_APP", "EMAIL"],
				workflow: { id: "w", identifier: "news", name: "News" },
			},
		],
	};

	/** @param {number} count of unread messages, named m1 (the latest) and up */
	constructor(count) {
		for (let i = 1; i <= count; i++) this.messages.push(message(`m${i}`, { internalId: `i${i}`, sequence: 0 }));
		vi.stubGlobal("fetch", (_url, init) => this.#fetch(init));
		const server = this;
		vi.stubGlobal(
			"WebSocket",
			class extends FakeSocket {
				constructor() {
					super(server);
				}
			},
		);
	}

	state() {
		const listed = this.messages.filter((m) => !m.archived && !m.snoozedUntil);
		return {
			sequence: this.sequence,
			total: listed.length,
			unread: listed.filter((m) => !m.read).length,
			unseen: listed.filter((m) => !m.seen).length,
		};
	}

	/** Changes a message, or adds it, and sends the update to who is connected. */
	put(id, over) {
		this.sequence++;
		const known = this.messages.find((m) => m.id === id);
		const m = known ?? message(id, { internalId: `i${id}` });
		Object.assign(m, over, { sequence: this.sequence });
		if (!known) this.messages.unshift(m);
		this.#publish({ messages: [{ ...m }], removedIds: [] });
	}

	remove(id) {
		this.sequence++;
		const [m] = this.messages.splice(
			this.messages.findIndex((known) => known.id === id),
			1,
		);
		this.#publish({ messages: [], removedIds: [m.internalId] });
	}

	#publish(update) {
		for (const socket of this.sockets.filter(({ closed }) => !closed))
			socket.next({ sequence: this.sequence, state: this.state(), ...update });
	}

	/** The variables of the requests for one operation. */
	of(name) {
		return this.requests.filter(([sent]) => sent === name).map(([, variables]) => variables);
	}

	async #fetch({ headers, body }) {
		const { query, variables } = JSON.parse(body);
		const name = /** @type {string} */ (names.get(query));
		if (!this.unreachable) this.requests.push([name, variables]);
		if (this.unreachable) throw new TypeError("The network is away");
		if (this.busy)
			return Response.json({ errors: [{ message: "Retry later.", extensions: { code: this.busy } }] }, { status: 503 });
		if (!this.tokens.includes(headers.Authorization.replace("Bearer ", "")))
			return Response.json(
				{ errors: [{ message: "The token is not valid.", extensions: { code: "UNAUTHENTICATED" } }] },
				{ status: 401 },
			);
		try {
			const answer = this.answers[name] ?? this.usual[name];
			return Response.json({ data: await answer?.(variables) });
		} catch (error) {
			return Response.json({ errors: [{ message: error.message, extensions: { code: "INVALID" } }] });
		}
	}

	/** How it answers, by operation. @type {Record<string, (variables: any) => any>} */
	usual = {
		counts: ({ filters }) => ({ inbox: { counts: filters.map(() => 0) } }),
		subscriber: () => ({ inbox: { subscriber: { subscriberId: "ada", locale: null } } }),
		messages: ({ first, after, filter = {} }) => {
			const matching = this.messages.filter(
				(m) =>
					(filter.read ?? m.read) === m.read &&
					(filter.archived ?? false) === m.archived &&
					(filter.snoozed ?? false) === (m.snoozedUntil !== null),
			);
			const from = after ? matching.findIndex(({ id }) => id === after) + 1 : 0;
			const nodes = matching.slice(from, from + first).map((m) => ({ ...m }));
			const pageInfo = { endCursor: nodes.at(-1)?.id ?? null, hasNextPage: from + first < matching.length };
			return { inbox: { state: this.state(), messages: { nodes, pageInfo } } };
		},
		markMessages: ({ input: { messageIds, markAs } }) => this.#mark("markMessages", messageIds, marks[markAs]),
		archiveMessages: ({ input: { messageIds } }) =>
			this.#mark("archiveMessages", messageIds, { archived: true, read: true, seen: true }),
		unarchiveMessages: ({ input: { messageIds } }) => this.#mark("unarchiveMessages", messageIds, { archived: false }),
		deleteMessages: ({ input: { messageIds } }) => {
			const deleted = this.messages.filter(({ id }) => messageIds.includes(id));
			for (const { id } of deleted) this.remove(id);
			return { deleteMessages: deleted };
		},
		snoozeMessages: ({ input: { messageIds, until } }) =>
			this.#mark("snoozeMessages", messageIds, { snoozedUntil: until }),
		preferences: () => ({ subscriberPreferences: structuredClone(this.preferences) }),
		setGlobalPreferences: () => ({ setGlobalPreferences: { preference: { enabled: true } } }),
		updatePreferences: () => ({ updatePreferences: { preferences: [{ enabled: true }] } }),
		setSchedule: () => ({ setSchedule: { subscriber: { id: "s" } } }),
	};

	#mark(field, ids, flags) {
		for (const id of ids) this.put(id, flags);
		return { [field]: { messages: this.messages.filter(({ id }) => ids.includes(id)).map((m) => ({ ...m })) } };
	}
}

const marks = { READ: { read: true, seen: true }, UNREAD: { read: false, archived: false }, SEEN: { seen: true } };

class FakeSocket {
	closed = false;
	/** @type {(event: any) => void} */ onopen = () => {};
	/** @type {(event: any) => void} */ onclose = () => {};
	/** @type {(event: any) => void} */ onmessage = () => {};
	/** What the subscription named. @type {any} */ variables;

	/** @param {FakeServer} server */
	constructor(server) {
		this.server = server;
		server.sockets.push(this);
		queueMicrotask(() => this.onopen({}));
	}
	send(text) {
		const { type, payload } = JSON.parse(text);
		if (type === "connection_init") {
			if (this.server.tokens.includes(payload.Authorization.replace("Bearer ", "")))
				this.#receive({ type: "connection_ack" });
			else this.onclose({ code: 4401 });
		}
		if (type !== "subscribe") return;
		this.variables = payload.variables;
		const { sequence } = this.server;
		if (this.variables.after === undefined)
			this.next({ sequence, messages: [], removedIds: [], state: this.server.state() });
	}
	next(inboxUpdates) {
		this.#receive({ type: "next", payload: { data: { inboxUpdates } } });
	}
	#receive(data) {
		queueMicrotask(() => this.closed || this.onmessage({ data: JSON.stringify(data) }));
	}
	close() {
		this.closed = true;
	}
}
