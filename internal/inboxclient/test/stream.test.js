import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Stream } from "../web/stream.js";

/** A WebSocket whose server side is played by the test. */
class FakeSocket {
	/** @type {FakeSocket[]} */ static all = [];
	/** @type {any[]} */ sent = [];
	closed = false;
	constructor(url, protocol) {
		Object.assign(this, { url: String(url), protocol });
		FakeSocket.all.push(this);
	}
	send(text) {
		this.sent.push(JSON.parse(text));
	}
	close() {
		this.closed = true;
	}
	open() {
		this.onopen();
		this.message({ type: "connection_ack" });
	}
	message(message) {
		this.onmessage({ data: JSON.stringify(message) });
	}
	next(data) {
		this.message({ id: "1", type: "next", payload: { data } });
	}
	drop(code = 1006) {
		this.closed = true;
		this.onclose({ code });
	}
}

const latest = () => FakeSocket.all.at(-1);
const settle = () => vi.advanceTimersByTimeAsync(0);

/** @type {Stream | undefined} */ let stream;

/** Starts a stream that resumes after what it received last. */
async function start(over = {}) {
	const log = { statuses: [], received: [], renewals: [] };
	stream = new Stream({
		endpoint: new URL("https://carillon.example/graphql"),
		token: async (renew) => {
			log.renewals.push(renew);
			return renew ? "new" : "old";
		},
		renewable: true,
		operation: () => ({ query: "subscription", variables: { after: log.received.at(-1) } }),
		resumes: () => log.received.length > 0,
		next: (data) => log.received.push(data),
		status: (status) => log.statuses.push(status),
		...over,
	});
	stream.start();
	await settle();
	return log;
}

beforeEach(() => {
	vi.useFakeTimers();
	vi.stubGlobal("WebSocket", FakeSocket);
	vi.spyOn(Math, "random").mockReturnValue(1); // the longest pause of each range
	FakeSocket.all = [];
});

afterEach(() => {
	stream?.close();
	vi.unstubAllGlobals();
	vi.restoreAllMocks();
	vi.useRealTimers();
});

test("authorizes over WebSocket and subscribes once it is acknowledged", async () => {
	const log = await start();
	const socket = latest();
	expect(socket.url).toBe("wss://carillon.example/graphql");
	socket.open();
	expect(socket.sent).toEqual(
		[
			{ type: "connection_init", payload: { Authorization: "Bearer old" } },
			{ id: "1", type: "subscribe", payload: { query: "subscription", variables: { after: undefined } } },
		].map((m) => JSON.parse(JSON.stringify(m))),
	);
	expect(log.statuses).toEqual(["connecting"]);
	socket.next(1);
	expect(log).toMatchObject({ statuses: ["connecting", "online"], received: [1] });
	socket.message({ type: "ping" });
	expect(socket.sent.at(-1)).toEqual({ type: "pong" });
});

test("resumes after the last update, and is online before another arrives", async () => {
	const log = await start();
	latest().open();
	latest().next(7);
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	expect(FakeSocket.all).toHaveLength(2);
	latest().open();
	expect(latest().sent[1].payload.variables).toEqual({ after: 7 });
	expect(log.statuses).toEqual(["connecting", "online", "offline", "connecting", "online"]);
});

test("waits longer after each failure, up to a limit", async () => {
	vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("offline")));
	await start();
	const attempts = () => FakeSocket.all.length + vi.mocked(fetch).mock.calls.length;
	for (const pause of [250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]) {
		const before = attempts();
		if (FakeSocket.all.at(-1)?.closed === false) latest().drop();
		await vi.advanceTimersByTimeAsync(pause - 1);
		expect(attempts()).toBe(before);
		await vi.advanceTimersByTimeAsync(1);
		expect(attempts()).toBe(before + 1);
	}
});

test("an update ends the row of failures", async () => {
	await start();
	for (const pause of [250, 250, 250]) {
		latest().open();
		latest().next(1);
		latest().drop();
		await vi.advanceTimersByTimeAsync(pause);
	}
	expect(FakeSocket.all).toHaveLength(4);
});

test("a silent connection is given up", async () => {
	const log = await start();
	latest().open();
	latest().next(1);
	await vi.advanceTimersByTimeAsync(74_999);
	expect(latest().closed).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	expect(latest().closed).toBe(true);
	expect(log.statuses.at(-1)).toBe("offline");
});

