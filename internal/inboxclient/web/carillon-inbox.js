/**
 * The inbox for web pages: the element `<carillon-inbox>`, and the client below it for pages that draw their own.
 * @module
 */
import { CarillonInbox } from "./element.js";

export { CarillonInbox } from "./element.js";
export { Inbox, InboxError } from "./inbox.js";
export { InboxStore } from "./store.js";
export { dictionaries, languageNames } from "./texts.js";

// A server that makes the first page of an application has no elements.
if (globalThis.customElements && !customElements.get("carillon-inbox"))
	customElements.define("carillon-inbox", CarillonInbox);
