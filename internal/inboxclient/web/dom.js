/** @typedef {Node | string | null | undefined | false} Child */

/**
 * Makes an element. Properties that begin with "on" are listeners; the others are attributes, where false, null and
 * undefined are none.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, any>} properties
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function h(name, properties, ...children) {
	const element = document.createElement(name);
	for (const [key, value] of Object.entries(properties)) {
		if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
		else if (value === true) element.setAttribute(key, "");
		else if (value !== false && value != null) element.setAttribute(key, value);
	}
	element.append(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => /** @type {Node | string} */ (child)));
	return element;
}

/**
 * Shows other children and keeps the focus on what has the same data-key.
 * @param {HTMLElement} parent
 * @param {...Child} children
 */
export function replace(parent, ...children) {
	const root = /** @type {ShadowRoot} */ (parent.getRootNode());
	const focused = root.activeElement instanceof HTMLElement && parent.contains(root.activeElement) ? root.activeElement.dataset.key : undefined;
	parent.replaceChildren(...children.filter((child) => child !== null && child !== undefined && child !== false).map((child) => /** @type {Node | string} */ (child)));
	if (focused) /** @type {HTMLElement | null} */ (parent.querySelector(`[data-key="${CSS.escape(focused)}"]`))?.focus();
}

/**
 * An address that a page may lead to; empty for everything else, such as javascript:.
 * @param {string | null | undefined} url
 */
export function safeURL(url) {
	if (!url) return "";
	try {
		return /^(https?|mailto|tel):$/.test(new URL(url, document.baseURI).protocol) ? url : "";
	} catch {
		return "";
	}
}
