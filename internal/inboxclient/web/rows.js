import { byDay, dayName } from "./days.js";
import { h } from "./dom.js";
import { messageRow } from "./row.js";
import { Layout } from "./window.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./row.js").Actions} Actions
 *
 * @typedef {object} RowsView
 * @property {import("./texts.js").Texts} t
 * @property {string} lang
 * @property {boolean} selecting
 * @property {Set<string>} selected
 * @property {number} version Grows with every change of the texts and of render.
 * @property {((m: Message, container: HTMLElement) => (() => void) | void) | undefined} render Draws what a message says.
 *
 * @typedef {{ key: string, element: HTMLElement, cleanup: () => void }} Row
 */

/** How much of a list is drawn where a page has no layout. */
const unmeasured = 1_200;
const nearTheEnd = 600;

/**
 * The messages of a list in a scrolling element, by day. It draws those near what is seen, keeps what did not change, and the
 * focus within.
 */
export class Rows {
	/** @type {HTMLElement} */ #scroller;
	/** @type {HTMLElement} */ #host;
	/** @type {Actions} */ #actions;
	/** @type {() => void} */ #more;
	#layout = new Layout();
	/** @type {Map<string, Row>} */ #rows = new Map();
	/** @type {Map<string, HTMLElement>} */ #days = new Map();
	/** @type {Map<string, Message>} */ #messages = new Map();
	/** @type {import("./days.js").Day[]} */ #grouped = [];
	/** @type {RowsView | undefined} */ #view;
	#before = h("div", { class: "space" });
	#after = h("div", { class: "space" });
	#list = h("div", { class: "list", part: "list" });
	#frame = 0;
	/** The message where the keyboard enters the list. @type {string | undefined} */ #current;
	/** The messages that it shows. @type {Message[]} */ messages = [];

