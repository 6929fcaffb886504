/**
 * Moves the focus as the arrow keys, Home and End ask: between tabs sideways, which chooses them as well, and between
 * messages up and down.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} panel
 * @param {boolean} rtl
 */
export function moveFocus(event: KeyboardEvent, panel: HTMLElement, rtl: boolean): void;
