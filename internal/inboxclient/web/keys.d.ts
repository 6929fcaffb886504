/**
 * Moves the focus between tabs as the arrow keys, Home and End ask, which chooses them as well. Returns whether it did.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} tabList
 * @param {boolean} rtl
 */
export function moveAlongTabs(event: KeyboardEvent, tabList: HTMLElement, rtl: boolean): boolean;
/**
 * @typedef {object} RowKeys
 * @property {(by: number | "first" | "last") => void} move
 * @property {(op: "archive" | "markRead" | "delete") => unknown} change
 * @property {(opener: HTMLElement) => unknown} snooze
 * @property {() => unknown} select
 * @property {() => unknown} undo
 */
/**
 * What a key does while the focus is on a message: the arrow keys move, letters act.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} body
 * @param {RowKeys} does
 */
export function rowKey(event: KeyboardEvent, body: HTMLElement, { move, change, snooze, select, undo }: RowKeys): void;
export type RowKeys = {
    move: (by: number | "first" | "last") => void;
    change: (op: "archive" | "markRead" | "delete") => unknown;
    snooze: (opener: HTMLElement) => unknown;
    select: () => unknown;
    undo: () => unknown;
};
