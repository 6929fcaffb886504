import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InboxStore } from "../web/store.js";
import { FakeServer } from "./fake-server.js";

/** @type {FakeServer} */ let server;
/** @type {InboxStore} */ let store;
/** @type {any} */ let release;

const settle = async () => {
	for (let i = 0; i < 20; i++) await new Promise((resolve) => setImmediate(resolve));
};
const ids = (list) => list.snapshot.messages.map(({ id }) => id);
/** Holds the answers to an operation until release. */
const hold = (name, outcome) => {
	server.answers[name] = () =>
		new Promise((resolve, reject) => {
			release = () => (outcome instanceof Error ? reject(outcome) : resolve(outcome));
		});
};
/** Holds each answer to an operation, made when it was asked for, until release of its number; none more after end. */
const holdEach = (name) => {
	/** @type {(() => void)[]} */ const waiting = [];
	server.answers[name] = (variables) => {
		const answer = server.usual[name](variables);
		return new Promise((resolve) => waiting.push(() => resolve(answer)));
	};
	return { release: (i) => waiting[i](), end: () => delete server.answers[name] };
};
const observe = (options) => {
	const list = store.list(options);
	list.subscribe(() => {});
	return list;
};
const open = () => new InboxStore({ token: "cst_1", url: "https://carillon.example" });

beforeEach(async () => {
	server = new FakeServer(3);
	store = open();
	await store.start();
});
afterEach(() => {
	store.close();
	vi.unstubAllGlobals();
});

test("a list loads once it is observed, page behind page by cursor", async () => {
	const list = store.list({ pageSize: 2 });
	expect(server.of("messages")).toEqual([]);
	expect(list.snapshot).toMatchObject({ messages: [], loading: true });
	list.subscribe(() => {});
	await settle();
	expect(list.snapshot).toMatchObject({ hasMore: true, loading: false, error: undefined });
	expect(ids(list)).toEqual(["m1", "m2"]);
	await list.more();
	expect(server.of("messages").at(-1)).toMatchObject({ first: 2, after: "m2" });
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
	expect(list.snapshot.hasMore).toBe(false);
});

test("an update shows in every observed list that it concerns, and in the counts", async () => {
	const all = observe();
	const unread = observe({ filter: { read: false } });
	await settle();
	expect(store.snapshot).toMatchObject({ status: "online", unread: 3, total: 3 });
	server.put("m2", { read: true });
	server.put("m4", {});
	await settle();
	expect(ids(all)).toEqual(["m4", "m1", "m2", "m3"]);
	expect(ids(unread)).toEqual(["m4", "m1", "m3"]);
	expect(store.snapshot).toMatchObject({ unread: 3, total: 4 });
	server.remove("m1");
	await settle();
	expect(ids(all)).toEqual(["m4", "m2", "m3"]);
	expect(store.snapshot.unread).toBe(2);
});

test("a page that is loaded while an update comes is kept, and none of its messages is missing", async () => {
	const list = observe({ pageSize: 2 });
	await settle();
	const usual = holdEach("messages");
	server.put("m4", {}); // the list loads its first two anew, and is held
	await settle();
	const more = list.more();
	await settle();
	usual.release(1); // the next page comes first
	await settle();
	usual.release(0);
	usual.end();
	await more;
	await settle();
	expect(ids(list)).toEqual(["m4", "m1", "m2", "m3"].slice(0, ids(list).length));
	expect(ids(list).length).toBeGreaterThan(2);
});

test("at its end a list asks for no further page, and stays there", async () => {
	const list = observe({ pageSize: 2 });
	await settle();
	await Promise.all([list.more(), list.more()]); // as after a double click
	await list.more();
	await list.more();
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
	expect(list.snapshot.hasMore).toBe(false);
	const asked = server.of("messages").map(({ after }) => after ?? undefined);
	expect(asked).toEqual([undefined, "m2", "m2"]);
});

test("a page that cannot be loaded shows as the list's error until one comes", async () => {
	const list = observe({ pageSize: 2 });
	await settle();
	server.answers.messages = () => {
		throw new Error("too fast");
	};
	await expect(list.more()).rejects.toThrow("too fast");
	expect(list.snapshot.error?.message).toBe("too fast");
	expect(ids(list)).toEqual(["m1", "m2"]);
	delete server.answers.messages;
	await list.more();
	expect(list.snapshot.error).toBeUndefined();
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
});

