/**
 * The head of the panel: over the list a way to the preferences, over the preferences the way back.
 * @param {Texts} t
 * @param {boolean} listing
 * @param {{ go: (page: "list" | "preferences") => void, close: () => void }} actions
 */
export function header(t: Texts, listing: boolean, { go, close }: {
    go: (page: "list" | "preferences") => void;
    close: () => void;
}): (false | HTMLButtonElement | HTMLHeadingElement)[];
/**
 * @param {import("./element.js").Tab[]} tabs
 * @param {number[]} counts of unread messages, one per tab
 * @param {number} chosen
 * @param {(i: number) => void} choose
 */
export function tabButtons(tabs: import("./element.js").Tab[], counts: number[], chosen: number, choose: (i: number) => void): HTMLButtonElement[];
/**
 * What can be done with all messages of the list at once.
 * @param {Texts} t
 * @param {Filter} filter
 * @param {Actions["act"]} act
 */
export function bulkButtons(t: Texts, filter: Filter, act: Actions["act"]): HTMLDivElement;
/**
 * One message with what can be done with it.
 * @param {Message} m
 * @param {Texts} t
 * @param {{ lang: string, snoozing: boolean }} view in which language dates are, and whether the snooze choices show
 * @param {Actions} actions
 */
export function messageItem(m: Message, t: Texts, { lang, snoozing }: {
    lang: string;
    snoozing: boolean;
}, actions: Actions): HTMLLIElement;
/** The bell. Made without HTML, which pages with trusted types refuse. */
export function bell(): SVGElement;
export function usualTabs(t: Texts): import("./element.js").Tab[];
export function subjectOf(m: Message): string;
export type Message = import("./inbox.js").Message;
export type Filter = import("./inbox.js").Filter;
export type Button = import("./inbox.js").Button;
export type InboxStore = import("./store.js").InboxStore;
export type Texts = import("./texts.js").Texts;
/**
 * What the reader may do: run a request, follow a message, press one of its buttons, and choose a message to snooze (or
 * none).
 */
export type Actions = {
    act: (work: (store: InboxStore) => Promise<unknown>) => unknown;
    choose: (m: Message) => unknown;
    press: (m: Message, button: Button) => unknown;
    snooze: (id: string | undefined) => unknown;
};
