// @vitest-environment jsdom
import { act, createElement, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApp, h, nextTick, ref } from "vue";
import * as react from "../web/bindings/react.js";
import * as vue from "../web/bindings/vue.js";
import "../web/cache.js"; // so that loading it takes no time
import { FakeServer } from "./fake-server.js";

/** @type {FakeServer} */ let server;
/** @type {any} What a component got from its hooks last. */ let got;
/** @type {() => void} */ let unmount;
const options = { token: "cst_1", url: "https://carillon.example" };

beforeEach(() => {
	server = new FakeServer(3);
	vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
});
afterEach(() => {
	unmount();
	vi.unstubAllGlobals();
});

const settle = async () => {
	for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve));
	await nextTick();
};
const connected = () => server.sockets.filter(({ closed }) => !closed).length;

function ReactReader({ filter }) {
	got = { inbox: react.useInbox({ filter }), unread: react.useUnreadCount(), preferences: react.usePreferences() };
	return null;
}
const reactTree = (props, over = {}) =>
	createElement(
		StrictMode,
		null,
		createElement(react.InboxProvider, { ...options, ...over }, createElement(ReactReader, props)),
	);

/** Each shows the messages of a filter, and returns how to show those of another one. */
const frameworks = {
	react: async (filter) => {
		const root = createRoot(document.createElement("div"));
		const show = (props) =>
			act(async () => {
				root.render(reactTree(props));
				await settle();
			});
		unmount = () => act(() => root.unmount());
		await show({ filter });
		return { show: (next) => show({ filter: next }), work: (run) => act(run) };
	},
	vue: async (filter) => {
		const chosen = ref(filter);
		const reader = {
			setup() {
				const inbox = vue.useInbox(() => ({ filter: chosen.value }));
				const unread = vue.useUnreadCount();
				const preferences = vue.usePreferences();
				return () => {
					const values = (refs) => Object.fromEntries(Object.entries(refs).map(([k, v]) => [k, v?.value ?? v]));
					got = { inbox: values(inbox), unread: unread.value, preferences: values(preferences) };
					return h("p");
				};
			},
		};
		const app = createApp({
			setup() {
				vue.provideInbox(options);
				return () => h(reader);
			},
		});
		app.mount(document.createElement("div"));
		unmount = () => app.unmount();
		await settle();
		const show = async (next) => {
			chosen.value = next;
			await settle();
		};
		return { show, work: (run) => run() };
	},
};

test.each(Object.entries(frameworks))("%s hooks show the inbox, follow it and change it", async (_name, mount) => {
	const { show, work } = await mount({});
	expect(got.inbox).toMatchObject({ loading: false, hasMore: false, status: "online" });
	expect(got.inbox.messages.map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
	expect(got.unread).toBe(3);
	expect(got.preferences.preferences.workflows[0].workflow.name).toBe("News");
	expect(connected()).toBe(1);

	await work(async () => {
		server.put("m4", {});
		await settle();
	});
	expect(got.inbox.messages[0].id).toBe("m4");
	expect(got.unread).toBe(4);

	await work(async () => {
		await got.inbox.store.markRead(["m4"]);
		await got.preferences.store.setPreference("news", { email: false });
		await settle();
	});
	expect(got.unread).toBe(3);
	expect(got.preferences.preferences.workflows[0].channels.email).toBe(false);

	await show({ read: true });
	expect(got.inbox.messages.map(({ id }) => id)).toEqual(["m4"]);
	const before = server.of("messages").length;
	await show({ read: true }); // an equal filter
	expect(server.of("messages")).toHaveLength(before);

	await unmount();
	await settle();
	expect(connected()).toBe(0);
});

test("React calls the token function of the last rendering, without connecting anew", async () => {
	const root = createRoot(document.createElement("div"));
	unmount = () => act(() => root.unmount());
	const render = (token) =>
		act(async () => {
			root.render(reactTree({}, { token }));
			await settle();
		});
	await render(() => "cst_1");
	const sockets = server.sockets.length;
	const latest = vi.fn(() => "cst_2");
	await render(latest);
	expect(server.sockets).toHaveLength(sockets);
	server.tokens = ["cst_2"];
	await act(async () => {
		await got.inbox.reload();
	});
	expect(latest).toHaveBeenCalled();
	expect(got.inbox.error).toBeUndefined();
});

test("React's provider keeps what shows without a connection when it knows the subscriber", async () => {
	const root = createRoot(document.createElement("div"));
	unmount = () => act(() => root.unmount());
	await act(async () => {
		root.render(reactTree({}, { subscriber: "ada" }));
		await settle();
	});
	const [kept] = Object.keys(localStorage);
	expect(kept).toContain("https://carillon.example/graphql ada");
	expect(JSON.parse(localStorage[kept]).lists["[]"].map(({ id }) => id)).toEqual(["m1", "m2", "m3"]);
	localStorage.clear();
});

test("React renders on a server as an inbox that loads", () => {
	unmount = () => {};
	renderToString(reactTree({}));
	expect(got.inbox).toMatchObject({ messages: [], loading: true });
	expect(server.requests).toEqual([]);
});

test("hooks outside of a provider say what is missing", () => {
	unmount = () => {};
	expect(() => renderToString(createElement(ReactReader))).toThrow("InboxProvider");
});
