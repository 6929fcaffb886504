// Walks the documented routes of a running server with the client that openapi-generator makes from the document's older form.
// ADDRESS and KEY say which server, and with which API key. The generator takes what is one of several types for all of them at
// once, so that a recipient is asserted to be one.
import assert from "node:assert/strict";
import axios from "axios";
import * as generated from "./generated/index";

const basePath = process.env["ADDRESS"] ?? "http://127.0.0.1:8080";
const apiKey = `ApiKey ${process.env["KEY"]}`;

const walked = new Set<string>();
const http = axios.create();
http.interceptors.response.use((reply) => {
  walked.add(`${reply.config.method?.toUpperCase()} ${new URL(reply.config.url ?? "").pathname}`);
  return reply;
});
const made = <T>(api: new (configuration: generated.Configuration, base: string, http: typeof axios) => T): T =>
  new api(new generated.Configuration({ apiKey }), basePath, http as typeof axios);
const endpoints = made(generated.ChannelEndpointsApi);
const events = made(generated.EventsApi);
const integrations = made(generated.IntegrationsApi);
const messages = made(generated.MessagesApi);
const preferences = made(generated.PreferencesApi);
const subscriptions = made(generated.SubscriptionsApi);
const workflows = made(generated.WorkflowsApi);

async function graphql<T>(query: string): Promise<T> {
  const { data } = await axios.post<{ data: T; errors?: unknown }>(`${basePath}/graphql`, { query }, { headers: { Authorization: apiKey } });
  assert.equal(data.errors, undefined, JSON.stringify(data.errors));
  return data.data;
}

async function walk() {
  // What the documented routes cannot make.
  await graphql(`mutation { createWorkflow(input: {identifier: "stroll", name: "Stroll", definition: {steps: [{type: IN_APP, inApp: {body: "Hello"}}]}}) { workflow { id } } }`);
  const {
    createIntegration: { integration },
  } = await graphql<{ createIntegration: { integration: { internalId: string } } }>(
    `mutation { createIntegration(input: {providerId: "chat-webhook", identifier: "line"}) { integration { internalId } } }`,
  );

  await graphql(`mutation { createSubscriber(input: {subscriberId: "ben"}) { subscriber { id } } }`); // a trigger makes its recipients later

  const recipient = (id: string) => ({ subscriberId: id, email: `${id}@example.com` }) as generated.Recipient;
  const payload = { order: { number: 1 } };
  const first = await events.triggerEvent({ name: "stroll", to: recipient("ben"), payload }, "stroll-1");
  const again = await events.triggerEvent({ name: "stroll", to: recipient("ben"), payload }, "stroll-1");
  assert.equal(first.data.status, generated.TriggerStatus.Processed);
  assert.deepEqual(again.data, first.data);
  assert.equal((await events.broadcastEvent({ name: "stroll", payload })).data.acknowledged, true);
  const bulk = await events.bulkTriggerEvents({ events: [{ name: "stroll", to: [recipient("ben"), recipient("cleo")] }, { name: "nowhere", to: recipient("ben") }] });
  assert.equal(bulk.data[1]?.error?.[0], "workflow_not_found");

  await graphql(`mutation { createChannelEndpoint(input: {identifier: "spot", subscriberId: "ben", integration: "line", endpoint: {webhook: {url: "https://example.com/spot"}}}) { channelEndpoint { id } } }`);
  assert.deepEqual((await endpoints.getChannelEndpoint("spot")).data.endpoint, { url: "https://example.com/spot" });
  const page = await endpoints.listChannelEndpoints(undefined, undefined, 5, "DESC", "createdAt", undefined, undefined, "ben", generated.Channel.Chat);
  assert.equal(page.data.totalCount, 1);

  const created = await subscriptions.createSubscriptions("offers", { subscriptions: ["ben", { identifier: "more", subscriberId: "ben" }, "missing"], preferences: ["stroll"] });
  assert.deepEqual(created.data.meta, { totalCount: 3, successful: 2, failed: 1 });
  assert.equal((await subscriptions.updateSubscription("offers", "more", { name: "More" })).data.name, "More");
  assert.equal((await subscriptions.listSubscriptions("ben")).data.data.length, 2);
  assert.equal((await subscriptions.deleteSubscriptions("offers", { subscriptions: ["ben"] })).data.meta.successful, 2);

  const wishes = await preferences.updatePreferences("ben", { preferences: [{ workflowId: "stroll", channels: { email: false } }] });
  assert.equal(wishes.data[0]?.channels.email, false);
  assert.ok((await preferences.getPreferences("ben", "all")).data.workflows.length > 0);
  const listed = await workflows.listWorkflows(10, 0, "ASC", "name", "stroll");
  assert.equal(listed.data.workflows[0]?.workflowId, "stroll");

  // The messages arrive by themselves.
  let ids: string[] = [];
  for (const end = Date.now() + 30_000; ids.length === 0 && Date.now() < end; ) {
    const found = await graphql<{ messages: { nodes: { internalId: string }[] } }>(`{ messages(first: 5, filter: {subscriberId: "ben"}) { nodes { internalId } } }`);
    ids = found.messages.nodes.map((m) => m.internalId);
    if (ids.length === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.ok(ids.length > 0, "no message arrived");
  const marked = await messages.markMessages("ben", { messageId: ids, markAs: generated.MarkMessagesRequestMarkAsEnum.Read });
  assert.ok(marked.data.length > 0 && marked.data.every((m) => m.read && m.seen));
  const left = await integrations.deleteIntegration(integration.internalId);
  assert.ok(left.data.every((i) => i._id !== integration.internalId));

  const { data: document } = await axios.get<{ paths: Record<string, Record<string, unknown>> }>(`${basePath}/openapi-3.0.json`);
  for (const [path, methods] of Object.entries(document.paths))
    for (const method of Object.keys(methods).filter((m) => m !== "parameters")) {
      const route = new RegExp(`^${method.toUpperCase()} ${path.replace(/\{\w+\}/g, "[^/]+")}$`);
      assert.ok([...walked].some((call) => route.test(call)), `${method} ${path} was not walked`);
    }
  console.log(`openapi: walked ${walked.size} routes with openapi-generator's client`);
}

walk().catch((error) => {
  console.error(error);
  process.exit(1);
});
