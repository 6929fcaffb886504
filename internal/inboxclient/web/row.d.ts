/** What can be done with a message besides deleting it, in order. @param {Message} m @returns {Operation[]} */
export function operationsOf(m: Message): Operation[];
/**
 * One message with what can be done with it.
 * @param {Message} m
 * @param {RowView} view
 * @param {Actions} actions
 */
export function messageRow(m: Message, view: RowView, actions: Actions): HTMLLIElement;
export function subjectOf(m: Message): string;
export type Message = import("./inbox.js").Message;
export type Button = import("./inbox.js").Button;
export type Operation = import("./changes.js").Operation;
export type Texts = import("./texts.js").Texts;
/**
 * What the reader may do.
 */
export type Actions = {
    change: (op: Operation, ids: string[]) => unknown;
    /**
     * Follows a message.
     */
    choose: (m: Message) => unknown;
    /**
     * Presses one of its buttons.
     */
    press: (m: Message, button: Button) => unknown;
    menu: (m: Message, opener: HTMLElement) => unknown;
    snooze: (m: Message, opener: HTMLElement) => unknown;
    select: (id: string, on: boolean) => unknown;
};
export type RowView = {
    t: Texts;
    /**
     * In which dates are written.
     */
    lang: string;
    selecting: boolean;
    selected: boolean;
    /**
     * Whether the keyboard enters the list here.
     */
    current: boolean;
    /**
     * Whether the page draws what the message says.
     */
    own: boolean;
    now: Date;
};
