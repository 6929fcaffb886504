/**
 * The workflows that a reader can choose about, with the channels that each has, and the channels that any has.
 * @param {Preferences} preferences
 */
export function choices({ workflows }: Preferences): {
    workflows: {
        names: (keyof import("./inbox.js").Channels)[];
        enabled: boolean;
        channels: import("./inbox.js").Channels;
        stepChannels: import("./inbox.js").Channel[];
        workflow: {
            id: string;
            identifier: string;
            name: string;
        };
    }[];
    channels: (keyof import("./inbox.js").Channels)[];
};
/**
 * The page of a subscriber's preferences and schedule.
 * @param {import("./preference-store.js").PreferenceStore} store whose preferences are loaded
 * @param {Texts} t
 * @param {Save} save
 * @param {{ lang: string, alerts: string, alertsChanged: () => void, say: (text: string) => void }} device
 */
export function preferencesPage(store: import("./preference-store.js").PreferenceStore, t: Texts, save: Save, device: {
    lang: string;
    alerts: string;
    alertsChanged: () => void;
    say: (text: string) => void;
}): HTMLDivElement;
/** 09:00 PM → 21:00. @param {string} text */
export function toInput(text: string): string;
/** 21:00 → 09:00 PM. @param {string} text */
export function fromInput(text: string): string;
export type Channels = import("./inbox.js").Channels;
export type Preferences = import("./inbox.js").Preferences;
export type Schedule = import("./inbox.js").Schedule;
export type TimeRange = import("./inbox.js").TimeRange;
export type Texts = import("./texts.js").Texts;
/**
 * Called with work, which stores a change, and whether more than the field that was used changes with it.
 */
export type Save = (work: () => Promise<unknown>, replaces: boolean) => void;
