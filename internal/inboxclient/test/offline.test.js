// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InboxStore } from "../web/store.js";
import { inOneTab } from "../web/sync.js";
import { FakeServer } from "./fake-server.js";

/** @type {FakeServer} */ let server;
/** @type {InboxStore[]} */ let stores;

const settle = async () => {
	for (let i = 0; i < 40; i++) await new Promise((resolve) => setTimeout(resolve));
};
const ids = (list) => list.snapshot.messages.map(({ id }) => id);

async function open(options = {}) {
	const store = new InboxStore({ token: "cst_1", url: "https://carillon.example", ...options });
	stores.push(store);
	store.start().catch(() => {});
	const list = store.list();
	list.subscribe(() => {});
	await settle();
	return { store, list };
}

beforeEach(() => {
	server = new FakeServer(3);
	stores = [];
});
afterEach(() => {
	for (const store of stores) store.close();
	vi.unstubAllGlobals();
	localStorage.clear();
});

test("what a reader does without a connection shows, waits, and is made once there is one", async () => {
	const { store, list } = await open();
	server.unreachable = true;
	await store.archive(["m1"]);
	await store.markRead(["m2"]);
	await settle();
	expect(ids(list)).toEqual(["m2", "m3"]);
	expect(store.snapshot).toMatchObject({ unread: 1, waiting: 2 });
	expect(list.snapshot.error).toBeInstanceOf(TypeError); // it could not be loaded
	server.unreachable = false;
	await store.outbox.flush();
	await settle();
	expect(server.messages.map(({ archived, read }) => [archived, read])).toEqual([
		[true, true],
		[false, true],
		[false, false],
	]);
	expect(store.snapshot).toMatchObject({ unread: 1, waiting: 0 });
	expect(list.snapshot.error).toBeUndefined(); // healed
	expect(ids(list)).toEqual(["m2", "m3"]);
});

test("what a reader does waits while the server can do nothing at the moment", async () => {
	const { store, list } = await open();
	const refused = vi.fn();
	store.onRefusal(refused);
	server.busy = "UNAVAILABLE"; // as while it is started anew
	await store.archive(["m1"]);
	await store.outbox.flush();
	await settle();
	expect(ids(list)).toEqual(["m2", "m3"]);
	expect(store.snapshot).toMatchObject({ unread: 2, waiting: 1 });
	server.busy = "RATE_LIMITED";
	await store.outbox.flush();
	expect(store.snapshot.waiting).toBe(1);
	server.busy = "";
	await store.outbox.flush();
	await settle();
	expect(server.messages[0]).toMatchObject({ id: "m1", archived: true });
	expect(store.snapshot).toMatchObject({ unread: 2, waiting: 0 });
	expect(refused).not.toHaveBeenCalled();
});

test("what waits is not dropped because the token has ended meanwhile", async () => {
	const { store } = await open({ subscriber: "ada" });
	const refused = vi.fn();
	store.onRefusal(refused);
	server.unreachable = true;
	await store.archive(["m1"]);
	server.unreachable = false;
	server.tokens = ["cst_2"];
	await store.outbox.flush();
	expect(store.snapshot.waiting).toBe(1);
	expect(refused).not.toHaveBeenCalled();
	store.close();
	const next = await open({ subscriber: "ada", token: "cst_2" });
	await next.store.outbox.flush();
	await settle();
	expect(server.messages[0]).toMatchObject({ id: "m1", archived: true });
	expect(next.store.snapshot.waiting).toBe(0);
});

test("a subscriber who is named sees without a connection what was there, and keeps what was not sent", async () => {
	const before = await open({ subscriber: "ada" });
	server.unreachable = true;
	await before.store.archive(["m1"]);
	before.store.close();
	server.sockets.length = 0;
	const { store, list } = await open({ subscriber: "ada" });
	expect(ids(list)).toEqual(["m2", "m3"]);
	expect(store.snapshot).toMatchObject({ unread: 2, waiting: 1 });
	server.unreachable = false;
	await store.outbox.flush();
	await settle();
	expect(server.messages.find(({ id }) => id === "m1")?.archived).toBe(true);
});

test("the count of what was kept heeds what was not sent, before any list shows", async () => {
	const before = await open({ subscriber: "ada" });
	server.unreachable = true;
	await before.store.archive(["m1"]);
	before.store.close();
	const store = new InboxStore({ token: "cst_1", url: "https://carillon.example", subscriber: "ada" });
	stores.push(store);
	await settle();
	expect(store.snapshot).toMatchObject({ unread: 2, waiting: 1 });
});

