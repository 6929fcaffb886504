import { createHmac, timingSafeEqual } from "node:crypto";

/** Why a request is refused. */
export type WebhookProblem = "headers" | "time" | "signature";

/** A request that is not what its signature says. Answer 401; the sender tries again. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  constructor(readonly problem: WebhookProblem) {
    super({ headers: "The webhook's headers are missing or malformed.", time: "The webhook's time is too far from now.", signature: "No signature of the webhook matches." }[problem]);
  }
}

export interface WebhookOptions {
  /** How many seconds the time of a request may be from now; 300 unless set. */
  toleranceSeconds?: number;
  /** The clock; the machine's unless set. */
  now?: () => Date;
}

/** A verified request. */
export interface Webhook {
  /** The same for each attempt to deliver it: take it up once. */
  id: string;
  sentAt: Date;
  payload: unknown;
}

type Headers = { get(name: string): string | null } | Record<string, string | string[] | undefined>;

const shortestKey = 24; // bytes: the specification's least

/**
 * Verifies a request that is signed as the Standard Webhooks specification says, and returns what it holds. The body is to be
 * as it was received, byte by byte. The secret is one such as whsec_…; while it is replaced, pass the old and the new one.
 * @throws {WebhookError} The request is not genuine, or too old.
 */
export function verifyWebhook(body: string | Uint8Array, headers: Headers, secret: string | readonly string[], options: WebhookOptions = {}): Webhook {
  const keys = (typeof secret === "string" ? [secret] : secret).map(keyOf);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  if (!id || !signatures || !/^\d{1,12}$/.test(timestamp)) throw new WebhookError("headers");
  const sentAt = new Date(Number(timestamp) * 1000);
  const now = options.now?.() ?? new Date();
  if (Math.abs(now.getTime() - sentAt.getTime()) > (options.toleranceSeconds ?? 300) * 1000) throw new WebhookError("time");
  const expected = keys.map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest());
  const given = signatures.split(" ").flatMap((s) => (s.startsWith("v1,") ? [Buffer.from(s.slice(3), "base64")] : []));
  if (!given.some((g) => expected.some((e) => g.length === e.length && timingSafeEqual(g, e)))) throw new WebhookError("signature");
  return { id, sentAt, payload: JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body)) };
}

function keyOf(secret: string): Buffer {
  const text = secret.replace(/^whsec_/, "");
  const key = Buffer.from(text, "base64");
  if (!/^[A-Za-z0-9+/]+=*$/.test(text) || key.length < shortestKey) throw new TypeError(`A webhook secret is the base64 of at least ${shortestKey} bytes.`);
  return key;
}

function header(headers: Headers, name: string): string {
  const value = typeof headers.get === "function" ? headers.get(name) : (headers as Record<string, string | string[] | undefined>)[name];
  return typeof value === "string" ? value : "";
}
