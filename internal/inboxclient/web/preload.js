import { adopt } from "./style.js";

/**
 * Loads the styles of the list and, where there are fingers, swipes. Returns whether the latter are being loaded.
 * @param {HTMLElement} list
 * @param {HTMLElement} sheet
 * @param {(row: HTMLElement, op: "archive" | "markRead") => unknown} act
 */
export function preload(list, sheet, act) {
	const root = /** @type {ShadowRoot} */ (sheet.getRootNode());
	import("./style-list.js").then(
		({ listStyle }) => adopt(root, listStyle),
		() => {}, // with the next opening
	);
	if (!navigator.maxTouchPoints) return false; // a mouse has menus
	import("./swipe.js").then(
		({ swipes }) => swipes(list, () => sheet.dir === "rtl", act),
		() => {}, // menus do the same
	);
	return true;
}
