import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Inbox } from "../web/inbox.js";

/** @type {any[]} */ const streams = [];

vi.mock("../web/stream.js", () => ({
	Stream: class {
		closed = false;
		constructor(options) {
			Object.assign(this, options);
			streams.push(this);
		}
		start() {}
		close() {
			this.closed = true;
		}
	},
}));

beforeEach(() => void streams.splice(0));
afterEach(() => void vi.unstubAllGlobals());

/** Answers each operation by its name. */
function serve(answers, status = () => 200) {
	const requests = [];
	vi.stubGlobal("fetch", async (url, init) => {
		const { query, variables } = JSON.parse(init.body);
		const name = /(?:query|mutation) (\w+)/.exec(query)[1];
		requests.push({ url: String(url), name, variables, authorization: init.headers.Authorization });
		const body = answers[name] ?? { errors: [{ message: `no answer to ${name}` }] };
		return new Response(JSON.stringify(body), { status: status(requests.length) });
	});
	return requests;
}

const subscriber = { data: { inbox: { subscriber: { subscriberId: "ada", locale: "de" } } } };
const open = (over = {}) => new Inbox({ token: "cst_1", url: "https://carillon.example", ...over });

test("reads a page of messages, and keeps the newer state", async () => {
	const state = { sequence: 5, total: 2, unread: 1, unseen: 0 };
	const messages = { nodes: [{ id: "m" }], pageInfo: { hasNextPage: true, endCursor: "c" } };
	const requests = serve({ InboxMessages: { data: { inbox: { messages, state } } } });
	const inbox = open({ contextKeys: ["tenant:acme"] });
	expect(await inbox.list({ filter: { read: false } })).toEqual({
		messages: [{ id: "m" }],
		hasNextPage: true,
		endCursor: "c",
	});
	expect(requests[0]).toMatchObject({
		url: "https://carillon.example/graphql",
		authorization: "Bearer cst_1",
		variables: { contextKeys: ["tenant:acme"], first: 20, filter: { read: false } },
	});
	expect(inbox.state).toEqual(state);
	inbox.state = { ...state, sequence: 6, unread: 0 };
	await inbox.list();
	expect(inbox.state.sequence).toBe(6);
});

test("changes are made for the subscriber of the token, who is asked for once", async () => {
	const requests = serve({
		InboxSubscriber: subscriber,
		InboxMarkMessages: { data: { markMessages: { messages: [{ id: "m", read: true }] } } },
		InboxMarkAllMessages: { data: { markAllMessages: { markedCount: 3 } } },
	});
	const inbox = open({ contextKeys: ["tenant:acme"] });
	expect(await inbox.markRead(["m"])).toEqual([{ id: "m", read: true }]);
	expect(await inbox.markAll("ARCHIVE", { read: true })).toBe(3);
	expect(requests.map((r) => r.name)).toEqual(["InboxSubscriber", "InboxMarkMessages", "InboxMarkAllMessages"]);
	expect(requests[1].variables.input).toEqual({ subscriberId: "ada", messageIds: ["m"], markAs: "READ" });
	expect(requests[2].variables.input).toEqual({
		subscriberId: "ada",
		action: "ARCHIVE",
		filter: { read: true },
		contextKeys: ["tenant:acme"],
	});
});

test("preferences are written with their context by type", async () => {
	const requests = serve({
		InboxSubscriber: subscriber,
		InboxSetGlobalPreferences: { data: { setGlobalPreferences: { preference: { enabled: true } } } },
	});
	await open({ contextKeys: ["tenant:acme", "region:eu:west"] }).setGlobalPreference({ email: false });
	expect(requests[1].variables.input).toEqual({
		subscriberId: "ada",
		channels: { email: false },
		context: { tenant: "acme", region: "eu:west" },
	});
});

