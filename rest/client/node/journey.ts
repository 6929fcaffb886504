// Walks through the installed package: ADDRESS and KEY say on which server, and with which API key. .ci/clients compiles and
// runs it in a fresh folder.
import assert from "node:assert/strict";
import { Carillon, CarillonError } from "carillon-node";

const options = { url: process.env["ADDRESS"] ?? "http://127.0.0.1:8080", key: process.env["KEY"] ?? "" };
const carillon = new Carillon(options);

const made = await carillon.subscribers.upsert("node/ada", { firstName: "Ada", email: null, data: { plan: "free" } });
const changed = await carillon.subscribers.upsert("node/ada", { lastName: "Lovelace", firstName: null });
assert.deepEqual([changed.id, changed.firstName, changed.lastName, changed.data], [made.id, null, "Lovelace", { plan: "free" }]);
assert.equal((await carillon.subscribers.get("node/ada"))?.lastName, "Lovelace");
assert.equal(await carillon.subscribers.get("stranger"), null);
assert.ok((await carillon.subscribers.list({ first: 1 })).nodes.length === 1);
const { token, expiresAt } = await carillon.subscribers.token("node/ada", { ttlSeconds: 60 });
assert.ok(token && new Date(expiresAt).getTime() > Date.now());

const subscribed = await carillon.topics.subscribe("node-news", { subscriptions: ["node/ada", "stranger"], name: "News" });
assert.deepEqual(subscribed.meta, { totalCount: 2, successful: 1, failed: 1 });
const event = { name: "hello", to: ["node/ada", { topicKey: "node-news" }], payload: { name: "Ada" }, transactionId: "node-1" };
assert.equal((await carillon.trigger(event)).status, "processed");
assert.deepEqual((await carillon.triggerBulk([event, { name: "unknown", to: "node/ada" }])).map((r) => r.status), ["processed", "error"]);
assert.equal((await carillon.broadcast({ name: "hello", payload: {} })).acknowledged, true);
const { global } = await carillon.request("get", "/v2/subscribers/{subscriberId}/preferences", { path: { subscriberId: "node/ada" }, query: { criticality: "all" } });
assert.equal(global.enabled, true);
const found = await carillon.request("get", "/v2/workflows", { query: { query: "hello", status: ["ACTIVE", "ERROR"], limit: 5 } });
assert.equal(found.workflows[0]?.workflowId, "hello");
assert.equal((await carillon.topics.unsubscribe("node-news", { subscriptions: [{ subscriberId: "node/ada" }] })).meta.successful, 1);

// Node.js 18.0 to 18.15 do not count the parameters of a query.
Object.defineProperty(URLSearchParams.prototype, "size", { value: undefined });
const asked: string[] = [];
const listening = new Carillon({ ...options, fetch: (input, init) => (asked.push(String(input)), fetch(input, init)) });
await listening.request("get", "/v2/workflows", { query: { limit: 1, status: ["ACTIVE", "ERROR"] } });
await listening.request("get", "/v2/workflows", {});
assert.deepEqual(asked, [`${options.url}/v2/workflows?limit=1&status=ACTIVE&status=ERROR`, `${options.url}/v2/workflows`]);

// A service may put its answers into an envelope.
const wrapping = (body: string) => new Carillon({ ...options, fetch: async () => new Response(body) });
assert.equal((await wrapping('{"data":{"acknowledged":true,"status":"processed"}}').trigger(event)).status, "processed");
assert.equal((await wrapping('{"data":[{"acknowledged":true,"status":"processed"}]}').triggerBulk([event])).length, 1);
assert.deepEqual((await wrapping('{"data":[],"totalCount":0}').request("get", "/v1/channel-endpoints", {})).data, []);

const refused = async (call: Promise<unknown>): Promise<CarillonError> => {
  const error = await call.then(() => assert.fail("it is not refused"), (e: unknown) => e);
  assert.ok(error instanceof CarillonError, String(error));
  return error;
};
const wrong = await refused(carillon.trigger({ name: "not a name", to: "node/ada" }));
assert.ok(wrong.status === 422 && wrong.fields["name"] && wrong.requestId);
assert.equal((await refused(carillon.request("get", "/v1/channel-endpoints/{identifier}", { path: { identifier: "nowhere" } }))).status, 404);
assert.equal((await refused(carillon.topics.subscribe("node-news", { subscriptions: ["stranger"] }))).code, "ALL_ITEMS_FAILED");
assert.equal((await refused(carillon.subscribers.upsert("not an id"))).code, "VALIDATION");
assert.equal((await refused(new Carillon({ ...options, key: "wrong" }).subscribers.get("node/ada"))).code, "UNAUTHENTICATED");

// The first answer is lost: the call is sent again under the same key, and carried out once.
const keys: (string | null)[] = [];
const replays: (string | null)[] = [];
const lossy: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  keys.push(new Headers(init?.headers).get("idempotency-key"));
  replays.push(response.headers.get("idempotency-replay"));
  if (keys.length === 1) throw new TypeError("the connection broke");
  return response;
};
const unlucky = new Carillon({ ...options, fetch: lossy, retry: { backoff: 1 } });
assert.equal((await unlucky.topics.subscribe("node-lost", { subscriptions: ["node/ada"] })).meta.successful, 1);
assert.ok(keys.length === 2 && keys[0] && keys[0] === keys[1]);
assert.deepEqual(replays, [null, "true"]);
keys.length = 0;
await assert.rejects(unlucky.graphql("mutation { rotateInboxSecret { inboxSecret } }"), /the connection broke/);
assert.equal(keys.length, 1, "a mutation that must not run twice is not sent again");

// An answer that breaks off is lost, too.
const cut = new ReadableStream({ start: (body) => (body.enqueue(new TextEncoder().encode("{")), body.error(new TypeError("the connection broke"))) });
const answers = [new Response(cut), Response.json({ workflows: [], totalCount: 3 })];
const broken = new Carillon({ ...options, fetch: async () => answers.shift() as Response, retry: { backoff: 1 } });
assert.equal((await broken.request("get", "/v2/workflows", {})).totalCount, 3);

// An abort ends the waits.
const away = new Carillon({ ...options, fetch: async () => new Response("", { status: 503, headers: { "Retry-After": "20" } }) });
await assert.rejects(away.request("get", "/v2/workflows", { signal: AbortSignal.timeout(20) }), { name: "TimeoutError" });
console.log("carillon-node: walked");