test("a page that comes after its list was loaded anew continues the list as it is", async () => {
	const list = observe({ pageSize: 2 });
	await settle();
	const usual = holdEach("messages");
	const more = list.more();
	await settle();
	server.put("m4", {});
	await settle();
	usual.release(1); // the list anew: m4, m1
	usual.end();
	await settle();
	usual.release(0); // what was behind m2
	await more;
	await settle();
	expect(ids(list)).toEqual(["m4", "m1", "m2", "m3"].slice(0, ids(list).length));
	expect(ids(list).length).toBeGreaterThan(2);
});

test("an update keeps what is loaded of a long list", async () => {
	store.close();
	server = new FakeServer(130);
	store = open();
	await store.start();
	const list = observe({ pageSize: 100 });
	await settle();
	await list.more();
	expect(ids(list)).toHaveLength(130);
	server.put("m120", { read: true });
	await settle();
	expect(ids(list)).toHaveLength(130);
	expect(list.snapshot.hasMore).toBe(false);
	expect(list.snapshot.messages[119]).toMatchObject({ id: "m120", read: true });
});

test("a message that an update takes out of the filter leaves although the list cannot be loaded", async () => {
	const list = observe({ filter: { read: false } });
	await settle();
	server.answers.messages = () => Promise.reject(new Error("down"));
	server.put("m2", { read: true });
	await settle();
	expect(ids(list)).toEqual(["m1", "m3"]);
});

test("a list that is observed no longer asks for nothing", async () => {
	const stop = store.list().subscribe(() => {});
	await settle();
	stop();
	stop();
	const before = server.of("messages").length;
	server.put("m1", { read: true });
	await settle();
	expect(server.of("messages")).toHaveLength(before);
	expect(store.snapshot.unread).toBe(2);
});

test.each([
	["markRead", (s) => s.markRead(["m1"]), "markMessages", ["m2", "m3"], 2],
	["archive", (s) => s.archive(["m1"]), "archiveMessages", ["m2", "m3"], 2],
	["snooze", (s) => s.snooze(["m1"], new Date("2030-01-01")), "snoozeMessages", ["m2", "m3"], 2],
	["delete", (s) => s.delete(["m1", "m2"]), "deleteMessages", ["m3"], 1],
])("%s shows at once, and is undone when it fails", async (_name, act, operation, left, unread) => {
	const list = observe({ filter: { read: false } });
	await settle();
	hold(operation, new Error("refused"));
	const done = act(store);
	done.catch(() => {});
	expect(ids(list)).toEqual(left);
	expect(store.snapshot.unread).toBe(unread);
	await settle();
	expect(ids(list)).toEqual(left);
	release();
	await expect(done).rejects.toMatchObject({ message: "refused", code: "INVALID" });
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
	expect(store.snapshot.unread).toBe(3);
});

test("what the server confirms is counted once, whether its update or its answer comes first", async () => {
	const list = observe();
	await settle();
	/** @type {number[]} */ const seen = [];
	store.subscribe(({ unread }) => seen.push(unread));
	await store.markRead(["m1"]);
	await settle();
	expect(new Set(seen)).toEqual(new Set([2]));
	expect(list.snapshot.messages[0]).toMatchObject({ id: "m1", read: true, seen: true });
	store.inbox.close(); // no updates
	seen.splice(0);
	await store.archive(["m1", "m2"]);
	await settle();
	expect(new Set(seen)).toEqual(new Set([1]));
	expect(ids(list)).toEqual(["m3"]);
});

test("one of two changes that wait is undone alone", async () => {
	const list = observe();
	await settle();
	hold("archiveMessages", new Error("refused"));
	const refused = store.archive(["m1"]);
	refused.catch(() => {});
	await store.markRead(["m2"]);
	await settle();
	expect(ids(list)).toEqual(["m2", "m3"]);
	release();
	await expect(refused).rejects.toThrow("refused");
	await settle();
	expect(list.snapshot.messages.map(({ id, read }) => [id, read])).toEqual([
		["m1", false],
		["m2", true],
		["m3", false],
	]);
});

