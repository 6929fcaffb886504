import { arrival } from "./days.js";
import { h } from "./dom.js";
import { subjectOf } from "./row.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./texts.js").Texts} Texts
 */

/** Announces new messages and the outcomes of actions to screen readers. */
export class Announcer {
	/** The live region to put on the page. */
	region = h("div", { class: "quiet", role: "status", "aria-live": "polite" });
	/** The arrivals that were announced, or that a list has shown. @type {Set<string>} */ #known = new Set();

	/** @param {string} text */
	say(text) {
		this.region.textContent = text;
	}

	/**
	 * Announces those of the messages that arrived, or came back after they were put off, each once, and returns them. The
	 * others changed, such as when they were looked at in another tab.
	 * @param {Message[]} messages
	 * @param {Texts} texts
	 */
	arrived(messages, texts) {
		const fresh = messages.filter(
			(m) => !m.read && !m.seen && !m.archived && !m.snoozedUntil && !this.#known.has(named(m)),
		);
		this.seen(messages);
		if (fresh.length === 1) this.say(fill(texts.arrived, { subject: subjectOf(fresh[0]) }));
		if (fresh.length > 1) this.say(fill(texts.arrivedMany, { n: fresh.length }));
		return fresh;
	}

	/** Takes messages for announced that a list shows. @param {Message[]} messages */
	seen(messages) {
		for (const m of messages) this.#known.add(named(m));
	}

	/** Forgets the messages and clears the region: the next ones may be another subscriber's. */
	forget() {
		this.#known.clear();
		this.say("");
	}
}

/** A name for the last arrival of a message. @param {Message} m */
const named = (m) => `${m.id} ${arrival(m).getTime()}`;
