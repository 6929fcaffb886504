import { Announcer } from "./announcer.js";
import { usualTabs } from "./chrome.js";
import { h, safeURL } from "./dom.js";
import { icon } from "./icons.js";
import { Panel } from "./panel.js";
import { InboxStore } from "./store.js";
import { adopt } from "./style.js";
import { choose, english, fill, isRightToLeft, load } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./texts.js").Texts} Texts
 * @typedef {{ label: string, filter: Filter }} Tab
 * @typedef {(message: Message, container: HTMLElement) => (() => void) | void} RenderMessage Draws what a message says, in
 *   place of its text, and returns what removes it again.
 */

/** How far the panel stays from the sides of the window, in pixels. */
const margin = 8;

/** What a server, which has no elements, can extend too: frameworks load the module there for the first page. */
const Base = /** @type {typeof HTMLElement} */ (globalThis.HTMLElement ?? class {});

const properties = /** @type {const} */ (["token", "tabs", "texts", "renderMessage", "store"]);

/**
 * A bell that opens a subscriber's inbox: `<carillon-inbox token="cst_…">`.
 *
 * Attributes: token; subscriber (whose inbox it is: the browser then keeps what shows without a connection); url (of Carillon,
 * when another server serves this module); context (keys type:id, separated by spaces); lang; theme (light or dark; the
 * reader's choice when left out); align (start: the panel opens to the other side); inline (the panel is part of the page,
 * without a bell); tabs (JSON, see the property); toasts (off: what arrives does not show over the page); alerts (what is on
 * until the reader chooses: sound, notification, badge).
 *
 * Slots: bell, header, empty, footer. Parts and the custom properties are listed in the guide.
 *
 * Events, which bubble: `carillon-open` with the message that was chosen, and `carillon-action` with the message and the
 * button. The page follows the message's link unless the event's default is prevented.
 */
export class CarillonInbox extends Base {
	static observedAttributes = ["token", "subscriber", "url", "context", "lang", "tabs", "inline", "alerts"];

	/** @type {import("./inbox.js").Token | undefined} */ #token;
	/** @type {Tab[] | undefined} */ #tabs;
	/** @type {Partial<Texts>} */ #ownTexts = {};
	/** @type {RenderMessage | undefined} */ #render;
	/** @type {InboxStore | undefined} */ #store;
	/** A store of the page, in place of the element's own. @type {InboxStore | undefined} */ #given;
	#stop = () => {};
	/** @type {string | null | undefined} */ #locale;
	#restarting = false;
	#wasInline = false;
	/** @type {Promise<typeof import("./alerts.js")> | undefined} */ #alerts;
	/** @type {import("./alerts.js").TabBadge | undefined} */ #badge;
	/** @type {ReturnType<typeof setInterval> | undefined} */ #clock;

