export type Message = import("./inbox.js").Message;
export type InboxStore = import("./store.js").InboxStore;
/**
 * What the panel has from its element.
 */
export type Surroundings = {
    host: HTMLElement;
    texts: () => import("./texts.js").Texts;
    lang: () => string;
    tabs: () => import("./element.js").Tab[];
    store: () => InboxStore | undefined;
    render: () => import("./rows.js").RowsView["render"];
    /**
     * Whether it is part of the page, and does not open and close.
     */
    inline: () => boolean;
    alerts: () => string;
    alertsChanged: () => void;
    say: (text: string) => void;
    listed: (messages: Message[]) => void;
    leave: (type: string, detail: object, url: string | undefined) => void;
    close: () => void;
};
