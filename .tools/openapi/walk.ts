// Walks every documented route of a running server with the client that a public generator makes from the document.
// ADDRESS and KEY say which server, and with which API key.
import assert from "node:assert/strict";
import createClient, { type Middleware } from "openapi-fetch";
import type { components, paths } from "./api.js";

const address = process.env["ADDRESS"] ?? "http://127.0.0.1:8080";
const authorization = `ApiKey ${process.env["KEY"]}`;

const walked = new Set<string>();
const notes: Middleware = {
  onRequest({ request, schemaPath }) {
    walked.add(`${request.method} ${schemaPath}`);
  },
};
const api = createClient<paths>({ baseUrl: address, headers: { Authorization: authorization } });
api.use(notes);

function answered<T>(reply: { data?: T; error?: unknown; response: Response }, status: number): T {
  assert.equal(reply.response.status, status, JSON.stringify(reply.error));
  assert.ok(reply.data !== undefined);
  return reply.data;
}

async function graphql<T>(query: string): Promise<T> {
  const response = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: JSON.stringify({ query }),
  });
  const { data, errors } = (await response.json()) as { data: T; errors?: unknown };
  assert.equal(errors, undefined, JSON.stringify(errors));
  return data;
}

// What the documented routes cannot make.
await graphql(`mutation { createWorkflow(input: {identifier: "walk", name: "Walk", definition: {steps: [{type: IN_APP, inApp: {body: "Hello"}}]}}) { workflow { id } } }`);
await graphql(`mutation { createSubscriber(input: {subscriberId: "ada", firstName: "Ada"}) { subscriber { id } } }`);
const {
  createIntegration: { integration },
} = await graphql<{ createIntegration: { integration: { internalId: string } } }>(
  `mutation { createIntegration(input: {providerId: "chat-webhook", identifier: "hook"}) { integration { internalId } } }`,
);
await graphql(`mutation { createChannelEndpoint(input: {identifier: "place", subscriberId: "ada", integration: "hook", endpoint: {webhook: {url: "https://example.com/hook"}}}) { channelEndpoint { id } } }`);

const endpoints = answered(await api.GET("/v1/channel-endpoints", { params: { query: { limit: 5, subscriberId: "ada", channel: "chat" } } }), 200);
assert.equal(endpoints.totalCount, 1);
const endpoint = answered(await api.GET("/v1/channel-endpoints/{identifier}", { params: { path: { identifier: "place" } } }), 200);
assert.ok("url" in endpoint.endpoint && endpoint.endpoint.url === "https://example.com/hook");

const topicKey = "news";
const created = answered(
  await api.POST("/v2/topics/{topicKey}/subscriptions", {
    params: { path: { topicKey } },
    body: { subscriptions: ["ada", { identifier: "second", subscriberId: "ada" }, "nobody"], name: "News", preferences: ["walk"], context: { app: "web" } },
  }),
  201,
);
assert.deepEqual(created.meta, { totalCount: 3, successful: 2, failed: 1 });
assert.equal(created.errors?.[0]?.code, "SUBSCRIBER_NOT_FOUND");
const subscriptions = answered(
  await api.GET("/v2/subscribers/{subscriberId}/subscriptions", { params: { path: { subscriberId: "ada" }, query: { contextKeys: ["app:web"], orderBy: "_id" } } }),
  200,
);
assert.equal(subscriptions.data.length, 2);
const updated = answered(
  await api.PATCH("/v2/topics/{topicKey}/subscriptions/{identifier}", { params: { path: { topicKey, identifier: "second" } }, body: { name: "Second" } }),
  200,
);
assert.equal(updated.name, "Second");

const preferences: components["schemas"]["WorkflowPreferenceInput"][] = [{ workflowId: "walk", channels: { email: false } }];
const wishes = answered(
  await api.PATCH("/v2/subscribers/{subscriberId}/preferences/bulk", { params: { path: { subscriberId: "ada" } }, body: { preferences } }),
  200,
);
assert.equal(wishes[0]?.channels.email, false);
const effective = answered(
  await api.GET("/v2/subscribers/{subscriberId}/preferences", { params: { path: { subscriberId: "ada" }, query: { criticality: "all" } } }),
  200,
);
assert.equal(effective.workflows.find((w) => w.workflow.identifier === "walk")?.channels.email, false);
const workflows = answered(await api.GET("/v2/workflows", { params: { query: { query: "walk", status: ["ACTIVE", "ERROR"] } } }), 200);
assert.equal(workflows.workflows[0]?.workflowId, "walk");

const header = { "idempotency-key": "walk-1" };
const body: components["schemas"]["TriggerRequest"] = { name: "walk", to: { subscriberId: "ada" }, payload: { n: 1 } };
const first = await api.POST("/v1/events/trigger", { params: { header }, body });
const again = await api.POST("/v1/events/trigger", { params: { header }, body });
assert.equal(answered(first, 201).status, "processed");
assert.deepEqual(answered(again, 201), first.data);
assert.equal(again.response.headers.get("Idempotency-Replay"), "true");
assert.equal(answered(await api.POST("/v1/events/trigger/broadcast", { body: { name: "walk", payload: {} } }), 200).status, "processed");
assert.equal(answered(await api.POST("/v1/events/trigger/bulk", { body: { events: [{ name: "walk", to: "ada" }, { name: "nowhere", to: ["ada"] }] } }), 201)[1]?.error?.[0], "workflow_not_found");

// The messages arrive by themselves.
let ids: string[] = [];
for (const end = Date.now() + 30_000; ids.length === 0 && Date.now() < end; ) {
  const { messages } = await graphql<{ messages: { nodes: { internalId: string }[] } }>(`{ messages(first: 5) { nodes { internalId } } }`);
  ids = messages.nodes.map((m) => m.internalId);
  if (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
}
assert.ok(ids.length > 0, "no message arrived");
const marked = answered(
  await api.POST("/v1/subscribers/{subscriberId}/messages/mark-as", { params: { path: { subscriberId: "ada" } }, body: { messageId: ids, markAs: "read" } }),
  201,
);
assert.ok(marked.length > 0 && marked.every((m) => m.read && m.seen && m.channel === "in_app"));

const deleted = answered(
  await api.DELETE("/v2/topics/{topicKey}/subscriptions", { params: { path: { topicKey } }, body: { subscriptions: ["ada"] } }),
  200,
);
assert.equal(deleted.meta.successful, 2);
const left = answered(await api.DELETE("/v1/integrations/{integrationId}", { params: { path: { integrationId: integration.internalId } } }), 200);
assert.ok(left.every((i) => i._id !== integration.internalId && !i.deleted));

// Failures are typed as well.
const refused = await api.GET("/v1/channel-endpoints", { params: { query: { after: "x" } } });
assert.equal(refused.response.status, 400);
assert.ok(refused.error && "type" in refused.error && refused.error.type === "INVALID_CURSOR");

const document = (await (await fetch(`${address}/openapi.json`)).json()) as { paths: Record<string, Record<string, unknown>> };
const documented = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.keys(methods).filter((m) => m !== "parameters").map((m) => `${m.toUpperCase()} ${path}`),
);
assert.deepEqual([...walked].sort(), documented.sort());
console.log(`openapi: walked ${walked.size} routes`);
