/**
 * Opens what the browser keeps of an inbox.
 * @param {string} name Names the server, the subscriber and the context.
 */
export function open(name: string): {
    cache: Cache;
    waiting: Waiting | undefined;
};
/**
 * What a browser keeps of one subscriber's inbox, so that it shows while the server cannot be reached: the first messages of
 * each list, and the counts. It is bounded, and gone after 30 days.
 */
export class Cache {
    /**
     * @param {string} name Names the server, the subscriber and the context.
     * @param {Storage | undefined} storage
     */
    constructor(name: string, storage: Storage | undefined);
    /** @returns {Kept} */
    read(): Kept;
    /** @param {Partial<Kept>} change */
    write(change: Partial<Kept>): void;
    /** Removes what is kept, as when the subscriber signs out. */
    clear(): void;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Kept = {
    /**
     * When it was kept, in milliseconds.
     */
    at: number;
    state: import("./inbox.js").State;
    /**
     * The first messages of each list, by its filter.
     */
    lists: Record<string, Message[]>;
};
import { Waiting } from "./waiting.js";
