import { describe, expect, test } from "vitest";
import { arrival, byDay, dayName, exactTime, shortTime, snoozes, toLocalInput, weekdayNames } from "../web/days.js";
import { message } from "./fake-inbox.js";

const now = new Date(2026, 2, 30, 17, 20); // a Monday
const ago = (days, minutes = 0) => new Date(2026, 2, 30 - days, 17, 20 - minutes);

test("a message arrived when it was delivered last, such as after it was put off", () => {
	const at = { createdAt: "2026-03-01T10:00:00Z" };
	expect(arrival(message("a", at)).toISOString()).toBe("2026-03-01T10:00:00.000Z");
	const again = { ...at, deliveredAt: ["2026-03-01T10:00:01Z", "2026-03-09T09:00:00Z"] };
	expect(arrival(message("a", again)).toISOString()).toBe("2026-03-09T09:00:00.000Z");
});

test("messages are grouped by the reader's calendar day, in their order", () => {
	const at = (id, date) => message(id, { createdAt: date.toISOString() });
	const days = byDay([at("a", ago(0)), at("b", ago(0, 1000)), at("c", ago(1)), at("d", ago(400))]);
	expect(days.map(({ key, messages }) => [key, messages.map(({ id }) => id).join("")])).toEqual([
		["2026-03-30", "ab"],
		["2026-03-29", "c"],
		["2025-02-23", "d"],
	]);
	expect(byDay([])).toEqual([]);
});

describe.each([
	["en", ["Today", "Yesterday", "Friday", "March 20", "February 23, 2025"]],
	["de", ["Heute", "Gestern", "Freitag", "20. März", "23. Februar 2025"]],
])("the name of a day in %s", (lang, names) => {
	test.each([0, 1, 3, 10, 400].map((days, i) => [days, names[i]]))("%i days ago is %s", (days, name) => {
		expect(dayName(ago(days), lang, now)).toBe(name);
	});
});

test.each([
	[0, "now"],
	[5, "5m ago"],
	[59, "59m ago"],
	[90, "3:50 PM"],
	[-30, "5:50 PM"],
])("%i minutes ago is %s", (minutes, text) => {
	expect(shortTime(ago(0, minutes), "en", now).replace(" ", " ")).toBe(text);
});

test("the exact time has date and time", () => {
	expect(exactTime(now, "en")).toMatch(/^Monday, March 30, 2026 at 5:20.PM$/);
});

test("the days of the week begin on Monday", () => {
	expect(weekdayNames("en")).toEqual(["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]);
	expect(weekdayNames("fr")[0]).toBe("Lundi");
});

test.each([
	["in the morning of a Wednesday", new Date(2026, 3, 1, 8), ["inAnHour", "thisEvening", "tomorrow", "nextWeek"], 6],
	["in the evening", new Date(2026, 3, 1, 17), ["inAnHour", "tomorrow", "nextWeek"], 6],
	["on a Monday", new Date(2026, 2, 30, 12), ["inAnHour", "thisEvening", "tomorrow", "nextWeek"], 6],
	["on a Sunday", new Date(2026, 3, 5, 12), ["inAnHour", "thisEvening", "tomorrow", "nextWeek"], 6],
])("%s, messages can be put off", (_, from, names, monday) => {
	const all = snoozes(from);
	expect(all.map(([name]) => name)).toEqual(names);
	for (const [, until] of all) expect(until.getTime()).toBeGreaterThan(from.getTime());
	const [, week] = all.at(-1) ?? [];
	expect([week?.getDay(), week?.getDate(), week?.getHours()]).toEqual([1, monday, 9]);
});

test("an input for a date has the reader's own time", () => {
	expect(toLocalInput(new Date(2026, 0, 5, 7, 3))).toBe("2026-01-05T07:03");
});
