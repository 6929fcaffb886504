/**
 * The changes of one inbox that wait in a browser, for 30 days. Each has an item of its own, named by its turn, so that tabs do not
 * overwrite what others keep, and what a closed tab leaves is the others'.
 */
export class Waiting {
    /**
     * @param {string} name Names the server, the subscriber and the context.
     * @param {Storage} storage
     */
    constructor(name: string, storage: Storage);
    /** Called when other tabs changed what waits. @type {() => void} */
    heard: () => void;
    /** What waits, in order. @returns {Change[]} */
    read(): Change[];
    /**
     * What a tab knows of, with what the others keep and without what they have sent.
     * @param {Change[]} known
     * @param {number} most
     */
    merged(known: Change[], most: number): import("./changes.js").Change[];
    /** Keeps one more, and gives it its turn. @param {Change} change */
    add(change: Change): void;
    /** @param {Change} change */
    remove({ turn }: Change): void;
    /** Removes all, as when the subscriber signs out. */
    clear(): void;
    /**
     * Does work while no other tab does work on this inbox; the others are heard from now on, until close.
     * @template T @param {() => Promise<T>} work @returns {Promise<T>}
     */
    alone<T>(work: () => Promise<T>): Promise<T>;
    /** Hears the others no longer. */
    close(): void;
    #private;
}
export type Change = import("./changes.js").Change;
