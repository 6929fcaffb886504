import { alertNames, wish, wishes } from "./alerts.js";
import { weekdayNames } from "./days.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Channels} Channels
 * @typedef {import("./inbox.js").Preferences} Preferences
 * @typedef {import("./inbox.js").Schedule} Schedule
 * @typedef {import("./inbox.js").TimeRange} TimeRange
 * @typedef {import("./texts.js").Texts} Texts
 *
 * @callback Save Called with work, which stores a change, and whether more than the field that was used changes with it.
 * @param {() => Promise<unknown>} work
 * @param {boolean} replaces
 * @returns {void}
 */

/** @type {Record<import("./inbox.js").Channel, keyof Channels>} */
const names = { IN_APP: "inApp", EMAIL: "email", SMS: "sms", CHAT: "chat", PUSH: "push" };
const order = /** @type {import("./inbox.js").Channel[]} */ (Object.keys(names));

/** Monday first. @type {import("./inbox.js").Weekday[]} */
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"];

/**
 * The workflows that a reader can choose about, with the channels that each has, and the channels that any has.
 * @param {Preferences} preferences
 */
export function choices({ workflows }) {
	const listed = workflows
		.map((w) => ({
			...w,
			names: order.filter((channel) => w.stepChannels.includes(channel)).map((channel) => names[channel]),
		}))
		.filter((w) => w.names.length > 0);
	const any = new Set(listed.flatMap((w) => w.names));
	return { workflows: listed, channels: Object.values(names).filter((name) => any.has(name)) };
}

/**
 * The page of a subscriber's preferences and schedule.
 * @param {import("./preference-store.js").PreferenceStore} store whose preferences are loaded
 * @param {Texts} t
 * @param {Save} save
 * @param {{ lang: string, alerts: string, alertsChanged: () => void, say: (text: string) => void }} device
 */
export function preferencesPage(store, t, save, device) {
	const { preferences } = store.snapshot;
	if (!preferences) return h("div", {});
	const { global } = preferences;
	const { workflows, channels } = choices(preferences);
	return h(
		"div",
		{ class: "preferences", part: "preferences" },
		channels.length > 0
			? channelSet("everything", t.everything, channels, global.channels, t, (change) =>
					save(() => store.setGlobalPreference(change), workflows.length > 0),
				)
			: h("p", { class: "note" }, t.nothingToChoose),
		...workflows.map(({ workflow, channels, names }) =>
			channelSet(workflow.id, workflow.name, names, channels, t, (change) =>
				save(() => store.setPreference(workflow.id, change), false),
			),
		),
		hours(global.schedule, t, device.lang, (schedule) => save(() => store.setSchedule(schedule), false)),
		alerts(t, device),
	);
}

/**
 * @param {string} key
 * @param {string} label
 * @param {boolean | undefined} checked
 * @param {(on: boolean, input: HTMLInputElement) => void} changed
 */
const toggle = (key, label, checked, changed) =>
	h(
		"label",
		{ class: "toggle" },
		h("span", {}, label),
		h("input", {
			type: "checkbox",
			role: "switch",
			"data-key": key,
			checked,
			onchange: (/** @type {Event} */ { target }) => {
				const input = /** @type {HTMLInputElement} */ (target);
				changed(input.checked, input);
			},
		}),
	);

/**
 * @param {string} key
 * @param {string} name
 * @param {(keyof Channels)[]} listed
 * @param {Channels} channels
 * @param {Texts} t
 * @param {(change: Channels) => void} changed
 */
const channelSet = (key, name, listed, channels, t, changed) =>
	h(
		"fieldset",
		{},
		h("legend", {}, h("bdi", {}, name)),
		...listed.map((channel) =>
			toggle(`${channel}-${key}`, t.channels[channel], channels[channel] !== false, (on) => changed({ [channel]: on })),
		),
	);

/**
 * What this device does when a message arrives.
 * @param {Texts} t
 * @param {{ alerts: string, alertsChanged: () => void, say: (text: string) => void }} device
 */
function alerts(t, { alerts, alertsChanged, say }) {
	const now = wishes(alerts);
	return h(
		"fieldset",
		{},
		h("legend", {}, t.device),
		...alertNames.map((name) =>
			toggle(`alert-${name}`, t.alerts[name], now[name], async (on, input) => {
				const done = await wish(name, on);
				if (!done) input.checked = !on;
				const label = /** @type {Element} */ (input.closest("label"));
				if (label.nextElementSibling?.className === "blocked") label.nextElementSibling.remove();
				if (!done) label.after(h("p", { class: "blocked" }, t.blocked));
				say(done ? t.saved : t.blocked);
				alertsChanged();
			}),
		),
	);
}

const usual = () => ({ start: "09:00 AM", end: "05:00 PM" });
const mostRanges = 5;

