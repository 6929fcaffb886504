/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {import("./store.js").InboxStore} InboxStore
 *
 * @typedef {object} Surroundings What the panel has from its element.
 * @property {HTMLElement} host
 * @property {() => import("./texts.js").Texts} texts
 * @property {() => string} lang
 * @property {() => import("./element.js").Tab[]} tabs
 * @property {() => InboxStore | undefined} store
 * @property {() => import("./rows.js").RowsView["render"]} render
 * @property {() => boolean} inline Whether it is part of the page, and does not open and close.
 * @property {() => string} alerts
 * @property {() => void} alertsChanged
 * @property {(text: string) => void} say
 * @property {(messages: Message[]) => void} listed
 * @property {(type: string, detail: object, url: string | undefined) => void} leave
 * @property {() => void} close
 */

export {};
