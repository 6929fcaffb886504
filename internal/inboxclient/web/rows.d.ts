/**
 * The messages of a list in a scrolling element, by day. It draws those near what is seen, keeps what did not change, and the
 * focus within.
 */
export class Rows {
    /**
     * @param {HTMLElement} scroller
     * @param {HTMLElement} host Holds what pages draw themselves.
     * @param {Actions} actions
     * @param {() => void} more Called when the end comes near.
     */
    constructor(scroller: HTMLElement, host: HTMLElement, actions: Actions, more: () => void);
    /** The messages that it shows. @type {Message[]} */ messages: Message[];
    /** What it draws. */
    get element(): HTMLDivElement;
    /**
     * Shows messages. Returns whether the focus that was within is within still.
     * @param {Message[]} messages
     * @param {RowsView} view
     */
    show(messages: Message[], view: RowsView): boolean;
    /** Removes everything, and what pages drew. */
    clear(): void;
    /** Draws all rows anew, as when time has passed. */
    refresh(): void;
    /** The message that has the focus, or where the keyboard enters. */
    get current(): import("./inbox.js").Message | undefined;
    /**
     * Moves the focus to another message: by a number of messages, to the first or to the last.
     * @param {number | "first" | "last"} by
     */
    move(by: number | "first" | "last"): void;
    /** Moves the focus to a message, and brings it into view. @param {string | undefined} id */
    focus(id: string | undefined): void;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Actions = import("./row.js").Actions;
export type RowsView = {
    t: import("./texts.js").Texts;
    lang: string;
    selecting: boolean;
    selected: Set<string>;
    /**
     * Grows with every change of the texts and of render.
     */
    version: number;
    /**
     * Draws what a message says.
     */
    render: ((m: Message, container: HTMLElement) => (() => void) | void) | undefined;
};
export type Row = {
    key: string;
    element: HTMLElement;
    cleanup: () => void;
};
