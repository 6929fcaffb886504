/**
 * Returns the first preferred language that has texts, and these texts.
 * @param {(string | null | undefined)[]} wishes Such as de-AT or de_AT, most wanted first.
 * @returns {{ lang: string, texts: Texts }}
 */
export function choose(wishes: (string | null | undefined)[]): {
    lang: string;
    texts: Texts;
};
/** The texts by language; add to it for another one. @type {Record<string, Texts>} */
export const dictionaries: Record<string, Texts>;
export function fill(text: string, values: Record<string, string | number>): string;
/**
 * Every text of the element. `{n}` and `{subject}` are filled in.
 */
export type Texts = typeof en;
declare namespace en {
    export let inbox: string;
    export let open: string;
    export let close: string;
    export let all: string;
    export let unread: string;
    export let archived: string;
    export let snoozed: string;
    export let empty: string;
    export let more: string;
    export let readAll: string;
    export let archiveAll: string;
    export let archiveRead: string;
    export let actions: string;
    export let markRead: string;
    export let markUnread: string;
    export let archive: string;
    export let unarchive: string;
    export let snooze: string;
    export let unsnooze: string;
    let _delete: string;
    export { _delete as delete };
    export let inAnHour: string;
    export let tomorrow: string;
    export let nextWeek: string;
    export let until: string;
    export let isUnread: string;
    export let arrived: string;
    export let arrivedMany: string;
    export let preferences: string;
    export let back: string;
    export let everything: string;
    export namespace channels {
        let inApp: string;
        let email: string;
        let sms: string;
        let chat: string;
        let push: string;
    }
    export let schedule: string;
    export let scheduleOn: string;
    export let from: string;
    export let to: string;
    export namespace days {
        let monday: string;
        let tuesday: string;
        let wednesday: string;
        let thursday: string;
        let friday: string;
        let saturday: string;
        let sunday: string;
    }
    export let allDay: string;
    export let saved: string;
    export let failed: string;
    export let offline: string;
    export let unauthorized: string;
}
export {};
