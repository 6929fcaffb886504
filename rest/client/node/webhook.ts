// Verifies webhooks with the installed package: the specification's own, and what the server at ADDRESS sends. .ci/clients compiles
// and runs it in a fresh folder.
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { Carillon, verifyWebhook, WebhookError, type WebhookOptions } from "carillon-node";

// The vector of the specification's own libraries.
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const another = `whsec_${Buffer.from("another key, of thirty-two bytes").toString("base64")}`;
const body = '{"test": 2432232314}';
const signature = "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=";
const sent = 1614265330;
const headers = { "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": `${sent}`, "webhook-signature": signature };
const after = (seconds: number): WebhookOptions => ({ now: () => new Date((sent + seconds) * 1000) });

const webhook = verifyWebhook(body, headers, secret, after(0));
assert.deepEqual(webhook, { id: headers["webhook-id"], sentAt: new Date(sent * 1000), payload: { test: 2432232314 } });
verifyWebhook(Buffer.from(body), new Headers(headers), secret.slice("whsec_".length), after(300));
verifyWebhook(body, headers, [another, secret], after(-300));
verifyWebhook(body, { ...headers, "webhook-signature": `v1a,AAAA v1,AAAA ${signature}` }, secret, after(0));
verifyWebhook(body, headers, secret, { ...after(3600), toleranceSeconds: 3600 });

const refused: [string, WebhookError["problem"], string, Record<string, string>, string, number][] = [
  ["another secret", "signature", body, headers, another, 0],
  ["another body", "signature", `${body} `, headers, secret, 0],
  ["another id", "signature", body, { ...headers, "webhook-id": "msg_2" }, secret, 0],
  ["another time", "signature", body, { ...headers, "webhook-timestamp": `${sent + 1}` }, secret, 0],
  ["another version", "signature", body, { ...headers, "webhook-signature": signature.replace("v1", "v2") }, secret, 0],
  ["a part of the signature", "signature", body, { ...headers, "webhook-signature": signature.slice(0, 20) }, secret, 0],
  ["no id", "headers", body, { ...headers, "webhook-id": "" }, secret, 0],
  ["no signature", "headers", body, { ...headers, "webhook-signature": "" }, secret, 0],
  ["a time of words", "headers", body, { ...headers, "webhook-timestamp": "yesterday" }, secret, 0],
  ["too old", "time", body, headers, secret, 301],
  ["too new", "time", body, headers, secret, -301],
];
for (const [name, problem, text, given, key, late] of refused)
  assert.throws(() => verifyWebhook(text, given, key, after(late)), (e) => e instanceof WebhookError && e.problem === problem, name);
for (const short of ["", "whsec_", "whsec_c2hvcnQ=", "whsec_not base64 at all, though it is long"])
  assert.throws(() => verifyWebhook(body, headers, short, after(0)), TypeError, short);

// A server's own delivery, first under the secret that the endpoint was made with, then under both while it is replaced.
const carillon = new Carillon({ url: process.env["ADDRESS"] ?? "http://127.0.0.1:8080", key: process.env["KEY"] ?? "" });
const receiver = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on("data", (part: Buffer) => parts.push(part));
  request.on("end", () => {
    response.writeHead(204).end();
    receiver.emit("webhook", request.headers, Buffer.concat(parts));
  });
});
receiver.listen(0, "127.0.0.1");
await once(receiver, "listening");
const { createWebhookEndpoint: made } = await carillon.graphql<{ createWebhookEndpoint: { secret: string; webhookEndpoint: { id: string } } }>(
  "mutation($url: String!) { createWebhookEndpoint(input: {url: $url, eventTypes: [PING]}) { secret webhookEndpoint { id } } }",
  { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hooks` },
);
const id = made.webhookEndpoint.id;
const delivered = async (): Promise<[IncomingHttpHeaders, Buffer]> => {
  const arrived = once(receiver, "webhook") as Promise<[IncomingHttpHeaders, Buffer]>;
  await carillon.graphql("mutation($id: ID!) { pingWebhookEndpoint(id: $id) { webhookDelivery { id } } }", { id });
  return arrived;
};
const [sentHeaders, sentBody] = await delivered();
assert.equal((verifyWebhook(sentBody, sentHeaders, made.secret).payload as { type: string }).type, "ping");
assert.throws(() => verifyWebhook(Buffer.concat([sentBody, Buffer.from(" ")]), sentHeaders, made.secret), WebhookError);
const { rotateWebhookSecret: rotated } = await carillon.graphql<{ rotateWebhookSecret: { secret: string } }>(
  "mutation($id: ID!) { rotateWebhookSecret(input: {id: $id}) { secret } }",
  { id },
);
const [bothHeaders, bothBody] = await delivered();
for (const key of [made.secret, rotated.secret]) verifyWebhook(bothBody, bothHeaders, key);
await carillon.graphql("mutation($id: ID!) { deleteWebhookEndpoint(id: $id) { deletedId } }", { id });
receiver.close();
console.log("carillon-node: webhooks verified");
