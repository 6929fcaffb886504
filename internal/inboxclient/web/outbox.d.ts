/** Changes that could not reach the server, which are sent in order once it is reached again, by one tab of the browser. */
export class Outbox {
    /** @param {OutboxOptions} options */
    constructor(options: OutboxOptions);
    /** What waits, in order. @type {Change[]} */
    entries: Change[];
    /** Reports whether one more change is taken: the number that waits is bounded. */
    get accepts(): boolean;
    /** @param {Change} change */
    add(change: Change): void;
    /** Shares what waits with other tabs and later pages. @param {import("./waiting.js").Waiting} waiting */
    share(waiting: import("./waiting.js").Waiting): void;
    /** Removes what waits, and shares nothing more. */
    forget(): void;
    /** Sends what waits. Resolves when nothing waits or the server cannot be reached. */
    flush(): Promise<void>;
    /** Sends nothing more by itself. */
    close(): void;
    #private;
}
export type Change = import("./changes.js").Change;
export type OutboxOptions = {
    send: (change: Change) => Promise<unknown>;
    /**
     * Called when a change was added, sent or refused.
     */
    changed: () => void;
    /**
     * Called when the server refuses a change.
     */
    refused: (error: Error, change: Change) => void;
    /**
     * Called when the last one was sent.
     */
    emptied?: (() => void) | undefined;
};
