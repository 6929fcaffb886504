// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { element, latest, mountOpen, one, settle } from "./mounted.js";

vi.mock("../web/inbox.js", async (original) => ({
	...(await original()),
	Inbox: (await import("./fake-inbox.js")).FakeInbox,
}));

test("a press on what the page draws follows the message, one on a link or a button of it does not", async () => {
	await mountOpen();
	/** @type {string[]} */ const opened = [];
	element.addEventListener("carillon-open", (event) => {
		event.preventDefault();
		opened.push(/** @type {CustomEvent} */ (event).detail.message.id);
	});
	element.renderMessage = (m, container) => {
		container.innerHTML = `<p>${m.id}</p><a href="#${m.id}"><b>more</b></a><button type="button">yes</button>`;
	};
	await settle();
	const container = /** @type {HTMLElement} */ (element.querySelector("[slot=message-a]"));
	expect(one("slot[name=message-a]").closest("button")).toBeNull();
	for (const control of ["b", "button"]) /** @type {HTMLElement} */ (container.querySelector(control)).click();
	await settle();
	expect(opened).toEqual([]);
	expect(latest().of("markRead")).toEqual([]);
	container.querySelector("p")?.click();
	await settle();
	expect(opened).toEqual(["a"]);
});
