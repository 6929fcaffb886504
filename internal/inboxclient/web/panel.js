import {
	Empty,
	header,
	isNarrowed,
	NewAbove,
	Notices,
	narrowed,
	Snackbar,
	tabButtons,
	undoTime,
	unfiltered,
} from "./chrome.js";
import { focus, h, replace } from "./dom.js";
import { moveAlongTabs, rowKey } from "./keys.js";
import { Popover } from "./menu.js";
import { Pages } from "./pages.js";
import { preload } from "./preload.js";
import { Rows } from "./rows.js";
import { Selection } from "./selection.js";
import { fill, isRightToLeft } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./changes.js").Operation} Operation
 * @typedef {import("./store.js").InboxStore} InboxStore
 * @typedef {import("./surroundings.js").Surroundings} Surroundings
 */

/** Changes that are worth a line that offers to take them back. @type {Partial<Record<Operation, "archivedMany" | "deletedMany" | "snoozedMany">>} */
const undoable = { archive: "archivedMany", delete: "deletedMany", snooze: "snoozedMany" };

const patience = 1_000; // milliseconds that a reader who follows a message waits at most

/** The panel: tabs over a list of messages, and the preferences. */
export class Panel {
	/** @type {Surroundings} */ #around;
	#open = false;
	#tab = 0;
	#narrowing = unfiltered();
	/** @type {"list" | "preferences"} */ #page = "list";
	/** The messages of the chosen tab, while the panel shows them and until another tab is chosen. @type {import("./message-list.js").MessageList | undefined} */ #list;
	#unwatch = () => {};
	/** The error of the last action, until the next one. */
	#problem = "";
	#version = 0;
	#loadsSwipes = false;

