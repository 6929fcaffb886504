import { h, replace, safeURL } from "./dom.js";
import { Inbox } from "./inbox.js";
import { moveFocus } from "./keys.js";
import { bell, bulkButtons, header, Loaded, messageItem, subjectOf, tabButtons, usualTabs } from "./list.js";
import { preferencesPage } from "./preferences.js";
import { style } from "./style.js";
import { choose, fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {{ label: string, filter: Filter }} Tab
 */

const pageSize = 20;
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
	/** @type {Inbox | undefined} */ #inbox;
	/** @type {string | null | undefined} */ #locale;
	#loaded = new Loaded();
	/** @type {number[]} */ #counts = [];
	#tab = 0;
	#open = false;
	#restarting = false;
	/** @type {"list" | "preferences"} */ #page = "list";
	/** The message whose snooze choices show. @type {string | undefined} */ #snoozing;
	/** The error of the last action, until the next one, and of loading, until it succeeds. */
	#problems = { act: "", load: "" };
	/** @type {Promise<void> | undefined} */ #loading;
	#stale = false;
	/** Preferences are stored one after the other, so that the last change wins. */
	#saved = Promise.resolve();

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
	#live = h("div", { class: "quiet", role: "status", "aria-live": "polite" });
	#header = h("header", {});
	#tabList = h("div", { class: "tabs", role: "tablist" });
	#trouble = h("p", { class: "problem", hidden: true });
	#body = h("div", { class: "body", id: "body" });

	constructor() {
		super();
		const root = this.attachShadow({ mode: "open" });
		root.adoptedStyleSheets = [sheet];
		this.#panel.append(this.#header, this.#tabList, this.#trouble, this.#body);
		root.append(this.#bell, this.#panel, this.#live);
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
		this.#tab = 0;
		this.#show();
		if (this.#open) this.#load();
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
		return this.#inbox;
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
		this.#inbox?.close();
		this.#inbox = undefined;
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
		this.#inbox?.close();
		this.#inbox = undefined;
		this.#forget();
		this.#show();
		const token = this.token;
		if (!token || !this.isConnected) return;
		const context = this.getAttribute("context");
		const inbox = new Inbox({
			token,
			url: this.getAttribute("url") ?? undefined,
			contextKeys: context === null ? undefined : context.split(/\s+/).filter(Boolean),
		});
		this.#inbox = inbox;
		let sequence = 0;
		inbox.subscribe((update) => {
			if (this.#inbox !== inbox) return;
			this.#announce(update.messages);
			const changed = update.messages.length + update.removedIds.length > 0 || update.sequence < sequence;
			sequence = update.sequence;
			if (this.#open && changed) this.#load();
			this.#show();
		});
		inbox.onStatus((status) => {
			if (this.#inbox !== inbox) return;
			this.dataset.status = status;
			this.#show();
		});
		inbox.connect().then(
			() => this.#open && this.#load(),
			() => this.#show(),
		);
		inbox.subscriber().then(
			({ locale }) => {
				this.#locale = locale;
				this.#show();
			},
			() => {},
		);
	}

	/** Drops the data of the subscriber: the next token may be for another one. */
	#forget() {
		this.#loaded = new Loaded();
		this.#counts = [];
		this.#known.clear();
		this.#locale = undefined;
		this.#page = "list";
		this.#snoozing = undefined;
		this.#problems = { act: "", load: "" };
		delete this.dataset.status;
		this.#say("");
	}

	/** Announces new messages to screen readers. @param {Message[]} messages */
	#announce(messages) {
		const fresh = messages.filter((m) => !m.read && !m.archived && !m.snoozedUntil && !this.#known.has(m.id));
		for (const m of messages) this.#known.add(m.id);
		if (fresh.length === 1) this.#say(fill(this.texts.arrived, { subject: subjectOf(fresh[0]) }));
		if (fresh.length > 1) this.#say(fill(this.texts.arrivedMany, { n: fresh.length }));
	}
	/** @type {Set<string>} */ #known = new Set();

	/** @param {string} text */
	#say(text) {
		this.#live.textContent = text;
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
		this.#show();
		this.#panel.focus();
		this.#load();
	}

	/** Closes the panel and gives the focus back. */
	close() {
		const within = this.shadowRoot?.activeElement !== null;
		this.#open = false;
		this.#snoozing = undefined;
		this.#show();
		if (within) this.#bell.focus();
	}

	/** @param {PointerEvent} event */
	#outside = (event) => {
		if (this.#open && !event.composedPath().includes(this)) this.close();
	};

	/** Loads the visible messages, and again if something changes meanwhile. */
	#load() {
		this.#stale = true;
		this.#loading ??= (async () => {
			while (this.#stale && this.#inbox) {
				this.#stale = false;
				const inbox = this.#inbox;
				const tabs = this.tabs;
				const tab = this.#tab;
				await this.#try("load", async () => {
					const shown = Math.min(100, Math.max(pageSize, this.#loaded.messages.length));
					const [page, counts] = await Promise.all([
						inbox.list({ filter: tabs[tab]?.filter, first: shown }),
						inbox.counts(tabs.map(({ filter }) => ({ ...filter, read: filter.read ?? false }))),
					]);
					if (tab !== this.#tab || inbox !== this.#inbox) {
						this.#stale = true;
						return;
					}
					this.#take(page, false);
					this.#counts = counts;
					const unseen = page.messages.filter((m) => !m.seen && !m.snoozedUntil).map((m) => m.id);
					if (this.#open && this.#page === "list" && unseen.length > 0) await inbox.markSeen(unseen);
				});
			}
			this.#loading = undefined;
			this.#show();
		})();
	}

	/**
	 * @param {import("./inbox.js").Page} page
	 * @param {boolean} further
	 */
	#take(page, further) {
		for (const m of page.messages) this.#known.add(m.id);
		this.#loaded = new Loaded(page, further ? this.#loaded : undefined);
		this.#show();
	}

	/**
	 * Runs work, shows its outcome, and returns whether it succeeded.
	 * @param {"act" | "load"} what
	 * @param {() => Promise<unknown>} work
	 */
	async #try(what, work) {
		let problem = "";
		try {
			await work();
		} catch (error) {
			problem = fill(this.texts.failed, { reason: error instanceof Error ? error.message : String(error) });
			this.#say(problem);
		}
		if (problem || what === "load") this.#problems[what] = problem;
		this.#show();
		return !problem;
	}

	/**
	 * Runs an action, shows the outcome, and returns whether it succeeded.
	 * @param {(inbox: Inbox) => Promise<unknown>} work
	 */
	async #act(work) {
		const inbox = this.#inbox;
		if (!inbox) return false;
		this.#snoozing = undefined;
		this.#problems.act = "";
		const done = await this.#try("act", () => work(inbox));
		this.#load();
		return done;
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
		const unread = this.#inbox?.state.unread ?? 0;
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
		const problem = this.#problems.act || this.#problems.load;
		this.#trouble.hidden = !problem;
		this.#trouble.textContent = problem;
		this.#tabList.hidden = !listing;
		if (!listing) return;
		this.#tabList.setAttribute("aria-label", t.inbox);
		replace(this.#tabList, ...tabButtons(this.tabs, this.#counts, this.#tab, (i) => this.#choose(i)));
		this.#body.setAttribute("role", "tabpanel");
		this.#body.setAttribute("aria-labelledby", `tab-${this.#tab}`);
		if (!replace(this.#body, ...this.#list(t)))
			/** @type {HTMLElement | null} */ (this.#tabList.querySelector("[aria-selected=true]"))?.focus();
	}

	/** @param {Texts} t */
	#list(t) {
		const status = this.#inbox ? this.#inbox.status : "unauthorized";
		const filter = this.tabs[this.#tab]?.filter ?? {};
		const bulk = !filter.archived && !filter.snoozed && this.#loaded.messages.length > 0;
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
			this.#loaded.messages.length > 0
				? h(
						"ul",
						{ role: "list" },
						...this.#loaded.messages.map((m) =>
							messageItem(m, t, { lang: this.#language().lang, snoozing: this.#snoozing === m.id }, actions),
						),
					)
				: h("p", { class: "empty" }, t.empty),
			this.#loaded.hasMore &&
				h("button", { class: "more", type: "button", "data-key": "more", onclick: () => this.#more() }, t.more),
		];
	}

	/**
	 * @param {Message} m
	 * @param {import("./inbox.js").Button} button
	 */
	async #press(m, button) {
		if (await this.#act((inbox) => inbox.completeAction(m.id, button.type)))
			this.#leave("carillon-action", { message: m, button: button.type }, button.url);
	}

	/** @param {Message} m */
	async #choice(m) {
		if (!m.read && !m.snoozedUntil) await this.#act((inbox) => inbox.markRead([m.id]));
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
		this.#loaded = new Loaded();
		this.#problems.act = "";
		this.#show();
		this.#load();
	}

	#more() {
		const inbox = this.#inbox;
		this.#problems.act = "";
		if (inbox)
			this.#try("act", async () =>
				this.#take(
					await inbox.list({ filter: this.tabs[this.#tab]?.filter, first: pageSize, after: this.#loaded.endCursor }),
					true,
				),
			);
	}

	/** @param {"list" | "preferences"} page */
	#go(page) {
		this.#page = page;
		this.#problems.act = "";
		this.#show();
		/** @type {HTMLElement | null} */ (
			this.#header.querySelector(`[data-key=${page === "list" ? "preferences" : "back"}]`)
		)?.focus();
		if (page === "list") {
			this.#load();
			return;
		}
		this.#body.removeAttribute("role");
		this.#body.removeAttribute("aria-labelledby");
		this.#body.replaceChildren();
		const inbox = this.#inbox;
		if (inbox) this.#try("act", () => this.#showPreferences(inbox));
	}

	/** @param {Inbox} inbox */
	async #showPreferences(inbox) {
		await this.#saved;
		const stored = await inbox.preferences();
		const t = this.texts;
		let waiting = 0;
		let outdated = false;
		const show = () => {
			outdated = false;
			if (this.#page === "preferences" && inbox === this.#inbox)
				replace(this.#body, preferencesPage(inbox, stored, t, save));
		};
		/** @type {import("./preferences.js").Save} */
		const save = (work, note) => {
			waiting++;
			this.#problems.act = "";
			this.#saved = this.#saved.then(async () => {
				const done = await this.#try("act", async () => {
					await work();
					outdated = note() || outdated;
					this.#say(t.saved);
				});
				outdated ||= !done;
				if (--waiting === 0 && outdated) show(); // not what is on its way still
			});
		};
		show();
	}
}
