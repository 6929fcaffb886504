/** Loads further pages of a list as its end comes near: one at a time, and after a failure not before a pause. */
export class Pages {
    /** @param {PagesView} view */
    constructor(view: PagesView);
    /** Loads the next page, if there is one and it is time. It is called with every drawing of a list whose end is near. */
    load(): void;
    /** Forgets failures: another list shows, or none. */
    reset(): void;
    #private;
}
export type PagesView = {
    /**
     * The list that shows.
     */
    list: () => import("./message-list.js").MessageList | undefined;
    failed: (error: unknown) => void;
    /**
     * Called when a page came, or when it is time to try again.
     */
    changed: () => void;
};
