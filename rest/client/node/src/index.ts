import { randomUUID } from "node:crypto";
import type { components, paths } from "./generated/api.js";
import { type GraphQLFault, graphError, restError } from "./errors.js";
import { type Arrived, defaultRetry, type RetryPolicy, send } from "./send.js";

export type { components, paths } from "./generated/api.js";
export { CarillonError } from "./errors.js";
export type { RetryPolicy } from "./send.js";
export { verifyWebhook, WebhookError } from "./webhook.js";
export type { Webhook, WebhookOptions, WebhookProblem } from "./webhook.js";

export interface Options {
  /** Where the service is, such as https://notify.example.com. */
  url: string;
  /** An API key of an environment. Keep it on the server. */
  key: string;
  /** Attempts and waits, where they differ from five attempts within 30 seconds each. */
  retry?: Partial<RetryPolicy>;
  /** Sends single attempts; the global fetch unless set. */
  fetch?: typeof globalThis.fetch;
}

/** What changes a single call. */
export interface CallOptions {
  /** Makes a POST or PATCH repeatable under a key of your own; each call has a new one unless set. */
  idempotencyKey?: string;
  signal?: AbortSignal;
}

type Schemas = components["schemas"];
type Method = "get" | "post" | "patch" | "delete";
type PathOf<M extends Method> = { [P in keyof paths]: paths[P] extends Record<M, { responses: unknown }> ? P : never }[keyof paths];
type Operation<P extends keyof paths, M extends Method> = paths[P][M & keyof paths[P]];
type Json<T> = T extends { content: { "application/json": infer B } } ? B : never;
type Parameters<O, K extends "path" | "query"> = O extends { parameters: infer All } ? (K extends keyof All ? All[K] : undefined) : undefined;
/** What an operation takes. */
type Call<O> = (O extends { requestBody: infer B } ? { body: Json<B> } : unknown) &
  (Parameters<O, "path"> extends object ? { path: Parameters<O, "path"> } : unknown) & { query?: Parameters<O, "query"> } & CallOptions;
/** What an operation answers when it succeeds. */
export type Answer<O> = O extends { responses: infer R } ? { [S in keyof R & (200 | 201)]: Json<R[S]> }[keyof R & (200 | 201)] : never;

/** A subscriber as the methods here return it. */
export interface Subscriber {
  id: string;
  subscriberId: string;
  firstName: string | null;
  lastName: string | null;
  email: string | null;
  phone: string | null;
  avatar: string | null;
  locale: string | null;
  timezone: string | null;
  data: Record<string, unknown> | null;
}

/** What is stored of a subscriber: members that are left out stay, null removes. */
export type SubscriberProfile = Partial<Omit<Subscriber, "id" | "subscriberId">>;

const profile = "id subscriberId firstName lastName email phone avatar locale timezone data";

/**
 * Takes the envelope {"data": …} from an answer, into which a service puts all of them that is told so by its setting
 * CARILLON_RESPONSE_WRAPPER. No answer has data as its only member by itself.
 */
function withoutEnvelope(answer: object): unknown {
  return "data" in answer && Object.keys(answer).length === 1 ? answer.data : answer;
}

