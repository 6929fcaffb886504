// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Cache } from "../web/cache.js";
import { changed, inverse, isUnreachable } from "../web/changes.js";
import { InboxError } from "../web/inbox.js";
import { Outbox } from "../web/outbox.js";
import { Waiting } from "../web/waiting.js";
import { message } from "./fake-inbox.js";

const change = (op, ...ids) => ({ op, ids });
const away = () => new TypeError("away");

/** @type {any[]} */ let sent;
/** @type {any[]} */ let refused;
/** @type {(c: any) => unknown} */ let answer;
/** @type {Outbox} */ let outbox;
/** @type {Outbox[]} */ let outboxes;

/** The outbox of a tab; with a name it shares what waits. @param {string} [name] */
function tab(name) {
	const made = new Outbox({
		send: async (c) => {
			sent.push(c.op);
			return answer(c);
		},
		changed: () => {},
		refused: (error, c) => refused.push([error.message, c.op]),
	});
	if (name) made.share(new Waiting(name, localStorage));
	outboxes.push(made);
	return made;
}

/** What the browser tells the other tabs. */
const told = (key = localStorage.key(0)) => dispatchEvent(new StorageEvent("storage", { key }));
const ops = ({ entries }) => entries.map(({ op }) => op);

/** Locks as a browser has them: one tab at a time. */
function stubLocks() {
	/** @type {Promise<unknown>} */ let last = Promise.resolve();
	const request = vi.fn((_name, work) => (last = last.then(work)));
	vi.stubGlobal("navigator", { locks: { request } });
	return request;
}

beforeEach(() => {
	vi.useFakeTimers();
	sent = [];
	refused = [];
	answer = () => {};
	outboxes = [];
	outbox = tab();
});
afterEach(() => {
	for (const opened of outboxes) opened.close();
	vi.unstubAllGlobals();
	vi.useRealTimers();
	localStorage.clear();
});

test("what waits is sent in order, again and again with longer pauses, until the server is reached", async () => {
	answer = () => Promise.reject(away());
	outbox.add(change("archive", "a"));
	outbox.add(change("markRead", "b"));
	await vi.advanceTimersByTimeAsync(120_000);
	expect(new Set(sent)).toEqual(new Set(["archive"]));
	expect(sent.length).toBeGreaterThan(2);
	expect(sent.length).toBeLessThan(12);
	answer = () => {};
	sent = [];
	await outbox.flush();
	expect(sent).toEqual(["archive", "markRead"]);
	expect(outbox.entries).toEqual([]);
});

test("a change that the server refuses is dropped, and those behind it are sent", async () => {
	answer = ({ op }) => op === "archive" && Promise.reject(new InboxError("No such message.", "NOT_FOUND"));
	outbox.add(change("archive", "a"));
	outbox.add(change("delete", "b"));
	await outbox.flush();
	expect(sent).toEqual(["archive", "delete"]);
	expect(refused).toEqual([["No such message.", "archive"]]);
	expect(outbox.entries).toEqual([]);
});

test("the number that waits is bounded", () => {
	const waiting = new Waiting("s ada", localStorage);
	for (let i = 0; i < 250; i++) waiting.add(change("markRead", "a"));
	const full = tab("s ada");
	expect(full.entries).toHaveLength(200);
	expect(full.accepts).toBe(false);
});

test("tabs of one inbox do not overwrite what others keep, and each sends it once", async () => {
	const locks = stubLocks();
	answer = () => Promise.reject(away());
	const [one, other, another] = [tab("s ada"), tab("s ada"), tab("s bob")];
	await Promise.all([one, other, another].map((opened) => opened.flush()));
	one.add(change("archive", "a"));
	told();
	other.add(change("unarchive", "a"));
	told();
	one.add(change("snooze", "b"));
	told();
	for (const opened of [one, other, tab("s ada")]) expect(ops(opened)).toEqual(["archive", "unarchive", "snooze"]);
	expect(another.entries).toEqual([]);
	answer = () => {};
	sent = [];
	await Promise.all([one.flush(), other.flush()]);
	expect(sent).toEqual(["archive", "unarchive", "snooze"]);
	expect(locks.mock.calls[0]).not.toEqual(locks.mock.calls[2]); // those of another inbox do not wait
	expect([...one.entries, ...other.entries, ...tab("s ada").entries]).toEqual([]);
	expect(localStorage.length).toBe(0);
});

test("what a closed tab leaves is sent by one that is open", async () => {
	const closed = tab("s ada");
	const open = tab("s ada");
	await open.flush();
	closed.add(change("archive", "a"));
	closed.close();
	told();
	expect(ops(open)).toEqual(["archive"]);
	await vi.advanceTimersByTimeAsync(2_500);
	expect(sent).toEqual(["archive"]);
	expect(localStorage.length).toBe(0);
});

test("signing out in one tab drops what waits in all", async () => {
	const [one, other] = [tab("s ada"), tab("s ada")];
	await other.flush();
	one.add(change("archive", "a"));
	told();
	one.forget();
	told(null);
	expect([...one.entries, ...other.entries]).toEqual([]);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toEqual([]);
});

test("a change is sent once although it is shared while it is sent", async () => {
	/** @type {() => void} */ let done = () => {};
	answer = () => new Promise((resolve) => (done = () => resolve(undefined)));
	outbox.add(change("archive", "a"));
	const sending = outbox.flush();
	outbox.share(new Waiting("s ada", localStorage));
	done();
	await sending;
	expect(sent).toEqual(["archive"]);
	expect(localStorage.length).toBe(0);
});