test("a connection that never opens is given up", async () => {
	await start();
	await vi.advanceTimersByTimeAsync(74_999);
	expect(latest().closed).toBe(false);
	await vi.advanceTimersByTimeAsync(1);
	expect(latest().closed).toBe(true);
});

test("a refused token is renewed at once", async () => {
	const log = await start();
	latest().onopen();
	latest().drop(4403);
	await settle();
	expect(log.renewals).toEqual([false, true]);
	latest().open();
	expect(latest().sent[0].payload).toEqual({ Authorization: "Bearer new" });
});

test("a refused token that cannot be renewed ends the stream", async () => {
	const log = await start({ renewable: false });
	latest().onopen();
	latest().drop(4401);
	await vi.advanceTimersByTimeAsync(60_000);
	expect(log.statuses).toEqual(["connecting", "unauthorized"]);
	expect(FakeSocket.all).toHaveLength(1);
});

/** An answer of server-sent events that stays open. */
function events(...chunks) {
	const encoder = new TextEncoder();
	const body = new ReadableStream({
		start(controller) {
			for (const chunk of chunks) controller.enqueue(encoder.encode(chunk));
		},
	});
	return new Response(body, { status: 200 });
}

test("server-sent events serve where no WebSocket passes", async () => {
	const answer = events(
		": hello\n\n",
		'event: next\ndata: {"data"',
		':1}\n\nevent: next\r\ndata: {"data":2}\r\n\r\n',
		'event: other\ndata: {"data":3}\n\n',
	);
	vi.stubGlobal("fetch", vi.fn().mockResolvedValue(answer));
	const log = await start();
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	await vi.waitFor(() => expect(log.received).toEqual([1, 2]));
	const [url, init] = vi.mocked(fetch).mock.calls[0];
	expect(String(url)).toBe("https://carillon.example/graphql");
	expect(init.headers).toMatchObject({ Accept: "text/event-stream", Authorization: "Bearer old" });
	expect(log.statuses.at(-1)).toBe("online");
});

test("events report a refused token", async () => {
	vi.stubGlobal(
		"fetch",
		vi.fn().mockImplementation(async () => new Response("", { status: 401 })),
	);
	const log = await start({ renewable: false });
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	expect(log.statuses.at(-1)).toBe("unauthorized");
});

test("a closed stream does not come back", async () => {
	await start();
	latest().open();
	stream?.close();
	expect(latest().closed).toBe(true);
	await vi.advanceTimersByTimeAsync(600_000);
	expect(FakeSocket.all).toHaveLength(1);
});

test.each([
	["an update with errors", { id: "1", type: "next", payload: { errors: [{ message: "gap" }] } }],
	["an error", { id: "1", type: "error", payload: [] }],
	["the end of the subscription", { id: "1", type: "complete" }],
])("%s connects anew, after the last update", async (_, message) => {
	const log = await start();
	latest().open();
	latest().next(7);
	latest().message(message);
	expect(latest().closed).toBe(true);
	await vi.advanceTimersByTimeAsync(250);
	expect(FakeSocket.all).toHaveLength(2);
	latest().open();
	expect(latest().sent[1].payload.variables).toEqual({ after: 7 });
	expect(log.received).toEqual([7]);
});

test("an update of a connection that has ended is dropped: the next one brings it again", async () => {
	const log = await start();
	const first = latest();
	first.open();
	first.next(7);
	first.message({ id: "1", type: "complete" });
	first.next(8);
	await vi.advanceTimersByTimeAsync(250);
	latest().open();
	latest().next(8);
	expect(log.received).toEqual([7, 8]);
});

test("messages of other types are ignored", async () => {
	const log = await start();
	latest().open();
	latest().message({ type: "pong" });
	latest().next(1);
	expect(log.received).toEqual([1]);
	expect(latest().closed).toBe(false);
});

test("any message shows that the connection lives", async () => {
	await start();
	latest().open();
	for (let i = 0; i < 4; i++) {
		await vi.advanceTimersByTimeAsync(60_000);
		latest().message({ type: "ping" });
	}
	expect(latest().closed).toBe(false);
});

