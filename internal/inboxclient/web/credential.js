/** The token of an inbox, which is fetched once until the server refuses it. */
export class Credential {
	/** @type {import("./inbox.js").Token} */ #source;
	/** @type {(token: string) => unknown} */ #check;
	/** @type {Promise<string> | undefined} */ #token;
	/** Whether a token is being fetched: requests meanwhile wait for the same one. */
	#fetching = false;

	/**
	 * @param {import("./inbox.js").Token} source
	 * @param {(token: string) => unknown} check Called with each token that was fetched, before it is used.
	 */
	constructor(source, check) {
		this.#source = source;
		this.#check = check;
	}

	/** @param {boolean} renew Whether the last one was refused. */
	async get(renew) {
		const source = this.#source;
		if (typeof source === "string") return source;
		if (renew && !this.#fetching) this.#token = undefined;
		if (!this.#token) {
			this.#fetching = true;
			this.#token = this.#fetch(source);
			this.#token.catch(() => (this.#token = undefined)).finally(() => (this.#fetching = false));
		}
		return this.#token;
	}

	/** @param {() => string | Promise<string>} source */
	async #fetch(source) {
		const token = await source();
		await this.#check(token);
		return token;
	}
}
