import { expect, test } from "vitest";
import { byDay } from "../web/days.js";
import { Layout } from "../web/window.js";
import { message } from "./fake-inbox.js";

const row = 68;
const heading = 33;

/** A layout of n messages, so many a day. */
function layout(n, perDay) {
	const made = new Layout();
	const of = (i) => new Date(2026, 0, 300 - Math.floor(i / perDay), 12).toISOString();
	made.set(byDay(Array.from({ length: n }, (_, i) => message(`m${i}`, { createdAt: of(i) }))));
	return made;
}

test("rows follow each other below the heading of their day", () => {
	const l = layout(5, 2);
	expect([0, 1, 2, 3, 4].map((i) => l.top(i))).toEqual([
		heading,
		heading + row,
		2 * heading + 2 * row,
		2 * heading + 3 * row,
		3 * heading + 4 * row,
	]);
	expect(l.top(5)).toBe(3 * heading + 5 * row);
});

test("of 10,000 rows, those near what is seen are drawn", () => {
	const l = layout(10_000, 40);
	const from = 300_000;
	const slice = l.slice(from, from + 600);
	expect(slice.to - slice.from).toBeLessThan(25);
	expect(l.top(slice.from)).toBeLessThan(from);
	expect(l.top(slice.to)).toBeGreaterThan(from + 600);
});

test.each([0, 1_000, 55_555, 300_000, 10_000_000])("what is drawn and what is left out fill the list at %i", (from) => {
	const l = layout(5_000, 7);
	const { from: first, to, before, after } = l.slice(from, from + 600);
	const drawn = Array.from({ length: to - first }, (_, i) => first + i);
	const headings = new Set(drawn.map((i) => Math.floor(i / 7))).size;
	expect(before + headings * heading + drawn.length * row + after).toBe(l.top(5_000));
});

test("heights that were measured move what is below", () => {
	const l = layout(10, 10);
	expect(l.measure([["m1", 100]])).toBe(true);
	expect(l.top(2)).toBe(heading + row + 100);
	expect(l.measure([["m1", 100.4]])).toBe(false);
	expect(l.measure([["m2", 0]])).toBe(false); // it is not shown
	l.set([]);
	expect(l.top(0)).toBe(0);
	expect(l.slice(0, 600)).toEqual({ from: 0, to: 0, before: 0, after: 0 });
});
