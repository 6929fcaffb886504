// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { element, key, mountOpen, one, press, root } from "./mounted.js";

vi.mock("../web/inbox.js", async (original) => ({
	...(await original()),
	Inbox: (await import("./fake-inbox.js")).FakeInbox,
}));

const type = (target, name) => {
	const event = new KeyboardEvent("keydown", { key: name, bubbles: true, composed: true, cancelable: true });
	target.dispatchEvent(event);
	return event;
};

test("arrow keys move along the tabs in a circle, and choose", async () => {
	await mountOpen();
	key("tab-0").focus();
	type(key("tab-0"), "ArrowLeft");
	expect(root().activeElement).toBe(key("tab-3"));
	expect(key("tab-3").getAttribute("aria-selected")).toBe("true");
	type(key("tab-3"), "ArrowRight");
	type(key("tab-0"), "End");
	type(key("tab-3"), "Home");
	expect(root().activeElement).toBe(key("tab-0"));
	expect(type(key("tab-0"), "x").defaultPrevented).toBe(false);
});

test("arrow keys move along the messages and end at the last", async () => {
	await mountOpen();
	key("open-a").focus();
	type(key("open-a"), "ArrowDown");
	expect(root().activeElement).toBe(key("open-b"));
	type(key("menu-b"), "ArrowDown");
	type(key("open-c"), "ArrowDown");
	expect(root().activeElement).toBe(key("open-c"));
	type(key("open-c"), "Home");
	type(key("open-a"), "ArrowUp");
	expect(root().activeElement).toBe(key("open-a"));
});

test("Escape closes the snooze menu first, then the panel, and returns the focus to the bell", async () => {
	await mountOpen();
	await press("snooze-b");
	type(key("snooze-inAnHour"), "Escape");
	expect(key("snooze-inAnHour")).toBeUndefined();
	expect(root().activeElement).toBe(key("snooze-b"));
	type(key("snooze-b"), "Escape");
	expect(one(".panel").hidden).toBe(true);
	expect(root().activeElement).toBe(key("bell"));
});

test("a press elsewhere on the page closes the panel", async () => {
	await mountOpen();
	one(".panel").dispatchEvent(new Event("pointerdown", { bubbles: true, composed: true }));
	expect(one(".panel").hidden).toBe(false);
	document.body.dispatchEvent(new Event("pointerdown", { bubbles: true, composed: true }));
	expect(one(".panel").hidden).toBe(true);
});

test("the focus moves between the panel and what the page puts into it, and closes it when it leaves", async () => {
	await mountOpen();
	const [inHeader, elsewhere] = ["in header", "elsewhere"].map((text) => {
		const button = document.createElement("button");
		button.textContent = text;
		return button;
	});
	inHeader.slot = "header";
	element.append(inHeader);
	document.body.append(elsewhere);
	const open = () => !one(".panel").hidden;
	key("tab-0").focus();
	inHeader.focus();
	expect(open()).toBe(true);
	key("tab-0").focus();
	expect(open()).toBe(true);
	inHeader.focus();
	elsewhere.focus();
	expect(open()).toBe(false);
});
