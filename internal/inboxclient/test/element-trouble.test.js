// @vitest-environment jsdom
import { expect, test, vi } from "vitest";
import { FakeInbox, message, page } from "./fake-inbox.js";
import { all, element, latest, mount, mountOpen, one, press, problem, said, settle } from "./mounted.js";

vi.mock("../web/inbox.js", async (original) => ({
	...(await original()),
	Inbox: (await import("./fake-inbox.js")).FakeInbox,
}));

test("a message is followed although the server is slow to mark it read", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	await mountOpen();
	const heard = vi.fn((event) => event.preventDefault());
	element.addEventListener("carillon-open", heard);
	FakeInbox.answers.markRead = () => new Promise(() => {});
	await press("open-a");
	vi.advanceTimersByTime(999);
	await settle();
	expect(heard).not.toHaveBeenCalled();
	vi.advanceTimersByTime(1);
	await settle();
	expect(heard).toHaveBeenCalledTimes(1);
});

test("a page that cannot be loaded is asked for again after a pause, which grows", async () => {
	vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
	const messages = [message("a"), message("b")];
	FakeInbox.answers.list = async ({ after }) => {
		if (after) await new Promise((_, reject) => setImmediate(reject, new Error("too fast")));
		return { messages, endCursor: "c", hasNextPage: true };
	};
	await mount();
	Object.defineProperty(one(".body"), "clientHeight", { value: 400 }); // where there is a layout
	element.open();
	await settle();
	const asked = () =>
		latest()
			.of("list")
			.filter(([{ after }]) => after).length;
	expect(asked()).toBe(1);
	expect(problem()).toBe("Something went wrong: too fast");
	for (const [pause, times] of [
		[1_999, 1],
		[1, 2],
		[3_999, 2],
		[1, 3],
	]) {
		vi.advanceTimersByTime(pause);
		await settle();
		expect(asked()).toBe(times);
	}
	FakeInbox.answers.list = ({ after }) => page(...(after ? [message("c")] : messages));
	vi.advanceTimersByTime(8_000);
	await settle();
	expect(all("li.row").map(({ dataset }) => dataset.id)).toEqual(["a", "b", "c"]);
	expect(asked()).toBe(4);
});

test("what arrives above a long list is announced", async () => {
	const messages = [...Array(120).keys()].map((i) => message(`m${i}`));
	FakeInbox.answers.list = ({ first, after }) => {
		const from = after ? Number(after) : 0;
		const to = from + Math.min(first, 100);
		return { messages: messages.slice(from, to), endCursor: String(to), hasNextPage: to < messages.length };
	};
	await mount();
	Object.defineProperty(one(".body"), "clientHeight", { value: 20_000 }); // so that all are loaded
	element.open();
	await vi.waitFor(() => expect(latest().of("list").length).toBeGreaterThan(5));
	await settle();
	one(".body").scrollTop = 1000;
	latest().update({ messages: [message("new", { seen: false })] });
	expect(said()).toBe("New: Subject new");
	expect(one(".fresh").hidden).toBe(false);
});

test("a picture that cannot be loaded gives way to the letter", async () => {
	FakeInbox.answers.list = () => page(message("a", { avatar: "https://pictures.example/none.png" }));
	await mountOpen();
	one("img.avatar").dispatchEvent(new Event("error"));
	expect(one("img.avatar")).toBeUndefined();
	expect(one("li .avatar").textContent).toBe("S");
});

test("the panel stays in the window wherever the bell is", async () => {
	let rect = { left: -370, right: 50 };
	vi.spyOn(document.documentElement, "clientWidth", "get").mockReturnValue(1000);
	await mount();
	one(".panel").getBoundingClientRect = () => /** @type {DOMRect} */ (rect);
	element.open();
	expect(one(".panel").style.transform).toBe("translateX(378px)");
	rect = { left: 700, right: 1120 };
	globalThis.dispatchEvent(new Event("resize"));
	expect(one(".panel").style.transform).toBe("translateX(-128px)");
	rect = { left: 300, right: 720 };
	globalThis.dispatchEvent(new Event("resize"));
	expect(one(".panel").style.transform).toBe("");
});
