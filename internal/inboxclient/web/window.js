/**
 * @typedef {import("./days.js").Day} Day
 * @typedef {{ from: number, to: number, before: number, after: number }} Slice The rows to show, and the height of what is left out.
 */

const usualRow = 68;
const heading = 33;

/**
 * Where each row of a long list is, by the heights that were measured and a guess for the others. A browser is given the rows
 * near what it shows; the space of the others is kept free.
 */
export class Layout {
	/** @type {Map<string, number>} */ #heights = new Map();
	/** The top of each row, and at last the end. @type {number[]} */ #tops = [0];
	/** The rows that begin a day. @type {Set<number>} */ #firsts = new Set();
	/** @type {string[]} */ ids = [];
	/** @type {Day[]} */ #days = [];
	#headings = heading;

	/** @param {Day[]} days */
	set(days) {
		this.#days = days;
		this.ids = days.flatMap(({ messages }) => messages.map(({ id }) => id));
		this.#lay();
	}

	#lay() {
		this.#tops = [];
		this.#firsts.clear();
		let top = 0;
		for (const { messages } of this.#days) {
			this.#firsts.add(this.#tops.length);
			top += this.#headings;
			for (const { id } of messages) {
				this.#tops.push(top);
				top += this.#heights.get(id) ?? usualRow;
			}
		}
		this.#tops.push(top);
	}

	/**
	 * Takes heights that were measured, and returns whether any was another.
	 * @param {Iterable<[string, number]>} measured
	 */
	measure(measured) {
		let other = false;
		for (const [id, height] of measured) {
			if (height <= 0 || Math.abs((this.#heights.get(id) ?? usualRow) - height) < 1) continue;
			this.#heights.set(id, height);
			other = true;
		}
		if (other) this.#lay();
		return other;
	}

	/** Where a row begins. @param {number} i */
	top(i) {
		return this.#tops[i] ?? 0;
	}

	/**
	 * The rows that overlap a stretch, with `extra` more on both sides.
	 * @param {number} from
	 * @param {number} to
	 * @param {number} [extra]
	 * @returns {Slice}
	 */
	slice(from, to, extra = 6) {
		const count = this.ids.length;
		if (count === 0) return { from: 0, to: 0, before: 0, after: 0 };
		const first = Math.max(0, this.#at(from) - extra);
		const last = Math.min(count, this.#at(to) + 1 + extra);
		// The heading of the first day that shows is drawn above its rows, also when they begin within the day.
		const before = Math.max(0, this.#tops[first] - this.#headings);
		return { from: first, to: last, before, after: this.#tops[count] - this.#endOf(last - 1) };
	}

	/** @param {number} i */
	#endOf(i) {
		return this.#tops[i + 1] - (this.#firsts.has(i + 1) ? this.#headings : 0);
	}

	/** The row at a height. @param {number} height */
	#at(height) {
		let low = 0;
		let high = this.ids.length - 1;
		while (low < high) {
			const middle = (low + high + 1) >> 1;
			if (this.#tops[middle] <= height) low = middle;
			else high = middle - 1;
		}
		return low;
	}
}
