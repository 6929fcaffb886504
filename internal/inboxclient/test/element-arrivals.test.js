// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { message } from "./fake-inbox.js";
import { latest, mount, said } from "./mounted.js";

vi.mock("../web/inbox.js", async (original) => ({
	...(await original()),
	Inbox: (await import("./fake-inbox.js")).FakeInbox,
}));

/** A message that arrives. */
const fresh = (id, over = {}) => message(id, { seen: false, ...over });

test("new messages are announced once, and not those that are put away", async () => {
	await mount();
	latest().update({ messages: [fresh("n"), fresh("o", { archived: true }), fresh("p", { read: true })] });
	expect(said()).toBe("New: Subject n");
	latest().update({ messages: [fresh("n"), fresh("q", { subject: null }), fresh("r")] });
	expect(said()).toBe("2 new notifications");
	latest().update({ messages: [fresh("n")] });
	expect(said()).toBe("2 new notifications");
	latest().update({ messages: [fresh("s", { subject: null })] });
	expect(said()).toBe("New: Text s");
});

test("messages that are looked at or marked unread in another tab are not new", async () => {
	await mount();
	latest().update({ messages: [message("a"), message("b")] });
	expect(said()).toBe("");
});

test("a message that was put off is announced when it comes back, unless the reader took it back", async () => {
	await mount();
	const first = "2026-03-02T10:00:00Z";
	latest().update({ messages: [fresh("a", { deliveredAt: [first] })] });
	latest().update({ messages: [message("b")] });
	const putOff = message("a", { deliveredAt: [first], snoozedUntil: "2026-03-02T11:00:00Z" });
	latest().update({ messages: [putOff] });
	latest().update({ messages: [fresh("c")] });
	latest().update({ messages: [fresh("a", { deliveredAt: [first] })] });
	expect(said()).toBe("New: Subject c");
	latest().update({ messages: [fresh("a", { deliveredAt: [first, "2026-03-02T11:00:00Z"] })] });
	expect(said()).toBe("New: Subject a");
});
