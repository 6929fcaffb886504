import { h } from "./dom.js";
import { icon } from "./icons.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {{ unread: boolean, important: boolean, since: string | undefined }} Narrowing What the reader filters by within a tab.
 */

/**
 * @param {Texts} t
 * @returns {import("./element.js").Tab[]}
 */
export const usualTabs = (t) => [
	{ label: t.all, filter: {} },
	{ label: t.unread, filter: { read: false } },
	{ label: t.archived, filter: { archived: true } },
	{ label: t.snoozed, filter: { snoozed: true } },
];

/** @returns {Narrowing} */
export const unfiltered = () => ({ unread: false, important: false, since: undefined });

/** Reports whether it filters by anything. @param {Narrowing} n */
export const isNarrowed = ({ unread, important, since }) => unread || important || since !== undefined;

/** A tab's filter with what the reader filters by. @param {Filter} filter @param {Narrowing} narrowing @returns {Filter} */
export const narrowed = (filter, { unread, important, since }) => ({
	...filter,
	...(unread && { read: false }),
	...(important && { severityIn: /** @type {import("./inbox.js").Severity[]} */ (["HIGH"]) }),
	...(since && { createdAfter: since }),
});

/**
 * @param {string} key
 * @param {import("./icons.js").Icon} name
 * @param {string} label
 * @param {(opener: HTMLElement) => unknown} run
 * @param {Record<string, any>} [more]
 */
export const iconButton = (key, name, label, run, more = {}) =>
	h(
		"button",
		{
			type: "button",
			class: "icon-button",
			"data-key": key,
			"aria-label": label,
			title: label,
			onclick: (/** @type {Event} */ { currentTarget }) => run(/** @type {HTMLElement} */ (currentTarget)),
			...more,
		},
		icon(name),
	);

/**
 * @typedef {object} HeaderActions
 * @property {(opener: HTMLElement) => unknown} filter
 * @property {() => unknown} readAll
 * @property {(opener: HTMLElement) => unknown} menu
 * @property {(page: "list" | "preferences") => unknown} go
 * @property {() => unknown} close
 */

/**
 * The head of the panel: over the list what concerns all of it, over the preferences the way back.
 * @param {Texts} t
 * @param {{ listing: boolean, narrowed: boolean, bulk: boolean, inline: boolean }} view
 * @param {HeaderActions} actions
 */
export function header(t, { listing, narrowed, bulk, inline }, { filter, readAll, menu, go, close }) {
	return [
		!listing && iconButton("back", "back", t.back, () => go("list")),
		h("h2", { id: "title", part: "title" }, listing ? t.inbox : t.preferences),
		listing &&
			iconButton("filter", "filter", t.filter, filter, {
				class: `icon-button ${narrowed ? "on" : ""}`,
				"aria-haspopup": "menu",
			}),
		listing && bulk && iconButton("read-all", "readAll", t.readAll, readAll),
		listing && iconButton("preferences", "settings", t.preferences, () => go("preferences")),
		listing && bulk && iconButton("more-all", "more", t.more, menu, { "aria-haspopup": "menu" }),
		!inline && iconButton("close", "close", t.close, close),
	];
}

/**
 * @param {import("./element.js").Tab[]} tabs
 * @param {number[]} counts of unread messages, one per tab
 * @param {number} chosen
 * @param {(i: number) => void} choose
 */
export function tabButtons(tabs, counts, chosen, choose) {
	return tabs.map(({ label }, i) =>
		h(
			"button",
			{
				type: "button",
				role: "tab",
				part: `tab ${i === chosen ? "selected" : ""}`,
				id: `tab-${i}`,
				"data-key": `tab-${i}`,
				"aria-controls": "body",
				"aria-selected": String(i === chosen),
				tabindex: i === chosen ? "0" : "-1",
				onclick: () => choose(i),
			},
			label,
			counts[i] > 0 && h("span", { class: "count" }, counts[i] > 99 ? "99+" : String(counts[i])),
		),
	);
}

/** How long a change can be taken back. */
export const undoTime = 6_000;

/** The line that says what was done and offers to take it back. */
export class Snackbar {
	element = h("div", { class: "snackbar", part: "snackbar", hidden: true });
	/** @type {import("./store.js").Undoable | undefined} */ #undoable;
	/** @type {ReturnType<typeof setTimeout> | undefined} */ #timer;
	/** @type {(work: () => Promise<void>) => unknown} */ #run;

	/** @param {(work: () => Promise<void>) => unknown} run Runs what may fail. */
	constructor(run) {
		this.#run = run;
	}

	/** Reports whether something can be taken back. */
	get open() {
		return this.#undoable !== undefined;
	}

	/**
	 * @param {string} text
	 * @param {string} label
	 * @param {import("./store.js").Undoable} undoable
	 */
	show(text, label, undoable) {
		this.hide();
		this.#undoable = undoable;
		this.element.replaceChildren(
			h("span", {}, text),
			h("button", { type: "button", "data-key": "undo", onclick: () => this.undo() }, label),
		);
		this.element.hidden = false;
		this.#timer = setTimeout(() => this.hide(), undoTime);
	}

	undo() {
		const undoable = this.#undoable;
		if (!undoable) return;
		this.#undoable = undefined;
		this.hide();
		this.#run(undoable.undo);
	}

	/** Makes final what can be taken back. */
	hide() {
		clearTimeout(this.#timer);
		const undoable = this.#undoable;
		this.#undoable = undefined;
		this.element.hidden = true;
		this.element.replaceChildren();
		if (undoable) this.#run(undoable.finish);
	}
}

/** The button that says how many messages arrived above what is seen. */
export class NewAbove {
	element = h("div", { class: "fresh", hidden: true });
	#count = 0;
	/** @type {() => unknown} */ #go;

	/** @param {() => unknown} go Shows them. */
	constructor(go) {
		this.#go = go;
	}

	/** @param {number} n @param {Texts} t */
	add(n, t) {
		this.#count += n;
		const text = fill(t.newMany, { n: this.#count });
		this.element.replaceChildren(
			h("button", { type: "button", "data-key": "fresh", onclick: this.#go }, icon("up"), text),
		);
		this.element.hidden = false;
	}

	hide() {
		this.#count = 0;
		this.element.hidden = true;
	}
}

/** What shows in place of messages. */
export class Empty {
	element = h("div", { class: "empty", part: "empty" });
	#text = "";

	/** @param {string} text */
	show(text) {
		if (text === this.#text) return;
		this.#text = text;
		this.element.replaceChildren(icon("bell"), h("slot", { name: "empty" }, h("p", {}, text)));
	}
}

/** What the reader should know: whether there is a connection, and what failed. */
export class Notices {
	#banner = h("p", { class: "banner", part: "banner", hidden: true });
	#problem = h("p", { class: "problem", part: "problem", hidden: true });
	elements = [this.#banner, this.#problem];

	/**
	 * @param {Texts} t
	 * @param {string} problem
	 * @param {import("./store.js").Summary} [summary]
	 */
	show(t, problem, summary) {
		const status = summary?.status ?? "unauthorized";
		const waiting = summary?.waiting ?? 0;
		const texts = [
			(status === "offline" || status === "unauthorized") && t[status],
			waiting > 0 && fill(t.waiting, { n: waiting }),
		].filter(Boolean);
		this.#banner.textContent = texts.join(" ");
		this.#problem.textContent = problem;
		for (const element of this.elements) element.hidden = element.textContent === "";
	}
}
