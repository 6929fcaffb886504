import { replace } from "./dom.js";
import { preferencesPage } from "./preferences.js";
import { adopt } from "./style.js";
import { preferencesStyle } from "./style-preferences.js";

/**
 * @typedef {import("./store.js").InboxStore} InboxStore
 *
 * @typedef {object} Surroundings
 * @property {() => import("./texts.js").Texts} texts
 * @property {() => string} lang
 * @property {() => string} alerts
 * @property {() => void} alertsChanged
 * @property {(text: string) => void} say
 * @property {() => boolean} current Whether the page shows still.
 * @property {(work: () => Promise<unknown>) => Promise<boolean>} act
 */

/**
 * Loads the preferences and shows them.
 * @param {InboxStore} store
 * @param {HTMLElement} body
 * @param {Surroundings} around
 */
export async function showPreferences({ preferences }, body, around) {
	adopt(/** @type {ShadowRoot} */ (body.getRootNode()), preferencesStyle);
	await preferences.load();
	const { error } = preferences.snapshot;
	if (error) throw error;
	const t = around.texts();
	const device = { ...around, lang: around.lang(), alerts: around.alerts() };
	let waiting = 0;
	let outdated = false;
	const show = () => {
		outdated = false;
		if (around.current()) replace(body, preferencesPage(preferences, t, save, device));
	};
	/** @type {import("./preferences.js").Save} */
	const save = async (work, replaces) => {
		waiting++;
		const done = await around.act(async () => {
			await work();
			around.say(t.saved);
		});
		outdated ||= replaces || !done;
		if (--waiting === 0 && outdated) show(); // not before: a field may be being edited
	};
	show();
}
