/**
 * What the reader wishes on this device; what was never chosen is as the page has it.
 * @param {string} usual Names, separated by spaces.
 * @returns {Record<Alert, boolean>}
 */
export function wishes(usual: string): Record<Alert, boolean>;
/**
 * Stores a wish. A browser asks the reader before it shows notifications; returns whether the wish can be met.
 * @param {Alert} name
 * @param {boolean} on
 */
export function wish(name: Alert, on: boolean): Promise<boolean>;
/**
 * Tells of what arrived, in one tab: by a sound, and by a notification of the browser while the page is out of sight.
 * @param {Message[]} messages
 * @param {Record<Alert, boolean>} on
 * @param {(m: Message) => unknown} choose Called when the reader chooses a notification.
 */
export function arrived(messages: Message[], { sound, notification }: Record<Alert, boolean>, choose: (m: Message) => unknown): void;
/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {"sound" | "notification" | "badge"} Alert
 */
/** @type {Alert[]} */
export const alertNames: Alert[];
/** What one inbox counts. The badge has the largest number: two inboxes of a page are mostly one, shown twice. */
export class TabBadge {
    /** @param {number} count 0: none. */
    show(count: number): void;
}
export type Message = import("./inbox.js").Message;
export type Alert = "sound" | "notification" | "badge";
