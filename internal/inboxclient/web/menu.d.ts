/**
 * @typedef {object} Item
 * @property {string} key
 * @property {string} label
 * @property {() => unknown} run
 * @property {boolean} [checked] Makes it one that is on or off.
 * @property {boolean} [danger]
 * @property {string} [hint] Such as the date or the key that does the same.
 */
/** The menu or small form that is open over the panel; one at a time. */
export class Popover {
    /** @param {HTMLElement} panel */
    constructor(panel: HTMLElement);
    /** Where it shows. */
    element: HTMLDivElement;
    get open(): boolean;
    /** Reports whether it was opened by this. @param {HTMLElement} opener */
    isOf(opener: HTMLElement): boolean;
    /**
     * @param {HTMLElement} opener
     * @param {string} label
     * @param {Item[]} items
     */
    menu(opener: HTMLElement, label: string, items: Item[]): void;
    /**
     * @param {HTMLElement} opener
     * @param {string} label
     * @param {HTMLElement} content
     */
    form(opener: HTMLElement, label: string, content: HTMLElement): void;
    /** @param {boolean} [focus] Whether the focus returns to what opened it. */
    close(focus?: boolean): void;
    #private;
}
export type Item = {
    key: string;
    label: string;
    run: () => unknown;
    /**
     * Makes it one that is on or off.
     */
    checked?: boolean | undefined;
    danger?: boolean | undefined;
    /**
     * Such as the date or the key that does the same.
     */
    hint?: string | undefined;
};
