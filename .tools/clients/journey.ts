// From a trigger to the inbox with the generated client: ADDRESS and KEY say on which server, and with which API key.
import assert from "node:assert/strict";
import type { TypedDocumentNode } from "@graphql-typed-document-node/core";
import { print } from "graphql";
import { CreateSubscriberDocument, CreateWorkflowDocument, InboxDocument, MarkDocument, RecordDocument, TriggerDocument } from "./gql.js";

const address = process.env["ADDRESS"] ?? "http://127.0.0.1:8080";

async function run<R, V>(document: TypedDocumentNode<R, V>, variables: V): Promise<R> {
  const response = await fetch(`${address}/graphql`, {
    method: "POST",
    headers: { Authorization: `ApiKey ${process.env["KEY"]}`, "Content-Type": "application/json", Accept: "application/graphql-response+json" },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data?: R; errors?: unknown };
  assert.equal(errors, undefined, JSON.stringify(errors));
  assert.ok(data !== undefined);
  return data;
}

// payloads.ts and payloads.go are made of it by the command carillon types.
const payloadSchema = {
  type: "object",
  required: ["name", "order"],
  properties: {
    name: { type: "string", description: "Whom to greet." },
    tone: { enum: ["formal", "friendly"] },
    order: { $ref: "#/$defs/order" },
  },
  $defs: {
    order: {
      type: "object",
      additionalProperties: false,
      required: ["lines"],
      properties: { lines: { type: "array", items: { type: "integer" } }, parent: { $ref: "#/$defs/order" }, note: { type: ["string", "null"] } },
    },
  },
};
await run(CreateSubscriberDocument, { input: { subscriberId: "tess" } });
const { workflow } = (await run(CreateWorkflowDocument, {
  input: { identifier: "from-typescript", name: "From TypeScript", definition: { steps: [{ type: "IN_APP", inApp: { body: "Hello {{payload.name}}" } }], payloadSchema } },
})).createWorkflow;
assert.ok(workflow.active);
const { result: accepted } = (await run(TriggerDocument, {
  input: { name: workflow.identifier, to: [{ subscriberId: "tess" }], payload: { name: "Tess", order: { lines: [1] } }, transactionId: "from-typescript-1" },
})).triggerEvent;
assert.equal(accepted.status, "PROCESSED");

let { inbox } = await run(InboxDocument, { subscriberId: "tess" });
for (const end = Date.now() + 20_000; !inbox?.messages.edges.length; { inbox } = await run(InboxDocument, { subscriberId: "tess" })) {
  assert.ok(Date.now() < end, "the message came not into the inbox");
  await new Promise((resolve) => setTimeout(resolve, 50));
}
const message = inbox.messages.edges[0]?.node;
assert.ok(message !== undefined);
assert.deepEqual([message.transactionId, message.read], ["from-typescript-1", false]);
assert.equal((await run(InboxDocument, { subscriberId: "tess" })).inbox?.state?.unread, 1);

const { markMessages: marked } = await run(MarkDocument, { input: { subscriberId: "tess", messageIds: [message.id], markAs: "READ" } });
assert.deepEqual(marked.messages, [{ id: message.id, read: true }]);
const { node } = await run(RecordDocument, { id: message.id });
assert.ok(node?.__typename === "Message" && node.read);
assert.equal((await run(InboxDocument, { subscriberId: "tess" })).inbox?.state?.unread, 0);
console.log("TypeScript client: from a trigger to the inbox");
