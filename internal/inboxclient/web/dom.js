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
	element.append(
		...children
			.filter((child) => child !== null && child !== undefined && child !== false)
			.map((child) => /** @type {Node | string} */ (child)),
	);
	return element;
}

/**
 * Shows other children and keeps the focus on what has the same data-key, or else on the list item that it was in, or on
 * the nearest one that is left.
 * @param {HTMLElement} parent
 * @param {...Child} children
 * @returns {boolean} Whether the focus that was within is within still.
 */
export function replace(parent, ...children) {
	const root = /** @type {ShadowRoot} */ (parent.getRootNode());
	const focused =
		root.activeElement instanceof HTMLElement && parent.contains(root.activeElement) ? root.activeElement : undefined;
	const items = /** @type {HTMLElement[]} */ ([...parent.querySelectorAll("li > .open")]);
	const at = items.findIndex((item) => item.parentElement?.contains(focused ?? null));
	parent.replaceChildren(
		...children
			.filter((child) => child !== null && child !== undefined && child !== false)
			.map((child) => /** @type {Node | string} */ (child)),
	);
	if (!focused) return true;
	for (const { dataset } of [focused, ...items.slice(at), ...items.slice(0, at).reverse()]) {
		/** @type {HTMLElement | null} */
		const next = parent.querySelector(`[data-key="${CSS.escape(dataset.key ?? "")}"]:enabled`);
		if (!next) continue;
		next.focus();
		return true;
	}
	return false;
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

/** Moves the focus to the first element within a parent that a selector finds. @param {Element} parent @param {string} selector */
export function focus(parent, selector) {
	/** @type {HTMLElement | null} */ (parent.querySelector(selector))?.focus();
}
