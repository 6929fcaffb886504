/**
 * Where each row of a long list is, by the heights that were measured and a guess for the others. A browser is given the rows
 * near what it shows; the space of the others is kept free.
 */
export class Layout {
    /** @type {string[]} */ ids: string[];
    /** @param {Day[]} days */
    set(days: Day[]): void;
    /**
     * Takes heights that were measured, and returns whether any was another.
     * @param {Iterable<[string, number]>} measured
     */
    measure(measured: Iterable<[string, number]>): boolean;
    /** Where a row begins. @param {number} i */
    top(i: number): number;
    /**
     * The rows that overlap a stretch, with `extra` more on both sides.
     * @param {number} from
     * @param {number} to
     * @param {number} [extra]
     * @returns {Slice}
     */
    slice(from: number, to: number, extra?: number): Slice;
    #private;
}
export type Day = import("./days.js").Day;
/**
 * The rows to show, and the height of what is left out.
 */
export type Slice = {
    from: number;
    to: number;
    before: number;
    after: number;
};
