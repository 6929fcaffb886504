/**
 * @typedef {import("./store.js").InboxStore} InboxStore
 *
 * @typedef {object} Surroundings
 * @property {() => import("./texts.js").Texts} texts
 * @property {() => string} lang
 * @property {() => string} alerts
 * @property {() => void} alertsChanged
 * @property {(text: string) => void} say
 * @property {() => boolean} current Whether the page shows still.
 * @property {(work: () => Promise<unknown>) => Promise<boolean>} act
 */
/**
 * Loads the preferences and shows them.
 * @param {InboxStore} store
 * @param {HTMLElement} body
 * @param {Surroundings} around
 */
export function showPreferences({ preferences }: InboxStore, body: HTMLElement, around: Surroundings): Promise<void>;
export type InboxStore = import("./store.js").InboxStore;
export type Surroundings = {
    texts: () => import("./texts.js").Texts;
    lang: () => string;
    alerts: () => string;
    alertsChanged: () => void;
    say: (text: string) => void;
    /**
     * Whether the page shows still.
     */
    current: () => boolean;
    act: (work: () => Promise<unknown>) => Promise<boolean>;
};
