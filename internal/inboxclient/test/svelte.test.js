// @vitest-environment jsdom
import { getContext, onDestroy, setContext } from "svelte";
import { get } from "svelte/store";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import * as bindings from "../web/bindings/svelte.js";
import { FakeServer } from "./fake-server.js";

// Components are what only the compiler makes: here one has a context of its own and is destroyed by hand.
vi.mock("svelte", () => ({ getContext: vi.fn(), onDestroy: vi.fn(), setContext: vi.fn() }));

/** @type {FakeServer} */ let server;
/** @type {Map<unknown, unknown>} */ let context;
/** @type {() => void} */ let destroy;

const settle = async () => {
	for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve));
};
const connected = () => server.sockets.filter(({ closed }) => !closed).length;
const provide = () => bindings.provideInbox({ token: "cst_1", url: "https://carillon.example" });

beforeEach(() => {
	server = new FakeServer(3);
	context = new Map();
	destroy = () => {};
	vi.mocked(setContext).mockImplementation((key, value) => {
		context.set(key, value);
		return value;
	});
	vi.mocked(getContext).mockImplementation((key) => /** @type {any} */ (context.get(key)));
	vi.mocked(onDestroy).mockImplementation((run) => {
		destroy = run;
	});
});
afterEach(() => {
	destroy();
	vi.unstubAllGlobals();
});

test("Svelte stores show the inbox, follow it and change it, until the component goes", async () => {
	const provided = provide();
	const inbox = bindings.useInbox({ pageSize: 2 });
	const unread = bindings.useUnreadCount();
	const wishes = bindings.usePreferences();
	expect(inbox.store).toBe(provided);

	/** @type {any} */ let listing;
	/** @type {number[]} */ const counts = [];
	const stops = [inbox.subscribe((now) => (listing = now)), unread.subscribe((now) => counts.push(now))];
	expect(listing).toMatchObject({ messages: [], loading: true });
	await settle();
	expect(listing).toMatchObject({ loading: false, hasMore: true, status: "online" });
	expect(listing.messages.map(({ id }) => id)).toEqual(["m1", "m2"]);
	await inbox.more();
	expect(listing.messages.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);

	server.put("m4", {});
	await settle();
	expect(listing.messages[0].id).toBe("m4");
	expect(counts.at(-1)).toBe(4);
	await inbox.store.markRead(["m4"]);
	await settle();
	expect(listing.messages[0]).toMatchObject({ id: "m4", read: true });
	expect(counts.at(-1)).toBe(3);

	expect(connected()).toBe(1);
	stops.push(wishes.subscribe(() => {}));
	await settle();
	expect(get(wishes).preferences?.workflows[0].workflow.name).toBe("News");

	for (const stop of stops) stop();
	const before = server.of("messages").length;
	server.put("m5", {});
	await settle();
	expect(server.of("messages")).toHaveLength(before);
	destroy();
	expect(connected()).toBe(0);
});

test("Svelte connects and loads in browsers only", async () => {
	vi.stubGlobal("window", undefined);
	provide();
	expect(get(bindings.useInbox())).toMatchObject({ messages: [], loading: true });
	expect(get(bindings.useUnreadCount())).toBe(0);
	expect(get(bindings.usePreferences())).toMatchObject({ preferences: undefined });
	await settle();
	expect(server.sockets).toEqual([]);
	expect(server.requests).toEqual([]);
});

test("Svelte hooks outside of a provider say what is missing", () => {
	expect(() => bindings.useInbox()).toThrow("provideInbox");
	expect(() => bindings.useUnreadCount()).toThrow("provideInbox");
	expect(() => bindings.usePreferences()).toThrow("provideInbox");
});
