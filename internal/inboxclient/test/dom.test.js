// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { h, replace, safeURL } from "../web/dom.js";
import { fromInput, toInput } from "../web/preferences.js";

test("an element has attributes, listeners and children", () => {
	const click = vi.fn();
	const button = h(
		"button",
		{ type: "button", hidden: true, "aria-label": null, lang: false, onclick: click },
		"a",
		null,
		false,
		undefined,
		h("b", {}, "c"),
	);
	expect(button.outerHTML).toBe('<button type="button" hidden="">a<b>c</b></button>');
	button.click();
	expect(click).toHaveBeenCalledOnce();
});

test("texts are never HTML", () => {
	expect(h("p", {}, "<img src=x>").innerHTML).toBe("&lt;img src=x&gt;");
});

test.each([
	["https://x.test/a", true],
	["/relative", true],
	["mailto:a@x.test", true],
	["tel:+49", true],
	["javascript:alert(1)", false],
	[" JavaScript:alert(1)", false],
	["data:text/html,x", false],
	["http://[", false],
	["", false],
	[null, false],
])("the address %s is safe: %s", (url, safe) => expect(safeURL(url)).toBe(safe ? url : ""));

/** @type {HTMLElement} */ let parent;
const item = (key) =>
	h("li", {}, h("button", { class: "open", "data-key": key }, key), h("button", { "data-key": `delete-${key}` }));
const focused = () => parent.getRootNode().activeElement?.dataset.key;

beforeEach(() => {
	globalThis.CSS ??= { escape: (text) => text };
	const host = document.body.appendChild(h("div", {}));
	parent = h("div", {});
	host.attachShadow({ mode: "open" }).append(parent);
	parent.append(item("a"), item("b"), item("c"));
});

test("the focus stays with its key", () => {
	parent.querySelector("[data-key=delete-b]").focus();
	expect(replace(parent, item("c"), item("b"))).toBe(true);
	expect(focused()).toBe("delete-b");
});

test("the focus of a removed item moves to the next one, else to the one before", () => {
	parent.querySelector("[data-key=delete-b]").focus();
	expect(replace(parent, item("a"), item("c"))).toBe(true);
	expect(focused()).toBe("c");
	replace(parent, item("a"));
	expect(focused()).toBe("a");
});

test("a lost focus is reported", () => {
	parent.querySelector("[data-key=b]").focus();
	expect(replace(parent, h("p", {}, "empty"))).toBe(false);
	expect(replace(parent, item("a"))).toBe(true);
	expect(focused()).toBeUndefined();
});

test.each([
	["12:00 AM", "00:00"],
	["12:30 PM", "12:30"],
	["09:05 AM", "09:05"],
	["11:59 PM", "23:59"],
])("%s is %s in a time input", (text, input) => {
	expect(toInput(text)).toBe(input);
	expect(fromInput(input)).toBe(text);
});

test("a time that cannot be read is nine o’clock", () => expect(toInput("noon")).toBe("09:00"));
