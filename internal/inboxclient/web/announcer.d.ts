/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./texts.js").Texts} Texts
 */
/** Announces new messages and the outcomes of actions to screen readers. */
export class Announcer {
    /** The live region to put on the page. */
    region: HTMLDivElement;
    /** @param {string} text */
    say(text: string): void;
    /**
     * Announces those of the messages that arrived, or came back after they were put off, each once, and returns them. The
     * others changed, such as when they were looked at in another tab.
     * @param {Message[]} messages
     * @param {Texts} texts
     */
    arrived(messages: Message[], texts: Texts): import("./inbox.js").Message[];
    /** Takes messages for announced that a list shows. @param {Message[]} messages */
    seen(messages: Message[]): void;
    /** Forgets the messages and clears the region: the next ones may be another subscriber's. */
    forget(): void;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Texts = import("./texts.js").Texts;