	#bell = h(
		"button",
		{
			class: "bell",
			part: "bell",
			type: "button",
			"aria-haspopup": "dialog",
			"aria-expanded": "false",
			"data-key": "bell",
			onclick: () => this.toggle(),
			onpointerenter: () => this.#panel.preload(),
			onfocus: () => this.#panel.preload(),
		},
		h("slot", { name: "bell" }, icon("bell")),
	);
	#announcer = new Announcer();
	/** Loaded when something arrives. @type {Promise<import("./toasts.js").Toasts> | undefined} */ #toasts;
	#panel = new Panel({
		host: this,
		texts: () => this.texts,
		lang: () => this.#language().lang,
		tabs: () => this.tabs,
		store: () => this.#store,
		render: () => this.#render,
		inline: () => this.hasAttribute("inline"),
		alerts: () => this.getAttribute("alerts") ?? "",
		alertsChanged: () => this.#showBadge(),
		say: (text) => this.#announcer.say(text),
		listed: (messages) => this.#announcer.seen(messages),
		leave: (type, detail, url) => this.#leave(type, detail, url),
		close: () => this.close(),
	});

	constructor() {
		super();
		const root = this.attachShadow({ mode: "open" });
		adopt(root);
		root.append(this.#bell, this.#panel.element, this.#announcer.region);
		root.addEventListener("keydown", (event) => this.#panel.key(/** @type {KeyboardEvent} */ (event)));
		this.addEventListener("focusout", (event) => {
			const to = /** @type {Node | null} */ (event.relatedTarget);
			if (this.#panel.isOpen && to && !this.contains(to)) this.close(); // elsewhere on the page, which the panel may cover
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
		const before = filtersOf(this.#tabs);
		this.#tabs = tabs;
		if (filtersOf(tabs) === before)
			this.#show(); // frameworks set equal ones anew: the reader's stays
		else this.#panel.chooseTab(0);
	}

	/** The texts in the reader's language. Set some to replace them. @returns {Texts} */
	get texts() {
		return { ...this.#language().texts, ...this.#ownTexts };
	}
	/** @param {Partial<Texts>} texts */
	set texts(texts) {
		if (JSON.stringify(texts) === JSON.stringify(this.#ownTexts)) return; // nothing to draw anew
		this.#ownTexts = texts;
		this.#panel.restyle();
		this.#show();
	}

	/** Draws what messages say, in elements of the page that its styles reach. */
	get renderMessage() {
		return this.#render;
	}
	/** @param {RenderMessage | undefined} render */
	set renderMessage(render) {
		this.#render = render;
		this.#panel.restyle();
	}

	/** The store that the element works with; set one to share it, which the page then starts and closes. */
	get store() {
		return this.#store;
	}
	/** @param {InboxStore | undefined} store */
	set store(store) {
		this.#given = store;
		this.#restart();
	}

	/** The client that the element works with; undefined before it has a token. */
	get inbox() {
		return this.#store?.inbox;
	}

	/** The reader's language, or English while its texts are being loaded. @returns {{ lang: string, texts: Texts }} */
	#language() {
		const chosen = choose([
			this.getAttribute("lang"),
			this.#locale,
			this.closest("[lang]")?.getAttribute("lang"),
			...navigator.languages,
		]);
		if (!chosen.texts)
			load(chosen.name).then(
				() => {
					this.#panel.restyle();
					this.#show();
				},
				() => {}, // English, until it is asked for again
			);
		return { lang: chosen.texts ? chosen.lang : "en", texts: chosen.texts ?? english };
	}

	connectedCallback() {
		// What the page set before this module came hides the setters, until it is set anew.
		for (const name of properties) {
			if (!Object.hasOwn(this, name)) continue;
			const value = /** @type {any} */ (this[name]);
			delete (/** @type {any} */ (this)[name]);
			this[name] = value;
		}
		document.addEventListener("pointerdown", this.#outside);
		globalThis.addEventListener("pagehide", this.#leaving);
		globalThis.addEventListener("resize", this.#keepInView);
		this.#clock = setInterval(() => this.#panel.tick(), 60_000);
		this.#restart();
	}

	disconnectedCallback() {
		document.removeEventListener("pointerdown", this.#outside);
		globalThis.removeEventListener("pagehide", this.#leaving);
		globalThis.removeEventListener("resize", this.#keepInView);
		clearInterval(this.#clock);
		this.#end();
		this.#badge?.show(0);
	}

	/**
	 * @param {string} name
	 * @param {string | null} before
	 * @param {string | null} after
	 */
	attributeChangedCallback(name, before, after) {
		if (before === after) return;
		if (name === "tabs") this.tabs = after ? JSON.parse(after) : undefined;
		else if (name === "lang") {
			this.#panel.restyle();
			this.#show();
		} else if (name === "inline") this.#showInline();
		else if (name === "alerts") this.#showBadge();
		else this.#restart();
	}

	#showInline() {
		const inline = this.hasAttribute("inline");
		if (inline && !this.#panel.isOpen) this.#panel.open();
		else if (!inline && this.#wasInline) this.close();
		this.#wasInline = inline;
		this.#show();
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
		this.#show();
		const token = this.token;
		if ((!token && !this.#given) || !this.isConnected) return;
		const context = this.getAttribute("context");
		const store =
			this.#given ??
			new InboxStore({
				token: token ?? "",
				url: this.getAttribute("url") ?? undefined,
				contextKeys: context === null ? undefined : context.split(/\s+/).filter(Boolean),
				...(this.hasAttribute("subscriber") && { subscriber: this.getAttribute("subscriber") ?? "" }),
			});
		this.#store = store;
		const own = store !== this.#given;
		/** @type {Array<() => void>} */
		const stops = [
			store.inbox.subscribe((update) => this.#store === store && this.#arrived(update.messages)),
			store.inbox.onStatus((status) => {
				if (this.#store === store) this.dataset.status = status;
			}),
			store.subscribe(() => this.#store === store && this.#show()),
			store.onRefusal((error) => this.#store === store && this.#panel.refused(error)),
			store.onSwitch(() => this.#store === store && this.#restart()),
		];
		this.#stop = () => {
			for (const stop of stops) stop?.();
			if (own) store.close();
		};
		if (!own) this.dataset.status = store.inbox.status;
		if (this.getAttribute("subscriber")) this.#panel.started(); // with what the browser kept
		(own ? store.start() : Promise.resolve()).then(
			() => this.#store === store && this.#panel.started(),
			() => this.#show(),
		);
		store.inbox.subscriber().then(
			({ locale }) => {
				if (this.#store !== store) return;
				this.#locale = locale;
				this.#panel.restyle();
				this.#show();
			},
			() => {},
		);
		this.#showInline();
	}

	#end() {
		this.#panel.reset();
		this.#stop();
		this.#stop = () => {};
		this.#store = undefined;
		this.#announcer.forget();
		this.#toasts?.then((toasts) => toasts.clear());
		this.#locale = undefined;
		delete this.dataset.status;
	}

	/** @param {Message[]} messages */
	#arrived(messages) {
		const fresh = this.#announcer.arrived(messages, this.texts);
		if (fresh.length === 0) return;
		this.#panel.arrived(fresh.length);
		if (!this.#panel.isOpen && this.getAttribute("toasts") !== "off") this.#toast(fresh);
		this.#withAlerts((alerts) => alerts.arrived(fresh, this.#wishes(alerts), (m) => this.#panel.choose(m)));
	}

	/** @param {Message[]} messages */
	#toast(messages) {
		const store = this.#store;
		this.#toasts ??= import("./toasts.js").then(({ Toasts }) => {
			const toasts = new Toasts(
				(m) => this.#panel.choose(m),
				() => this.open(),
			);
			this.shadowRoot?.append(toasts.element);
			return toasts;
		});
		this.#toasts.then(
			(toasts) => {
				if (store !== this.#store || this.#panel.isOpen) return;
				toasts.element.lang = this.#language().lang;
				toasts.element.dir = isRightToLeft(toasts.element.lang) ? "rtl" : "ltr";
				toasts.show(messages, this.texts);
			},
			() => (this.#toasts = undefined),
		);
	}

	/** Loads what alerts need, once anything is wished for. @param {(alerts: typeof import("./alerts.js")) => void} run */
	#withAlerts(run) {
		if (!this.#alerts && !this.getAttribute("alerts") && !storedWishes()) return;
		this.#alerts ??= import("./alerts.js");
		this.#alerts.then(run, () => (this.#alerts = undefined));
	}

	/** @param {typeof import("./alerts.js")} alerts */
	#wishes(alerts) {
		return alerts.wishes(this.getAttribute("alerts") ?? "");
	}

	#showBadge() {
		this.#withAlerts((alerts) => {
			const { badge } = this.#wishes(alerts);
			if (!badge && !this.#badge) return;
			this.#badge ??= new alerts.TabBadge();
			this.#badge.show(badge && this.isConnected ? (this.#store?.snapshot.unread ?? 0) : 0);
		});
	}

	/** Opens the panel, or closes it. */
	toggle() {
		if (this.#panel.isOpen) this.close();
		else this.open();
	}

	/** Opens the panel and moves the focus there. */
	open() {
		this.#toasts?.then((toasts) => toasts.clear());
		this.#panel.open();
		this.#show();
		this.#keepInView();
		this.#panel.element.focus();
	}

	/** Moves the panel back where the bell's place would let it reach out of the window at a side. */
	#keepInView = () => {
		const { element } = this.#panel;
		element.style.transform = "";
		if (!this.#panel.isOpen || this.hasAttribute("inline")) return;
		const { left, right } = element.getBoundingClientRect();
		const width = document.documentElement.clientWidth;
		const by = left < margin ? margin - left : Math.min(0, width - margin - right);
		if (by !== 0) element.style.transform = `translateX(${by}px)`;
	};

	/** Closes the panel and gives the focus back. */
	close() {
		if (this.hasAttribute("inline")) return;
		const within = this.shadowRoot?.activeElement !== null;
		this.#panel.close();
		this.#show();
		if (within) this.#bell.focus();
	}

	/** Removes what the browser keeps of the inbox. Call it when the subscriber signs out. */
	forget() {
		this.#store?.forget();
	}

	/** @param {PointerEvent} event */
	#outside = (event) => {
		if (this.#panel.isOpen && !event.composedPath().includes(this)) this.close();
	};

	/** What could still be taken back is final now. */
	#leaving = () => this.#panel.snackbar.hide();

	#show() {
		const t = this.texts;
		const unread = this.#store?.snapshot.unread ?? 0;
		this.#bell.setAttribute("aria-label", fill(t.open, { n: unread }));
		this.#bell.setAttribute("aria-expanded", String(this.#panel.isOpen));
		this.#bell.hidden = this.hasAttribute("inline");
		this.#bell.querySelector(".badge")?.remove();
		if (unread > 0)
			this.#bell.append(
				h("span", { class: "badge", part: "badge", "aria-hidden": "true" }, unread > 99 ? "99+" : String(unread)),
			);
		this.#panel.show();
		this.#showBadge();
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
}

/** @param {Tab[] | undefined} tabs */
const filtersOf = (tabs) => JSON.stringify(tabs?.map(({ filter }) => filter));

function storedWishes() {
	try {
		return localStorage.getItem("carillon-inbox-alerts");
	} catch {
		return null; // a page without an origin of its own
	}
}
