// What a team does with the types of its payloads; `satisfies` and the expected errors show that they hold.
import type { Payloads, TriggerName } from "./built/payloads.js";

const name: TriggerName = "from-typescript";
const good = { name: "Tess", tone: "formal", order: { lines: [1, 2], note: null, parent: { lines: [] } } } satisfies Payloads["from-typescript"];
// @ts-expect-error the order is missing
const missing: Payloads["from-typescript"] = { name: "Tess" };
// @ts-expect-error there is no such tone
const wrong: Payloads["from-typescript"] = { name: "Tess", tone: "rude", order: { lines: [] } };
// @ts-expect-error there is no such workflow
const unknown: TriggerName = "nobody";
console.assert(name && good && missing && wrong && unknown);
