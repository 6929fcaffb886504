/**
 * @typedef {object} StreamOptions
 * @property {URL} endpoint
 * @property {(renew: boolean) => Promise<string>} token
 * @property {boolean} renewable Whether a refused token can be replaced.
 * @property {() => { query: string, variables: Record<string, any> }} operation Called for each connection, so that it resumes after the last update.
 * @property {() => boolean} resumes Whether a connection resumes after an update: then none may follow for long, else a first update follows at once.
 * @property {(data: any) => void} next
 * @property {(status: "connecting" | "online" | "offline" | "unauthorized") => void} status
 */

/** The server sends at least a ping every 30 s; a connection that is silent for longer is dead. */
const silence = 75_000;
const shortestPause = 250;
const longestPause = 30_000;

class Unauthorized extends Error {}

/**
 * One GraphQL subscription that outlives its connections: over WebSocket (graphql-transport-ws), or over server-sent events
 * where no WebSocket passes.
 */
export class Stream {
	/** @type {StreamOptions} */ #options;
	#closed = new AbortController();
	#failures = 0;
	#renew = false;
	/** Whether this attempt is connected. */
	#reached = false;
	/** @type {"webSocket" | "events"} */ #transport = "webSocket";
	/** @type {() => void} */ #wake = () => {};

	/** @param {StreamOptions} options */
	constructor(options) {
		this.#options = options;
	}

	/** Connects, and again after each loss. */
	async start() {
		const closed = this.#closed.signal;
		globalThis.addEventListener?.("online", () => this.#wake(), { signal: closed });
		while (!closed.aborted) {
			this.#options.status("connecting");
			this.#reached = false;
			const since = Date.now();
			const transport = this.#transport;
			const renewed = this.#renew;
			this.#transport = "webSocket";
			try {
				const token = await this.#options.token(renewed);
				this.#renew = false;
				if (closed.aborted) return;
				await (transport === "webSocket" ? this.#webSocket(token) : this.#events(token));
				// The answer over HTTP shows whether the token was refused.
				if (transport === "webSocket" && !this.#reached) this.#transport = "events";
			} catch (error) {
				if (error instanceof Unauthorized) {
					if (!this.#options.renewable) {
						this.#options.status("unauthorized");
						return;
					}
					this.#renew = true;
					this.#transport = transport; // which reached the server
					if (!renewed && !closed.aborted) continue;
				}
			}
			if (closed.aborted) return;
			this.#options.status("offline");
			if (this.#reached && Date.now() - since > longestPause) this.#failures = 0;
			await this.#pause();
			this.#failures++;
		}
	}

	/** Ends the stream for good. */
	close() {
		this.#closed.abort();
		this.#wake();
	}

	/** Waits longer after each failure (exponential backoff with jitter). */
	#pause() {
		const limit = Math.min(longestPause, shortestPause * 2 ** Math.min(this.#failures, 16));
		return /** @type {Promise<void>} */ (
			new Promise((resolve) => {
				const timer = setTimeout(resolve, Math.random() * limit);
				this.#wake = () => {
					clearTimeout(timer);
					resolve();
				};
			})
		);
	}

	#online() {
		if (this.#reached) return;
		this.#reached = true;
		this.#options.status("online");
	}

	/** The server accepted the connection. */
	#accepted() {
		if (this.#options.resumes()) this.#online();
	}

	/** @param {any} data */
	#receive(data) {
		this.#failures = 0;
		this.#online();
		this.#options.next(data);
	}

	/**
	 * @param {string} token
	 * @returns {Promise<void>}
	 */
	#webSocket(token) {
		return new Promise((resolve, reject) => {
			const url = new URL(this.#options.endpoint);
			url.protocol = url.protocol === "https:" ? "wss:" : "ws:";
			// The credential comes later; a proxy in front of several installations has to find the token's now.
			const cell = /^cst_([a-z0-9]+)\./.exec(token)?.[1];
			if (cell) url.searchParams.set("cell", cell);
			const socket = new WebSocket(url, "graphql-transport-ws");
			const done = new AbortController();
			const end = () => {
				done.abort();
				clearTimeout(watchdog);
				socket.close();
				resolve();
			};
			let watchdog = setTimeout(end, silence);
			this.#closed.signal.addEventListener("abort", end, { signal: done.signal });
			/** @param {Record<string, any>} message */
			const send = (message) => socket.send(JSON.stringify(message));
			socket.onopen = () => send({ type: "connection_init", payload: { Authorization: `Bearer ${token}` } });
			socket.onerror = end;
			socket.onclose = (event) => {
				if (event.code === 4401 || event.code === 4403) reject(new Unauthorized());
				end();
			};
			socket.onmessage = ({ data }) => {
				if (done.signal.aborted) return;
				clearTimeout(watchdog);
				watchdog = setTimeout(end, silence);
				const message = JSON.parse(data);
				switch (message.type) {
					case "connection_ack":
						send({ id: "1", type: "subscribe", payload: this.#options.operation() });
						this.#accepted();
						break;
					case "ping":
						send({ type: "pong" });
						break;
					case "next":
						if (message.payload.errors) return end();
						this.#receive(message.payload.data);
						break;
					case "error":
					case "complete":
						end();
				}
			};
		});
	}

	/** @param {string} token */
	async #events(token) {
		const silent = new AbortController();
		const end = () => silent.abort();
		this.#closed.signal.addEventListener("abort", end, { signal: silent.signal });
		let watchdog = setTimeout(end, silence);
		try {
			const response = await fetch(this.#options.endpoint, {
				method: "POST",
				credentials: "omit",
				headers: { "Content-Type": "application/json", Accept: "text/event-stream", Authorization: `Bearer ${token}` },
				body: JSON.stringify(this.#options.operation()),
				signal: silent.signal,
			});
			if (response.status === 401) throw new Unauthorized();
			if (!response.ok || !response.body) return;
			this.#accepted();
			const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
			for (let text = ""; ; ) {
				const { value, done } = await reader.read();
				if (done) return;
				clearTimeout(watchdog);
				watchdog = setTimeout(end, silence);
				const events = (text + value).split(/\r?\n\r?\n/);
				text = events.pop() ?? "";
				for (const event of events) {
					const lines = event.split(/\r?\n/);
					const data = lines
						.filter((line) => line.startsWith("data:"))
						.map((line) => line.slice(5))
						.join("\n");
					if (!lines.some((line) => line.trim() === "event: next") || !data) continue;
					const payload = JSON.parse(data);
					if (payload.errors) return;
					this.#receive(payload.data);
				}
			}
		} finally {
			clearTimeout(watchdog);
			silent.abort();
		}
	}
}
