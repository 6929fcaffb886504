import { iconButton } from "./chrome.js";
import { h, replace } from "./dom.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./texts.js").Texts} Texts
 *
 * @typedef {object} Selects
 * @property {(op: "markRead" | "archive" | "delete", ids: string[]) => unknown} change
 * @property {() => unknown} changed Called when other messages are selected.
 * @property {() => import("./inbox.js").Message[]} messages Those that can be.
 * @property {() => unknown} enter Moves the focus to the messages.
 */

/**
 * What can be done with the messages that are selected.
 * @param {Texts} t
 * @param {number} n
 * @param {{ all: () => unknown, read: () => unknown, archive: () => unknown, delete: () => unknown, end: () => unknown }} actions
 */
function selectionBar(t, n, actions) {
	const unusable = n === 0 ? "true" : null;
	return [
		h("span", { class: "selected-count" }, fill(t.selected, { n })),
		h("button", { type: "button", "data-key": "select-all", onclick: actions.all }, t.selectAll),
		iconButton("selected-read", "markRead", t.markRead, () => n && actions.read(), { "aria-disabled": unusable }),
		iconButton("selected-archive", "archive", t.archive, () => n && actions.archive(), { "aria-disabled": unusable }),
		iconButton("selected-delete", "delete", t.delete, () => n && actions.delete(), { "aria-disabled": unusable }),
		iconButton("select-end", "close", t.cancel, actions.end),
	];
}

/** The messages that are selected, and the bar with what can be done with them. */
export class Selection {
	element = h("div", { class: "selection", part: "selection", role: "group", hidden: true });
	active = false;
	/** @type {Set<string>} */ ids = new Set();
	/** @type {Selects} */ #does;

	/** @param {Selects} does */
	constructor(does) {
		this.#does = does;
	}

	/** @param {string} id @param {boolean} on */
	set(id, on) {
		if (on) this.ids.add(id);
		else this.ids.delete(id);
		this.active = true;
		this.#does.changed();
	}

	start() {
		this.active = true;
		this.#does.changed();
		this.#does.enter();
	}

	end() {
		const { activeElement } = /** @type {ShadowRoot} */ (this.element.getRootNode());
		const within = this.element.contains(activeElement ?? null);
		this.ids.clear();
		this.active = false;
		if (within) this.#does.enter();
	}

	/** @param {Texts} t @param {boolean} listing Whether the messages show. */
	show(t, listing) {
		this.element.hidden = !listing || !this.active;
		if (this.element.hidden) return;
		const { change, changed, messages } = this.#does;
		/** In the order of the list. */
		const ids = () =>
			messages()
				.map(({ id }) => id)
				.filter((id) => this.ids.has(id));
		this.element.setAttribute("aria-label", t.select);
		replace(
			this.element,
			...selectionBar(t, this.ids.size, {
				all: () => {
					for (const { id } of messages()) this.ids.add(id);
					changed();
				},
				read: () => change("markRead", ids()),
				archive: () => change("archive", ids()),
				delete: () => change("delete", ids()),
				end: () => {
					this.end();
					changed();
				},
			}),
		);
	}
}
