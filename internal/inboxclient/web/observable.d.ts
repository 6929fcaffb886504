/**
 * A value that user interfaces observe. Each change replaces it, so that comparing references finds changes.
 * @template T
 */
export class Observable<T> {
    /** @param {T} snapshot */
    constructor(snapshot: T);
    /** The value as it is now. */
    snapshot: T;
    /** Whether anything listens. */
    get observed(): boolean;
    /**
     * Calls listener with every new value, until the function that it returns is called.
     * @param {(snapshot: T) => void} listener
     * @returns {() => void}
     */
    subscribe(listener: (snapshot: T) => void): () => void;
    /** @param {T} snapshot */
    publish(snapshot: T): void;
    #private;
}
