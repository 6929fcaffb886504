/**
 * Moves the focus between tabs as the arrow keys, Home and End ask, which chooses them as well. Returns whether it did.
 * @param {KeyboardEvent} event
 * @param {HTMLElement} tabList
 * @param {boolean} rtl
 */
export function moveAlongTabs(event, tabList, rtl) {
	const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
	if (target.getAttribute("role") !== "tab") return false;
	const all = [.../** @type {NodeListOf<HTMLElement>} */ (tabList.querySelectorAll("[role=tab]"))];
	const at = all.indexOf(target);
	/** @type {Record<string, number>} */
	const moves = { ArrowRight: at + (rtl ? -1 : 1), ArrowLeft: at + (rtl ? 1 : -1), Home: 0, End: all.length - 1 };
	if (!(event.key in moves)) return false;
	event.preventDefault();
	const next = (moves[event.key] + all.length) % all.length;
	all[next].click();
	/** @type {HTMLElement | null} */ (tabList.querySelector(`#tab-${next}`))?.focus();
	return true;
}

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
export function rowKey(event, body, { move, change, snooze, select, undo }) {
	const target = /** @type {HTMLElement} */ (event.composedPath()[0]);
	const row = target.closest("li.row");
	if ((!row && target !== body) || event.ctrlKey || event.metaKey || event.altKey) return;
	/** @type {Record<string, () => unknown>} */
	const does = {
		ArrowDown: () => move(1),
		ArrowUp: () => move(-1),
		Home: () => move("first"),
		End: () => move("last"),
		...(row && {
			e: () => change("archive"),
			u: () => change("markRead"),
			Delete: () => change("delete"),
			s: () => snooze(row.querySelector("[data-key^=snooze-]") ?? target),
			x: select,
			z: undo,
		}),
	};
	const run = Object.hasOwn(does, event.key) ? does[event.key] : undefined;
	if (!run) return;
	event.preventDefault();
	run();
}
