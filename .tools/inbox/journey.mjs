// Opens the built pages in Chromium against the server at ADDRESS (with API key KEY), from the origin PAGES, and walks each
// from the first message to a preference.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import puppeteer from "puppeteer-core";

const { ADDRESS, KEY, PAGES, CHROMIUM } = process.env;
const folders = { react: "react/dist", next: "next/out", vue: "vue/dist", svelte: "svelte/dist", plain: "plain/dist" };
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

const server = createServer(async ({ url }, response) => {
	const [, name, ...rest] = normalize(new URL(url, PAGES).pathname).split("/");
	try {
		const file = join(folders[name], rest.join("/") || "index.html");
		const content = await readFile(new URL(file, import.meta.url));
		response.writeHead(200, { "Content-Type": types[extname(file)] ?? "application/octet-stream" }).end(content);
	} catch {
		response.writeHead(404).end();
	}
}).listen(new URL(PAGES).port, "127.0.0.1");

async function graphql(query, variables) {
	const response = await fetch(`${ADDRESS}/graphql`, {
		method: "POST",
		headers: { "Content-Type": "application/json", Authorization: `ApiKey ${KEY}` },
		body: JSON.stringify({ query, variables }),
	});
	const { data, errors } = await response.json();
	assert.equal(errors, undefined, JSON.stringify(errors));
	return data;
}
const trigger = (who, name) =>
	graphql("mutation ($input: TriggerEventInput!) { triggerEvent(input: $input) { result { status } } }", {
		input: { name: "hello", to: [{ subscriberId: who }], payload: { name } },
	});
const email = async (who) => {
	const query = "query ($who: String!) { subscriberPreferences(subscriberId: $who) { global { channels { email } } } }";
	return (await graphql(query, { who })).subscriberPreferences.global.channels.email;
};

async function walk(browser, name) {
	const who = `reader-${name}`;
	await graphql("mutation ($who: String!) { createSubscriber(input: { subscriberId: $who }) { subscriber { id } } }", { who });
	const { createSubscriberToken } = await graphql(
		"mutation ($who: String!) { createSubscriberToken(input: { subscriberId: $who }) { token } }",
		{ who },
	);
	const page = await browser.newPage();
	const problems = [];
	page.on("pageerror", (error) => problems.push(String(error)));
	page.on("console", (line) => line.type() === "error" && !line.location().url?.endsWith("favicon.ico") && problems.push(line.text()));
	await page.goto(`${PAGES}/${name}/#${ADDRESS},${createSubscriberToken.token}`);
	const shows = async (selector, what) => {
		const has = (css, text) => [...document.querySelectorAll(css)].map((e) => e.innerText.trim()).join("|") === text;
		try {
			await page.waitForFunction(has, { timeout: 20_000 }, selector, what);
		} catch {
			const now = await page.$$eval(selector, (all) => all.map((e) => e.innerText));
			assert.fail(`${name}: ${selector} shows ${JSON.stringify(now)}, not ${what}: ${problems.join("; ")}`);
		}
	};
	await shows("output", "0 unread");
	for (const [i, text] of ["One", "Two", "Three"].entries()) {
		await trigger(who, text);
		await shows("output", `${i + 1} unread`); // by itself
	}
	const item = (text) => `Hello ${text}, this is your first notification. Archive`;
	await shows("li", [item("Three"), item("Two")].join("|")); // a page of two
	await page.reload();
	await shows("li", [item("Three"), item("Two")].join("|"));
	await page.locator("button ::-p-text(More)").click();
	await shows("li", [item("Three"), item("Two"), item("One")].join("|"));
	await page.locator("li:first-child button").click();
	await shows("output", "2 unread");
	await shows("li", [item("Two"), item("One")].join("|"));
	await page.locator("input[type=checkbox]").click();
	for (let i = 0; (await email(who)) !== false; i++) assert.ok(i < 200, `${name}: the preference is not stored`);
	if (name === "plain") {
		const badge = () => document.querySelector("carillon-inbox").shadowRoot.querySelector(".badge")?.textContent;
		await page.waitForFunction(`(${badge})() === "2"`);
	}
	assert.deepEqual(problems, [], name);
	await page.close();
}

const browser = await puppeteer.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-dev-shm-usage"] });
try {
	for (const name of Object.keys(folders)) await walk(browser, name);
	console.log(`carillon-inbox: ${Object.keys(folders).join(", ")}: built and walked in Chromium`);
} finally {
	await browser.close();
	server.close();
}
