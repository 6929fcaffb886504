/** An error of the server, with its stable code. */
export class InboxError extends Error {
    /**
     * @param {string} message
     * @param {string} code
     */
    constructor(message: string, code: string);
    /** Such as UNAUTHENTICATED, INVALID, NOT_FOUND. */
    code: string;
}
