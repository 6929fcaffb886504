export { CarillonInbox } from "./element.js";
export { InboxStore } from "./store.js";
export { Inbox, InboxError } from "./inbox.js";
export { dictionaries, languageNames } from "./texts.js";
