// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { arrived, TabBadge } from "../web/alerts.js";
import { message } from "./fake-inbox.js";

const on = { sound: true, notification: true, badge: false };
/** @type {unknown[]} */ let unhandled;
const note = (error) => unhandled.push(error);
const settle = () => new Promise((resolve) => setImmediate(resolve));

beforeEach(() => {
	unhandled = [];
	process.on("unhandledRejection", note);
	vi.spyOn(document, "visibilityState", "get").mockReturnValue("hidden");
});
afterEach(() => {
	process.off("unhandledRejection", note);
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
});

test("a browser that has neither sounds nor notifications is left in peace", async () => {
	arrived([message("a")], on, () => {});
	await settle();
	expect(unhandled).toEqual([]);
});

test("a browser that lets pages show no notifications is left in peace", async () => {
	const asked = vi.fn(() => {
		throw new TypeError("Illegal constructor");
	});
	vi.stubGlobal("Notification", Object.assign(asked, { permission: "granted" }));
	arrived([message("a")], { ...on, sound: false }, () => {});
	await settle();
	expect(asked).toHaveBeenCalledTimes(1);
	expect(unhandled).toEqual([]);
});

test("a notification leads to its message", async () => {
	/** @type {any} */ let shown;
	class Notification {
		static permission = "granted";
		constructor(title, options) {
			shown = Object.assign(this, { title, ...options, close: vi.fn() });
		}
	}
	vi.stubGlobal("Notification", Notification);
	vi.spyOn(window, "focus").mockImplementation(() => {});
	const chosen = vi.fn();
	const m = message("a");
	arrived([m], { ...on, sound: false }, chosen);
	await settle();
	expect(shown).toMatchObject({ title: "Subject a", body: "Text a", tag: "a" });
	shown.onclick();
	expect(chosen).toHaveBeenCalledWith(m);
	expect(shown.close).toHaveBeenCalled();
});

test("inboxes of a page share the number on its tab, whatever each counts", async () => {
	let changes = 0;
	const titles = new MutationObserver(() => {
		if (++changes > 100) document.head.remove(); // which ends what would never
	});
	document.title = "Shop";
	titles.observe(document.head, { childList: true, subtree: true, characterData: true });
	const [bell, list] = [new TabBadge(), new TabBadge()];
	bell.show(2);
	list.show(2);
	await Promise.resolve();
	list.show(3); // it hears first
	await Promise.resolve();
	expect(document.title).toBe("(3) Shop");
	bell.show(3);
	document.title = "Cart";
	await Promise.resolve();
	expect(document.title).toBe("(3) Cart");
	list.show(0); // it is gone
	expect(document.title).toBe("(3) Cart");
	bell.show(0);
	expect(document.title).toBe("Cart");
	titles.disconnect();
});
