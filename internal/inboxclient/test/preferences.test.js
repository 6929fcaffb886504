// @vitest-environment jsdom
import { beforeEach, expect, test, vi } from "vitest";
import { PreferenceStore } from "../web/preference-store.js";
import { choices, preferencesPage } from "../web/preferences.js";
import { dictionaries } from "../web/texts.js";

const t = /** @type {import("../web/texts.js").Texts} */ (dictionaries.en);
/** @type {[() => Promise<unknown>, boolean][]} */ let saved;
const inbox = { setGlobalPreference: vi.fn(), setPreference: vi.fn(), setSchedule: vi.fn(), preferences: vi.fn() };
/** @type {PreferenceStore} */ let store;
/** @type {HTMLElement} */ let shown;

const wish = (id, channels) => ({
	enabled: true,
	channels,
	stepChannels: ["IN_APP", "EMAIL", "SMS", "CHAT", "PUSH"],
	workflow: { id, identifier: `${id}-identifier`, name: id },
});

/** Shows stored preferences. */
async function show(over = {}) {
	const stored = {
		global: { enabled: true, channels: {}, schedule: null, ...over },
		workflows: [wish("news", { email: true, sms: false }), wish("bills", {})],
	};
	inbox.preferences.mockResolvedValue(stored);
	store = new PreferenceStore(/** @type {any} */ (inbox));
	await store.load();
	const device = { lang: "en", alerts: "", alertsChanged: () => {}, say: () => {} };
	shown = preferencesPage(
		store,
		t,
		(work, replaces) => {
			saved.push([work, replaces]);
		},
		device,
	);
}

const input = (key) => /** @type {HTMLInputElement} */ (shown.querySelector(`[data-key="${key}"]`));
const check = (key, checked) => {
	input(key).checked = checked;
	input(key).dispatchEvent(new Event("change"));
};
const enter = (key, value) => {
	input(key).value = value;
	input(key).dispatchEvent(new Event("change"));
};
/** What the last change stores. */
const work = () => /** @type {any} */ (saved.at(-1))[0]();
/** Whether the last change replaces more than the field that was used. */
const replaces = () => /** @type {any} */ (saved.at(-1))[1];
const wishes = () => /** @type {import("../web/inbox.js").Preferences} */ (store.snapshot.preferences);

beforeEach(() => {
	saved = [];
	vi.clearAllMocks();
});

test("a channel is on unless it is switched off", async () => {
	await show();
	expect(input("email-news").checked).toBe(true);
	expect(input("sms-news").checked).toBe(false);
	expect(input("push-news").checked).toBe(true);
	expect([...shown.querySelectorAll("legend")].map((legend) => legend.textContent)).toEqual([
		t.everything,
		"news",
		"bills",
		t.schedule,
		t.device,
	]);
});

test("a change of a workflow stores that channel alone, by the id of the workflow", async () => {
	await show();
	check("sms-news", true);
	expect(inbox.setPreference).not.toHaveBeenCalled();
	await work();
	expect(inbox.setPreference.mock.calls).toEqual([["news", { sms: true }]]);
	expect(replaces()).toBe(false);
	expect(wishes().workflows[0]?.channels).toEqual({ email: true, sms: true });
	expect(wishes().workflows[1]?.channels).toEqual({});
});

test("a change for everything replaces that channel of every workflow", async () => {
	await show();
	check("email-everything", false);
	await work();
	expect(inbox.setGlobalPreference.mock.calls).toEqual([[{ email: false }]]);
	expect(replaces()).toBe(true);
	expect(wishes().global.channels).toEqual({ email: false });
	expect(wishes().workflows.map(({ channels }) => channels)).toEqual([{ email: false, sms: false }, { email: false }]);
});

test("hours that were never set begin with the working week", async () => {
	await show();
	const days = /** @type {HTMLElement} */ (shown.querySelector(".days"));
	expect(days.hidden).toBe(true);
	check("hours", true);
	expect(days.hidden).toBe(false);
	await work();
	const usual = { isEnabled: true, hours: [{ start: "09:00 AM", end: "05:00 PM" }] };
	const schedule = {
		isEnabled: true,
		weeklySchedule: { monday: usual, tuesday: usual, wednesday: usual, thursday: usual, friday: usual },
	};
	expect(inbox.setSchedule.mock.calls).toEqual([[schedule]]);
	expect(replaces()).toBe(false);
	expect(wishes().global.schedule).toEqual(schedule);
});

