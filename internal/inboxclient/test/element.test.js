// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { dictionaries, load } from "../web/texts.js";
import { FakeInbox, inboxes, message, page } from "./fake-inbox.js";
import { all, element, key, latest, mount, mountOpen, one, press, problem, root, said, settle } from "./mounted.js";

vi.mock("../web/inbox.js", async (original) => ({
	...(await original()),
	Inbox: (await import("./fake-inbox.js")).FakeInbox,
}));

await Promise.all(["de", "fr", "es"].map(load));

test("attributes choose the token, the server and the context", async () => {
	await mount({ url: "https://carillon.example", context: " tenant:acme\nregion:eu " });
	expect(inboxes).toHaveLength(1);
	expect(latest().options).toEqual({
		token: "cst_1",
		url: "https://carillon.example",
		contextKeys: ["tenant:acme", "region:eu"],
	});
	element.setAttribute("context", "");
	await settle();
	expect(latest().options.contextKeys).toEqual([]);
	element.removeAttribute("context");
	element.removeAttribute("url");
	await settle();
	expect(latest().options).toEqual({ token: "cst_1", url: undefined, contextKeys: undefined });
});

test("several changes of one task start one client, and end the one before", async () => {
	await mount();
	const before = latest();
	element.setAttribute("token", "cst_2");
	element.setAttribute("url", "https://other.example");
	await settle();
	expect(inboxes).toHaveLength(2);
	expect(before.closed).toBe(true);
	element.setAttribute("token", "cst_2");
	await settle();
	expect(inboxes).toHaveLength(2);
});

test("a token that is a function replaces the attribute's", async () => {
	await mount();
	const token = async () => "cst_3";
	element.token = token;
	await settle();
	expect(latest().options.token).toBe(token);
	element.token = undefined;
	await settle();
	expect(latest().options.token).toBe("cst_1");
});

test("without a token there is no client, and the panel says so", async () => {
	await mount();
	element.removeAttribute("token");
	await settle();
	expect(element.inbox).toBeUndefined();
	element.open();
	await settle();
	expect(one(".banner").textContent).toBe(dictionaries.en?.unauthorized);
});

test("properties that were set before the element was defined take effect", async () => {
	await mount({}, (early) => {
		Object.defineProperty(early, "token", { value: "cst_early", configurable: true, writable: true });
		Object.defineProperty(early, "tabs", {
			value: [{ label: "Mine", filter: {} }],
			configurable: true,
			writable: true,
		});
	});
	expect(latest().options.token).toBe("cst_early");
	element.open();
	expect(all("[role=tab]").map((tab) => tab.textContent)).toEqual(["Mine"]);
});

test("leaving the page ends the client", async () => {
	await mount();
	element.remove();
	expect(latest().closed).toBe(true);
	expect(element.inbox).toBeUndefined();
});

test.each([
	[0, undefined, "Notifications, 0 unread"],
	[99, "99", "Notifications, 99 unread"],
	[100, "99+", "Notifications, 100 unread"],
])("the bell shows %i unread as %s", async (unread, badge, label) => {
	await mount();
	latest().state = { ...latest().state, unread };
	latest().update({});
	expect(one(".badge")?.textContent).toBe(badge);
	expect(key("bell").getAttribute("aria-label")).toBe(label);
});

test("opening loads the messages and marks as seen what was not", async () => {
	await mount();
	expect(latest().of("list")).toEqual([]);
	element.toggle();
	await settle();
	expect(key("bell").getAttribute("aria-expanded")).toBe("true");
	expect(latest().of("list")).toEqual([[{ filter: {}, first: 20 }]]);
	expect(latest().of("counts")).toEqual([
		[[{ read: false }, { read: false }, { archived: true, read: false }, { snoozed: true, read: false }]],
	]);
	expect(latest().of("markSeen")).toEqual([[["a"]]]);
	expect(all("li").map((li) => li.dataset.id)).toEqual(["a", "b", "c"]);
	expect(all("[role=tab]").map((tab) => tab.textContent)).toEqual(["All2", "Unread2", "Archived", "Snoozed"]);
	element.toggle();
	expect(one(".panel").hidden).toBe(true);
});