/** Carillon calls one service with one key. */
export class Carillon {
  readonly #url: string;
  readonly #key: string;
  readonly #retry: RetryPolicy;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: Options) {
    this.#url = new URL(options.url).href.replace(/\/$/, "");
    this.#key = options.key;
    this.#retry = { ...defaultRetry, ...options.retry };
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /** Calls a documented route: its parameters, its body and its answer are those of the OpenAPI document. */
  async request<M extends Method, P extends PathOf<M>>(method: M, path: P, call: Call<Operation<P, M>>): Promise<Answer<Operation<P, M>>> {
    const given = call as { path?: Record<string, string>; query?: Record<string, unknown>; body?: unknown } & CallOptions;
    const target = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(given.path?.[name] ?? ""));
    const query = new URLSearchParams();
    for (const [name, value] of Object.entries(given.query ?? {})) {
      for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) query.append(name, String(one));
    }
    const search = query.toString();
    const headers: Record<string, string> = {};
    if (method === "post" || method === "patch") headers["Idempotency-Key"] = given.idempotencyKey ?? randomUUID();
    const { response, text } = await this.#send(method, target + (search && `?${search}`), headers, given.body, true, given.signal);
    if (!response.ok) throw restError(response, text);
    return withoutEnvelope(JSON.parse(text)) as Answer<Operation<P, M>>;
  }

  /** Tells the recipients that something happened. */
  trigger(event: Schemas["TriggerRequest"], options: CallOptions = {}): Promise<Schemas["TriggerResponse"]> {
    return this.request("post", "/v1/events/trigger", { ...options, body: event });
  }

  /** Triggers up to 100 events, each accepted or refused alone. */
  triggerBulk(events: Schemas["TriggerRequest"][], options: CallOptions = {}): Promise<Schemas["TriggerResponse"][]> {
    return this.request("post", "/v1/events/trigger/bulk", { ...options, body: { events } });
  }

  /** Tells all subscribers. */
  broadcast(event: Schemas["BroadcastRequest"], options: CallOptions = {}): Promise<Schemas["TriggerResponse"]> {
    return this.request("post", "/v1/events/trigger/broadcast", { ...options, body: event });
  }

  readonly topics = {
    /** Subscribes subscribers to a topic, which is made when it is unknown. */
    subscribe: (topicKey: string, body: Schemas["CreateSubscriptionsRequest"], options: CallOptions = {}) =>
      this.request("post", "/v2/topics/{topicKey}/subscriptions", { ...options, path: { topicKey }, body }),
    /** Ends subscriptions of a topic. */
    unsubscribe: (topicKey: string, body: Schemas["DeleteSubscriptionsRequest"], options: CallOptions = {}) =>
      this.request("delete", "/v2/topics/{topicKey}/subscriptions", { ...options, path: { topicKey }, body }),
  };

  readonly subscribers = {
    /** Creates a subscriber, or changes the one that has the identifier. */
    upsert: async (subscriberId: string, given: SubscriberProfile = {}, options: CallOptions = {}): Promise<Subscriber> => {
      const known = await this.subscribers.get(subscriberId, options);
      if (known === null) {
        const input = { subscriberId, ...Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null)) };
        try {
          return (await this.graphql<{ it: { subscriber: Subscriber } }>(`mutation ($input: CreateSubscriberInput!) { it: createSubscriber(input: $input) { subscriber { ${profile} } } }`, { input }, { ...options, repeatable: true })).it.subscriber;
        } catch (error) {
          if ((error as { code?: string }).code !== "ALREADY_EXISTS") throw error;
        }
      }
      const { id } = known ?? ((await this.subscribers.get(subscriberId, options)) as Subscriber);
      const mutation = `mutation ($input: UpdateSubscriberInput!) { it: updateSubscriber(input: $input) { subscriber { ${profile} } } }`;
      return (await this.graphql<{ it: { subscriber: Subscriber } }>(mutation, { input: { id, ...given } }, { ...options, repeatable: true })).it.subscriber;
    },
    /** Returns a subscriber; null when there is none. */
    get: async (subscriberId: string, options: CallOptions = {}): Promise<Subscriber | null> => {
      const query = `query ($in: [String!]) { subscribers(first: 1, filter: { subscriberIdIn: $in }) { nodes { ${profile} } } }`;
      const answer = await this.graphql<{ subscribers: { nodes: Subscriber[] } }>(query, { in: [subscriberId] }, options);
      return answer.subscribers.nodes[0] ?? null;
    },
    /** Returns a page of subscribers, newest first; pass endCursor as after for the next one. */
    list: async (page: { first?: number; after?: string } = {}, options: CallOptions = {}) => {
      const query = `query ($first: Int, $after: String) { subscribers(first: $first, after: $after) { nodes { ${profile} } pageInfo { hasNextPage endCursor } } }`;
      type Page = { nodes: Subscriber[]; pageInfo: { hasNextPage: boolean; endCursor: string | null } };
      return (await this.graphql<{ subscribers: Page }>(query, page, options)).subscribers;
    },
    /** Makes the token with which a page opens the inbox of one subscriber. */
    token: async (subscriberId: string, limits: { ttlSeconds?: number; contextKeys?: string[] } = {}, options: CallOptions = {}) => {
      const mutation = "mutation ($input: CreateSubscriberTokenInput!) { it: createSubscriberToken(input: $input) { token expiresAt } }";
      return (await this.graphql<{ it: { token: string; expiresAt: string } }>(mutation, { input: { subscriberId, ...limits } }, { ...options, repeatable: true })).it;
    },
  };

  /** Runs a GraphQL operation. A mutation is repeated only where it cannot have run, unless repeatable says that it does no harm. */
  async graphql<T>(query: string, variables: Record<string, unknown> = {}, options: CallOptions & { repeatable?: boolean } = {}): Promise<T> {
    const harmless = options.repeatable ?? /^\s*(query\b|\{)/.test(query);
    const { response, text } = await this.#send("post", "/graphql", {}, { query, variables }, harmless, options.signal);
    let answer: { data?: T; errors?: GraphQLFault[] } = {};
    try {
      answer = JSON.parse(text);
    } catch {
      throw restError(response, text);
    }
    if (answer.errors?.length) throw graphError(response, answer.errors);
    if (!response.ok || !answer.data) throw restError(response, text);
    return answer.data;
  }

  #send(method: string, path: string, own: Record<string, string>, body: unknown, harmless: boolean, signal?: AbortSignal): Promise<Arrived> {
    const headers: Record<string, string> = { Authorization: `ApiKey ${this.#key}`, Accept: "application/json", ...own };
    if (body !== undefined) headers["Content-Type"] = "application/json";
    return send(this.#fetch, this.#retry, {
      method: method.toUpperCase(),
      url: this.#url + path,
      headers,
      harmless,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(signal ? { signal } : {}),
    });
  }
}