const schedule = {
	isEnabled: true,
	weeklySchedule: {
		monday: {
			isEnabled: true,
			hours: [
				{ start: "08:00 AM", end: "12:00 PM" },
				{ start: "01:00 PM", end: "06:30 PM" },
			],
		},
		tuesday: { isEnabled: true, hours: [] },
		sunday: { isEnabled: false, hours: [{ start: "10:00 AM", end: "11:00 AM" }] },
	},
};

test("each range of a day has two times; a day without ranges is open all day", async () => {
	await show({ schedule });
	const times = ["start-0-monday", "end-0-monday", "start-1-monday", "end-1-monday"];
	expect(times.map((key) => input(key).value)).toEqual(["08:00", "12:00", "13:00", "18:30"]);
	expect(input("start-0-monday").getAttribute("aria-label")).toBe("Monday, from");
	expect(input("end-1-monday").getAttribute("aria-label")).toBe("Monday, to");
	expect(input("tuesday").closest("div")?.textContent).toBe(`Tuesday${t.allDay}${t.addHours}`);
	expect(input("start-0-sunday")).toBeNull();
	expect(input("wednesday").checked).toBe(false);
});

test("a changed time stores its range and leaves the others", async () => {
	await show({ schedule });
	enter("end-1-monday", "19:15");
	await work();
	const monday = inbox.setSchedule.mock.calls[0]?.[0].weeklySchedule.monday;
	expect(monday.hours).toEqual([
		{ start: "08:00 AM", end: "12:00 PM" },
		{ start: "01:00 PM", end: "07:15 PM" },
	]);
	expect(schedule.weeklySchedule.monday.hours[1]?.end).toBe("06:30 PM");
});

test("a time that was emptied is not stored", async () => {
	await show({ schedule });
	enter("start-0-monday", "");
	expect(saved).toEqual([]);
});

test("a day that is switched off keeps its hours for when it is switched on again", async () => {
	await show({ schedule });
	check("monday", false);
	expect(input("start-0-monday")).toBeNull();
	await work();
	expect(inbox.setSchedule.mock.calls[0]?.[0].weeklySchedule.monday).toEqual({
		...schedule.weeklySchedule.monday,
		isEnabled: false,
	});
	check("monday", true);
	expect(input("start-1-monday").value).toBe("13:00");
	check("saturday", true);
	await work();
	expect(inbox.setSchedule.mock.calls[1]?.[0].weeklySchedule.saturday).toEqual({
		isEnabled: true,
		hours: [{ start: "09:00 AM", end: "05:00 PM" }],
	});
});

test("switching the hours off keeps the week", async () => {
	await show({ schedule });
	check("hours", false);
	await work();
	expect(inbox.setSchedule.mock.calls).toEqual([[{ ...schedule, isEnabled: false }]]);
});

test("each change carries those before it, stored or not", async () => {
	await show({ schedule });
	enter("start-0-monday", "07:00");
	enter("end-0-monday", "11:00");
	await work();
	expect(inbox.setSchedule.mock.calls[0]?.[0].weeklySchedule.monday.hours[0]).toEqual({
		start: "07:00 AM",
		end: "11:00 AM",
	});
});

test("ranges are added and removed", async () => {
	await show({ schedule });
	const press = (key) => /** @type {HTMLElement} */ (shown.querySelector(`[data-key="${key}"]`)).click();
	enter("start-0-monday", "07:00");
	press("add-monday");
	press("remove-1-monday");
	await work();
	expect(inbox.setSchedule.mock.calls[0]?.[0].weeklySchedule.monday.hours).toEqual([
		{ start: "07:00 AM", end: "12:00 PM" },
		{ start: "06:00 PM", end: "08:00 PM" },
	]);
	expect(input("start-1-monday").value).toBe("18:00");
	press("remove-1-monday");
	press("remove-0-monday");
	expect(input("monday").closest("div")?.textContent).toContain(t.allDay);
});

test("only channels that a workflow has show, and only workflows that have any", async () => {
	const workflows = [
		{ ...wish("news", {}), stepChannels: ["SMS", "EMAIL"] },
		{ ...wish("draft", {}), stepChannels: [] },
	];
	const { workflows: listed, channels } = choices(/** @type {any} */ ({ workflows }));
	expect(listed.map(({ workflow, names }) => [workflow.id, names])).toEqual([["news", ["email", "sms"]]]);
	expect(channels).toEqual(["email", "sms"]);
});