test("an update reloads the open list; one that only changes the state does not", async () => {
	await mountOpen();
	latest().update({ sequence: 3 });
	await settle();
	expect(latest().of("list")).toHaveLength(1);
	latest().update({ sequence: 4, removedIds: ["i"] });
	await settle();
	expect(latest().of("list")).toHaveLength(2);
	latest().update({ sequence: 1 }); // lower: the inbox was created anew
	await settle();
	expect(latest().of("list")).toHaveLength(3);
	element.close();
	latest().update({ sequence: 5, messages: [message("d")] });
	await settle();
	expect(latest().of("list")).toHaveLength(3);
});

test("updates during a load lead to one more load", async () => {
	await mount();
	const answers = [];
	FakeInbox.answers.list = () => new Promise((resolve) => answers.push(resolve));
	element.open();
	await settle();
	for (const sequence of [3, 4, 5]) latest().update({ sequence, removedIds: ["i"] });
	await settle();
	expect(answers).toHaveLength(1);
	answers[0](page(message("a")));
	await settle();
	expect(answers).toHaveLength(2);
	answers[1](page(message("b")));
	await settle();
	expect(answers).toHaveLength(2);
	expect(all("li").map((li) => li.dataset.id)).toEqual(["b"]);
});

test("an answer for a tab that was left is not shown", async () => {
	await mount();
	const answers = [];
	FakeInbox.answers.list = ({ filter }) => new Promise((resolve) => answers.push({ filter, resolve }));
	element.open();
	await settle();
	await press("tab-1");
	answers[0].resolve(page(message("of-all")));
	await settle();
	expect(all("li")).toEqual([]);
	expect(answers[1].filter).toEqual({ read: false });
	answers[1].resolve(page(message("of-unread")));
	await settle();
	expect(all("li").map((li) => li.dataset.id)).toEqual(["of-unread"]);
	expect(key("tab-1").getAttribute("aria-selected")).toBe("true");
});

test("an update of a client that was replaced is ignored", async () => {
	await mountOpen();
	const before = latest();
	element.token = "cst_2";
	await settle();
	before.update({ messages: [message("x")] });
	before.report("offline");
	expect(said()).toBe("");
	expect(element.dataset.status).toBeUndefined();
	latest().report("offline");
	expect(element.dataset.status).toBe("offline");
	expect(one(".banner").textContent).toBe(dictionaries.en?.offline);
});

test.each([
	["markRead-a", "markRead", [["a"]]],
	["markUnread-c", "markUnread", [["c"]]],
	["archive-a", "archive", [["a"]]],
	["read-all", "markAll", ["READ", {}]],
])("the button %s calls %s and loads again", async (name, method, args) => {
	await mountOpen();
	await press(name);
	expect(latest().of(method)).toEqual([args]);
	expect(latest().of("list")).toHaveLength(2);
});

test.each([
	["archive-all", ["ARCHIVE", {}]],
	["archive-read", ["ARCHIVE", { read: true }]],
])("the item %s of the list's menu acts on the list", async (name, args) => {
	await mountOpen();
	await press("more-all");
	expect(root().activeElement).toBe(key("select"));
	await press(name);
	expect(latest().of("markAll")).toEqual([args]);
	expect(key(name)).toBeUndefined();
});

test("archived and snoozed messages offer the way back only", async () => {
	FakeInbox.answers.list = () =>
		page(message("z", { snoozedUntil: "2030-01-01T00:00:00Z" }), message("y", { archived: true }));
	await mountOpen();
	expect([key("markRead-z"), key("archive-z"), key("markRead-y"), key("snooze-y")]).toEqual(Array(4).fill(undefined));
	await press("unsnooze-z");
	await press("unarchive-y");
	expect(latest().of("unsnooze")).toEqual([[["z"]]]);
	expect(latest().of("unarchive")).toEqual([[["y"]]]);
	await press("tab-2");
	expect(key("more-all")).toBeUndefined();
});

