/** An error of the server, with its stable code. */
export class InboxError extends Error {
	/**
	 * @param {string} message
	 * @param {string} code
	 */
	constructor(message, code) {
		super(message);
		this.name = "InboxError";
		/** Such as UNAUTHENTICATED, INVALID, NOT_FOUND. */
		this.code = code;
	}
}
