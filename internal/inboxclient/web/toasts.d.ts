/** Shows for a while what arrives while the inbox is closed. Screen readers hear of it through the announcer. */
export class Toasts {
    /**
     * @param {(m: Message) => unknown} choose
     * @param {() => unknown} open Opens the inbox.
     */
    constructor(choose: (m: Message) => unknown, open: () => unknown);
    element: HTMLDivElement;
    /**
     * @param {Message[]} messages
     * @param {Texts} t
     */
    show(messages: Message[], t: Texts): void;
    clear(): void;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Texts = import("./texts.js").Texts;
