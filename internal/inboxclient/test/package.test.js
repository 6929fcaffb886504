import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { afterEach, beforeEach, expect, test } from "vitest";

const installed = fileURLToPath(new URL("../node_modules/", import.meta.url));
const own = fileURLToPath(new URL("../web", import.meta.url));
/** A library that depends on the package and the frameworks. @type {string} */ let project;

beforeEach(async () => {
	project = await mkdtemp(join(tmpdir(), "carillon-inbox-"));
	await mkdir(join(project, "node_modules"));
	for (const name of await readdir(installed))
		await symlink(join(installed, name), join(project, "node_modules", name));
	await symlink(own, join(project, "node_modules", "carillon-inbox"));
});
afterEach(() => rm(project, { recursive: true }));

const sources = {
	"react.ts": `
		import { useInbox, useInboxStore, usePreferences } from "carillon-inbox/react";
		export const useAlerts = () => useInbox({ filter: { severityIn: ["HIGH"] } });
		export const useWishes = () => usePreferences();
		export const useStore = () => useInboxStore();`,
	"vue.ts": `
		import { InboxElement, provideInbox, useInbox, usePreferences } from "carillon-inbox/vue";
		import { h } from "vue";
		export const element = () => h(InboxElement, { token: async () => "cst_", lang: "de" }, { message: () => h("em") });
		// @ts-expect-error a token is no number
		export const wrong = () => h(InboxElement, { token: 7 });
		export const setup = () => ({ store: provideInbox({ token: "cst_" }), inbox: useInbox(), wishes: usePreferences() });`,
	"svelte.ts": `
		import { renderWith, useInbox, usePreferences } from "carillon-inbox/svelte";
		export const setup = () => ({ inbox: useInbox(), wishes: usePreferences(), render: renderWith({}) });`,
	"element.ts": `
		import "carillon-inbox";
		import type { CarillonInbox } from "carillon-inbox";
		export const token = (element: CarillonInbox) => element.token;`,
	"store.ts": `
		import { type Inbox, InboxError, type Message, type Schedule } from "carillon-inbox/inbox";
		import type { Listing } from "carillon-inbox/message-list";
		import type { PreferenceState } from "carillon-inbox/preference-store";
		import { InboxStore } from "carillon-inbox/store";
		export const store = new InboxStore({ token: "cst_" });
		export const list = store.list();
		export const archive = (ids: string[]) => store.changeUndoably({ op: "archive", ids });
		export const client: Inbox = store.inbox;
		export const codeOf = ({ error }: Listing) => (error instanceof InboxError ? error.code : undefined);
		export const hours = ({ preferences }: PreferenceState): Schedule | null => preferences?.global.schedule ?? null;
		export const first = (): Message | undefined => list.snapshot.messages[0];`,
};

test.each([
	["bundler", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Bundler],
	["node16", ts.ModuleKind.Node16, ts.ModuleResolutionKind.Node16],
	["node10", ts.ModuleKind.ESNext, ts.ModuleResolutionKind.Node10],
])(
	"a library exports what it makes of the package, with moduleResolution %s",
	async (_name, module, moduleResolution) => {
		await writeFile(join(project, "package.json"), '{ "type": "module" }');
		for (const [name, source] of Object.entries(sources)) await writeFile(join(project, name), source);
		const program = ts.createProgram(
			Object.keys(sources).map((name) => join(project, name)),
			{
				strict: true,
				declaration: true,
				outDir: join(project, "dist"),
				target: ts.ScriptTarget.ES2022,
				lib: ["lib.es2023.d.ts", "lib.dom.d.ts", "lib.dom.iterable.d.ts"],
				types: [],
				skipLibCheck: true,
				preserveSymlinks: true, // as one that is installed: its modules are those that it exports
				module,
				moduleResolution,
			},
		);
		const { diagnostics } = program.emit();
		const said = [...ts.getPreEmitDiagnostics(program), ...diagnostics].map(({ messageText }) =>
			ts.flattenDiagnosticMessageText(messageText, "\n"),
		);
		expect(said).toEqual([]);
	},
	60_000,
);
