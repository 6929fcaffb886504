// Verifies webhooks with the installed package. .ci/clients compiles and runs it in a fresh folder.
import assert from "node:assert/strict";
import { verifyWebhook, WebhookError, type WebhookOptions } from "carillon-node";

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
console.log("carillon-node: webhooks verified");
