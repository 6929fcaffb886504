// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApp, h, nextTick, ref } from "vue";
import * as react from "../web/bindings/react.js";
import * as vue from "../web/bindings/vue.js";
import "../web/carillon-inbox.js";
import { FakeServer } from "./fake-server.js";

/** @type {FakeServer} */ let server;
/** @type {() => void} */ let unmount = () => {};
const options = { token: "cst_1", url: "https://carillon.example" };
const settle = async () => {
	for (let i = 0; i < 20; i++) await new Promise((resolve) => setTimeout(resolve));
};
const element = () => /** @type {any} */ (document.querySelector("carillon-inbox"));
const drawn = () => [...document.querySelectorAll("carillon-inbox > [slot^=message-]")].map((e) => e.textContent);

beforeEach(() => {
	server = new FakeServer(3);
	globalThis.CSS ??= /** @type {any} */ ({ escape: (text) => text });
	vi.stubGlobal("IS_REACT_ACT_ENVIRONMENT", true);
});
afterEach(() => {
	unmount();
	document.body.replaceChildren();
	vi.unstubAllGlobals();
});

/** Mounts an element that draws messages its own way, with each framework. */
const mounts = {
	react: async () => {
		const root = createRoot(document.body.appendChild(document.createElement("div")));
		const renderMessage = (m) => createElement("em", null, `by React: ${m.id}`);
		await act(async () =>
			root.render(
				createElement(
					react.InboxProvider,
					options,
					createElement(react.Inbox, { renderMessage, class: "mine", lang: "de" }),
				),
			),
		);
		unmount = () => act(() => root.unmount());
	},
	vue: async () => {
		const inbox = () =>
			h(
				vue.InboxElement,
				{ class: "mine", lang: "de" },
				{ message: ({ message }) => h("em", `by Vue: ${message.id}`) },
			);
		const app = createApp({
			setup() {
				vue.provideInbox(options);
				return inbox;
			},
		});
		app.mount(document.body.appendChild(document.createElement("div")));
		unmount = () => app.unmount();
	},
};

test.each([
	["react", "React"],
	["vue", "Vue"],
])(
	"the element of %s shares the store, and its messages are drawn by components",
	async (framework, name) => {
		await mounts[framework]();
		await act(settle);
		expect(element().className).toBe("mine");
		expect(server.sockets.filter(({ closed }) => !closed)).toHaveLength(1); // of the provider
		await act(async () => {
			element().open();
			await settle();
		});
		expect(drawn()).toEqual(["m1", "m2", "m3"].map((id) => `by ${name}: ${id}`));
		expect(element().shadowRoot.querySelector("slot[name=message-m1]")).not.toBeNull();
		await act(async () => {
			await element().store.archive(["m2"]);
			await settle();
		});
		expect(drawn()).toEqual([`by ${name}: m1`, `by ${name}: m3`]);
		unmount();
		unmount = () => {};
		expect(element()).toBeNull();
	},
	60_000,
);

/** Shows an element with a token function and tabs that each rendering makes anew; returns what renders again. */
const renderings = {
	react: async (token, tabs) => {
		const root = createRoot(document.body.appendChild(document.createElement("div")));
		unmount = () => act(() => root.unmount());
		const render = () =>
			act(async () => {
				root.render(createElement(react.Inbox, { url: options.url, token: () => token(), tabs: tabs() }));
				await settle();
			});
		await render();
		return render;
	},
	vue: async (token, tabs) => {
		const count = ref(0);
		const app = createApp({
			setup: () => () =>
				h(vue.InboxElement, { url: options.url, token: () => token(), tabs: tabs(), title: `${count.value}` }),
		});
		app.mount(document.body.appendChild(document.createElement("div")));
		unmount = () => app.unmount();
		await settle();
		return async () => {
			count.value++;
			await nextTick();
			await settle();
		};
	},
};

test.each(Object.entries(renderings))(
	"an element that %s renders again keeps its connection and the tab that the reader chose",
	async (_name, show) => {
		let token = "cst_1";
		let label = "Read";
		const render = await show(
			() => token,
			() => [
				{ label: "All", filter: {} },
				{ label, filter: { read: true } },
			],
		);
		const tabs = () => [...element().shadowRoot.querySelectorAll("[role=tab]")];
		const chosen = () => tabs().find((tab) => tab.getAttribute("aria-selected") === "true").textContent;
		element().open();
		await act(settle);
		tabs()[1].click();
		await act(settle);
		expect(chosen()).toContain("Read");
		label = "Gelesen";
		await render();
		expect(chosen()).toContain("Gelesen");
		expect(server.sockets).toHaveLength(1);

		token = "cst_2"; // of the last rendering
		server.tokens = ["cst_2"];
		await act(async () => {
			await element().store.reload();
		});
		expect(server.requests.at(-1)[0]).toBe("counts");
		expect(element().dataset.status).toBe("online");
		expect(element().shadowRoot.querySelector(".problem").hidden).toBe(true);
	},
);

/** Shows an element with a token, below a provider or not; returns what renders it with another one. */
const signings = {
	react: async (token, provided) => {
		const root = createRoot(document.body.appendChild(document.createElement("div")));
		unmount = () => act(() => root.unmount());
		const render = (token) =>
			act(async () => {
				const inbox = createElement(react.Inbox, { url: options.url, token });
				root.render(provided ? createElement(react.InboxProvider, options, inbox) : inbox);
				await settle();
			});
		await render(token);
		return render;
	},
	vue: async (token, provided) => {
		const shown = ref(token);
		const app = createApp({
			setup() {
				if (provided) vue.provideInbox(options);
				return () => h(vue.InboxElement, { url: options.url, token: shown.value });
			},
		});
		app.mount(document.body.appendChild(document.createElement("div")));
		unmount = () => app.unmount();
		await settle();
		return async (token) => {
			shown.value = token;
			await nextTick();
			await settle();
		};
	},
};

test.each(Object.entries(signings))(
	"an element of %s whose token is taken away shows nothing any more",
	async (_name, show) => {
		const render = await show("cst_1", false);
		element().open();
		await act(settle);
		expect(element().shadowRoot.querySelectorAll("li.row")).toHaveLength(3);
		await render(undefined);
		expect(element().shadowRoot.querySelectorAll("li.row")).toHaveLength(0);
		expect(element().store).toBeUndefined();
		expect(server.sockets.filter(({ closed }) => !closed)).toHaveLength(0);
	},
);

test.each(Object.entries(signings))(
	"an element of %s has its own token before the store above it",
	async (_name, show) => {
		server.tokens = ["cst_1", "cst_own"];
		const render = await show(undefined, true);
		const above = element().store;
		await render("cst_own");
		expect(element().store).not.toBe(above);
		await render(undefined);
		expect(element().store).toBe(above);
		expect(server.sockets.filter(({ closed }) => !closed)).toHaveLength(1);
	},
);
