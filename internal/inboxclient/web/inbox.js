import { Credential } from "./credential.js";
import { InboxError } from "./error.js";
import { operations } from "./operations.js";
import { Stream } from "./stream.js";

/**
 * @typedef {"IN_APP" | "EMAIL" | "SMS" | "CHAT" | "PUSH"} Channel
 * @typedef {"HIGH" | "MEDIUM" | "LOW" | "NONE"} Severity
 * @typedef {"PRIMARY" | "SECONDARY"} ButtonType
 *
 * @typedef {object} Button One of a message's buttons.
 * @property {ButtonType} type
 * @property {string} content The label.
 * @property {string} resultContent The label after its use; empty: the same.
 * @property {string} url Where it leads; empty: nowhere.
 *
 * @typedef {object} Message One in-app message. What it says is text, never HTML.
 * @property {string} id
 * @property {string} internalId What updates name removed messages by.
 * @property {string | null} subject
 * @property {{ text: string } | null} content
 * @property {string | null} avatar
 * @property {boolean} read
 * @property {boolean} seen
 * @property {boolean} archived
 * @property {string | null} snoozedUntil
 * @property {Severity} severity
 * @property {string[] | null} tags
 * @property {Record<string, any> | null} data
 * @property {string} workflowIdentifier
 * @property {number} sequence Grows with every change of the inbox.
 * @property {string} createdAt
 * @property {string[] | null} deliveredAt
 * @property {{ data: { url: string } | null, action: { status: "PENDING" | "DONE" | null, buttons: Button[] | null, result: { type: ButtonType } | null } | null } | null} cta
 *
 * @typedef {object} Filter Narrows an inbox; what is set combines with AND. Archived and snoozed messages only on request.
 * @property {boolean} [read]
 * @property {boolean} [seen]
 * @property {boolean} [archived]
 * @property {boolean} [snoozed]
 * @property {string[]} [tagsAny]
 * @property {Severity[]} [severityIn]
 * @property {string[]} [workflowIn]
 * @property {string} [feedId]
 * @property {string[]} [feedIn] Identifiers of feeds.
 * @property {Record<string, any>} [data]
 * @property {string} [createdAfter]
 * @property {string} [createdBefore]
 *
 * @typedef {object} Page
 * @property {Message[]} messages
 * @property {string | null} endCursor Pass it as `after` for the next page.
 * @property {boolean} hasNextPage
 *
 * @typedef {object} State How much is in the inbox.
 * @property {number} sequence
 * @property {number} total
 * @property {number} unread
 * @property {number} unseen
 *
 * @typedef {object} Update What changed, once and in order.
 * @property {number} sequence Grows; a lower one than before means that the inbox was created anew and starts over.
 * @property {Message[]} messages New or changed, as they are now.
 * @property {string[]} removedIds Internal ids of messages that are gone.
 * @property {State | null} state Null while the inbox never had a message.
 *
 * @typedef {"connecting" | "online" | "offline" | "unauthorized"} Status
 *
 * @typedef {{ email?: boolean | null, sms?: boolean | null, inApp?: boolean | null, chat?: boolean | null, push?: boolean | null }} Channels
 * @typedef {{ start: string, end: string }} TimeRange Such as 09:00 AM; the subscriber's time zone.
 * @typedef {{ isEnabled: boolean, hours?: TimeRange[] | null }} Day
 * @typedef {"monday" | "tuesday" | "wednesday" | "thursday" | "friday" | "saturday" | "sunday"} Weekday
 * @typedef {{ isEnabled: boolean, weeklySchedule?: { [day in Weekday]?: Day | null } | null }} Schedule
 *
 * @typedef {object} Preferences
 * @property {{ enabled: boolean, channels: Channels, schedule: Schedule | null }} global
 * @property {{ enabled: boolean, channels: Channels, stepChannels: Channel[], workflow: { id: string, identifier: string, name: string } }[]} workflows
 *
 * @typedef {object} Subscription
 * @property {string} identifier
 * @property {string | null} name
 * @property {{ key: string, name: string | null } | null} topic
 * @property {string[]} contextKeys
 *
 * @typedef {string | (() => string | Promise<string>)} Token A subscriber token, or what fetches a new one when the last has ended.
 *
 * @typedef {object} Options
 * @property {Token} token
 * @property {string} [subscriber] Whose inbox it is, by your identifier. When it is given, the browser keeps the last messages and
 *   what could not be sent, for when the server cannot be reached.
 * @property {string} [url] Address of Carillon; the server that this module came from when left out.
 * @property {string[]} [contextKeys] The context set (type:id) whose inbox it is; the token's own, else none, when left out.
 */

