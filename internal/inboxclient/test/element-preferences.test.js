// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { FakeInbox } from "./fake-inbox.js";
import { key, latest, mountOpen, press, problem, said, settle } from "./mounted.js";

vi.mock("../web/inbox.js", async (original) => ({
	...(await original()),
	Inbox: (await import("./fake-inbox.js")).FakeInbox,
}));

test("preferences are stored one after the other", async () => {
	await mountOpen();
	await press("preferences");
	const order = [];
	/** @type {(() => void)[]} */ const finish = [];
	FakeInbox.answers.setPreference = (id, channels) => {
		order.push([id, channels]);
		return new Promise((resolve) => finish.push(() => resolve(undefined)));
	};
	await press("email-w");
	await press("email-w");
	expect(order).toEqual([["w", { email: false }]]);
	finish[0]();
	await settle();
	expect(order).toEqual([
		["w", { email: false }],
		["w", { email: true }],
	]);
	finish[1]();
	await settle();
	expect(said()).toBe("Saved.");
});

test("a preference for everything shows in every workflow once it is stored", async () => {
	await mountOpen();
	await press("preferences");
	await press("email-everything");
	expect(latest().of("setGlobalPreference")).toEqual([[{ email: false }]]);
	expect(/** @type {HTMLInputElement} */ (key("email-w")).checked).toBe(false);
	await press("back");
	expect(key("open-a")).toBeDefined();
});

test("a preference that could not be stored shows as it was", async () => {
	await mountOpen();
	await press("preferences");
	FakeInbox.answers.setPreference = () => Promise.reject(new Error("read only"));
	await press("email-w");
	expect(/** @type {HTMLInputElement} */ (key("email-w")).checked).toBe(true);
	expect(problem()).toBe("Something went wrong: read only");
});

test("the reason of a failed preference stays when a later one succeeds", async () => {
	await mountOpen();
	await press("preferences");
	/** @type {(error: Error) => void} */ let fail = () => {};
	FakeInbox.answers.setPreference = () => new Promise((_, reject) => (fail = reject));
	await press("email-w");
	await press("email-everything");
	fail(new Error("read only"));
	await settle();
	expect(latest().of("setGlobalPreference")).toHaveLength(1);
	expect(problem()).toBe("Something went wrong: read only");
});

test("a switch that the browser forbids says why, until it can be used", async () => {
	let permission = "denied";
	vi.stubGlobal("Notification", { requestPermission: () => Promise.resolve(permission) });
	await mountOpen();
	await press("preferences");
	const shown = () => key("alert-notification").closest("fieldset")?.querySelector(".blocked")?.textContent;
	await press("alert-notification");
	await press("alert-notification");
	expect(/** @type {HTMLInputElement} */ (key("alert-notification")).checked).toBe(false);
	expect(shown()).toBe("The browser does not allow it.");
	expect(said()).toBe("The browser does not allow it.");
	permission = "granted";
	await press("alert-notification");
	expect(/** @type {HTMLInputElement} */ (key("alert-notification")).checked).toBe(true);
	expect(shown()).toBeUndefined();
	vi.unstubAllGlobals();
	localStorage.clear();
});
