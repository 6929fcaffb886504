// @vitest-environment node
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

/** The size of a module with everything of ours that it imports at first, and with what it loads on demand. */
async function size(module) {
	const built = await build({
		configFile: false,
		logLevel: "silent",
		build: {
			write: false,
			modulePreload: false, // Vite's own helper
			rolldownOptions: {
				input: fileURLToPath(new URL(`../web/${module}`, import.meta.url)),
				preserveEntrySignatures: "strict",
				external: ["react", "react-dom"],
			},
		},
	});
	const { output } = /** @type {import("vite").Rolldown.RolldownOutput} */ (built);
	const chunks = new Map(output.flatMap((chunk) => (chunk.type === "chunk" ? [[chunk.fileName, chunk]] : [])));
	const first = new Set();
	/** @param {string} name */
	const add = (name) => {
		if (first.has(name)) return;
		first.add(name);
		for (const imported of chunks.get(name)?.imports ?? []) add(imported);
	};
	for (const [name, { isEntry }] of chunks) if (isEntry) add(name);
	const sum = (names) => names.reduce((total, name) => total + gzipSync(chunks.get(name)?.code ?? "").length, 0);
	return { first: sum([...first]), all: sum([...chunks.keys()]) };
}

test("the element weighs less than 25 KiB, the bindings without it less", async () => {
	const element = await size("carillon-inbox.js");
	const binding = await size("bindings/react.js");
	expect(element.first).toBeLessThan(25 * 1024);
	expect(element.all).toBeLessThan(50_000); // ten languages, the preferences, alerts
	expect(binding.first).toBeLessThan(14_000);
	expect(binding.first).toBeGreaterThan(2_000); // it was built
});