export { InboxError };

const pageSize = 20;
/** @type {State} */
const nothing = { sequence: 0, total: 0, unread: 0, unseen: 0 };

/** The inbox, preferences and subscriptions of one subscriber. */
export class Inbox {
	/** @type {Required<Pick<Options, "token">> & Options} */ #options;
	/** @type {URL} */ #endpoint;
	/** @type {Credential} */ #credential;
	/** @type {Promise<{ subscriberId: string, locale: string | null }> | undefined} */ #subscriber;
	/** Whose inbox it is, once the server has said so. @type {string | undefined} */ #who;
	/** @type {Stream | undefined} */ #stream;
	/** @type {Set<(update: Update) => void>} */ #listeners = new Set();
	/** @type {Set<(status: Status) => void>} */ #statusListeners = new Set();

	/** The last sequence that was seen; undefined before the first. @type {number | undefined} */
	sequence;
	/** The size of the inbox as of the last update. @type {State} */
	state = nothing;
	/** How the live connection is. @type {Status} */
	status = "offline";
	/** Called when a new token is another subscriber's, who has logged in meanwhile. */
	switched = () => {};

	/** @param {Options} options */
	constructor(options) {
		this.#options = options;
		this.#credential = new Credential(options.token, (token) => this.#who && this.#check(token));
		this.#endpoint = new URL("/graphql", options.url ?? import.meta.url);
	}

	/** The address of the server's GraphQL endpoint. */
	get address() {
		return this.#endpoint.href;
	}

