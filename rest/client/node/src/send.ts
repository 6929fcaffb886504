// Sends requests: with the API key, with an idempotency key where one counts, and again when an attempt had no answer or one
// that asks for another try. The rules are those of the Go clients (graph/client/retry).

/** How often a request is sent, and how long it waits in between. Times are in milliseconds. */
export interface RetryPolicy {
  /** Attempts at most, the first one included. */
  attempts: number;
  /** Bound of the wait before the second attempt; it doubles with each further one, and the wait is a random part of it. */
  backoff: number;
  /** Bound of every wait. An answer that asks for a longer one by Retry-After is not repeated. */
  maxWait: number;
}

export const defaultRetry: RetryPolicy = { attempts: 5, backoff: 200, maxWait: 30_000 };

export interface Attempt {
  method: string;
  url: string;
  headers: Record<string, string>;
  body?: string;
  signal?: AbortSignal;
  /** Whether a repetition does no harm. */
  harmless: boolean;
}

/** An answer that has arrived as a whole. */
export interface Arrived {
  response: Response;
  text: string;
}

export async function send(fetch: typeof globalThis.fetch, policy: RetryPolicy, a: Attempt): Promise<Arrived> {
  for (let attempt = 1; ; attempt++) {
    const last = attempt >= policy.attempts;
    const backoff = Math.random() * Math.min(policy.backoff * 2 ** (attempt - 1), policy.maxWait);
    let wait = backoff;
    try {
      const { method, headers, body, signal } = a;
      const response = await fetch(a.url, { method, headers, ...(body === undefined ? {} : { body }), ...(signal ? { signal } : {}) });
      // A success that breaks off is lost like one that never came; of a failure the status says enough.
      const text = await (response.ok ? response.text() : response.text().catch(() => ""));
      const asked = retryAfter(response.headers);
      if (last || asked > policy.maxWait || !repeatable(response, a.harmless)) return { response, text };
      wait += asked;
    } catch (error) {
      if (last || !a.harmless || a.signal?.aborted) throw error;
    }
    await sleep(wait, a.signal);
  }
}

function repeatable(response: Response, harmless: boolean): boolean {
  switch (response.status) {
    case 429: // refused before it ran
      return true;
    case 409: // the first attempt is still being processed
      return harmless && response.headers.has("retry-after");
    case 502:
    case 503:
    case 504:
      return harmless;
  }
  return false;
}

/** Milliseconds that an answer asks to wait before the next try; 0: it does not. */
export function retryAfter(headers: Headers): number {
  const seconds = Number(headers.get("retry-after"));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0;
}

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener("abort", stop, { once: true });
  });
}
