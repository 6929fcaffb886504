import { subjectOf } from "./row.js";
import { inOneTab } from "./sync.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {"sound" | "notification" | "badge"} Alert
 */

/** @type {Alert[]} */
export const alertNames = ["sound", "notification", "badge"];
const key = "carillon-inbox-alerts";

/**
 * What the reader wishes on this device; what was never chosen is as the page has it.
 * @param {string} usual Names, separated by spaces.
 * @returns {Record<Alert, boolean>}
 */
export function wishes(usual) {
	/** @type {Partial<Record<Alert, boolean>>} */
	let chosen = {};
	try {
		chosen = JSON.parse(localStorage.getItem(key) ?? "{}");
	} catch {
		// The page has no storage.
	}
	const names = usual.split(/\s+/);
	const of = (/** @type {Alert} */ name) => chosen[name] ?? names.includes(name);
	return { sound: of("sound"), notification: of("notification"), badge: of("badge") };
}

/**
 * Stores a wish. A browser asks the reader before it shows notifications; returns whether the wish can be met.
 * @param {Alert} name
 * @param {boolean} on
 */
export async function wish(name, on) {
	if (name === "notification" && on) {
		if (typeof Notification === "undefined") return false;
		if ((await Notification.requestPermission()) !== "granted") return false;
	}
	try {
		localStorage.setItem(key, JSON.stringify({ ...JSON.parse(localStorage.getItem(key) ?? "{}"), [name]: on }));
	} catch {
		return false;
	}
	return true;
}

/** Two short notes. */
function chime() {
	const audio = new AudioContext();
	[880, 1174.7].forEach((frequency, i) => {
		const tone = new OscillatorNode(audio, { frequency });
		const volume = new GainNode(audio, { gain: 0 });
		const from = audio.currentTime + i * 0.12;
		volume.gain.setValueAtTime(0.0001, from);
		volume.gain.exponentialRampToValueAtTime(0.08, from + 0.02);
		volume.gain.exponentialRampToValueAtTime(0.0001, from + 0.3);
		tone.connect(volume).connect(audio.destination);
		tone.start(from);
		tone.stop(from + 0.35);
	});
	setTimeout(() => audio.close(), 1_000);
}

/**
 * Tells of what arrived, in one tab: by a sound, and by a notification of the browser while the page is out of sight.
 * @param {Message[]} messages
 * @param {Record<Alert, boolean>} on
 * @param {(m: Message) => unknown} choose Called when the reader chooses a notification.
 */
export function arrived(messages, { sound, notification }, choose) {
	const [first] = messages;
	if (!first) return;
	if (sound) inOneTab(`sound ${first.id}`, chime).catch(() => {}); // the browser plays none
	if (!notification || document.visibilityState === "visible" || globalThis.Notification?.permission !== "granted")
		return;
	for (const m of messages.slice(0, 3))
		inOneTab(`notification ${m.id}`, () => {
			const shown = new Notification(subjectOf(m), { body: m.subject ? m.content?.text : "", tag: m.id });
			shown.onclick = () => {
				window.focus();
				choose(m);
				shown.close();
			};
		}).catch(() => {}); // browsers of phones leave them to service workers
}

const counted = /^\(\d+\+?\) /;

/** The number of unread messages on the browser's tab and on the installed app, which all inboxes of a page share. */
class PageBadge {
	#count = 0;
	/** @type {MutationObserver | undefined} */ #observer;
	/** @type {string | undefined} */ #icon;

	/** @param {number} count 0: none. */
	show(count) {
		if (count === this.#count) return;
		this.#count = count;
		this.#title();
		this.#favicon();
		const app = /** @type {any} */ (navigator);
		(count > 0 ? app.setAppBadge?.(count) : app.clearAppBadge?.())?.catch?.(() => {});
		// The page may set its title anew. A title that has a number may be by another copy of this module, and is left.
		const head = document.head;
		if (count > 0 && !this.#observer && head) {
			this.#observer = new MutationObserver(() => counted.test(document.title) || this.#title());
			this.#observer.observe(head, { childList: true, subtree: true, characterData: true });
		} else if (count === 0) {
			this.#observer?.disconnect();
			this.#observer = undefined;
		}
	}

	#title() {
		const bare = document.title.replace(counted, "");
		const title = this.#count > 0 ? `(${this.#count > 99 ? "99+" : this.#count}) ${bare}` : bare;
		if (document.title !== title) document.title = title;
	}

	/** Draws a dot on the page's own icon, where it has one of its own origin. */
	#favicon() {
		const link = /** @type {HTMLLinkElement | null} */ (document.querySelector('link[rel~="icon"]'));
		if (!link) return;
		this.#icon ??= link.href;
		if (this.#count === 0) {
			link.href = this.#icon;
			return;
		}
		const image = new Image();
		image.onload = () => {
			const canvas = document.createElement("canvas");
			canvas.width = canvas.height = 32;
			const pen = canvas.getContext("2d");
			if (!pen || this.#count === 0) return;
			pen.drawImage(image, 0, 0, 32, 32);
			pen.fillStyle = "#d92d20";
			pen.arc(23, 9, 8, 0, 2 * Math.PI);
			pen.fill();
			try {
				link.href = canvas.toDataURL();
			} catch {
				// The icon is another origin's.
			}
		};
		image.src = this.#icon;
	}
}

const page = new PageBadge();
/** What each inbox of the page counts. @type {Map<TabBadge, number>} */
const counts = new Map();

/** What one inbox counts. The badge has the largest number: two inboxes of a page are mostly one, shown twice. */
export class TabBadge {
	/** @param {number} count 0: none. */
	show(count) {
		if (count > 0) counts.set(this, count);
		else counts.delete(this);
		page.show(Math.max(0, ...counts.values()));
	}
}
