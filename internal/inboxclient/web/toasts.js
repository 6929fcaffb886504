import { h, safeURL } from "./dom.js";
import { icon } from "./icons.js";
import { subjectOf } from "./row.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./texts.js").Texts} Texts
 */

const stays = 6_000;
const most = 3;

/** Shows for a while what arrives while the inbox is closed. Screen readers hear of it through the announcer. */
export class Toasts {
	element = h("div", { class: "toasts", part: "toasts" });
	/** @type {(m: Message) => unknown} */ #choose;
	/** @type {() => unknown} */ #open;

	/**
	 * @param {(m: Message) => unknown} choose
	 * @param {() => unknown} open Opens the inbox.
	 */
	constructor(choose, open) {
		this.#choose = choose;
		this.#open = open;
	}

	/**
	 * @param {Message[]} messages
	 * @param {Texts} t
	 */
	show(messages, t) {
		if (messages.length > most)
			return this.#add(fill(t.arrivedMany, { n: messages.length }), "", undefined, t, this.#open);
		for (const m of messages)
			this.#add(subjectOf(m), m.subject ? (m.content?.text ?? "") : "", safeURL(m.avatar), t, () => this.#choose(m));
	}

	/**
	 * @param {string} subject
	 * @param {string} text
	 * @param {string | undefined} src
	 * @param {Texts} t
	 * @param {() => unknown} run
	 */
	#add(subject, text, src, t, run) {
		/** @type {ReturnType<typeof setTimeout>} */
		let timer;
		const stop = () => clearTimeout(timer);
		const start = () => {
			stop();
			timer = setTimeout(() => toast.remove(), stays);
		};
		const toast = h(
			"div",
			{
				class: "toast",
				part: "toast",
				onpointerenter: stop,
				onpointerleave: start,
				onfocusin: stop,
				onfocusout: start,
			},
			h(
				"button",
				{
					type: "button",
					class: "open",
					onclick: () => {
						toast.remove();
						run();
					},
				},
				src &&
					h("img", {
						class: "avatar",
						src,
						alt: "",
						referrerpolicy: "no-referrer",
						onerror: (/** @type {Event} */ { target }) => /** @type {Element} */ (target).remove(),
					}),
				h(
					"span",
					{ class: "what" },
					h("span", { class: "subject" }, h("bdi", {}, subject)),
					text && h("span", { class: "text" }, h("bdi", {}, text)),
				),
			),
			h(
				"button",
				{ type: "button", class: "icon-button", "aria-label": t.dismiss, onclick: () => toast.remove() },
				icon("close"),
			),
		);
		this.element.append(toast);
		while (this.element.children.length > most) this.element.firstElementChild?.remove();
		start();
	}

	clear() {
		this.element.replaceChildren();
	}
}
