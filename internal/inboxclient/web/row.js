import { arrival, exactTime, shortDate, shortTime } from "./days.js";
import { h, safeURL } from "./dom.js";
import { icon } from "./icons.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./inbox.js").Button} Button
 * @typedef {import("./changes.js").Operation} Operation
 * @typedef {import("./texts.js").Texts} Texts
 *
 * @typedef {object} Actions What the reader may do.
 * @property {(op: Operation, ids: string[]) => unknown} change
 * @property {(m: Message) => unknown} choose Follows a message.
 * @property {(m: Message, button: Button) => unknown} press Presses one of its buttons.
 * @property {(m: Message, opener: HTMLElement) => unknown} menu
 * @property {(m: Message, opener: HTMLElement) => unknown} snooze
 * @property {(id: string, on: boolean) => unknown} select
 *
 * @typedef {object} RowView
 * @property {Texts} t
 * @property {string} lang In which dates are written.
 * @property {boolean} selecting
 * @property {boolean} selected
 * @property {boolean} current Whether the keyboard enters the list here.
 * @property {boolean} own Whether the page draws what the message says.
 * @property {Date} now
 */

/** @param {Message} m */
export const subjectOf = (m) => m.subject || m.content?.text || "";

/** What can be done with a message besides deleting it, in order. @param {Message} m @returns {Operation[]} */
export function operationsOf(m) {
	if (m.snoozedUntil) return ["unsnooze"];
	if (m.archived) return ["unarchive"];
	return [m.read ? "markUnread" : "markRead", "snooze", "archive"];
}

/**
 * One message with what can be done with it.
 * @param {Message} m
 * @param {RowView} view
 * @param {Actions} actions
 */
export function messageRow(m, view, actions) {
	const { t, selecting, selected } = view;
	const subject = subjectOf(m);
	return h(
		"li",
		{
			class: `row ${m.read ? "read" : "unread"} ${m.severity.toLowerCase()} ${selected ? "selected" : ""}`,
			part: `row ${m.read ? "read" : "unread"}`,
			"data-id": m.id,
		},
		selecting &&
			h("input", {
				type: "checkbox",
				class: "pick",
				"data-key": `select-${m.id}`,
				"aria-label": fill(t.selectOne, { subject }),
				tabindex: view.current ? "0" : "-1",
				checked: selected,
				onchange: (/** @type {Event} */ { target }) =>
					actions.select(m.id, /** @type {HTMLInputElement} */ (target).checked),
			}),
		content(m, view, actions),
		view.own && drawn(m, view, actions),
		ownButtons(m, view, actions.press),
		h(
			"div",
			{ class: "actions", part: "actions", role: "group", "aria-label": fill(t.actions, { subject }) },
			...operationsOf(m).map((op) => action(m, op, view, actions)),
			h(
				"button",
				{
					type: "button",
					class: "icon-button more-actions",
					"data-key": `menu-${m.id}`,
					"aria-label": t.moreActions,
					title: t.moreActions,
					"aria-haspopup": "menu",
					tabindex: view.current ? "0" : "-1",
					onclick: (/** @type {Event} */ { currentTarget }) =>
						actions.menu(m, /** @type {HTMLElement} */ (currentTarget)),
				},
				icon("more"),
			),
		),
	);
}

/** @param {Message} m @param {Operation} op @param {RowView} view @param {Actions} actions */
function action(m, op, { t, current }, actions) {
	const label = t[/** @type {Exclude<Operation, "markSeen">} */ (op)];
	const snoozing = op === "snooze";
	return h(
		"button",
		{
			type: "button",
			class: "icon-button",
			"data-key": `${op}-${m.id}`,
			"aria-label": label,
			title: label,
			"aria-haspopup": snoozing && "menu",
			tabindex: current ? "0" : "-1",
			onclick: (/** @type {Event} */ { currentTarget }) =>
				snoozing ? actions.snooze(m, /** @type {HTMLElement} */ (currentTarget)) : actions.change(op, [m.id]),
		},
		icon(/** @type {import("./icons.js").Icon} */ (op)),
	);
}

