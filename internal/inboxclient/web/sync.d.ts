/**
 * Does work in one of the tabs that want to, such as playing a sound for a message.
 * @param {string} name
 * @param {() => unknown} work
 */
export function inOneTab(name: string, work: () => unknown): Promise<unknown>;
/**
 * @typedef {import("./changes.js").Change} Change
 * @typedef {{ type: "change", change: Change } | { type: "undone", change: Change } | { type: "preferences" }} News
 */
/** Tells the other tabs of the browser that show the same inbox what happened in this one. */
export class TabSync {
    /**
     * @param {string} name Names the server, the subscriber and the context.
     * @param {(news: News) => void} heard
     */
    constructor(name: string, heard: (news: News) => void);
    /** @param {News} news */
    tell(news: News): void;
    close(): void;
    #private;
}
export type Change = import("./changes.js").Change;
export type News = {
    type: "change";
    change: Change;
} | {
    type: "undone";
    change: Change;
} | {
    type: "preferences";
};
