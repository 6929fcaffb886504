import { h } from "./dom.js";

/**
 * @typedef {object} Item
 * @property {string} key
 * @property {string} label
 * @property {() => unknown} run
 * @property {boolean} [checked] Makes it one that is on or off.
 * @property {boolean} [danger]
 * @property {string} [hint] Such as the date or the key that does the same.
 */

/** The menu or small form that is open over the panel; one at a time. */
export class Popover {
	/** Where it shows. */
	element = h("div", { class: "popover", part: "menu", hidden: true });
	/** @type {HTMLElement | undefined} */ #opener;
	/** @type {HTMLElement} */ #panel;

	/** @param {HTMLElement} panel */
	constructor(panel) {
		this.#panel = panel;
		this.element.addEventListener("keydown", (event) => this.#key(event));
		this.element.addEventListener("focusout", ({ relatedTarget }) => {
			if (relatedTarget && !this.element.contains(/** @type {Node} */ (relatedTarget))) this.close(false);
		});
		panel.addEventListener("pointerdown", (event) => {
			const path = event.composedPath();
			if (!path.includes(this.element) && !(this.#opener && path.includes(this.#opener))) this.close(false);
		});
	}

	get open() {
		return !this.element.hidden;
	}

	/** Reports whether it was opened by this. @param {HTMLElement} opener */
	isOf(opener) {
		return this.open && this.#opener?.dataset.key === opener.dataset.key;
	}

	/**
	 * @param {HTMLElement} opener
	 * @param {string} label
	 * @param {Item[]} items
	 */
	menu(opener, label, items) {
		if (this.isOf(opener)) return this.close();
		this.#set("menu", label, opener);
		this.element.replaceChildren(
			...items.map(({ key, label, run, checked, danger, hint }) =>
				h(
					"button",
					{
						type: "button",
						role: checked === undefined ? "menuitem" : "menuitemcheckbox",
						"aria-checked": checked === undefined ? null : String(checked),
						class: danger ? "danger" : "",
						"data-key": key,
						tabindex: "-1",
						onclick: () => {
							this.close();
							run();
						},
					},
					h("span", {}, label),
					hint && h("span", { class: "hint" }, hint),
				),
			),
		);
		this.#place(opener);
	}

	/**
	 * @param {HTMLElement} opener
	 * @param {string} label
	 * @param {HTMLElement} content
	 */
	form(opener, label, content) {
		this.#set("dialog", label, opener);
		this.element.replaceChildren(content);
		this.#place(opener);
	}

	/** @param {string} role @param {string} label @param {HTMLElement} opener */
	#set(role, label, opener) {
		if (this.open) this.close(false);
		this.#opener = opener;
		opener.setAttribute("aria-expanded", "true");
		this.element.setAttribute("role", role);
		this.element.setAttribute("aria-label", label);
	}

	/** Beside its opener, within the panel. @param {HTMLElement} opener */
	#place(opener) {
		const { element } = this;
		element.hidden = false;
		const panel = this.#panel.getBoundingClientRect();
		const from = opener.getBoundingClientRect();
		const { width, height } = element.getBoundingClientRect();
		const below = from.bottom - panel.top + 4;
		const top = below + height > panel.height - 8 ? from.top - panel.top - height - 4 : below;
		const left =
			/** @type {HTMLElement | null} */ (opener.closest("[dir]"))?.dir === "rtl"
				? from.left - panel.left
				: from.right - panel.left - width;
		element.style.top = `${Math.max(8, Math.min(top, panel.height - height - 8))}px`;
		element.style.left = `${Math.max(8, Math.min(left, panel.width - width - 8))}px`;
		/** @type {HTMLElement | null} */ (element.querySelector("button, input"))?.focus({ preventScroll: true });
	}

	/** @param {boolean} [focus] Whether the focus returns to what opened it. */
	close(focus = true) {
		if (!this.open) return;
		this.element.hidden = true;
		this.element.replaceChildren();
		const opener = this.#opener;
		this.#opener = undefined;
		if (!opener) return;
		// It may have been drawn anew meanwhile.
		const key = CSS.escape(opener.dataset.key ?? "");
		const now = opener.isConnected ? opener : this.#panel.querySelector(`[data-key="${key}"]`);
		now?.removeAttribute("aria-expanded");
		if (focus) /** @type {HTMLElement | null} */ (now)?.focus({ preventScroll: true });
	}

	/** @param {KeyboardEvent} event */
	#key(event) {
		if (event.key === "Escape") {
			event.stopPropagation();
			this.close();
			return;
		}
		if (this.element.getAttribute("role") !== "menu") return;
		event.stopPropagation();
		if (event.key === "Tab") return this.close();
		const all = /** @type {HTMLElement[]} */ ([...this.element.querySelectorAll("button")]);
		const at = all.indexOf(/** @type {HTMLElement} */ (event.target));
		/** @type {Record<string, number>} */
		const moves = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 };
		const letter = event.key.length === 1 && event.key !== " " ? event.key.toLocaleLowerCase() : undefined;
		const starts =
			letter && [...all.slice(at + 1), ...all].find((e) => e.innerText?.toLocaleLowerCase().startsWith(letter));
		const next = event.key in moves ? all[(moves[event.key] + all.length) % all.length] : starts;
		if (!next) return;
		event.preventDefault();
		next.focus();
	}
}
