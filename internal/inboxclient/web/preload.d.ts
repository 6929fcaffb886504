/**
 * Loads the styles of the list and, where there are fingers, swipes. Returns whether the latter are being loaded.
 * @param {HTMLElement} list
 * @param {HTMLElement} sheet
 * @param {(row: HTMLElement, op: "archive" | "markRead") => unknown} act
 */
export function preload(list: HTMLElement, sheet: HTMLElement, act: (row: HTMLElement, op: "archive" | "markRead") => unknown): boolean;