	/**
	 * @param {HTMLElement} scroller
	 * @param {HTMLElement} host Holds what pages draw themselves.
	 * @param {Actions} actions
	 * @param {() => void} more Called when the end comes near.
	 */
	constructor(scroller, host, actions, more) {
		this.#scroller = scroller;
		this.#host = host;
		this.#actions = actions;
		this.#more = more;
		scroller.addEventListener("scroll", () => this.#schedule(), { passive: true });
	}

	/** What it draws. */
	get element() {
		return this.#list;
	}

	/**
	 * Shows messages. Returns whether the focus that was within is within still.
	 * @param {Message[]} messages
	 * @param {RowsView} view
	 */
	show(messages, view) {
		const focus = this.#focus();
		const lost = focus && !messages.some(({ id }) => id === focus.id);
		if (lost) {
			const next = messages[Math.min(focus.at, messages.length - 1)];
			this.#current = next?.id;
		}
		this.messages = messages;
		this.#view = view;
		this.#messages = new Map(messages.map((m) => [m.id, m]));
		if (!this.#current || !this.#messages.has(this.#current)) this.#current = messages[0]?.id;
		this.#grouped = byDay(messages);
		this.#layout.set(this.#grouped);
		this.#draw();
		if (!focus) return true;
		return this.#refocus(lost ? `open-${this.#current}` : focus.key, this.#current);
	}

	/** The row that has the focus. */
	#focus() {
		const { activeElement } = /** @type {ShadowRoot} */ (this.#scroller.getRootNode());
		const row = /** @type {HTMLElement | null | undefined} */ (activeElement?.closest("li.row"));
		if (!row || !this.#list.contains(row)) return undefined;
		const id = row.dataset.id ?? "";
		return { id, key: /** @type {HTMLElement} */ (activeElement).dataset.key, at: this.#layout.ids.indexOf(id) };
	}

	/** @param {string | undefined} key @param {string | undefined} id */
	#refocus(key, id) {
		const { activeElement } = /** @type {ShadowRoot} */ (this.#scroller.getRootNode());
		if (this.#list.contains(activeElement)) return true;
		for (const name of [key, `open-${id}`]) {
			const next = this.#find(name);
			if (!next) continue;
			next.focus({ preventScroll: true });
			return true;
		}
		return false;
	}

	/** @param {string | undefined} key @returns {HTMLElement | null} */
	#find(key) {
		return this.#list.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`);
	}

	/** Removes everything, and what pages drew. */
	clear() {
		this.#drop([...this.#rows.keys()]);
		this.#days.clear();
		this.#list.replaceChildren();
		this.messages = [];
		this.#messages.clear();
		this.#current = undefined;
		this.#layout.set([]);
	}

	/** Draws all rows anew, as when time has passed. */
	refresh() {
		if (this.#view) this.show(this.messages, { ...this.#view });
	}

	#schedule() {
		this.#frame ||= requestAnimationFrame(() => {
			this.#frame = 0;
			const focus = this.#focus();
			this.#draw();
			const { activeElement } = /** @type {ShadowRoot} */ (this.#scroller.getRootNode());
			if (focus && !this.#list.contains(activeElement)) this.#scroller.focus({ preventScroll: true });
		});
	}

	#draw() {
		const { scrollTop, clientHeight } = this.#scroller;
		const height = clientHeight || unmeasured;
		const slice = this.#layout.slice(scrollTop, scrollTop + height);
		this.#fillList(slice);
		const measured = [...this.#rows].map(
			([id, { element }]) => /** @type {[string, number]} */ ([id, element.getBoundingClientRect().height]),
		);
		if (this.#layout.measure(measured)) {
			const { before, after } = this.#layout.slice(scrollTop, scrollTop + height);
			if (before !== slice.before || after !== slice.after)
				this.#space(this.#layout.slice(scrollTop, scrollTop + height));
		}
		const end = this.#layout.top(this.#layout.ids.length);
		if (clientHeight > 0 && end - scrollTop - height < nearTheEnd) this.#more();
	}

	/** @param {import("./window.js").Slice} slice */
	#space(slice) {
		this.#fillList(slice);
	}

	/** @param {import("./window.js").Slice} slice */
	#fillList({ from, to, before, after }) {
		this.#before.style.height = `${before}px`;
		this.#after.style.height = `${after}px`;
		const ids = new Set(this.#layout.ids.slice(from, to));
		this.#drop([...this.#rows.keys()].filter((id) => !ids.has(id)));
		/** @type {HTMLElement[]} */
		const sections = [this.#before];
		let at = 0;
		for (const day of this.#grouped) {
			const first = Math.max(from - at, 0);
			const last = Math.min(to - at, day.messages.length);
			at += day.messages.length;
			if (first >= last) continue;
			sections.push(this.#day(day, first, last));
		}
		sections.push(this.#after);
		arrange(this.#list, sections);
		for (const [key, section] of this.#days) if (!section.isConnected) this.#days.delete(key);
	}

	/** @param {import("./days.js").Day} day @param {number} first @param {number} last */
	#day({ key, date, messages }, first, last) {
		const { lang } = /** @type {RowsView} */ (this.#view);
		let section = this.#days.get(key);
		if (!section) {
			section = h("div", { class: "day" }, h("h3", { part: "day" }), h("ul", { role: "list" }));
			this.#days.set(key, section);
		}
		const [heading, list] = /** @type {any} */ (section.children);
		const name = dayName(date, lang);
		if (heading.textContent !== name) heading.textContent = name;
		arrange(
			list,
			messages.slice(first, last).map((m, i) => this.#row(m, first + i + 1, messages.length)),
		);
		return section;
	}

	/** @param {Message} m @param {number} position @param {number} size */
	#row(m, position, size) {
		const { t, lang, selecting, selected, render, version } = /** @type {RowsView} */ (this.#view);
		const current = m.id === this.#current;
		const own = render !== undefined;
		const view = { t, lang, selecting, selected: selected.has(m.id), current, own, now: new Date() };
		const key = JSON.stringify([
			m,
			lang,
			version,
			selecting,
			view.selected,
			current,
			own,
			Math.floor(view.now.getTime() / 60_000),
		]);
		let row = this.#rows.get(m.id);
		if (!row) {
			row = { key: "", element: h("li", {}), cleanup: () => {} };
			this.#rows.set(m.id, row);
		}
		if (row.key !== key) {
			const made = messageRow(m, view, this.#actions);
			const focused = this.#focus();
			row.element.replaceWith(made);
			row.element = made;
			row.key = key;
			row.cleanup();
			row.cleanup = render ? this.#ownContent(m, render) : () => {};
			if (focused?.id === m.id) this.#refocusIn(made, focused.key);
		}
		row.element.setAttribute("aria-posinset", String(position));
		row.element.setAttribute("aria-setsize", String(size));
		return row.element;
	}

	/** @param {HTMLElement} row @param {string | undefined} key */
	#refocusIn(row, key) {
		const same = row.querySelector(`[data-key="${CSS.escape(key ?? "")}"]`);
		/** @type {HTMLElement | null} */ (same ?? row.querySelector(".open"))?.focus({ preventScroll: true });
	}

	/**
	 * Lets the page draw a message outside of the shadow tree, where its own styles count.
	 * @param {Message} m
	 * @param {NonNullable<RowsView["render"]>} render
	 */
	#ownContent(m, render) {
		const container = h("div", { slot: `message-${m.id}` });
		this.#host.append(container);
		const stop = render(m, container);
		return () => {
			stop?.();
			container.remove();
		};
	}

	/** @param {string[]} ids */
	#drop(ids) {
		for (const id of ids) {
			this.#rows.get(id)?.cleanup();
			this.#rows.get(id)?.element.remove();
			this.#rows.delete(id);
		}
	}

	/** The message that has the focus, or where the keyboard enters. */
	get current() {
		return this.#messages.get(this.#focus()?.id ?? this.#current ?? "");
	}

	/**
	 * Moves the focus to another message: by a number of messages, to the first or to the last.
	 * @param {number | "first" | "last"} by
	 */
	move(by) {
		const { ids } = this.#layout;
		const at = ids.indexOf(this.#focus()?.id ?? this.#current ?? "");
		const to = by === "first" ? 0 : by === "last" ? ids.length - 1 : Math.max(0, Math.min(ids.length - 1, at + by));
		this.focus(ids[to]);
	}

	/** Moves the focus to a message, and brings it into view. @param {string | undefined} id */
	focus(id) {
		const at = this.#layout.ids.indexOf(id ?? "");
		if (at < 0) return;
		this.#current = id;
		const { scrollTop, clientHeight } = this.#scroller;
		const top = this.#layout.top(at);
		if (!this.#rows.has(id ?? "") || top < scrollTop || top > scrollTop + clientHeight)
			this.#scroller.scrollTop = Math.max(0, top - clientHeight / 2);
		this.#draw();
		const open = this.#find(`open-${id}`);
		open?.focus({ preventScroll: true });
		open?.closest("li")?.scrollIntoView?.({ block: "nearest" });
	}
}

/** Gives a parent these children, and leaves alone those that are in place. @param {HTMLElement} parent @param {HTMLElement[]} children */
function arrange(parent, children) {
	const wanted = new Set(children);
	for (const child of [...parent.children]) if (!wanted.has(/** @type {HTMLElement} */ (child))) child.remove();
	children.forEach((child, i) => {
		if (parent.children[i] !== child) parent.insertBefore(child, parent.children[i] ?? null);
	});
}