test("the browser's coming online ends the pause", async () => {
	const target = new EventTarget();
	vi.stubGlobal("addEventListener", target.addEventListener.bind(target));
	await start();
	latest().open();
	latest().next(1);
	latest().drop();
	await vi.advanceTimersByTimeAsync(10);
	expect(FakeSocket.all).toHaveLength(1);
	target.dispatchEvent(new Event("online"));
	await settle();
	expect(FakeSocket.all).toHaveLength(2);
	stream?.close();
	target.dispatchEvent(new Event("online"));
	await settle();
	expect(FakeSocket.all).toHaveLength(2);
});

test("a token that cannot be fetched is tried again after a pause", async () => {
	const token = vi.fn().mockRejectedValueOnce(new Error("offline")).mockResolvedValue("old");
	const log = await start({ token });
	expect(log.statuses).toEqual(["connecting", "offline"]);
	expect(FakeSocket.all).toHaveLength(0);
	await vi.advanceTimersByTimeAsync(250);
	expect(FakeSocket.all).toHaveLength(1);
	expect(token.mock.calls).toEqual([[false], [false]]);
});

test("a stream that is closed while its token is fetched opens no connection", async () => {
	/** @type {(token: string) => void} */ let arrive = () => {};
	const log = await start({ token: () => new Promise((resolve) => (arrive = resolve)) });
	stream?.close();
	arrive("late");
	await settle();
	expect(FakeSocket.all).toHaveLength(0);
	expect(log.statuses).toEqual(["connecting"]);
});

test("a renewed token that is refused as well is not renewed again at once", async () => {
	const log = await start();
	latest().onopen();
	latest().drop(4403);
	await settle();
	latest().onopen();
	latest().drop(4403);
	await settle();
	expect(log.renewals).toEqual([false, true]);
	expect(log.statuses.at(-1)).toBe("offline");
	await vi.advanceTimersByTimeAsync(250);
	expect(log.renewals).toEqual([false, true, true]);
});

test("a connection that lasted ends the row of failures, even without an update", async () => {
	const log = await start({ resumes: () => true });
	latest().drop();
	vi.stubGlobal("fetch", vi.fn().mockRejectedValue(new TypeError("offline")));
	await vi.advanceTimersByTimeAsync(250);
	await vi.advanceTimersByTimeAsync(500);
	latest().open();
	expect(log.statuses.at(-1)).toBe("online");
	for (let i = 0; i < 2; i++) {
		await vi.advanceTimersByTimeAsync(20_000);
		latest().message({ type: "ping" });
	}
	const before = FakeSocket.all.length;
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	expect(FakeSocket.all).toHaveLength(before + 1);
});

test("events that fall silent are given up, and WebSocket is tried again", async () => {
	const signals = [];
	vi.stubGlobal(
		"fetch",
		vi.fn((_, { signal }) => {
			signals.push(signal);
			const body = new ReadableStream({
				start(controller) {
					controller.enqueue(new TextEncoder().encode('event: next\ndata: {"data":1}\n\n'));
					signal.addEventListener("abort", () => controller.error(signal.reason));
				},
			});
			return Promise.resolve(new Response(body, { status: 200 }));
		}),
	);
	const log = await start();
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	await vi.waitFor(() => expect(log.received).toEqual([1]));
	await vi.advanceTimersByTimeAsync(74_000);
	expect(signals[0].aborted).toBe(false);
	await vi.advanceTimersByTimeAsync(1_000);
	expect(signals[0].aborted).toBe(true);
	await vi.advanceTimersByTimeAsync(250);
	expect(FakeSocket.all).toHaveLength(2);
});

test.each([[500], [404]])("an answer with status %i is a failure, not an update", async (status) => {
	vi.stubGlobal("fetch", vi.fn().mockResolvedValue(new Response("", { status })));
	const log = await start();
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	expect(log).toMatchObject({ received: [], statuses: ["connecting", "offline", "connecting", "offline"] });
});

test("events with errors end the connection", async () => {
	const answer = events('event: next\ndata: {"data":1}\n\nevent: next\ndata: {"errors":[{}]}\n\n');
	vi.stubGlobal("fetch", vi.fn().mockResolvedValue(answer));
	const log = await start();
	latest().drop();
	await vi.advanceTimersByTimeAsync(250);
	await vi.waitFor(() => expect(log.statuses.at(-1)).toBe("offline"));
	expect(log.received).toEqual([1]);
});
