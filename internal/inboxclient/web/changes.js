import { InboxError } from "./inbox.js";

/**
 * @typedef {import("./inbox.js").Message} Message
 *
 * @typedef {"markRead" | "markUnread" | "markSeen" | "archive" | "unarchive" | "snooze" | "unsnooze" | "delete"} Operation
 *
 * @typedef {object} Change What a reader does with messages.
 * @property {Operation} op
 * @property {string[]} ids
 * @property {string} [until] Of snooze.
 * @property {string} [turn] Names it among those that wait in the browser, in their order.
 */

/** What each operation makes of a message; undefined: it is deleted. @type {Record<Operation, (m: Message, until: string) => Message | undefined>} */
const effects = {
	markRead: (m) => ({ ...m, read: true, seen: true }),
	markUnread: (m) => ({ ...m, read: false, archived: false }),
	markSeen: (m) => ({ ...m, seen: true }),
	archive: (m) => ({ ...m, read: true, seen: true, archived: true }),
	unarchive: (m) => ({ ...m, archived: false }),
	snooze: (m, until) => ({ ...m, snoozedUntil: until }),
	unsnooze: (m) => ({ ...m, snoozedUntil: null }),
	delete: () => undefined,
};

/** Reports whether a stored value is a change that this version knows. @param {any} c @returns {c is Change} */
export const isChange = (c) => Object.hasOwn(effects, c?.op) && Array.isArray(c.ids);

/** The message after the change. @param {Change} change @param {Message} m */
export const changed = ({ op, ids, until = "" }, m) => (ids.includes(m.id) ? effects[op](m, until) : m);

/**
 * Has the server make the change.
 * @param {import("./inbox.js").Inbox} inbox
 * @param {Change} change
 * @returns {Promise<Message[]>} The messages afterwards.
 */
export const send = (inbox, { op, ids, until = "" }) =>
	op === "snooze" ? inbox.snooze(ids, new Date(until)) : inbox[op](ids);

/**
 * The changes that undo one, from the messages as they were before; none for delete, which the server cannot undo.
 * @param {Change} change
 * @param {Message[]} before
 * @returns {Change[]}
 */
export function inverse({ op, ids }, before) {
	const was = new Map(before.map((m) => [m.id, m]));
	/** Those of which the messages that are known say so. @param {(m: Message | undefined) => boolean | undefined} is */
	const where = (is) => ids.filter((id) => is(was.get(id)));
	/** @type {(op: Operation, ids: string[]) => Change[]} */
	const each = (back, some) => (some.length > 0 ? [{ op: back, ids: some }] : []);
	switch (op) {
		case "archive":
			return [
				...each(
					"unarchive",
					where((m) => m?.read !== false),
				),
				...each(
					"markUnread", // takes it out of the archive as well
					where((m) => m?.read === false),
				),
			];
		case "unarchive":
			return each("archive", ids);
		case "snooze":
			return each("unsnooze", ids);
		case "markRead":
			return each(
				"markUnread",
				where((m) => m?.read !== true),
			);
		case "markUnread":
			return [
				...each(
					"archive", // reads it as well
					where((m) => m?.archived),
				),
				...each(
					"markRead",
					where((m) => m?.read !== false && !m?.archived),
				),
			];
		default:
			return [];
	}
}

/** Codes of a server that cannot answer at the moment, which says nothing of the request. */
const passing = [
	"UNREACHABLE",
	"UNAVAILABLE",
	"OVERLOADED",
	"RATE_LIMITED",
	"TIMEOUT",
	"REQUEST_TIMEOUT",
	"ORGANIZATION_MOVING",
];

/** Reports whether a request failed on its way or came at a bad moment, so that it can be sent again later. @param {unknown} error */
export const isUnreachable = (error) =>
	error instanceof TypeError || (error instanceof InboxError && passing.includes(error.code));

/** Reports whether a request was refused for its token alone. @param {unknown} error */
export const isSignedOut = (error) => error instanceof InboxError && error.code === "UNAUTHENTICATED";

/**
 * The counters of an inbox with changes that wait.
 * @param {{ unread: number, unseen: number, total: number }} state As the server said.
 * @param {Message[]} messages What is known; the last of an id counts.
 * @param {(m: Message) => Message | undefined} patched A message with the changes.
 */
export function recounted({ unread, unseen, total }, messages, patched) {
	for (const before of new Map(messages.map((m) => [m.id, m])).values()) {
		const after = patched(before);
		if (after === before) continue;
		unread += Number(isUnread(after)) - Number(isUnread(before));
		unseen += Number(isUnseen(after)) - Number(isUnseen(before));
		total += Number(isListed(after)) - Number(isListed(before));
	}
	return { unread: Math.max(0, unread), unseen: Math.max(0, unseen), total: Math.max(0, total) };
}

/** Whether the usual list has it, as the server counts. @param {Message | undefined} m */
const isListed = (m) => m !== undefined && !m.archived && !m.snoozedUntil;
/** @param {Message | undefined} m */
const isUnread = (m) => isListed(m) && m?.read === false;
/** @param {Message | undefined} m */
const isUnseen = (m) => isListed(m) && m?.seen === false;
