/** The messages that are selected, and the bar with what can be done with them. */
export class Selection {
    /** @param {Selects} does */
    constructor(does: Selects);
    element: HTMLDivElement;
    active: boolean;
    /** @type {Set<string>} */ ids: Set<string>;
    /** @param {string} id @param {boolean} on */
    set(id: string, on: boolean): void;
    start(): void;
    end(): void;
    /** @param {Texts} t @param {boolean} listing Whether the messages show. */
    show(t: Texts, listing: boolean): void;
    #private;
}
export type Texts = import("./texts.js").Texts;
export type Selects = {
    change: (op: "markRead" | "archive" | "delete", ids: string[]) => unknown;
    /**
     * Called when other messages are selected.
     */
    changed: () => unknown;
    /**
     * Those that can be.
     */
    messages: () => import("./inbox.js").Message[];
    /**
     * Moves the focus to the messages.
     */
    enter: () => unknown;
};
