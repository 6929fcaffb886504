/**
 * Moves the focus as the arrow keys, Home and End ask: between tabs sideways, which chooses them as well, and between
 * messages up and down.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} panel
 * @param {boolean} rtl
 */
export function moveFocus(event, panel, rtl) {
	const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
	const group = target.getAttribute("role") === "tab" ? "[role=tab]" : target.closest("li") ? ".open" : undefined;
	if (!group) return;
	const horizontal = group === "[role=tab]";
	const all = [.../** @type {NodeListOf<HTMLElement>} */ (panel.querySelectorAll(group))];
	const at = all.indexOf(
		horizontal ? target : /** @type {HTMLElement} */ (target.closest("li")?.querySelector(".open")),
	);
	/** @type {Record<string, number>} */
	const moves = horizontal
		? { ArrowRight: at + (rtl ? -1 : 1), ArrowLeft: at + (rtl ? 1 : -1), Home: 0, End: all.length - 1 }
		: { ArrowDown: Math.min(at + 1, all.length - 1), ArrowUp: Math.max(at - 1, 0), Home: 0, End: all.length - 1 };
	if (!(event.key in moves)) return;
	event.preventDefault();
	const next = all[(moves[event.key] + all.length) % all.length];
	next.focus();
	if (horizontal) next.click();
}
