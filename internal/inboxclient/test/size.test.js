// @vitest-environment node
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { expect, test } from "vitest";

/** The size of a module with everything that it imports of ours, as a page ships it. */
async function size(module) {
	const built = await build({
		configFile: false,
		logLevel: "silent",
		build: {
			write: false,
			rolldownOptions: {
				input: fileURLToPath(new URL(`../web/${module}`, import.meta.url)),
				preserveEntrySignatures: "strict",
				external: ["react"],
			},
		},
	});
	const { output } = /** @type {import("vite").Rolldown.RolldownOutput} */ (built);
	return output.reduce((sum, chunk) => sum + (chunk.type === "chunk" ? gzipSync(chunk.code).length : 0), 0);
}

test("the element weighs less than 25 kB, the bindings without it less than half", async () => {
	const element = await size("carillon-inbox.js");
	const binding = await size("bindings/react.js");
	expect(element).toBeLessThan(25_000);
	expect(binding).toBeLessThan(element / 2);
	expect(binding).toBeGreaterThan(2_000); // it was built
});