	#header = h("div", { class: "header", part: "header" });
	#tabList = h("div", { class: "tabs", part: "tabs", role: "tablist" });
	#notices = new Notices();
	#above = new NewAbove(() => this.#toTop());
	#body = h("div", { class: "body", part: "body", id: "body", tabindex: "-1" });
	#sheet = h("div", { class: "sheet" });
	#empty = new Empty();
	#more = h("p", { class: "note", hidden: true });
	snackbar = new Snackbar((work) => this.#act(work));
	element = h("div", { class: "panel", part: "panel", role: "dialog", hidden: true, tabindex: "-1" });
	#popover = new Popover(this.element);
	/** @type {Selection} */ #selection = new Selection({
		change: (op, ids) => this.#change(op, ids),
		changed: () => this.show(),
		messages: () => this.#rows.messages,
		enter: () => this.#rows.move(0),
	});
	/** @type {Rows} */ #rows;
	#pages = new Pages({
		list: () => this.#list,
		failed: (error) => this.#reachable && this.refused(error),
		changed: () => this.show(),
	});

	/** @param {Surroundings} around */
	constructor(around) {
		this.#around = around;
		this.#rows = new Rows(
			this.#body,
			around.host,
			{
				change: (op, ids) => this.#change(op, ids),
				choose: (m) => this.choose(m),
				press: (m, button) => this.#press(m, button),
				menu: (m, opener) => this.#menu(m, opener),
				snooze: (m, opener) => this.#snooze([m.id], opener),
				select: (id, on) => this.#selection.set(id, on),
			},
			() => this.#pages.load(),
		);
		this.#sheet.append(
			this.#header,
			h("slot", { name: "header" }),
			this.#tabList,
			...this.#notices.elements,
			h("div", { class: "stage" }, this.#above.element, this.#body),
			this.#selection.element,
			this.snackbar.element,
			h("slot", { name: "footer" }),
			this.#popover.element,
		);
		this.element.append(this.#sheet);
		this.#body.addEventListener("scroll", () => this.#body.scrollTop < 20 && this.#above.hide(), { passive: true });
	}

	get isOpen() {
		return this.#open;
	}

	open() {
		this.#open = true;
		this.preload();
		this.#page = "list";
		this.#watch();
		this.show();
	}

	/** Loads what the reader is about to need. */
	preload() {
		this.#withMenus(() => {});
		this.#loadsSwipes ||= preload(this.#rows.element, this.#sheet, (row, op) => this.#toggle(row.dataset.id, op));
	}

	close() {
		this.#open = false;
		this.#popover.close(false);
		this.snackbar.hide();
		this.#selection.end();
		this.#unwatch();
		this.show();
	}

	reset() {
		this.#unwatch();
		this.#list = undefined;
		this.#pages.reset();
		this.#page = "list";
		this.#problem = "";
		this.snackbar.hide();
		this.#popover.close(false);
		this.#selection.end();
		this.#rows.clear();
	}

	restyle() {
		this.#version++;
		this.show();
	}

	started() {
		if (!this.#list) this.#watch();
	}

	/** Chooses a tab. @param {number} i */
	chooseTab(i) {
		this.#tab = i;
		this.#relist();
	}

	#relist() {
		this.#unwatch();
		this.#list = undefined;
		this.#pages.reset();
		this.#problem = "";
		this.#above.hide();
		this.#selection.end();
		this.#body.scrollTop = 0;
		this.#watch();
		this.show();
	}

	get #filter() {
		return narrowed(this.#around.tabs()[this.#tab]?.filter ?? {}, this.#narrowing);
	}

	/** Observes the messages of the chosen tab while the panel shows them. */
	#watch() {
		this.#unwatch();
		const store = this.#around.store();
		if (!store || !this.#open || this.#page !== "list") return;
		this.#list ??= store.list({
			filter: this.#filter,
			pageSize: 20,
			markSeen: true,
			counts: this.#around.tabs().map(({ filter }) => ({ ...filter, read: filter.read ?? false })),
		});
		/** @type {Error | undefined} */
		let said;
		const stop = this.#list.subscribe(({ error, messages }) => {
			if (error && error !== said && this.#reachable) this.#around.say(this.#failed(error));
			said = error;
			queueMicrotask(() => this.#around.listed(messages)); // after what an update brings was announced
			this.show();
		});
		this.#unwatch = () => {
			this.#unwatch = () => {};
			stop();
		};
	}

	get #reachable() {
		const status = this.#around.store()?.inbox.status;
		return status === "online" || status === "connecting";
	}

	/** @param {unknown} error */
	#failed(error) {
		return fill(this.#around.texts().failed, { reason: error instanceof Error ? error.message : String(error) });
	}

	/** Shows that the server refused something. @param {unknown} error */
	refused(error) {
		this.#problem = this.#failed(error);
		this.#around.say(this.#problem);
		this.show();
	}

	/**
	 * Runs an action, shows its outcome, and returns whether it succeeded.
	 * @param {(store: InboxStore) => Promise<unknown>} work
	 */
	async #act(work) {
		const store = this.#around.store();
		if (!store) return false;
		this.#problem = "";
		let failed = false;
		try {
			await work(store);
		} catch (error) {
			failed = true;
			if (store === this.#around.store()) this.refused(error);
		}
		this.show();
		return !failed;
	}

	/**
	 * @param {Operation} op
	 * @param {string[]} ids
	 * @param {Date} [until]
	 */
	async #change(op, ids, until) {
		const t = this.#around.texts();
		const change = { op, ids, ...(until && { until: until.toISOString() }) };
		const text = undoable[op];
		this.snackbar.hide();
		this.#selection.end();
		await this.#act(async (store) => {
			if (!text) return store.change(change);
			const taken = await store.changeUndoably(change, undoTime + 1_000);
			const line = fill(t[text], { n: ids.length });
			this.#around.say(line);
			if (!this.#open) return taken.finish(); // it was closed meanwhile
			this.snackbar.show(line, t.undo, taken);
		});
	}

	show() {
		this.element.hidden = !this.#open;
		const t = this.#around.texts();
		this.element.setAttribute("aria-label", t.inbox);
		this.element.setAttribute("role", this.#around.inline() ? "group" : "dialog");
		this.#sheet.lang = this.#around.lang();
		this.#sheet.dir = isRightToLeft(this.#sheet.lang) ? "rtl" : "ltr";
		if (!this.#open) return;
		const listing = this.#page === "list";
		const { error, counts = [], messages = [] } = this.#list?.snapshot ?? {};
		const filter = this.#filter;
		const bulk = !filter.archived && !filter.snoozed && messages.length > 0;
		const view = { listing, bulk, narrowed: isNarrowed(this.#narrowing), inline: this.#around.inline() };
		replace(this.#header, ...header(t, view, this.#headerActions));
		const problem = this.#problem || (error && this.#reachable && this.#failed(error)) || "";
		this.#notices.show(t, problem, this.#around.store()?.snapshot);
		this.#tabList.hidden = !listing;
		this.#selection.show(t, listing);
		if (!listing) return;
		this.#tabList.setAttribute("aria-label", t.inbox);
		replace(this.#tabList, ...tabButtons(this.#around.tabs(), counts, this.#tab, (i) => this.chooseTab(i)));
		this.#body.setAttribute("role", "tabpanel");
		this.#body.setAttribute("aria-labelledby", `tab-${this.#tab}`);
		this.#showMessages();
	}

	#showMessages() {
		const t = this.#around.texts();
		const { messages = [], hasMore = false, loading = false } = this.#list?.snapshot ?? {};
		const within = this.#body.contains(/** @type {ShadowRoot} */ (this.element.getRootNode()).activeElement);
		const kept = this.#rows.show(messages, {
			t,
			lang: this.#around.lang(),
			version: this.#version,
			selecting: this.#selection.active,
			selected: this.#selection.ids,
			render: this.#around.render(),
		});
		this.#more.textContent = t.loading;
		this.#more.hidden = !hasMore || messages.length === 0;
		const waiting = loading && this.#around.store() && !this.#list?.loaded;
		const text = waiting ? t.loading : isNarrowed(this.#narrowing) ? t.noMatch : t.empty;
		if (messages.length > 0) {
			if (this.#rows.element.parentElement !== this.#body) this.#body.replaceChildren(this.#rows.element, this.#more);
		} else {
			this.#empty.show(text);
			if (this.#empty.element.parentElement !== this.#body) this.#body.replaceChildren(this.#empty.element);
		}
		if (within && !kept) focus(this.#tabList, "[aria-selected=true]");
	}

	/** Says that messages arrived above what is seen. @param {number} n */
	arrived(n) {
		if (!this.#open || this.#page !== "list" || this.#body.scrollTop < 60) return;
		this.#above.add(n, this.#around.texts());
	}

	#toTop() {
		this.#body.scrollTop = 0;
		this.#above.hide();
		this.#rows.move("first");
	}

	tick() {
		if (this.#open && this.#page === "list") this.#rows.refresh();
	}

	/** @param {Message} m @param {import("./inbox.js").Button} button */
	async #press(m, button) {
		if (await this.#act((store) => store.completeAction(m.id, button.type)))
			this.#around.leave("carillon-action", { message: m, button: button.type }, button.url);
	}

	/** Follows a message. A server that is slow to mark it read does not keep the reader: the request outlives the page. @param {Message} m */
	async choose(m) {
		if (!m.read && !m.snoozedUntil)
			await Promise.race([
				this.#act((store) => store.markRead([m.id])),
				new Promise((resolve) => setTimeout(resolve, patience)),
			]);
		this.#around.leave("carillon-open", { message: m }, m.cta?.data?.url);
	}

	/**
	 * Makes a change of a message or, where that is done already, the opposite. Returns whether there is one.
	 * @param {string | undefined} id
	 * @param {"archive" | "markRead" | "delete"} op
	 */
	#toggle(id, op) {
		const m = this.#rows.messages.find((m) => m.id === id);
		if (!m || (m.snoozedUntil && op !== "delete") || (m.archived && op === "markRead")) return false;
		if (op === "archive") this.#change(m.archived ? "unarchive" : "archive", [m.id]);
		else if (op === "markRead") this.#change(m.read ? "markUnread" : "markRead", [m.id]);
		else this.#change(op, [m.id]);
		return true;
	}

	/** Runs what opens a menu, whose contents are loaded when the panel opens. @param {(menus: typeof import("./menus.js")) => void} run */
	#withMenus(run) {
		import("./menus.js").then(run, (error) => this.refused(error));
	}

	/** @param {Message} m @param {HTMLElement} opener */
	#menu(m, opener) {
		const t = this.#around.texts();
		const run = (/** @type {Operation} */ op) =>
			op === "snooze" ? this.#snooze([m.id], opener) : this.#change(op, [m.id]);
		this.#withMenus(({ messageItems }) =>
			this.#popover.menu(
				opener,
				t.moreActions,
				messageItems(m, t, run, () => this.#selection.set(m.id, true)),
			),
		);
	}

	/** @param {string[]} ids @param {HTMLElement} opener */
	#snooze(ids, opener) {
		const { texts, lang } = this.#around;
		this.#withMenus(({ openSnooze }) =>
			openSnooze(this.#popover, opener, texts(), lang(), (until) => this.#change("snooze", ids, until)),
		);
	}

	/** @type {import("./chrome.js").HeaderActions} */
	#headerActions = {
		filter: (opener) =>
			this.#withMenus(({ openFilter }) =>
				openFilter(this.#popover, opener, this.#around.texts(), this.#narrowing, (narrowing) => {
					this.#narrowing = narrowing;
					this.#relist();
				}),
			),
		readAll: () => this.#act((store) => store.markAll("READ", this.#filter)),
		menu: (opener) =>
			this.#withMenus(({ openListMenu }) =>
				openListMenu(this.#popover, opener, this.#around.texts(), this.#filter, {
					archive: (filter) => this.#act((store) => store.markAll("ARCHIVE", filter)),
					select: () => this.#selection.start(),
				}),
			),
		go: (page) => this.#go(page),
		close: () => this.#around.close(),
	};

	/** @param {KeyboardEvent} event */
	key(event) {
		if (!this.#open) return;
		if (event.key === "Escape" && (this.#selection.active || !this.#around.inline())) {
			event.stopPropagation();
			if (this.#selection.active) {
				this.#selection.end();
				this.show();
			} else this.#around.close();
			return;
		}
		if (moveAlongTabs(event, this.#tabList, this.#sheet.dir === "rtl")) return;
		rowKey(event, this.#body, {
			move: (by) => this.#rows.move(by),
			undo: () => this.snackbar.undo(),
			change: (op) => this.#toggle(this.#rows.current?.id, op),
			snooze: (opener) => this.#rows.current && this.#snooze([this.#rows.current.id], opener),
			select: () => {
				const m = this.#rows.current;
				if (m) this.#selection.set(m.id, !this.#selection.ids.has(m.id));
			},
		});
	}

	/** @param {"list" | "preferences"} page */
	async #go(page) {
		this.#page = page;
		this.#problem = "";
		this.#popover.close(false);
		this.#selection.end();
		this.#watch();
		this.#body.replaceChildren();
		this.#body.scrollTop = 0;
		if (page === "preferences") {
			this.#body.removeAttribute("role");
			this.#body.removeAttribute("aria-labelledby");
		}
		this.show();
		focus(this.#header, `[data-key=${page === "list" ? "preferences" : "back"}]`);
		const store = this.#around.store();
		if (page === "list" || !store) return;
		await this.#act(async () => {
			const { showPreferences } = await import("./preferences-page.js");
			await showPreferences(store, this.#body, {
				...this.#around,
				current: () => this.#page === "preferences" && store === this.#around.store(),
				act: (work) => this.#act(work),
			});
		});
	}
}
