/** The element as the tests mount and read it. They replace inbox.js by fake-inbox.js. */
import { afterEach, beforeEach, vi } from "vitest";
import { CarillonInbox } from "../web/element.js";
import "../web/menus.js"; // so that loading them takes no time
import "../web/preferences-page.js";
import { FakeInbox, inboxes } from "./fake-inbox.js";

customElements.define("carillon-inbox", CarillonInbox);

export const settle = async () => {
	for (let i = 0; i < 4; i++) {
		for (let j = 0; j < 30; j++) await Promise.resolve();
		await new Promise((resolve) => setImmediate(resolve));
	}
};

/** The element that is mounted. @type {CarillonInbox} */ export let element;
export const root = () => /** @type {ShadowRoot} */ (element.shadowRoot);
export const all = (selector) => /** @type {HTMLElement[]} */ ([...root().querySelectorAll(selector)]);
export const one = (selector) => all(selector)[0];
export const key = (name) => one(`[data-key="${name}"]`);
export const latest = () => /** @type {any} */ (inboxes.at(-1));
export const press = async (name) => {
	key(name).click();
	await settle();
};
export const problem = () => (one(".problem").hidden ? "" : one(".problem").textContent);
export const said = () => one("[role=status]").textContent;

/** Puts an element on the page that has what the attributes name, after prepare changed it. */
export async function mount(attributes = {}, prepare = (/** @type {CarillonInbox} */ _) => {}) {
	element = /** @type {CarillonInbox} */ (document.createElement("carillon-inbox"));
	prepare(element);
	for (const [name, value] of Object.entries({ token: "cst_1", ...attributes })) element.setAttribute(name, value);
	document.body.append(element);
	await settle();
}

/** The same, with the panel open and its messages loaded. */
export async function mountOpen(attributes) {
	await mount(attributes);
	element.open();
	await settle();
}

beforeEach(() => {
	FakeInbox.answers = {};
	inboxes.splice(0);
});
afterEach(() => {
	globalThis.localStorage?.clear();
	document.body.replaceChildren();
	vi.useRealTimers();
});