test("what cannot be kept waits in its tab, and what is too old or not known is left out", async () => {
	const full = tab("s ada");
	vi.spyOn(Storage.prototype, "setItem").mockImplementationOnce(() => {
		throw new Error("full");
	});
	full.add(change("archive", "a"));
	expect(localStorage.length).toBe(0);
	full.add(change("delete", "b"));
	expect(new Set(ops(full))).toEqual(new Set(["archive", "delete"]));
	await full.flush();
	expect(new Set(sent)).toEqual(new Set(["archive", "delete"]));
	const waiting = new Waiting("s ada", localStorage);
	waiting.add(change("archive", "a"));
	waiting.add(/** @type {any} */ ({ op: "constructor", ids: [] }));
	expect(ops(tab("s ada"))).toEqual(["archive"]);
	vi.advanceTimersByTime(31 * 86_400_000);
	new Waiting("s bob", localStorage).read();
	expect(localStorage.length).toBe(0);
});

test("closing ends the retries", async () => {
	answer = () => Promise.reject(away());
	outbox.add(change("archive", "a"));
	outbox.close();
	await vi.advanceTimersByTimeAsync(60_000);
	expect(sent).toEqual([]);
});

test.each([
	["markRead", { read: false }, { read: true, seen: true }],
	["markUnread", { read: true, archived: true }, { read: false, archived: false }],
	["markSeen", { seen: false }, { seen: true, read: false }],
	["archive", {}, { archived: true, read: true }],
	["unarchive", { archived: true }, { archived: false }],
	["unsnooze", { snoozedUntil: "2030-01-01" }, { snoozedUntil: null }],
])("%s changes a message", (op, before, after) => {
	expect(changed(change(op, "a"), message("a", before))).toMatchObject(after);
	const other = message("b", before);
	expect(changed(change(op, "a"), other)).toBe(other);
});

test("delete leaves nothing, snooze names the moment", () => {
	expect(changed(change("delete", "a"), message("a"))).toBeUndefined();
	expect(changed({ ...change("snooze", "a"), until: "2030-01-01" }, message("a"))?.snoozedUntil).toBe("2030-01-01");
});

test("archiving is undone to what was unread before", () => {
	const before = [message("a", { read: true }), message("b")];
	expect(inverse(change("archive", "a", "b"), before)).toEqual([change("unarchive", "a"), change("markUnread", "b")]);
	expect(inverse(change("archive", "a"), before)).toEqual([change("unarchive", "a")]);
	expect(inverse(change("snooze", "a"), before)).toEqual([change("unsnooze", "a")]);
	expect(inverse(change("unarchive", "a"), before)).toEqual([change("archive", "a")]);
	expect(inverse(change("delete", "a"), before)).toEqual([]);
});

test("marking is undone for those that it changed", () => {
	const before = [message("a", { read: true }), message("b"), message("c", { read: true, archived: true })];
	expect(inverse(change("markRead", "a", "b"), before)).toEqual([change("markUnread", "b")]);
	expect(inverse(change("markRead", "a"), before)).toEqual([]);
	expect(inverse(change("markUnread", "a", "b", "c"), before)).toEqual([
		change("archive", "c"),
		change("markRead", "a"),
	]);
	expect(inverse(change("markRead", "z"), [])).toEqual([change("markUnread", "z")]); // which no list shows
});

test("a lost request and a server that is not there can be tried again; a refusal cannot", () => {
	expect(isUnreachable(away())).toBe(true);
	expect(isUnreachable(new InboxError("The server answered 503.", "UNREACHABLE"))).toBe(true);
	for (const code of ["UNAVAILABLE", "RATE_LIMITED", "OVERLOADED", "TIMEOUT", "ORGANIZATION_MOVING"])
		expect(isUnreachable(new InboxError("Retry later.", code))).toBe(true);
	for (const code of ["INVALID", "NOT_FOUND", "FORBIDDEN", "UNAUTHENTICATED", "INTERNAL"])
		expect(isUnreachable(new InboxError("No.", code))).toBe(false);
});

test("the cache keeps the first messages of the last lists, and the counts", () => {
	const cache = new Cache("s ada", localStorage);
	const many = Array.from({ length: 80 }, (_, i) => message(`m${i}`));
	cache.write({ lists: { one: many }, state: { sequence: 3, total: 80, unread: 80, unseen: 1 } });
	const kept = new Cache("s ada", localStorage).read();
	expect(kept.lists.one).toHaveLength(50);
	expect(kept.state.unread).toBe(80);
	expect(new Cache("s bob", localStorage).read().lists).toEqual({});
	cache.clear();
	expect(new Cache("s ada", localStorage).read().lists).toEqual({});
});

test("the cache is bounded in size, in the number of inboxes and in time", () => {
	const long = Array.from({ length: 50 }, (_, i) => message(`m${i}`, { content: { text: "x".repeat(30_000) } }));
	new Cache("s ada", localStorage).write({ lists: { one: long } });
	expect(localStorage.getItem("carillon-inbox:s ada")?.length).toBeLessThanOrEqual(200_000);
	for (const who of ["bob", "cy", "dan"]) {
		vi.advanceTimersByTime(1_000);
		new Cache(`s ${who}`, localStorage).write({ lists: { one: [message("a")] } });
	}
	expect(localStorage.length).toBe(3);
	expect(new Cache("s ada", localStorage).read().lists).toEqual({});
	vi.advanceTimersByTime(31 * 86_400_000);
	expect(new Cache("s dan", localStorage).read().lists).toEqual({});
});

test("a page without storage, or with a broken one, keeps nothing", () => {
	const broken = /** @type {any} */ ({
		getItem: () => "{",
		setItem: () => {
			throw new Error("full");
		},
		removeItem: () => {
			throw new Error("no");
		},
	});
	const cache = new Cache("s ada", broken);
	cache.write({ lists: {} });
	cache.clear();
	expect(cache.read().lists).toEqual({});
});