test("a subscription that the server refuses is an error", async () => {
	serve({
		InboxSubscriber: subscriber,
		InboxCreateSubscriptions: {
			data: { createSubscriptions: { errors: [{ code: "NOT_FOUND", message: "no topic" }] } },
		},
	});
	await expect(open().follow("news")).rejects.toMatchObject({ name: "InboxError", code: "NOT_FOUND" });
});

test("errors carry the code of the server, or the status", async () => {
	serve({ InboxCounts: { errors: [{ message: "invalid", extensions: { code: "INVALID" } }] } });
	await expect(open().counts([{}])).rejects.toMatchObject({ message: "invalid", code: "INVALID" });
	vi.stubGlobal("fetch", async () => new Response("<html>", { status: 502 }));
	await expect(open().counts([{}])).rejects.toThrow(/502/);
});

test("a refused token is renewed once, for all requests of that moment", async () => {
	let tokens = 0;
	const token = vi.fn(async () => `cst_${++tokens}`);
	const requests = serve({ InboxCounts: { data: { inbox: { counts: [1] } } } }, (n) => (n <= 2 ? 401 : 200));
	const inbox = open({ token });
	expect(await Promise.all([inbox.counts([{}]), inbox.counts([{}])])).toEqual([[1], [1]]);
	expect(token).toHaveBeenCalledTimes(2);
	expect(requests.map((r) => r.authorization)).toEqual(["cst_1", "cst_1", "cst_2", "cst_2"].map((t) => `Bearer ${t}`));
});

test("a fixed token is not tried again", async () => {
	const requests = serve({ InboxCounts: { errors: [{ message: "refused" }] } }, () => 401);
	await expect(open().counts([{}])).rejects.toThrow("refused");
	expect(requests).toHaveLength(1);
});

const update = (sequence, unread) => ({
	inboxUpdates: { sequence, messages: [], removedIds: [], state: { sequence, total: 3, unread, unseen: 0 } },
});

test("a connection asks for what changed since the last update", async () => {
	const inbox = open({ contextKeys: ["tenant:acme"] });
	const connected = inbox.connect();
	const [stream] = streams;
	expect(stream.resumes()).toBe(false);
	expect(stream.operation().variables).toEqual({ contextKeys: ["tenant:acme"], after: undefined });
	const heard = vi.fn();
	const stop = inbox.subscribe(heard);
	stream.next(update(7, 2));
	expect(await connected).toMatchObject({ sequence: 7, unread: 2 });
	expect(stream.resumes()).toBe(true);
	expect(stream.operation().variables.after).toBe(7);
	stop();
	stream.next(update(8, 1));
	expect(heard).toHaveBeenCalledTimes(1);
	expect(inbox.state.unread).toBe(1);
	stream.next({ inboxUpdates: { sequence: 1, messages: [], removedIds: [], state: null } });
	expect(inbox).toMatchObject({ sequence: 1, state: { total: 0, unread: 0 } });
});

test("connecting again replaces the connection, and is done once it is online", async () => {
	const inbox = open();
	inbox.connect(7);
	const connected = inbox.connect();
	const [first, second] = streams;
	expect([first.closed, second.closed]).toEqual([true, false]);
	expect(second.operation().variables.after).toBe(7);
	const statuses = [];
	inbox.onStatus((status) => statuses.push(status));
	second.status("online");
	await connected;
	expect(statuses).toEqual(["online"]);
	inbox.close();
	expect(second.closed).toBe(true);
});