test("the menu of snoozing offers an hour, tomorrow and next week", async () => {
	await mountOpen();
	vi.useFakeTimers({ now: new Date(2026, 2, 30, 17, 20), toFake: ["Date"] });
	const expected = {
		inAnHour: new Date(2026, 2, 30, 18, 20),
		tomorrow: new Date(2026, 2, 31, 9),
		nextWeek: new Date(2026, 3, 6, 9),
	};
	for (const [name, until] of Object.entries(expected)) {
		await press("snooze-a");
		expect(root().activeElement).toBe(key("snooze-inAnHour"));
		await press(`snooze-${name}`);
		expect(latest().of("snooze").at(-1)).toEqual([["a"], until]);
		expect(key("snooze-inAnHour")).toBeUndefined();
	}
	await press("snooze-a");
	await press("snooze-a");
	expect(key("snooze-inAnHour")).toBeUndefined();
});

test("a panel that was closed before the server answered offers nothing to take back when it opens again", async () => {
	await mountOpen();
	/** @type {(m: any[]) => void} */ let answer = () => {};
	FakeInbox.answers.archive = () => new Promise((resolve) => (answer = resolve));
	await press("archive-a");
	element.close();
	answer([]);
	await settle();
	element.open();
	await settle();
	expect(key("undo")).toBeUndefined();
	FakeInbox.answers = {};
	await press("archive-b");
	expect(key("undo")).toBeDefined();
	await press("undo");
	expect(latest().of("markUnread")).toEqual([[["b"]]]);
});

test("a failed action shows its reason until the next one; a load does not remove it", async () => {
	await mountOpen();
	FakeInbox.answers.archive = () => Promise.reject(new Error("quota used up"));
	await press("archive-a");
	expect(problem()).toBe("Something went wrong: quota used up");
	expect(said()).toBe(problem());
	latest().update({ removedIds: ["i"] });
	await settle();
	expect(problem()).toBe("Something went wrong: quota used up");
	await press("markRead-a");
	expect(problem()).toBe("");
});

test("a failed load shows its reason until one succeeds", async () => {
	FakeInbox.answers.counts = () => Promise.reject("no route");
	await mountOpen();
	expect(problem()).toBe("Something went wrong: no route");
	FakeInbox.answers = {};
	latest().update({ removedIds: ["i"] });
	await settle();
	expect(problem()).toBe("");
});

test("choosing a message marks it read, and the page can keep its link from being followed", async () => {
	FakeInbox.answers.list = () => page(message("a", { cta: { data: { url: "#opened" }, action: null } }));
	await mountOpen();
	const chosen = [];
	const listener = (event) => {
		chosen.push(event.detail.message.id);
		event.preventDefault();
	};
	document.addEventListener("carillon-open", listener);
	await press("open-a");
	expect(latest().of("markRead")).toEqual([[["a"]]]);
	expect(chosen).toEqual(["a"]);
	expect(location.hash).toBe("");
	document.removeEventListener("carillon-open", listener);
	await press("open-a");
	expect(location.hash).toBe("#opened");
	location.hash = "";
});

test("a message that is read or snoozed is not marked again, and an unsafe link leads nowhere", async () => {
	const cta = { data: { url: "javascript:globalThis.ran = true" }, action: null };
	FakeInbox.answers.list = () => page(message("a", { read: true, cta }), message("b", { snoozedUntil: "2030-01-01" }));
	await mountOpen();
	await press("open-a");
	await press("open-b");
	expect(latest().of("markRead")).toEqual([]);
	expect(Reflect.get(globalThis, "ran")).toBeUndefined();
});

const buttons = [
	{ type: "PRIMARY", content: "Accept", resultContent: "Accepted", url: "" },
	{ type: "SECONDARY", content: "Decline", resultContent: "", url: "" },
];
const asking = (status, result) => message("a", { cta: { data: null, action: { status, buttons, result } } });