	/**
	 * Listens for changes from now on, and after a lost connection from where it was, until close. Resolves once it is
	 * connected; with `after`, what changed since may still be to come.
	 * @param {number} [after] A sequence that was seen before, to hear what changed since.
	 * @returns {Promise<State>}
	 */
	connect(after) {
		this.#stream?.close();
		this.sequence = after ?? this.sequence;
		return new Promise((resolve, reject) => {
			this.#stream = new Stream({
				endpoint: this.#endpoint,
				token: (renew) => this.#credential.get(renew),
				renewable: typeof this.#options.token === "function",
				operation: () => ({
					query: operations.inboxUpdates,
					variables: { contextKeys: this.#options.contextKeys, after: this.sequence },
				}),
				resumes: () => this.sequence !== undefined,
				next: (data) => {
					this.#receive(data.inboxUpdates);
					resolve(this.state);
				},
				status: (status) => {
					this.#report(status);
					if (status === "online" && this.sequence !== undefined) resolve(this.state);
					if (status === "unauthorized") reject(new InboxError("The token was refused.", "UNAUTHENTICATED"));
				},
			});
			this.#stream.start();
		});
	}

	/** Ends the live connection. */
	close() {
		this.#stream?.close();
		this.#stream = undefined;
		if (this.status !== "offline") this.#report("offline");
	}

	/** @param {Status} status */
	#report(status) {
		this.status = status;
		for (const listener of [...this.#statusListeners]) listener(status);
	}

	/** @param {Update} update */
	#receive(update) {
		this.sequence = update.sequence;
		this.state = update.state ?? nothing;
		for (const listener of [...this.#listeners]) listener(update);
	}

	/**
	 * Calls listener with every change, until the function that it returns is called.
	 * @param {(update: Update) => void} listener
	 * @returns {() => void}
	 */
	subscribe(listener) {
		this.#listeners.add(listener);
		return () => void this.#listeners.delete(listener);
	}

	/**
	 * Calls listener whenever the connection comes or goes, until the function that it returns is called.
	 * @param {(status: Status) => void} listener
	 * @returns {() => void}
	 */
	onStatus(listener) {
		this.#statusListeners.add(listener);
		return () => void this.#statusListeners.delete(listener);
	}

	/** Whose inbox it is, and the language that the subscriber speaks. */
	subscriber() {
		this.#subscriber ??= this.#ask(operations.subscriber).then(({ inbox: { subscriber } }) => {
			this.#who ??= subscriber.subscriberId;
			return subscriber;
		});
		this.#subscriber.catch(() => (this.#subscriber = undefined));
		return this.#subscriber;
	}

	/**
	 * A page of messages, latest first.
	 * @param {{ filter?: Filter, first?: number, after?: string | null }} [options]
	 * @returns {Promise<Page>}
	 */
	async list({ filter, first = pageSize, after } = {}) {
		const { inbox } = await this.#ask(operations.messages, {
			contextKeys: this.#options.contextKeys,
			first,
			after,
			filter,
		});
		if (inbox.state && inbox.state.sequence >= this.state.sequence) this.state = inbox.state;
		return { messages: inbox.messages.nodes, ...inbox.messages.pageInfo };
	}

	/**
	 * How many messages meet each of up to 20 filters, in one call.
	 * @param {Filter[]} filters
	 * @returns {Promise<number[]>}
	 */
	async counts(filters) {
		const { inbox } = await this.#ask(operations.counts, { contextKeys: this.#options.contextKeys, filters });
		return inbox.counts;
	}

	/** @param {string[]} messageIds */
	markRead(messageIds) {
		return this.#change("markMessages", { messageIds, markAs: "READ" });
	}
	/** @param {string[]} messageIds */
	markUnread(messageIds) {
		return this.#change("markMessages", { messageIds, markAs: "UNREAD" });
	}
	/** @param {string[]} messageIds */
	markSeen(messageIds) {
		return this.#change("markMessages", { messageIds, markAs: "SEEN" });
	}
	/** @param {string[]} messageIds */
	markUnseen(messageIds) {
		return this.#change("markMessages", { messageIds, markAs: "UNSEEN" });
	}
	/** Puts messages away, read. @param {string[]} messageIds */
	archive(messageIds) {
		return this.#change("archiveMessages", { messageIds });
	}
	/** @param {string[]} messageIds */
	unarchive(messageIds) {
		return this.#change("unarchiveMessages", { messageIds });
	}
	/**
	 * Hides messages until a moment, at most 366 days ahead.
	 * @param {string[]} messageIds
	 * @param {Date} until
	 */
	snooze(messageIds, until) {
		return this.#change("snoozeMessages", { messageIds, until: until.toISOString() });
	}
	/** @param {string[]} messageIds */
	unsnooze(messageIds) {
		return this.#change("unsnoozeMessages", { messageIds });
	}
	/** Removes messages for good. @param {string[]} messageIds */
	delete(messageIds) {
		return this.#change("deleteMessages", { messageIds });
	}

	/**
	 * Acts on all messages that match the filter, and returns how many it changed.
	 * @param {"READ" | "SEEN" | "ARCHIVE" | "DELETE"} action
	 * @param {Filter} [filter]
	 * @returns {Promise<number>}
	 */
	async markAll(action, filter) {
		const contextKeys = this.#options.contextKeys;
		return this.#mutate("markAllMessages", { action, filter, ...(contextKeys && { contextKeys }) });
	}

	/**
	 * Records that a button of a message was used; the first use counts.
	 * @param {string} messageId
	 * @param {ButtonType} button
	 * @param {Record<string, any>} [payload] What to keep with it.
	 * @returns {Promise<Message>}
	 */
	completeAction(messageId, button, payload) {
		return this.#mutate("completeMessageAction", { messageId, button, payload });
	}

	/**
	 * What the subscriber wishes, with the hours.
	 * @returns {Promise<Preferences>}
	 */
	async preferences() {
		const { subscriberId } = await this.subscriber();
		const { subscriberPreferences } = await this.#ask(operations.preferences, {
			subscriberId,
			contextKeys: this.#options.contextKeys,
		});
		return subscriberPreferences;
	}

	/**
	 * Stores a wish for one workflow; channels left out keep theirs.
	 * @param {string} workflowId Its id or identifier.
	 * @param {Channels} channels
	 */
	async setPreference(workflowId, channels) {
		const input = { preferences: [{ workflowId, channels }], context: this.#context() };
		await this.#mutate("updatePreferences", input);
	}

	/** Stores a wish for everything. @param {Channels} channels */
	async setGlobalPreference(channels) {
		await this.#mutate("setGlobalPreferences", { channels, context: this.#context() });
	}

	/**
	 * Replaces the hours; null removes them.
	 * @param {Schedule | null} schedule
	 */
	async setSchedule(schedule) {
		await this.#mutate("setSchedule", { schedule });
	}

	/**
	 * The topics that the subscriber follows.
	 * @returns {Promise<Subscription[]>}
	 */
	async subscriptions() {
		const { subscriberId } = await this.subscriber();
		const { subscriberSubscriptions } = await this.#ask(operations.subscriptions, { subscriberId });
		return subscriberSubscriptions.nodes;
	}

	/** Follows a topic that exists. @param {string} topicKey */
	async follow(topicKey) {
		const { subscriberId } = await this.subscriber();
		const input = { topicKey, subscriptions: [{ subscriberId }], context: this.#context() };
		const { createSubscriptions } = await this.#ask(operations.createSubscriptions, { input });
		const [failed] = createSubscriptions.errors;
		if (failed) throw new InboxError(failed.message, failed.code);
	}

	/** Follows a topic no longer. @param {string} topicKey */
	async unfollow(topicKey) {
		const { subscriberId } = await this.subscriber();
		const input = { topicKey, subscriptions: [{ subscriberId }] };
		await this.#ask(operations.deleteSubscriptions, { input });
	}

	/** The context set as mutations take it: type to id. */
	#context() {
		const keys = this.#options.contextKeys;
		if (!keys?.length) return undefined;
		return Object.fromEntries(keys.map((key) => [key.slice(0, key.indexOf(":")), key.slice(key.indexOf(":") + 1)]));
	}

	/**
	 * @param {keyof typeof operations} field
	 * @param {{ messageIds: string[], [more: string]: any }} input
	 * @returns {Promise<Message[]>}
	 */
	#change(field, input) {
		return this.#mutate(field, input);
	}

	/**
	 * @param {keyof typeof operations} field
	 * @param {Record<string, any>} input
	 */
	async #mutate(field, input) {
		const { subscriberId } = await this.subscriber();
		const data = await this.#ask(operations[field], { input: { subscriberId, ...input } });
		return Object.values(data[field])[0]; // a payload of one field
	}

	/** Begins anew when a new token is another subscriber's. @param {string} token */
	async #check(token) {
		const answer = await this.#send(operations.subscriber, undefined, token);
		const who = (await answer.json()).data?.inbox.subscriber.subscriberId;
		if (!who || who === this.#who) return;
		this.#who = who;
		this.#subscriber = this.sequence = undefined;
		this.state = nothing;
		this.switched();
	}

	/**
	 * @param {string} query
	 * @param {Record<string, any>} [variables]
	 * @returns {Promise<any>}
	 */
	async #ask(query, variables) {
		let response = await this.#post(query, variables, false);
		if (response.status === 401 && typeof this.#options.token === "function")
			response = await this.#post(query, variables, true);
		/** @type {{ data?: any, errors?: { message: string, extensions?: { code?: string } }[] }} */
		const { data, errors } = await response.json().catch(() => ({
			errors: [
				{
					message: `The server answered ${response.status}.`,
					extensions: { code: response.status >= 500 ? "UNREACHABLE" : "INTERNAL" },
				},
			],
		}));
		if (errors?.length) throw new InboxError(errors[0].message, errors[0].extensions?.code ?? "INTERNAL");
		return data;
	}

	/**
	 * @param {string} query
	 * @param {Record<string, any> | undefined} variables
	 * @param {boolean} renew
	 */
	async #post(query, variables, renew) {
		return this.#send(query, variables, await this.#credential.get(renew));
	}

	/**
	 * @param {string} query
	 * @param {Record<string, any> | undefined} variables
	 * @param {string} token
	 */
	#send(query, variables, token) {
		const body = JSON.stringify({ query, variables });
		return fetch(this.#endpoint, {
			method: "POST",
			credentials: "omit",
			headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
			body,
			keepalive: query.startsWith("mutation") && body.length < 32_000, // also while the page is left
		});
	}
}