test("a token that is refused for good rejects the connection", async () => {
	const connected = open().connect();
	streams[0].status("unauthorized");
	await expect(connected).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test.each([
	["markUnread", [["m"]], "markMessages", { messageIds: ["m"], markAs: "UNREAD" }],
	["markSeen", [["m"]], "markMessages", { messageIds: ["m"], markAs: "SEEN" }],
	["markUnseen", [["m"]], "markMessages", { messageIds: ["m"], markAs: "UNSEEN" }],
	["archive", [["m"]], "archiveMessages", { messageIds: ["m"] }],
	["unarchive", [["m"]], "unarchiveMessages", { messageIds: ["m"] }],
	[
		"snooze",
		[["m"], new Date("2026-03-02T09:00:00+01:00")],
		"snoozeMessages",
		{ messageIds: ["m"], until: "2026-03-02T08:00:00.000Z" },
	],
	["unsnooze", [["m"]], "unsnoozeMessages", { messageIds: ["m"] }],
	["delete", [["m", "n"]], "deleteMessages", { messageIds: ["m", "n"] }],
	["markAll", ["READ"], "markAllMessages", { action: "READ" }],
	["completeAction", ["m", "PRIMARY"], "completeMessageAction", { messageId: "m", button: "PRIMARY" }],
	[
		"completeAction",
		["m", "PRIMARY", { note: "yes" }],
		"completeMessageAction",
		{ messageId: "m", button: "PRIMARY", payload: { note: "yes" } },
	],
	[
		"setPreference",
		["w", { sms: true }],
		"updatePreferences",
		{ preferences: [{ workflowId: "w", channels: { sms: true } }] },
	],
	["setSchedule", [null], "setSchedule", { schedule: null }],
])("%s(%j) sends %s", async (method, args, field, input) => {
	const operation = `Inbox${field[0].toUpperCase()}${field.slice(1)}`;
	const requests = serve({ InboxSubscriber: subscriber, [operation]: { data: { [field]: { object: "answer" } } } });
	const answer = await open()[method](...args);
	expect(requests.map((r) => r.name)).toEqual(["InboxSubscriber", operation]);
	expect(requests[1].variables.input).toEqual({ subscriberId: "ada", ...input });
	expect(answer).toBe(method.startsWith("set") ? undefined : "answer");
});

test("preferences and subscriptions are those of the token's subscriber", async () => {
	const preferences = { global: { enabled: true }, workflows: [] };
	const requests = serve({
		InboxSubscriber: subscriber,
		InboxPreferences: { data: { subscriberPreferences: preferences } },
		InboxSubscriptions: { data: { subscriberSubscriptions: { nodes: [{ identifier: "s" }] } } },
		InboxCreateSubscriptions: { data: { createSubscriptions: { errors: [] } } },
		InboxDeleteSubscriptions: { data: { deleteSubscriptions: { meta: { successful: 1 } } } },
	});
	const inbox = open({ contextKeys: ["tenant:acme"] });
	expect(await inbox.preferences()).toEqual(preferences);
	expect(await inbox.subscriptions()).toEqual([{ identifier: "s" }]);
	await inbox.follow("news");
	await inbox.unfollow("news");
	expect(requests.slice(1).map((r) => r.variables)).toEqual([
		{ subscriberId: "ada", contextKeys: ["tenant:acme"] },
		{ subscriberId: "ada" },
		{ input: { topicKey: "news", subscriptions: [{ subscriberId: "ada" }], context: { tenant: "acme" } } },
		{ input: { topicKey: "news", subscriptions: [{ subscriberId: "ada" }] } },
	]);
});

test("a page after another one is asked for by its cursor, with the size that the caller wants", async () => {
	const messages = { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
	const requests = serve({ InboxMessages: { data: { inbox: { messages, state: null } } } });
	const inbox = open();
	expect(await inbox.list({ first: 5, after: "c1" })).toEqual({ messages: [], hasNextPage: false, endCursor: null });
	expect(requests[0].variables).toEqual({ first: 5, after: "c1" });
	expect(inbox.state).toEqual({ sequence: 0, total: 0, unread: 0, unseen: 0 });
});

test("a subscriber that could not be read is asked for again", async () => {
	const answers = { InboxSubscriber: { errors: [{ message: "offline" }] } };
	const requests = serve(answers);
	const inbox = open();
	await expect(inbox.markRead(["m"])).rejects.toMatchObject({ message: "offline", code: "INTERNAL" });
	Object.assign(answers, {
		InboxSubscriber: subscriber,
		InboxMarkMessages: { data: { markMessages: { messages: [] } } },
	});
	expect(await inbox.markRead(["m"])).toEqual([]);
	expect(requests.map((r) => r.name)).toEqual(["InboxSubscriber", "InboxSubscriber", "InboxMarkMessages"]);
});

test("a token that could not be fetched fails the request, and is fetched again by the next one", async () => {
	const token = vi.fn().mockRejectedValueOnce(new Error("no session")).mockResolvedValue("cst_2");
	const requests = serve({ InboxCounts: { data: { inbox: { counts: [1] } } } });
	const inbox = open({ token });
	await expect(inbox.counts([{}])).rejects.toThrow("no session");
	expect(await inbox.counts([{}])).toEqual([1]);
	expect(requests.map((r) => r.authorization)).toEqual(["Bearer cst_2"]);
});

test("a token is fetched once and serves all requests until it is refused", async () => {
	const token = vi.fn(async () => "cst_9");
	serve({ InboxCounts: { data: { inbox: { counts: [1] } } } });
	const inbox = open({ token });
	for (let i = 0; i < 3; i++) await inbox.counts([{}]);
	expect(token).toHaveBeenCalledTimes(1);
});

test("a renewed token that is refused as well ends in an error, not in a circle", async () => {
	const token = vi.fn(async () => "cst_9");
	const requests = serve({ InboxCounts: { errors: [{ message: "refused" }] } }, () => 401);
	await expect(open({ token }).counts([{}])).rejects.toThrow("refused");
	expect(requests).toHaveLength(2);
});

test("the stream renews the same token that requests use", async () => {
	let tokens = 0;
	const requests = serve({ InboxCounts: { data: { inbox: { counts: [1] } } } });
	const inbox = open({ token: async () => `cst_${++tokens}` });
	inbox.connect();
	const [stream] = streams;
	expect(stream.renewable).toBe(true);
	expect(await stream.token(false)).toBe("cst_1");
	expect(await stream.token(true)).toBe("cst_2");
	await inbox.counts([{}]);
	expect(requests[0].authorization).toBe("Bearer cst_2");
	open().connect();
	expect(streams[1].renewable).toBe(false);
});

test("a listener that is added during an update hears the next one", () => {
	const inbox = open();
	inbox.connect();
	const heard = vi.fn();
	const stop = inbox.subscribe(() => {
		stop();
		inbox.subscribe(heard);
	});
	streams[0].next(update(3, 1));
	streams[0].next(update(4, 1));
	expect(heard.mock.calls.map(([{ sequence }]) => sequence)).toEqual([4]);
});

test("a listener of the status hears it until it stops", () => {
	const inbox = open();
	inbox.connect();
	const heard = [];
	const stop = inbox.onStatus((status) => heard.push(status));
	streams[0].status("connecting");
	stop();
	streams[0].status("offline");
	expect(heard).toEqual(["connecting"]);
	expect(inbox.status).toBe("offline");
});

test("connecting after a sequence asks for what came since, and is done once it is online", async () => {
	const inbox = open();
	const connected = inbox.connect(41);
	expect(streams[0].resumes()).toBe(true);
	expect(streams[0].operation().variables.after).toBe(41);
	streams[0].status("online");
	expect(await connected).toEqual({ sequence: 0, total: 0, unread: 0, unseen: 0 });
});

test("a new connection is not done by being online before its first update", async () => {
	const inbox = open();
	const done = vi.fn();
	inbox.connect().then(done);
	streams[0].status("online");
	await Promise.resolve();
	expect(done).not.toHaveBeenCalled();
	streams[0].next(update(1, 1));
	await Promise.resolve();
	expect(done).toHaveBeenCalledWith(expect.objectContaining({ unread: 1 }));
});

test("an address in a folder still leads to /graphql of its server", async () => {
	const requests = serve({ InboxCounts: { data: { inbox: { counts: [1] } } } });
	await open({ url: "https://carillon.example/inbox/" }).counts([{}]);
	expect(requests[0].url).toBe("https://carillon.example/graphql");
});
