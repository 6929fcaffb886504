import { h } from "./dom.js";
import { weekdays } from "./inbox.js";
import { fill } from "./texts.js";

/**
 * @typedef {import("./inbox.js").Channels} Channels
 * @typedef {import("./inbox.js").Schedule} Schedule
 * @typedef {import("./texts.js").Texts} Texts
 *
 * @callback Save Called with work, which stores a change, and whether more than the field that was used changes with it.
 * @param {() => Promise<unknown>} work
 * @param {boolean} replaces
 * @returns {void}
 */

/**
 * The page of a subscriber's preferences and schedule.
 * @param {import("./preference-store.js").PreferenceStore} store whose preferences are loaded
 * @param {Texts} t
 * @param {Save} save
 */
export function preferencesPage(store, t, save) {
	const { preferences } = store.snapshot;
	if (!preferences) return h("div", {});
	const { global, workflows } = preferences;
	return h(
		"div",
		{},
		channelSet("everything", t.everything, global.channels, t, (change) =>
			save(() => store.setGlobalPreference(change), workflows.length > 0),
		),
		hours(global.schedule, t, (schedule) => save(() => store.setSchedule(schedule), false)),
		...workflows.map(({ workflow, channels }) =>
			channelSet(workflow.id, workflow.name, channels, t, (change) =>
				save(() => store.setPreference(workflow.id, change), false),
			),
		),
	);
}

/**
 * @param {string} key
 * @param {string} name
 * @param {Channels} channels
 * @param {Texts} t
 * @param {(change: Channels) => void} changed
 */
function channelSet(key, name, channels, t, changed) {
	const names = /** @type {(keyof Texts["channels"])[]} */ (Object.keys(t.channels));
	return h(
		"fieldset",
		{},
		h("legend", {}, name),
		...names.map((channel) =>
			h(
				"label",
				{},
				h("input", {
					type: "checkbox",
					"data-key": `${channel}-${key}`,
					checked: channels[channel] !== false,
					onchange: (/** @type {Event} */ event) =>
						changed({ [channel]: /** @type {HTMLInputElement} */ (event.target).checked }),
				}),
				t.channels[channel],
			),
		),
	);
}

/**
 * @param {Schedule | null} schedule
 * @param {Texts} t
 * @param {(schedule: Schedule) => void} changed
 */
function hours(schedule, t, changed) {
	const usual = { isEnabled: true, hours: [{ start: "09:00 AM", end: "05:00 PM" }] };
	/** @type {NonNullable<Schedule["weeklySchedule"]>} */
	const week = { ...(schedule?.weeklySchedule ?? Object.fromEntries(weekdays.slice(0, 5).map((day) => [day, usual]))) };
	const days = h(
		"div",
		{ class: "day", hidden: !schedule?.isEnabled },
		...weekdays.map((name) => {
			const times = h("span", {});
			const showTimes = () => {
				const day = week[name];
				times.replaceChildren(
					...(day?.isEnabled
						? (day.hours ?? []).flatMap((range, i) => [
								time(`start-${i}-${name}`, fill(t.from, { day: t.days[name] }), range.start, (start) =>
									setRange(i, { start }),
								),
								" – ",
								time(`end-${i}-${name}`, fill(t.to, { day: t.days[name] }), range.end, (end) => setRange(i, { end })),
							])
						: []),
				);
				if (day?.isEnabled && !day.hours?.length) times.replaceChildren(t.allDay);
			};
			/**
			 * @param {number} i
			 * @param {Partial<import("./inbox.js").TimeRange>} change
			 */
			const setRange = (i, change) => {
				const day = week[name];
				if (!day) return;
				week[name] = { ...day, hours: (day.hours ?? []).map((old, at) => (at === i ? { ...old, ...change } : old)) };
				store();
			};
			showTimes();
			return h(
				"div",
				{ class: "day" },
				h(
					"label",
					{},
					h("input", {
						type: "checkbox",
						"data-key": name,
						checked: week[name]?.isEnabled,
						onchange: (/** @type {Event} */ event) => {
							const on = /** @type {HTMLInputElement} */ (event.target).checked;
							week[name] = { ...(week[name] ?? usual), isEnabled: on };
							showTimes();
							store();
						},
					}),
					t.days[name],
				),
				times,
			);
		}),
	);
	const enabled = h("input", {
		type: "checkbox",
		"data-key": "hours",
		checked: schedule?.isEnabled,
		onchange: () => {
			days.hidden = !enabled.checked;
			store();
		},
	});
	const store = () => changed({ isEnabled: enabled.checked, weeklySchedule: { ...week } });
	return h("fieldset", {}, h("legend", {}, t.schedule), h("label", {}, enabled, t.scheduleOn), days);
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
