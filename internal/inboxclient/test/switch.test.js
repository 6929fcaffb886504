// @vitest-environment jsdom
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { InboxStore } from "../web/store.js";
import { message } from "./fake-inbox.js";
import { FakeServer } from "./fake-server.js";

/** @type {FakeServer} */ let server;
/** @type {InboxStore} */ let store;

const settle = async () => {
	for (let i = 0; i < 40; i++) await new Promise((resolve) => setTimeout(resolve));
};
const ids = (list) => list.snapshot.messages.map(({ id }) => id);

/** The inbox of ada, whose page fetches the token of whoever is logged in. */
async function open(subscriber) {
	const options = { url: "https://carillon.example", token: () => server.tokens[0], subscriber };
	store = new InboxStore(options);
	const list = store.list();
	list.subscribe(() => {});
	await store.start();
	await settle();
	return list;
}

beforeEach(() => {
	server = new FakeServer(3);
});
afterEach(() => {
	store.close();
	vi.unstubAllGlobals();
	localStorage.clear();
});

test.each([undefined, "ada"])(
	"a new token of another subscriber shows that one's inbox alone (named %s)",
	async (named) => {
		const list = await open(named);
		store.preferences.subscribe(() => {});
		await settle();
		const undoable = await store.changeUndoably({ op: "delete", ids: ["m1"] });
		const switched = vi.fn();
		store.onSwitch(switched);
		server.tokens = ["cst_bob"];
		server.messages = [message("b1", { internalId: "j1", sequence: 0 })];
		server.answers.subscriber = () => ({ inbox: { subscriber: { subscriberId: "bob", locale: null } } });
		/** @type {string[][]} */ const shown = [];
		list.subscribe(({ messages }) => shown.push(messages.map(({ id }) => id)));
		const asked = server.of("preferences").length;
		await list.load();
		await settle();
		expect(switched).toHaveBeenCalledTimes(1);
		expect(ids(list)).toEqual(["b1"]);
		expect(shown.filter((all) => all.includes("b1") && all.some((id) => id.startsWith("m")))).toEqual([]);
		expect(server.of("preferences").length).toBeGreaterThan(asked);
		expect(JSON.stringify({ ...localStorage })).not.toMatch(/"[mb]1"/);
		await undoable.finish();
		await store.archive(["b1"]);
		expect(server.of("deleteMessages")).toEqual([]);
		expect(server.of("archiveMessages").at(-1).input).toMatchObject({ subscriberId: "bob", messageIds: ["b1"] });
	},
);

test("a new token of the same subscriber leaves all as it is", async () => {
	const list = await open("ada");
	const switched = vi.fn();
	store.onSwitch(switched);
	server.tokens = ["cst_2"];
	await list.load();
	expect(ids(list)).toEqual(["m1", "m2", "m3"]);
	expect(server.of("subscriber")).toHaveLength(2);
	expect(switched).not.toHaveBeenCalled();
	expect(JSON.stringify({ ...localStorage })).toContain("m1");
});
