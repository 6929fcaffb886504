import { Announcer } from "./announcer.js";
import { h, replace, safeURL } from "./dom.js";
import { moveFocus } from "./keys.js";
import { bell, bulkButtons, header, messageItem, tabButtons, usualTabs } from "./list.js";
import { preferencesPage } from "./preferences.js";
import { InboxStore } from "./store.js";
import { style } from "./style.js";
import { choose, fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {{ label: string, filter: Filter }} Tab
 */

const sheet = new CSSStyleSheet();
sheet.replaceSync(style);

/**
 * A bell that opens a subscriber's inbox: `<carillon-inbox token="cst_…">`.
 *
 * Attributes: token; url (of Carillon, when another server serves this module); context (keys type:id, separated by
 * spaces); lang; theme (light or dark; the reader's choice when left out); align (start: the panel opens to the other
 * side); tabs (JSON, see the property).
 *
 * Events, which bubble: `carillon-open` with the message that was chosen, and `carillon-action` with the message and the
 * button. The page follows the message's link unless the event's default is prevented.
 */
export class CarillonInbox extends HTMLElement {
	static observedAttributes = ["token", "url", "context", "lang", "tabs"];

	/** @type {import("./inbox.js").Token | undefined} */ #token;
	/** @type {Tab[] | undefined} */ #tabs;
	/** @type {Partial<Texts>} */ #ownTexts = {};
	/** @type {InboxStore | undefined} */ #store;
	/** The messages of the chosen tab, while the panel shows them and until another tab is chosen. @type {import("./message-list.js").MessageList | undefined} */ #list;
	#unwatch = () => {};
	/** @type {string | null | undefined} */ #locale;
	#tab = 0;
	#open = false;
	#restarting = false;
	/** @type {"list" | "preferences"} */ #page = "list";
	/** The message whose snooze choices show. @type {string | undefined} */ #snoozing;
	/** The error of the last action, until the next one. */
	#problem = "";

	#bell = h("button", {
		class: "bell",
		part: "bell",
		type: "button",
		"aria-haspopup": "dialog",
		"aria-expanded": "false",
		"data-key": "bell",
		onclick: () => this.toggle(),
	});
	#panel = h("div", { class: "panel", part: "panel", role: "dialog", hidden: true, tabindex: "-1" });
	#announcer = new Announcer();
	#header = h("header", {});
	#tabList = h("div", { class: "tabs", role: "tablist" });
	#trouble = h("p", { class: "problem", hidden: true });
	#body = h("div", { class: "body", id: "body" });

	constructor() {
		super();
		const root = this.attachShadow({ mode: "open" });
		root.adoptedStyleSheets = [sheet];
		this.#panel.append(this.#header, this.#tabList, this.#trouble, this.#body);
		root.append(this.#bell, this.#panel, this.#announcer.region);
		root.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
		this.addEventListener("focusout", (event) => {
			if (this.#open && event.relatedTarget) this.close(); // to elsewhere on the page, which the panel may cover
		});
	}

	/** A subscriber token, or a function that fetches one whenever one is needed. */
	get token() {
		return this.#token ?? this.getAttribute("token") ?? undefined;
	}
	set token(token) {
		this.#token = token;
		this.#restart();
	}

	/** The tabs in place of the usual four: each a label and the filter of its messages. @returns {Tab[]} */
	get tabs() {
		return this.#tabs ?? usualTabs(this.texts);
	}
	set tabs(tabs) {
		this.#tabs = tabs;
		this.#choose(0);
	}

	/** The texts in the reader's language. Set some to replace them. @returns {Texts} */
	get texts() {
		return { ...this.#language().texts, ...this.#ownTexts };
	}
	/** @param {Partial<Texts>} texts */
	set texts(texts) {
		this.#ownTexts = texts;
		this.#show();
	}

	/** The client that the element works with; undefined before it has a token. */
	get inbox() {
		return this.#store?.inbox;
	}

	#language() {
		return choose([
			this.getAttribute("lang"),
			this.#locale,
			this.closest("[lang]")?.getAttribute("lang"),
			...navigator.languages,
		]);
	}

	connectedCallback() {
		// What the page set before this module came hides the setters, until it is set anew.
		for (const name of /** @type {const} */ (["token", "tabs", "texts"])) {
			if (!Object.hasOwn(this, name)) continue;
			const value = /** @type {any} */ (this[name]);
			delete (/** @type {any} */ (this)[name]);
			this[name] = value;
		}
		document.addEventListener("pointerdown", this.#outside);
		this.#restart();
	}

	disconnectedCallback() {
		document.removeEventListener("pointerdown", this.#outside);
		this.#end();
	}

	/**
	 * @param {string} name
	 * @param {string | null} before
	 * @param {string | null} after
	 */
	attributeChangedCallback(name, before, after) {
		if (before === after) return;
		if (name === "tabs") this.tabs = after ? JSON.parse(after) : undefined;
		else if (name === "lang") this.#show();
		else this.#restart();
	}

	/** Restarts after all changes of the current task. */
	#restart() {
		if (this.#restarting) return;
		this.#restarting = true;
		queueMicrotask(() => {
			this.#restarting = false;
			this.#start();
		});
	}

	#start() {
		this.#end();
		this.#forget();
		this.#show();
		const token = this.token;
		if (!token || !this.isConnected) return;
		const context = this.getAttribute("context");
		const store = new InboxStore({
			token,
			url: this.getAttribute("url") ?? undefined,
			contextKeys: context === null ? undefined : context.split(/\s+/).filter(Boolean),
		});
		this.#store = store;
		store.inbox.subscribe((update) => this.#store === store && this.#announcer.arrived(update.messages, this.texts));
		store.inbox.onStatus((status) => {
			if (this.#store === store) this.dataset.status = status;
		});
		store.subscribe(() => this.#store === store && this.#show());
		store.start().then(
			() => this.#list ?? this.#watch(),
			() => this.#show(),
		);
		store.inbox.subscriber().then(
			({ locale }) => {
				this.#locale = locale;
				this.#show();
			},
			() => {},
		);
	}

	#end() {
		this.#unwatch();
		this.#list = undefined;
		this.#store?.close();
		this.#store = undefined;
	}

	/** Drops the data of the subscriber: the next token may be for another one. */
	#forget() {
		this.#announcer.forget();
		this.#locale = undefined;
		this.#page = "list";
		this.#snoozing = undefined;
		this.#problem = "";
		delete this.dataset.status;
	}

	/** Opens the panel, or closes it. */
	toggle() {
		if (this.#open) this.close();
		else this.open();
	}

	/** Opens the panel and moves the focus there. */
	open() {
		this.#open = true;
		this.#page = "list";
		this.#watch();
		this.#show();
		this.#panel.focus();
	}

	/** Closes the panel and gives the focus back. */
	close() {
		const within = this.shadowRoot?.activeElement !== null;
		this.#open = false;
		this.#snoozing = undefined;
		this.#unwatch();
		this.#show();
		if (within) this.#bell.focus();
	}

	/** @param {PointerEvent} event */
	#outside = (event) => {
		if (this.#open && !event.composedPath().includes(this)) this.close();
	};

	/** Observes the messages of the chosen tab while the panel shows them. */
	#watch() {
		this.#unwatch();
		const store = this.#store;
		if (!store || !this.#open || this.#page !== "list") return;
		const { tabs } = this;
		this.#list ??= store.list({
			filter: tabs[this.#tab]?.filter,
			markSeen: true,
			counts: tabs.map(({ filter }) => ({ ...filter, read: filter.read ?? false })),
		});
		/** @type {Error | undefined} */
		let said;
		const stop = this.#list.subscribe(({ error }) => {
			if (error && error !== said) this.#announcer.say(this.#failed(error));
			said = error;
			this.#show();
		});
		this.#unwatch = () => {
			this.#unwatch = () => {};
			stop();
		};
	}

	/** @param {unknown} error */
	#failed(error) {
		return fill(this.texts.failed, { reason: error instanceof Error ? error.message : String(error) });
	}

	/**
	 * Runs an action, shows its outcome, and returns whether it succeeded.
	 * @param {(store: InboxStore) => Promise<unknown>} work
	 */
	async #act(work) {
		const store = this.#store;
		if (!store) return false;
		this.#snoozing = undefined;
		this.#problem = "";
		try {
			await work(store);
		} catch (error) {
			this.#problem = this.#failed(error);
			this.#announcer.say(this.#problem);
		}
		this.#show();
		return !this.#problem;
	}

	/** @param {KeyboardEvent} event */
	#key(event) {
		if (event.key === "Escape" && this.#open) {
			event.stopPropagation();
			if (this.#snoozing) this.#snooze(undefined);
			else this.close();
			return;
		}
		moveFocus(event, this.#panel, getComputedStyle(this).direction === "rtl");
	}

	#show() {
		const t = this.texts;
		const unread = this.#store?.snapshot.unread ?? 0;
		const badge = unread > 99 ? "99+" : String(unread);
		this.#bell.setAttribute("aria-label", fill(t.open, { n: unread }));
		this.#bell.setAttribute("aria-expanded", String(this.#open));
		this.#bell.replaceChildren(bell());
		if (unread > 0) this.#bell.append(h("span", { class: "badge", part: "badge", "aria-hidden": "true" }, badge));
		this.#panel.hidden = !this.#open;
		this.#panel.setAttribute("aria-label", t.inbox);
		this.#panel.lang = this.#language().lang;
		if (!this.#open) return;
		const listing = this.#page === "list";
		replace(this.#header, ...header(t, listing, { go: (page) => this.#go(page), close: () => this.close() }));
		const { error, counts = [] } = this.#list?.snapshot ?? {};
		const problem = this.#problem || (error && this.#failed(error)) || "";
		this.#trouble.hidden = !problem;
		this.#trouble.textContent = problem;
		this.#tabList.hidden = !listing;
		if (!listing) return;
		this.#tabList.setAttribute("aria-label", t.inbox);
		replace(this.#tabList, ...tabButtons(this.tabs, counts, this.#tab, (i) => this.#choose(i)));
		this.#body.setAttribute("role", "tabpanel");
		this.#body.setAttribute("aria-labelledby", `tab-${this.#tab}`);
		if (!replace(this.#body, ...this.#messages(t)))
			/** @type {HTMLElement | null} */ (this.#tabList.querySelector("[aria-selected=true]"))?.focus();
	}

	/** @param {Texts} t */
	#messages(t) {
		const { messages = [], hasMore = false } = this.#list?.snapshot ?? {};
		const status = this.#store ? this.#store.snapshot.status : "unauthorized";
		const filter = this.tabs[this.#tab]?.filter ?? {};
		const bulk = !filter.archived && !filter.snoozed && messages.length > 0;
		/** @type {import("./list.js").Actions} */
		const actions = {
			act: (work) => this.#act(work),
			choose: (m) => this.#choice(m),
			press: (m, button) => this.#press(m, button),
			snooze: (id) => this.#snooze(id),
		};
		return [
			(status === "offline" || status === "unauthorized") && h("p", { class: "note" }, t[status]),
			bulk && bulkButtons(t, filter, actions.act),
			messages.length > 0
				? h(
						"ul",
						{ role: "list" },
						...messages.map((m) =>
							messageItem(m, t, { lang: this.#language().lang, snoozing: this.#snoozing === m.id }, actions),
						),
					)
				: h("p", { class: "empty" }, t.empty),
			hasMore &&
				h("button", { class: "more", type: "button", "data-key": "more", onclick: () => this.#more() }, t.more),
		];
	}

	/**
	 * @param {Message} m
	 * @param {import("./inbox.js").Button} button
	 */
	async #press(m, button) {
		if (await this.#act((store) => store.completeAction(m.id, button.type)))
			this.#leave("carillon-action", { message: m, button: button.type }, button.url);
	}

	/** @param {Message} m */
	async #choice(m) {
		if (!m.read && !m.snoozedUntil) await this.#act((store) => store.markRead([m.id]));
		this.#leave("carillon-open", { message: m }, m.cta?.data?.url);
	}

	/**
	 * @param {string} type
	 * @param {object} detail
	 * @param {string | undefined} url
	 */
	#leave(type, detail, url) {
		const follow = this.dispatchEvent(
			new CustomEvent(type, { detail, bubbles: true, composed: true, cancelable: true }),
		);
		if (follow && safeURL(url)) location.assign(safeURL(url));
	}

	/** @param {string | undefined} id */
	#snooze(id) {
		const before = this.#snoozing;
		this.#snoozing = id;
		this.#show();
		const key = id ? `inAnHour-${id}` : `snooze-${before}`;
		/** @type {HTMLElement | null} */ (this.#body.querySelector(`[data-key="${CSS.escape(key)}"]`))?.focus();
	}

	/** @param {number} i */
	#choose(i) {
		this.#tab = i;
		this.#unwatch();
		this.#list = undefined;
		this.#problem = "";
		this.#watch();
		this.#show();
	}

	#more() {
		const list = this.#list;
		if (list) this.#act(() => list.more());
	}

	/** @param {"list" | "preferences"} page */
	#go(page) {
		this.#page = page;
		this.#problem = "";
		this.#watch();
		this.#show();
		/** @type {HTMLElement | null} */ (
			this.#header.querySelector(`[data-key=${page === "list" ? "preferences" : "back"}]`)
		)?.focus();
		if (page === "list") return;
		this.#body.removeAttribute("role");
		this.#body.removeAttribute("aria-labelledby");
		this.#body.replaceChildren();
		const store = this.#store;
		if (store) this.#act(() => this.#showPreferences(store));
	}

	/** @param {InboxStore} store */
	async #showPreferences(store) {
		const { preferences } = store;
		await preferences.load();
		const { error } = preferences.snapshot;
		if (error) throw error;
		const t = this.texts;
		let waiting = 0;
		let outdated = false;
		const show = () => {
			outdated = false;
			if (this.#page === "preferences" && store === this.#store)
				replace(this.#body, preferencesPage(preferences, t, save));
		};
		/** @type {import("./preferences.js").Save} */
		const save = async (work, replaces) => {
			waiting++;
			const done = await this.#act(async () => {
				await work();
				this.#announcer.say(t.saved);
			});
			outdated ||= replaces || !done;
			if (--waiting === 0 && outdated) show(); // not before: a field may be being edited
		};
		show();
	}
}