/**
 * @param {Schedule | null} schedule
 * @param {Texts} t
 * @param {string} lang
 * @param {(schedule: Schedule) => void} changed
 */
function hours(schedule, t, lang, changed) {
	const workday = { isEnabled: true, hours: [usual()] };
	/** @type {NonNullable<Schedule["weeklySchedule"]>} */
	const week = {
		...(schedule?.weeklySchedule ?? Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, workday]))),
	};
	const labels = weekdayNames(lang);
	const store = () => changed({ isEnabled: enabled.checked, weeklySchedule: { ...week } });
	const enabled = h("input", {
		type: "checkbox",
		role: "switch",
		"data-key": "hours",
		checked: schedule?.isEnabled,
		onchange: () => {
			days.hidden = !enabled.checked;
			store();
		},
	});
	const days = h(
		"div",
		{ class: "days", hidden: !schedule?.isEnabled },
		...weekdays.map((name, i) => {
			const times = h("div", { class: "ranges" });
			/** @param {(ranges: TimeRange[]) => TimeRange[]} change of the ranges as they are then */
			const set = (change) => {
				week[name] = { isEnabled: true, hours: change(week[name]?.hours ?? []) };
				store();
			};
			const show = () => times.replaceChildren(...ranges(name, labels[i], week[name], t, set, show));
			show();
			return h(
				"div",
				{ class: "schedule-day" },
				toggle(name, labels[i], week[name]?.isEnabled, (on) => {
					week[name] = { ...(week[name] ?? workday), isEnabled: on };
					show();
					store();
				}),
				times,
			);
		}),
	);
	return h(
		"fieldset",
		{},
		h("legend", {}, t.schedule),
		h("label", { class: "toggle" }, h("span", {}, t.scheduleOn), enabled),
		days,
	);
}

/**
 * The hours of one day.
 * @param {string} name
 * @param {string} label
 * @param {import("./inbox.js").Day | null | undefined} day
 * @param {Texts} t
 * @param {(change: (ranges: TimeRange[]) => TimeRange[]) => void} set
 * @param {() => void} show
 */
function ranges(name, label, day, t, set, show) {
	if (!day?.isEnabled) return [];
	const all = day.hours ?? [];
	/** @param {number} i @param {Partial<TimeRange>} change */
	const replace = (i, change) => set((ranges) => ranges.map((old, at) => (at === i ? { ...old, ...change } : old)));
	return [
		...(all.length === 0 ? [h("span", { class: "all-day" }, t.allDay)] : []),
		...all.map((range, i) =>
			h(
				"div",
				{ class: "range" },
				time(`start-${i}-${name}`, fill(t.from, { day: label }), range.start, (start) => replace(i, { start })),
				" – ",
				time(`end-${i}-${name}`, fill(t.to, { day: label }), range.end, (end) => replace(i, { end })),
				h(
					"button",
					{
						type: "button",
						class: "icon-button",
						"data-key": `remove-${i}-${name}`,
						"aria-label": fill(t.removeHours, { day: label }),
						title: fill(t.removeHours, { day: label }),
						onclick: () => {
							set((ranges) => ranges.filter((_, at) => at !== i));
							show();
						},
					},
					icon("close"),
				),
			),
		),
		...(all.length < mostRanges
			? [
					h(
						"button",
						{
							type: "button",
							class: "add",
							"data-key": `add-${name}`,
							"aria-label": `${t.addHours}, ${label}`,
							onclick: () => {
								set((ranges) => [...ranges, ranges.length === 0 ? usual() : { start: "06:00 PM", end: "08:00 PM" }]);
								show();
							},
						},
						t.addHours,
					),
				]
			: []),
	];
}

/**
 * @param {string} key
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} changed
 */
function time(key, label, value, changed) {
	return h("input", {
		type: "time",
		"data-key": key,
		"aria-label": label,
		value: toInput(value),
		required: true,
		onchange: (/** @type {Event} */ event) => {
			const input = /** @type {HTMLInputElement} */ (event.target);
			if (input.value) changed(fromInput(input.value));
		},
	});
}

/** 09:00 PM → 21:00. @param {string} text */
export function toInput(text) {
	const [, hour, minute, half] = /^(\d+):(\d+) ([AP])M$/.exec(text) ?? ["", "9", "00", "A"];
	return `${String((Number(hour) % 12) + (half === "P" ? 12 : 0)).padStart(2, "0")}:${minute}`;
}

/** 21:00 → 09:00 PM. @param {string} text */
export function fromInput(text) {
	const [hour, minute] = text.split(":");
	return `${String(Number(hour) % 12 || 12).padStart(2, "0")}:${minute} ${Number(hour) < 12 ? "AM" : "PM"}`;
}
