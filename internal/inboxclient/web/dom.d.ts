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
export function h<Name extends keyof HTMLElementTagNameMap>(name: Name, properties: Record<string, any>, ...children: Child[]): HTMLElementTagNameMap[Name];
/**
 * Shows other children and keeps the focus on what has the same data-key, or else on the list item that it was in, or on
 * the nearest one that is left.
 * @param {HTMLElement} parent
 * @param {...Child} children
 * @returns {boolean} Whether the focus that was within is within still.
 */
export function replace(parent: HTMLElement, ...children: Child[]): boolean;
/**
 * An address that a page may lead to; empty for everything else, such as javascript:.
 * @param {string | null | undefined} url
 */
export function safeURL(url: string | null | undefined): string;
/** Moves the focus to the first element within a parent that a selector finds. @param {Element} parent @param {string} selector */
export function focus(parent: Element, selector: string): void;
export type Child = Node | string | null | undefined | false;
