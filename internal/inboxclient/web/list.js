import { h, safeURL } from "./dom.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./inbox.js").Button} Button
 * @typedef {import("./store.js").InboxStore} InboxStore
 * @typedef {import("./texts.js").Texts} Texts
 */

/**
 * What the reader may do: run a request, follow a message, press one of its buttons, and choose a message to snooze (or
 * none).
 * @typedef {{
 *   act: (work: (store: InboxStore) => Promise<unknown>) => unknown,
 *   choose: (m: Message) => unknown,
 *   press: (m: Message, button: Button) => unknown,
 *   snooze: (id: string | undefined) => unknown,
 * }} Actions
 */

/**
 * @param {Texts} t
 * @returns {import("./element.js").Tab[]}
 */
export const usualTabs = (t) => [
	{ label: t.all, filter: {} },
	{ label: t.unread, filter: { read: false } },
	{ label: t.archived, filter: { archived: true } },
	{ label: t.snoozed, filter: { snoozed: true } },
];

/**
 * The head of the panel: over the list a way to the preferences, over the preferences the way back.
 * @param {Texts} t
 * @param {boolean} listing
 * @param {{ go: (page: "list" | "preferences") => void, close: () => void }} actions
 */
export function header(t, listing, { go, close }) {
	return [
		!listing &&
			h(
				"button",
				{ type: "button", "data-key": "back", onclick: () => go("list") },
				h("span", { class: "arrow", "aria-hidden": "true" }, "←"),
				` ${t.back}`,
			),
		h("h2", { id: "title" }, listing ? t.inbox : t.preferences),
		listing &&
			h("button", { type: "button", "data-key": "preferences", onclick: () => go("preferences") }, t.preferences),
		h("button", { type: "button", "aria-label": t.close, "data-key": "close", onclick: () => close() }, "✕"),
	];
}

/**
 * @param {import("./element.js").Tab[]} tabs
 * @param {number[]} counts of unread messages, one per tab
 * @param {number} chosen
 * @param {(i: number) => void} choose
 */
export function tabButtons(tabs, counts, chosen, choose) {
	return tabs.map(({ label }, i) =>
		h(
			"button",
			{
				type: "button",
				role: "tab",
				id: `tab-${i}`,
				"data-key": `tab-${i}`,
				"aria-controls": "body",
				"aria-selected": String(i === chosen),
				tabindex: i === chosen ? "0" : "-1",
				onclick: () => choose(i),
			},
			label,
			counts[i] > 0 && h("span", { class: "count" }, `(${counts[i]})`),
		),
	);
}

/**
 * What can be done with all messages of the list at once.
 * @param {Texts} t
 * @param {Filter} filter
 * @param {Actions["act"]} act
 */
export function bulkButtons(t, filter, act) {
	return h(
		"div",
		{ class: "bulk" },
		h(
			"button",
			{
				type: "button",
				"data-key": "read-all",
				onclick: () => act((store) => store.markAll("READ", filter)),
			},
			t.readAll,
		),
		h(
			"button",
			{
				type: "button",
				"data-key": "archive-all",
				onclick: () => act((store) => store.markAll("ARCHIVE", filter)),
			},
			t.archiveAll,
		),
		filter.read === undefined &&
			h(
				"button",
				{
					type: "button",
					"data-key": "archive-read",
					onclick: () => act((store) => store.markAll("ARCHIVE", { ...filter, read: true })),
				},
				t.archiveRead,
			),
	);
}

/**
 * One message with what can be done with it.
 * @param {Message} m
 * @param {Texts} t
 * @param {{ lang: string, snoozing: boolean }} view in which language dates are, and whether the snooze choices show
 * @param {Actions} actions
 */
