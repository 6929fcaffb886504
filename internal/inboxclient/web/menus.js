import { isNarrowed, unfiltered } from "./chrome.js";
import { shortDate, snoozes, toLocalInput } from "./days.js";
import { h } from "./dom.js";
import { operationsOf } from "./row.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Filter} Filter
 * @typedef {import("./changes.js").Operation} Operation
 * @typedef {import("./menu.js").Item} Item
 * @typedef {import("./texts.js").Texts} Texts
 */

/** @type {Partial<Record<Operation, string>>} */
const keys = { archive: "E", unarchive: "E", markRead: "U", markUnread: "U", snooze: "S", delete: "Del" };

/**
 * What can be done with a message.
 * @param {Message} m
 * @param {Texts} t
 * @param {(op: Operation) => unknown} run
 * @param {() => unknown} select
 * @returns {Item[]}
 */
export function messageItems(m, t, run, select) {
	const operations = /** @type {Exclude<Operation, "markSeen">[]} */ ([...operationsOf(m), "delete"]);
	const items = operations.map((op) => ({
		key: `do-${op}`,
		label: t[op],
		hint: keys[op],
		danger: op === "delete",
		run: () => run(op),
	}));
	return [...items.slice(0, -1), { key: "do-select", label: t.select, hint: "X", run: select }, ...items.slice(-1)];
}

/**
 * @param {Texts} t
 * @param {string} lang
 * @param {(until: Date) => unknown} run
 * @param {() => unknown} custom
 * @returns {Item[]}
 */
export const snoozeItems = (t, lang, run, custom) => [
	...snoozes().map(([name, until]) => ({
		key: `snooze-${name}`,
		label: t[name],
		hint: shortDate(until, lang),
		run: () => run(until),
	})),
	{ key: "snooze-custom", label: t.pickDate, run: custom },
];

const minute = 60_000;
const farthest = 366 * 86_400_000;

/**
 * A form for any moment within the bounds of the server.
 * @param {Texts} t
 * @param {(until: Date) => unknown} done
 * @param {() => unknown} cancel
 */
export function snoozeForm(t, done, cancel) {
	const now = Date.now();
	const input = h("input", {
		type: "datetime-local",
		"data-key": "snooze-date",
		"aria-label": t.snoozeUntil,
		required: true,
		min: toLocalInput(new Date(now + minute)),
		max: toLocalInput(new Date(now + farthest - minute)),
		value: toLocalInput(new Date(now + 86_400_000)),
	});
	return h(
		"form",
		{
			class: "snooze-form",
			onsubmit: (/** @type {Event} */ event) => {
				event.preventDefault();
				const until = new Date(input.value);
				if (until.getTime() > Date.now()) done(until);
			},
		},
		input,
		h(
			"div",
			{ class: "row-buttons" },
			h("button", { type: "submit", class: "main", "data-key": "snooze-submit" }, t.snooze),
			h("button", { type: "button", "data-key": "snooze-cancel", onclick: cancel }, t.cancel),
		),
	);
}

/**
 * Opens what the reader can filter by.
 * @param {import("./menu.js").Popover} popover
 * @param {HTMLElement} opener
 * @param {Texts} t
 * @param {import("./chrome.js").Narrowing} now
 * @param {(narrowing: import("./chrome.js").Narrowing) => unknown} set
 */
export function openFilter(popover, opener, t, now, set) {
	const lately = () => new Date(Date.now() - 7 * 86_400_000).toISOString();
	/** @type {Item[]} */
	const items = [
		{ key: "filter-unread", label: t.unreadOnly, checked: now.unread, run: () => set({ ...now, unread: !now.unread }) },
		{
			key: "filter-important",
			label: t.importantOnly,
			checked: now.important,
			run: () => set({ ...now, important: !now.important }),
		},
		{
			key: "filter-lately",
			label: t.lastWeek,
			checked: now.since !== undefined,
			run: () => set({ ...now, since: now.since ? undefined : lately() }),
		},
	];
	if (isNarrowed(now)) items.push({ key: "filter-clear", label: t.clearFilters, run: () => set(unfiltered()) });
	popover.menu(opener, t.filter, items);
}

/**
 * Opens what can be done with all messages of a list.
 * @param {import("./menu.js").Popover} popover
 * @param {HTMLElement} opener
 * @param {Texts} t
 * @param {Filter} filter
 * @param {{ archive: (filter: Filter) => unknown, select: () => unknown }} does
 */
export function openListMenu(popover, opener, t, filter, { archive, select }) {
	/** @type {Item[]} */
	const items = [
		{ key: "select", label: t.select, run: select },
		{ key: "archive-all", label: t.archiveAll, run: () => archive(filter) },
	];
	if (filter.read === undefined)
		items.push({ key: "archive-read", label: t.archiveRead, run: () => archive({ ...filter, read: true }) });
	popover.menu(opener, t.more, items);
}

/**
 * Opens the choices until when messages are put off.
 * @param {import("./menu.js").Popover} popover
 * @param {HTMLElement} opener
 * @param {Texts} t
 * @param {string} lang
 * @param {(until: Date) => unknown} done
 */
export function openSnooze(popover, opener, t, lang, done) {
	const form = () =>
		snoozeForm(
			t,
			(until) => {
				popover.close();
				done(until);
			},
			() => popover.close(),
		);
	popover.menu(
		opener,
		t.snooze,
		snoozeItems(t, lang, done, () => popover.form(opener, t.snoozeUntil, form())),
	);
}
