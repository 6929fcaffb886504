// @vitest-environment jsdom
import { act, createElement } from "react";
import { createRoot } from "react-dom/client";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createApp, h } from "vue";
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