export function messageItem(m, t, { lang, snoozing }, actions) {
	const subject = subjectOf(m);
	const text = m.subject ? m.content?.text : "";
	/**
	 * @param {string} name
	 * @param {string} label
	 * @param {(store: InboxStore) => Promise<unknown>} work
	 */
	const action = (name, label, work) =>
		h("button", { type: "button", "data-key": `${name}-${m.id}`, onclick: () => actions.act(work) }, label);
	const when = new Date(m.deliveredAt?.at(-1) ?? m.createdAt);
	return h(
		"li",
		{ class: `${m.read ? "" : "unread"} ${m.severity.toLowerCase()}`, "data-id": m.id },
		h(
			"button",
			{ class: "open", type: "button", "data-key": `open-${m.id}`, onclick: () => actions.choose(m) },
			safeURL(m.avatar) && h("img", { src: safeURL(m.avatar), alt: "", referrerpolicy: "no-referrer" }),
			h(
				"span",
				{ class: "what" },
				h(
					"span",
					{ class: "subject" },
					!m.read && h("span", { class: "quiet" }, `${t.isUnread}: `),
					h("bdi", {}, subject),
				),
				text && h("span", {}, h("bdi", {}, text)),
				h(
					"time",
					{ datetime: when.toISOString() },
					m.snoozedUntil ? fill(t.until, { date: shortDate(new Date(m.snoozedUntil), lang) }) : shortDate(when, lang),
				),
			),
			!m.read && h("span", { class: "dot", "aria-hidden": "true" }),
		),
		ownButtons(m, actions.press),
		h(
			"div",
			{ class: "row", role: "group", "aria-label": fill(t.actions, { subject }) },
			m.snoozedUntil && action("unsnooze", t.unsnooze, (store) => store.unsnooze([m.id])),
			!m.snoozedUntil &&
				!m.archived &&
				(m.read
					? action("read", t.markUnread, (store) => store.markUnread([m.id]))
					: action("read", t.markRead, (store) => store.markRead([m.id]))),
			!m.snoozedUntil &&
				!m.archived &&
				h(
					"button",
					{
						type: "button",
						"data-key": `snooze-${m.id}`,
						"aria-expanded": String(snoozing),
						onclick: () => actions.snooze(snoozing ? undefined : m.id),
					},
					t.snooze,
				),
			!m.snoozedUntil &&
				(m.archived
					? action("archive", t.unarchive, (store) => store.unarchive([m.id]))
					: action("archive", t.archive, (store) => store.archive([m.id]))),
			action("delete", t.delete, (store) => store.delete([m.id])),
		),
		snoozing &&
			h(
				"div",
				{ class: "row", role: "group", "aria-label": t.snooze },
				...snoozes().map(([name, until]) => action(name, t[name], (store) => store.snooze([m.id], until))),
			),
	);
}

/**
 * The buttons that the message's author gave it.
 * @param {Message} m
 * @param {Actions["press"]} press
 */
function ownButtons(m, press) {
	const action = m.cta?.action;
	if (!action?.buttons?.length) return null;
	const done = action.status === "DONE";
	return h(
		"div",
		{ class: "row" },
		...action.buttons.map((button) => {
			const used = done && action.result?.type === button.type;
			return h(
				"button",
				{
					type: "button",
					class: button.type === "PRIMARY" ? "main" : "",
					"data-key": `${button.type.toLowerCase()}-${m.id}`,
					"aria-disabled": done && "true",
					"aria-pressed": used && "true", // not disabled, which would take the focus away
					onclick: () => done || press(m, button),
				},
				used ? button.resultContent || button.content : button.content,
			);
		}),
	);
}

/** @param {Message} m */
export const subjectOf = (m) => m.subject || m.content?.text || "";

/** @returns {["inAnHour" | "tomorrow" | "nextWeek", Date][]} */
function snoozes() {
	/** @param {number} days */
	const morning = (days) => {
		const date = new Date();
		date.setDate(date.getDate() + days);
		date.setHours(9, 0, 0, 0);
		return date;
	};
	return [
		["inAnHour", new Date(Date.now() + 3_600_000)],
		["tomorrow", morning(1)],
		["nextWeek", morning(7)],
	];
}

/**
 * @param {Date} date
 * @param {string} lang
 */
function shortDate(date, lang) {
	const today = new Date().toDateString() === date.toDateString();
	return new Intl.DateTimeFormat(
		lang,
		today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" },
	).format(date);
}

/** The bell. Made without HTML, which pages with trusted types refuse. */
export function bell() {
	/**
	 * @param {string} name
	 * @param {Record<string, string>} attributes
	 * @param {...Node} children
	 */
	const svg = (name, attributes, ...children) => {
		const element = document.createElementNS("http://www.w3.org/2000/svg", name);
		for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
		element.append(...children);
		return element;
	};
	return svg(
		"svg",
		{
			viewBox: "0 0 24 24",
			fill: "none",
			stroke: "currentColor",
			"stroke-width": "1.8",
			"stroke-linecap": "round",
			"stroke-linejoin": "round",
			"aria-hidden": "true",
		},
		svg("path", { d: "M6 9a6 6 0 0 1 12 0c0 6 2 7 2 8H4c0-1 2-2 2-8" }),
		svg("path", { d: "M10 20a2 2 0 0 0 4 0" }),
	);
}
