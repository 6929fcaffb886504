// A page in strict TypeScript on the served types. It is compiled, never run.
import { CarillonInbox, dictionaries, Inbox, InboxError } from "./web/carillon-inbox.js";
import type { Message, State, Update } from "./web/inbox.js";

const inbox = new Inbox({ token: async () => "cst_", url: "https://carillon.example", contextKeys: ["tenant:acme"] });
const heard: Message[] = [];
const stop: () => void = inbox.subscribe((update: Update) => void heard.push(...update.messages));
const state: State = await inbox.connect(7);
const { messages, endCursor } = await inbox.list({
	filter: { read: false, severityIn: ["HIGH"] },
	first: state.total,
	after: null,
});
const changed: Message[] = await inbox.snooze(
	messages.map(({ id }) => id),
	new Date(),
);
const [unread = 0]: number[] = await inbox.counts([{ read: false }]);
await inbox.setSchedule({
	isEnabled: true,
	weeklySchedule: { monday: { isEnabled: true, hours: [{ start: "09:00 AM", end: "05:00 PM" }] } },
});
// @ts-expect-error a severity that there is not
await inbox.list({ filter: { severityIn: ["LOUD"] } });
// @ts-expect-error a message is text, not a number
const wrong: number = changed[0]!.subject;

const element = new CarillonInbox();
element.token = () => Promise.resolve("cst_");
element.tabs = [{ label: dictionaries.en?.unread ?? "Unread", filter: { read: false } }];
document.body.append(element);
stop();
inbox.close();
export const results = [endCursor, unread, wrong, new InboxError("x", "INVALID").code];
