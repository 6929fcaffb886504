/**
 * The changes that undo one, from the messages as they were before; none for delete, which the server cannot undo.
 * @param {Change} change
 * @param {Message[]} before
 * @returns {Change[]}
 */
export function inverse({ op, ids }: Change, before: Message[]): Change[];
/**
 * The counters of an inbox with changes that wait.
 * @param {{ unread: number, unseen: number, total: number }} state As the server said.
 * @param {Message[]} messages What is known; the last of an id counts.
 * @param {(m: Message) => Message | undefined} patched A message with the changes.
 */
export function recounted({ unread, unseen, total }: {
    unread: number;
    unseen: number;
    total: number;
}, messages: Message[], patched: (m: Message) => Message | undefined): {
    unread: number;
    unseen: number;
    total: number;
};
export function isChange(c: any): c is Change;
export function changed({ op, ids, until }: Change, m: Message): import("./inbox.js").Message | undefined;
export function send(inbox: import("./inbox.js").Inbox, { op, ids, until }: Change): Promise<Message[]>;
export function isUnreachable(error: unknown): boolean;
export function isSignedOut(error: unknown): boolean;
export type Message = import("./inbox.js").Message;
export type Operation = "markRead" | "markUnread" | "markSeen" | "archive" | "unarchive" | "snooze" | "unsnooze" | "delete";
/**
 * What a reader does with messages.
 */
export type Change = {
    op: Operation;
    ids: string[];
    /**
     * Of snooze.
     */
    until?: string | undefined;
    /**
     * Names it among those that wait in the browser, in their order.
     */
    turn?: string | undefined;
};