/** @param {Message} m @param {RowView} view @param {Actions} actions */
function content(m, view, actions) {
	const { t, lang, current, own, now } = view;
	const text = m.subject && !own ? m.content?.text : "";
	const when = arrival(m);
	return h(
		"button",
		{
			class: "open",
			type: "button",
			"data-key": `open-${m.id}`,
			tabindex: current ? "0" : "-1",
			onclick: () => follow(m, view, actions),
		},
		avatar(m),
		h(
			"span",
			{ class: "what" },
			h(
				"span",
				{ class: "first" },
				!m.read && h("span", { class: "quiet" }, `${t.isUnread}: `),
				m.severity === "HIGH" && h("span", { class: "important", part: "important" }, t.important),
				h("span", { class: "subject", part: "subject" }, h("bdi", {}, subjectOf(m))),
				h(
					"time",
					{ part: "time", datetime: when.toISOString(), title: exactTime(when, lang) },
					m.snoozedUntil
						? fill(t.until, { date: shortDate(new Date(m.snoozedUntil), lang) })
						: shortTime(when, lang, now),
				),
			),
			text && h("span", { class: "text", part: "text" }, h("bdi", {}, text)),
		),
		h("span", { class: "dot", part: "dot", "aria-hidden": "true" }),
	);
}

/** What a press on a message does. @param {Message} m @param {RowView} view @param {Actions} actions */
const follow = (m, { selecting, selected }, actions) =>
	selecting ? actions.select(m.id, !selected) : actions.choose(m);

/**
 * What the page draws of a message. It lies beside the button that follows the message, because no button may hold links and
 * buttons of the page, which do what they are for.
 * @param {Message} m
 * @param {RowView} view
 * @param {Actions} actions
 */
const drawn = (m, view, actions) =>
	h(
		"div",
		{
			class: "drawn",
			onclick: (/** @type {Event} */ event) =>
				/** @type {Element} */ (event.composedPath()[0]).closest(
					"a, button, input, select, textarea, label, summary",
				) || follow(m, view, actions),
		},
		h("slot", { name: `message-${m.id}` }),
	);

/** The message's picture, else the first letter of its subject. @param {Message} m */
function avatar(m) {
	const src = safeURL(m.avatar);
	if (!src) return initial(m);
	const picture = h("img", {
		class: "avatar",
		part: "avatar",
		src,
		alt: "",
		loading: "lazy",
		referrerpolicy: "no-referrer",
		onerror: () => picture.replaceWith(initial(m)),
	});
	return picture;
}

/** @param {Message} m */
function initial(m) {
	const letter = /[\p{L}\p{N}]/u.exec(subjectOf(m))?.[0].toLocaleUpperCase() ?? "";
	let sum = 0;
	for (const c of m.workflowIdentifier ?? "") sum = (sum * 31 + (c.codePointAt(0) ?? 0)) % 6;
	return h("span", { class: `avatar hue-${sum}`, part: "avatar", "aria-hidden": "true" }, letter || icon("bell"));
}

/**
 * The buttons that the message's author gave it.
 * @param {Message} m
 * @param {RowView} view
 * @param {Actions["press"]} press
 */
function ownButtons(m, { current }, press) {
	const cta = m.cta?.action;
	if (!cta?.buttons?.length) return null;
	const done = cta.status === "DONE";
	return h(
		"div",
		{ class: "own", part: "buttons" },
		...cta.buttons.map((button) => {
			const used = done && cta.result?.type === button.type;
			return h(
				"button",
				{
					type: "button",
					class: button.type === "PRIMARY" ? "main" : "",
					part: `button ${button.type.toLowerCase()}`,
					"data-key": `${button.type.toLowerCase()}-${m.id}`,
					"aria-disabled": done && "true",
					"aria-pressed": used && "true", // not disabled, which would take the focus away
					tabindex: current ? "0" : "-1",
					onclick: () => done || press(m, button),
				},
				h("bdi", {}, used ? button.resultContent || button.content : button.content),
			);
		}),
	);
}
