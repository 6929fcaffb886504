/** What a movement is: none yet, a scroll, or a swipe. @param {number} dx @param {number} dy */
export function gesture(dx: number, dy: number): "none" | "scroll" | "swipe";
/**
 * Makes rows follow a finger to the side, and acts when it has gone far enough.
 * @param {HTMLElement} list
 * @param {() => boolean} rtl
 * @param {(row: HTMLElement, op: "archive" | "markRead") => unknown} act A swipe to the start of the lines archives.
 */
export function swipes(list: HTMLElement, rtl: () => boolean, act: (row: HTMLElement, op: "archive" | "markRead") => unknown): void;
/** How far a finger must go for the action, and until a movement is one at all. */
export const enough: 88;
