export { CarillonInbox } from "./element.js";
export { InboxStore } from "./store.js";
export { dictionaries } from "./texts.js";
export { Inbox, InboxError } from "./inbox.js";