test("what was loaded before the module that keeps it came is kept as well", async () => {
	/** @type {() => void} */ let come = () => {};
	vi.resetModules();
	vi.doMock("../web/cache.js", async (original) => {
		await new Promise((resolve) => (come = () => resolve(undefined)));
		return original();
	});
	const late = await import("../web/store.js");
	vi.doUnmock("../web/cache.js");
	const store = new late.InboxStore({ token: "cst_1", url: "https://carillon.example", subscriber: "ada" });
	stores.push(store);
	await store.start();
	const list = store.list();
	list.subscribe(() => {});
	await list.load();
	expect(localStorage.length).toBe(0);
	come();
	await settle();
	store.close();
	server.unreachable = true;
	const { list: kept } = await open({ subscriber: "ada" });
	expect(ids(kept)).toEqual(["m1", "m2", "m3"]);
});

test("nothing is kept of a subscriber who is not named, or who signed out", async () => {
	const first = await open();
	first.store.close();
	expect(localStorage.length).toBe(0);
	const second = await open({ subscriber: "ada" });
	expect(localStorage.length).toBe(1);
	second.store.forget();
	expect(localStorage.length).toBe(0);
});

test("what an earlier page kept is removed although the subscriber signs out before it is read", async () => {
	const { store } = await open({ subscriber: "ada" });
	server.unreachable = true;
	await store.archive(["m1"]);
	await settle();
	store.close();
	expect(localStorage.length).toBe(2); // the messages, and what waits
	const later = new InboxStore({ token: "cst_1", url: "https://carillon.example", subscriber: "ada" });
	stores.push(later);
	later.forget();
	await settle();
	expect(localStorage.length).toBe(0);
});

test("what was kept of one subscriber does not show when the token is another's", async () => {
	const before = await open({ subscriber: "bob" });
	before.store.close();
	server.messages.length = 0;
	const { list } = await open({ subscriber: "bob" }); // the server says ada
	expect(ids(list)).toEqual([]);
});

test("deleting can be taken back for a while, and the server hears of it afterwards", async () => {
	const { store, list } = await open();
	const first = await store.changeUndoably({ op: "delete", ids: ["m1"] });
	expect(ids(list)).toEqual(["m2", "m3"]);
	expect(store.snapshot.unread).toBe(2);
	await first.undo();
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
	const second = await store.changeUndoably({ op: "delete", ids: ["m1"] });
	expect(server.of("deleteMessages")).toEqual([]);
	await second.finish();
	await second.undo(); // too late
	await settle();
	expect(server.messages.map(({ id }) => id)).toEqual(["m2", "m3"]);
	await store.changeUndoably({ op: "delete", ids: ["m2"] });
	store.close(); // the page goes
	await settle();
	expect(server.messages.map(({ id }) => id)).toEqual(["m3"]);
});

test("archiving is taken back to unread", async () => {
	const { store, list } = await open();
	const done = await store.changeUndoably({ op: "archive", ids: ["m1"] });
	await settle();
	expect(ids(list)).toEqual(["m2", "m3"]);
	await done.undo();
	await settle();
	expect(list.snapshot.messages[0]).toMatchObject({ id: "m1", read: false, archived: false });
});

test("what one tab does shows in the others before the server tells them", async () => {
	const one = await open();
	const other = await open();
	server.sockets.length = 0; // no update reaches them
	await one.store.archive(["m1"]);
	await vi.waitFor(() => expect(ids(other.list)).toEqual(["m2", "m3"]));
});

test("preferences that one tab changes are loaded by the others", async () => {
	const one = await open();
	const other = await open();
	other.store.preferences.subscribe(() => {});
	await settle();
	const before = server.of("preferences").length;
	await one.store.preferences.setGlobalPreference({ email: false });
	await vi.waitFor(() => expect(server.of("preferences").length).toBeGreaterThan(before));
});

test("one of several tabs does what all want to", async () => {
	const work = vi.fn();
	await inOneTab("a", work); // without locks each tab is on its own
	expect(work).toHaveBeenCalledTimes(1);
	vi.stubGlobal("navigator", { locks: { request: (_name, _options, run) => run(null) } });
	await inOneTab("a", work);
	expect(work).toHaveBeenCalledTimes(1);
});

test("a long list loads its first messages anew, and keeps the others current by what updates say", async () => {
	server = new FakeServer(1_000);
	const { store, list } = await open();
	while (list.snapshot.hasMore) await list.more();
	expect(ids(list)).toHaveLength(1_000);
	const before = server.of("messages").length;
	server.put("m700", { read: true });
	server.put("m800", { archived: true });
	server.put("new", {});
	await settle();
	expect(server.of("messages").length - before).toBeLessThan(6);
	expect(ids(list)).toHaveLength(1_000);
	expect(ids(list)[0]).toBe("new");
	expect(list.snapshot.messages.find(({ id }) => id === "m700")?.read).toBe(true);
	expect(ids(list)).not.toContain("m800");
	const { snapshot } = list;
	await store.reload();
	expect(list.snapshot.messages[500]).toBe(snapshot.messages[500]); // so that nothing is drawn anew
}, 20_000);
