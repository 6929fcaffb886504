/**
 * @typedef {import("./inbox.js").Preferences} Preferences
 * @typedef {import("./inbox.js").Channels} Channels
 *
 * @typedef {object} PreferenceState
 * @property {Preferences | undefined} preferences Undefined until they are loaded.
 * @property {boolean} loading
 * @property {Error | undefined} error Why the last load failed.
 */
/**
 * The preferences of one subscriber. They load once they are observed; changes show at once, are stored one after the
 * other, so that the last one wins, and are undone when the server refuses them.
 * @extends {Observable<PreferenceState>}
 */
export class PreferenceStore extends Observable<PreferenceState> {
    /**
     * @param {import("./inbox.js").Inbox} inbox
     * @param {() => void} [stored] Called when a change was stored.
     */
    constructor(inbox: import("./inbox.js").Inbox, stored?: () => void);
    /** Drops what was another subscriber's, and loads anew what is observed. */
    clear(): void;
    /** Loads them anew once all changes are stored, and again when one is stored meanwhile. A failure shows in the snapshot. */
    load(): Promise<void>;
    /**
     * Stores a wish for everything, which replaces those for single workflows.
     * @param {Channels} channels
     */
    setGlobalPreference(channels: Channels): Promise<void>;
    /**
     * Stores a wish for one workflow; channels left out keep theirs.
     * @param {string} workflowId Its id or identifier.
     * @param {Channels} channels
     */
    setPreference(workflowId: string, channels: Channels): Promise<void>;
    /**
     * Replaces the hours; null removes them.
     * @param {import("./inbox.js").Schedule | null} schedule
     */
    setSchedule(schedule: import("./inbox.js").Schedule | null): Promise<void>;
    #private;
}
export type Preferences = import("./inbox.js").Preferences;
export type Channels = import("./inbox.js").Channels;
export type PreferenceState = {
    /**
     * Undefined until they are loaded.
     */
    preferences: Preferences | undefined;
    loading: boolean;
    /**
     * Why the last load failed.
     */
    error: Error | undefined;
};
import { Observable } from "./observable.js";
