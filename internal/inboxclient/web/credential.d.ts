/** The token of an inbox, which is fetched once until the server refuses it. */
export class Credential {
    /**
     * @param {import("./inbox.js").Token} source
     * @param {(token: string) => unknown} check Called with each token that was fetched, before it is used.
     */
    constructor(source: import("./inbox.js").Token, check: (token: string) => unknown);
    /** @param {boolean} renew Whether the last one was refused. */
    get(renew: boolean): Promise<string>;
    #private;
}
