import { fileURLToPath } from "node:url";

/** @type {import("next").NextConfig} */
export default {
	output: "export",
	basePath: "/next",
	turbopack: { root: fileURLToPath(new URL("..", import.meta.url)) },
};
