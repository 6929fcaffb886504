// @vitest-environment node
import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";

const published = JSON.parse(await readFile(new URL("../web/package.json", import.meta.url), "utf8"));

test.each(Object.entries(published.exports))("a server without a window loads %s", async (_name, file) => {
	expect(typeof window).toBe("undefined");
	expect(Object.keys(await import(new URL(`../web/${file}`, import.meta.url).href))).not.toHaveLength(0);
});
