/** Messages by the day on which they came; their order stays. @param {Message[]} messages @returns {Day[]} */
export function byDay(messages: Message[]): Day[];
/** Today, yesterday, the weekday of the last week, else the date. @param {Date} date @param {string} lang @param {Date} [now] */
export function dayName(date: Date, lang: string, now?: Date): string;
/** How long ago it was within an hour, else the time of the day, which the heading names. @param {Date} date @param {string} lang @param {Date} [now] */
export function shortTime(date: Date, lang: string, now?: Date): string;
/** @typedef {"inAnHour" | "thisEvening" | "tomorrow" | "nextWeek"} SnoozeName */
/** Until when a message can be put off by name; this evening only before 17:00. @param {Date} [now] @returns {[SnoozeName, Date][]} */
export function snoozes(now?: Date): [SnoozeName, Date][];
export function arrival(m: Message): Date;
export function exactTime(date: Date, lang: string): string;
export function shortDate(date: Date, lang: string): string;
export function weekdayNames(lang: string): string[];
export function toLocalInput(date: Date): string;
export type SnoozeName = "inAnHour" | "thisEvening" | "tomorrow" | "nextWeek";
export type Message = import("./inbox.js").Message;
export type Day = {
    key: string;
    date: Date;
    messages: Message[];
};
