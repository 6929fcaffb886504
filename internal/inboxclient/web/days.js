/**
 * @typedef {import("./inbox.js").Message} Message
 * @typedef {{ key: string, date: Date, messages: Message[] }} Day
 */

/** When a message came, or came back. @param {Message} m */
export const arrival = (m) => new Date(m.deliveredAt?.at(-1) ?? m.createdAt);

/** The calendar day, in the reader's zone. @param {Date} date */
const dayKey = (date) =>
	`${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}-${String(date.getDate()).padStart(2, "0")}`;

/** Messages by the day on which they came; their order stays. @param {Message[]} messages @returns {Day[]} */
export function byDay(messages) {
	/** @type {Day[]} */
	const days = [];
	for (const m of messages) {
		const date = arrival(m);
		const key = dayKey(date);
		const last = days.at(-1);
		if (last?.key === key) last.messages.push(m);
		else days.push({ key, date, messages: [m] });
	}
	return days;
}

/** @type {Map<string, Intl.DateTimeFormat | Intl.RelativeTimeFormat>} */
const formats = new Map();

/**
 * @param {string} lang
 * @param {Intl.DateTimeFormatOptions} options
 */
const dateFormat = (lang, options) =>
	/** @type {Intl.DateTimeFormat} */ (
		cached(`${lang} ${JSON.stringify(options)}`, () => new Intl.DateTimeFormat(lang, options))
	);

/** @param {string} lang @param {Intl.RelativeTimeFormatOptions} options */
const relativeFormat = (lang, options) =>
	/** @type {Intl.RelativeTimeFormat} */ (
		cached(`r ${lang} ${JSON.stringify(options)}`, () => new Intl.RelativeTimeFormat(lang, options))
	);

/** @param {string} key @param {() => Intl.DateTimeFormat | Intl.RelativeTimeFormat} make */
function cached(key, make) {
	const format = formats.get(key) ?? make();
	formats.set(key, format);
	return format;
}

/** Whole calendar days from one date to another. @param {Date} from @param {Date} to */
const daysBetween = (from, to) =>
	Math.round(
		(Date.UTC(to.getFullYear(), to.getMonth(), to.getDate()) -
			Date.UTC(from.getFullYear(), from.getMonth(), from.getDate())) /
			86_400_000,
	);

/** Today, yesterday, the weekday of the last week, else the date. @param {Date} date @param {string} lang @param {Date} [now] */
export function dayName(date, lang, now = new Date()) {
	const ago = daysBetween(date, now);
	if (ago === 0 || ago === 1) return capital(relativeFormat(lang, { numeric: "auto" }).format(-ago, "day"), lang);
	if (ago > 1 && ago < 7) return capital(dateFormat(lang, { weekday: "long" }).format(date), lang);
	const year = date.getFullYear() === now.getFullYear() ? {} : { year: /** @type {const} */ ("numeric") };
	return dateFormat(lang, { day: "numeric", month: "long", ...year }).format(date);
}

/** @param {string} text @param {string} lang */
const capital = (text, lang) => text.charAt(0).toLocaleUpperCase(lang) + text.slice(1);

/** How long ago it was within an hour, else the time of the day, which the heading names. @param {Date} date @param {string} lang @param {Date} [now] */
export function shortTime(date, lang, now = new Date()) {
	const minutes = Math.floor((now.getTime() - date.getTime()) / 60_000);
	if (minutes < 1 && minutes > -2)
		return relativeFormat(lang, { numeric: "auto", style: "narrow" }).format(0, "second");
	if (minutes >= 1 && minutes < 60) return relativeFormat(lang, { style: "narrow" }).format(-minutes, "minute");
	return dateFormat(lang, { timeStyle: "short" }).format(date);
}

/** Date and time in full. @param {Date} date @param {string} lang */
export const exactTime = (date, lang) => dateFormat(lang, { dateStyle: "full", timeStyle: "short" }).format(date);

/** Date and time, short. @param {Date} date @param {string} lang */
export const shortDate = (date, lang) => dateFormat(lang, { dateStyle: "medium", timeStyle: "short" }).format(date);

/** Monday to Sunday. @param {string} lang */
export const weekdayNames = (lang) =>
	Array.from({ length: 7 }, (_, i) =>
		capital(dateFormat(lang, { weekday: "long", timeZone: "UTC" }).format(Date.UTC(2024, 0, 1 + i)), lang),
	);

/** @typedef {"inAnHour" | "thisEvening" | "tomorrow" | "nextWeek"} SnoozeName */

/** Until when a message can be put off by name; this evening only before 17:00. @param {Date} [now] @returns {[SnoozeName, Date][]} */
export function snoozes(now = new Date()) {
	/** @param {number} days @param {number} hour */
	const at = (days, hour) => {
		const date = new Date(now);
		date.setDate(date.getDate() + days);
		date.setHours(hour, 0, 0, 0);
		return date;
	};
	/** @type {[SnoozeName, Date][]} */
	const all = [
		["inAnHour", new Date(now.getTime() + 3_600_000)],
		["thisEvening", at(0, 18)],
		["tomorrow", at(1, 9)],
		["nextWeek", at((8 - now.getDay()) % 7 || 7, 9)], // Monday
	];
	return all.filter(([name]) => name !== "thisEvening" || now.getHours() < 17);
}

/** A date as an input of type datetime-local has it: 2026-03-30T17:20. @param {Date} date */
export const toLocalInput = (date) =>
	`${dayKey(date)}T${String(date.getHours()).padStart(2, "0")}:${String(date.getMinutes()).padStart(2, "0")}`;