test("a button of a message is recorded before the page hears of it", async () => {
	FakeInbox.answers.list = () => page(asking("PENDING", null));
	await mountOpen();
	const heard = vi.fn();
	element.addEventListener("carillon-action", heard);
	FakeInbox.answers.completeAction = () => Promise.reject(new Error("gone"));
	await press("primary-a");
	expect(heard).not.toHaveBeenCalled();
	delete FakeInbox.answers.completeAction;
	await press("primary-a");
	expect(latest().of("completeAction")).toEqual(Array(2).fill(["a", "PRIMARY"]));
	expect(heard.mock.calls[0][0].detail).toMatchObject({ message: { id: "a" }, button: "PRIMARY" });
});

test("a button that was used shows its result, and none can be used again", async () => {
	FakeInbox.answers.list = () => page(asking("DONE", { type: "PRIMARY" }));
	await mountOpen();
	expect([key("primary-a").textContent, key("secondary-a").textContent]).toEqual(["Accepted", "Decline"]);
	expect(key("primary-a").getAttribute("aria-pressed")).toBe("true");
	expect(key("secondary-a").getAttribute("aria-pressed")).toBeNull();
	await press("secondary-a");
	expect(latest().of("completeAction")).toEqual([]);
});

test("what an author wrote keeps its own direction beside a reader's language", async () => {
	FakeInbox.answers.list = () => page(asking("PENDING", null));
	await mountOpen({ lang: "ar" });
	const isolated = all("li.row bdi").map((e) => e.textContent);
	expect(isolated).toEqual(["Subject a", "Text a", "Accept", "Decline"]);
});

test("the language is the attribute's, else the subscriber's, else the page's", async () => {
	document.documentElement.lang = "es";
	FakeInbox.answers.subscriber = () => ({ subscriberId: "ada", locale: "de_AT" });
	await mount();
	expect(element.texts.close).toBe(dictionaries.de?.close);
	element.setAttribute("lang", "fr");
	expect(element.texts.close).toBe(dictionaries.fr?.close);
	element.removeAttribute("lang");
	FakeInbox.answers.subscriber = () => Promise.reject(new Error("offline"));
	element.token = "cst_2";
	await settle();
	expect(element.texts.close).toBe(dictionaries.es?.close);
	element.texts = { close: "Zu" };
	expect(element.texts).toMatchObject({ close: "Zu", empty: dictionaries.es?.empty });
	document.documentElement.lang = "";
});

test("tabs of the page replace the usual ones", async () => {
	await mountOpen({ tabs: JSON.stringify([{ label: "Alerts", filter: { severityIn: ["HIGH"] } }]) });
	expect(latest().of("list").at(-1)).toEqual([{ filter: { severityIn: ["HIGH"] }, first: 20 }]);
	await press("more-all");
	await press("archive-read");
	expect(latest().of("markAll")).toEqual([["ARCHIVE", { severityIn: ["HIGH"], read: true }]]);
	element.removeAttribute("tabs");
	await settle();
	expect(all("[role=tab]")).toHaveLength(4);
});

test("messages of one subscriber do not show under the token of the next", async () => {
	await mountOpen();
	FakeInbox.answers.connect = () => new Promise(() => {});
	element.token = "cst_2";
	await settle();
	expect(all("li")).toEqual([]);
	expect(all("[role=tab]").map((tab) => tab.textContent)).toEqual(["All", "Unread", "Archived", "Snoozed"]);
});

test("texts that are set again and equal draw nothing anew", async () => {
	await mountOpen();
	const render = vi.fn();
	element.renderMessage = render;
	element.texts = { empty: "Nothing" };
	await settle();
	const before = render.mock.calls.length;
	expect(before).toBeGreaterThan(0);
	element.texts = { empty: "Nothing" };
	await settle();
	expect(render).toHaveBeenCalledTimes(before);
	element.texts = { empty: "None" };
	await settle();
	expect(render.mock.calls.length).toBeGreaterThan(before);
});
