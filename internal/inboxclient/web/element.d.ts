/**
 * A bell that opens a subscriber's inbox: `<carillon-inbox token="cst_…">`.
 *
 * Attributes: token; subscriber (whose inbox it is: the browser then keeps what shows without a connection); url (of Carillon,
 * when another server serves this module); context (keys type:id, separated by spaces); lang; theme (light or dark; the
 * reader's choice when left out); align (start: the panel opens to the other side); inline (the panel is part of the page,
 * without a bell); tabs (JSON, see the property); toasts (off: what arrives does not show over the page); alerts (what is on
 * until the reader chooses: sound, notification, badge).
 *
 * Slots: bell, header, empty, footer. Parts and the custom properties are listed in the guide.
 *
 * Events, which bubble: `carillon-open` with the message that was chosen, and `carillon-action` with the message and the
 * button. The page follows the message's link unless the event's default is prevented.
 */
export class CarillonInbox extends HTMLElement {
    static observedAttributes: string[];
    set token(token: import("./inbox.js").Token | undefined);
    /** A subscriber token, or a function that fetches one whenever one is needed. */
    get token(): import("./inbox.js").Token | undefined;
    set tabs(tabs: Tab[]);
    /** The tabs in place of the usual four: each a label and the filter of its messages. @returns {Tab[]} */
    get tabs(): Tab[];
    /** @param {Partial<Texts>} texts */
    set texts(texts: Partial<Texts>);
    /** The texts in the reader's language. Set some to replace them. @returns {Texts} */
    get texts(): Texts;
    /** @param {RenderMessage | undefined} render */
    set renderMessage(render: RenderMessage | undefined);
    /** Draws what messages say, in elements of the page that its styles reach. */
    get renderMessage(): RenderMessage | undefined;
    /** @param {InboxStore | undefined} store */
    set store(store: InboxStore | undefined);
    /** The store that the element works with; set one to share it, which the page then starts and closes. */
    get store(): InboxStore | undefined;
    /** The client that the element works with; undefined before it has a token. */
    get inbox(): import("./inbox.js").Inbox | undefined;
    connectedCallback(): void;
    disconnectedCallback(): void;
    /**
     * @param {string} name
     * @param {string | null} before
     * @param {string | null} after
     */
    attributeChangedCallback(name: string, before: string | null, after: string | null): void;
    /** Opens the panel, or closes it. */
    toggle(): void;
    /** Opens the panel and moves the focus there. */
    open(): void;
    /** Closes the panel and gives the focus back. */
    close(): void;
    /** Removes what the browser keeps of the inbox. Call it when the subscriber signs out. */
    forget(): void;
    #private;
}
export type Message = import("./inbox.js").Message;
export type Filter = import("./inbox.js").Filter;
export type Texts = import("./texts.js").Texts;
export type Tab = {
    label: string;
    filter: Filter;
};
/**
 * Draws what a message says, in
 * place of its text, and returns what removes it again.
 */
export type RenderMessage = (message: Message, container: HTMLElement) => (() => void) | void;
import { InboxStore } from "./store.js";