test("a change stays although the messages cannot be loaded after it", async () => {
	const list = observe();
	await settle();
	store.inbox.close();
	server.answers.messages = () => Promise.reject(new Error("down"));
	await store.archive(["m1"]);
	await settle();
	expect(list.snapshot.error?.message).toBe("down");
	expect(ids(list)).toEqual(["m2", "m3"]);
});

test("a lost connection resumes after the last update, and loads what is observed", async () => {
	vi.spyOn(Math, "random").mockReturnValue(0);
	const list = observe();
	server.put("m4", {});
	await settle();
	server.sockets[0]?.onclose({ code: 1006 });
	await vi.waitFor(() => expect(server.sockets).toHaveLength(2));
	await vi.waitFor(() => expect(server.sockets[1]?.variables).toEqual({ after: server.sequence }));
	server.put("m4", { read: true });
	await vi.waitFor(() => expect(list.snapshot.messages[0]).toMatchObject({ id: "m4", read: true }));
	vi.restoreAllMocks();
});

test("a store that was closed is offline, and loads once when it is opened again", async () => {
	const list = observe();
	await settle();
	const seen = [];
	store.subscribe(({ status }) => seen.push(status));
	store.close();
	expect(store.snapshot.status).toBe("offline");
	store.close();
	expect(seen).toEqual(["offline"]);
	server.put("m4", {});
	const before = server.of("messages").length;
	await store.start();
	await settle();
	expect(store.snapshot.status).toBe("online");
	expect(ids(list)).toEqual(["m4", "m1", "m2", "m3"]);
	expect(server.of("messages")).toHaveLength(before + 1);
});

test("a token that has ended is fetched anew", async () => {
	store.close();
	const token = vi.fn(async () => `cst_${token.mock.calls.length}`);
	store = new InboxStore({ token, url: "https://carillon.example" });
	await store.start();
	server.tokens = ["cst_2"];
	const list = observe();
	await settle();
	expect(token).toHaveBeenCalledTimes(2);
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
});

test("messages that a list has loaded are marked seen on request", async () => {
	server.messages[0].seen = false;
	observe({ markSeen: true });
	await settle();
	expect(server.of("markMessages")).toMatchObject([{ input: { messageIds: ["m1"], markAs: "SEEN" } }]);
	expect(store.snapshot.unseen).toBe(0);
});

test("a refused token rejects start", async () => {
	server.tokens = [];
	await expect(open().start()).rejects.toMatchObject({ code: "UNAUTHENTICATED" });
});

test("preferences load once they are observed, change at once, and are undone when refused", async () => {
	const { preferences } = store;
	const email = () => {
		const now = preferences.snapshot.preferences;
		return [now?.global.channels.email, now?.workflows[0]?.channels.email];
	};
	expect(server.of("preferences")).toEqual([]);
	preferences.subscribe(() => {});
	await settle();
	expect(email()).toEqual([true, true]);
	hold("setGlobalPreferences", new Error("refused"));
	const refused = preferences.setGlobalPreference({ email: false });
	refused.catch(() => {});
	const kept = preferences.setPreference("news", { email: false });
	expect(email()).toEqual([false, false]);
	await settle();
	expect(server.of("updatePreferences")).toEqual([]); // one after the other
	release();
	await expect(refused).rejects.toThrow("refused");
	await kept;
	expect(email()).toEqual([true, false]);
	expect(server.of("updatePreferences")).toHaveLength(1);
});

test("a preference that is stored while the preferences are loaded is not overwritten by what was before", async () => {
	const { preferences } = store;
	const email = () => preferences.snapshot.preferences?.workflows[0].channels.email;
	preferences.subscribe(() => {});
	await settle();
	const answers = holdEach("preferences");
	const loaded = preferences.load();
	await settle();
	server.preferences.workflows[0].channels.email = false;
	await preferences.setPreference("news", { email: false });
	answers.end();
	answers.release(0);
	await loaded;
	expect(email()).toBe(false);
	expect(preferences.snapshot.loading).toBe(false);
});

test("a browser that refuses what its tabs hear of each other is left in peace", async () => {
	vi.stubGlobal(
		"BroadcastChannel",
		class {
			constructor() {
				throw new DOMException("The operation is insecure.", "SecurityError"); // Firefox, where cookies are blocked
			}
		},
	);
	const other = open();
	await other.start();
	await settle();
	expect(other.snapshot.status).toBe("online");
	other.close();
});
