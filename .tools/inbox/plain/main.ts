import "carillon-inbox"; // defines the element; an import of its type alone would be dropped
import type { CarillonInbox } from "carillon-inbox";
import { InboxStore } from "carillon-inbox/store";
import { fetchToken, url } from "../session.ts";

// The element draws the inbox itself.
const element = document.querySelector("carillon-inbox") as CarillonInbox;
element.setAttribute("url", url);
element.token = fetchToken;

// The store leaves the drawing to the page.
const store = new InboxStore({ url, token: fetchToken });
const list = store.list({ pageSize: 2 });
store.subscribe(({ unread }) => {
	document.querySelector("output")!.textContent = `${unread} unread`;
});
list.subscribe(({ messages, hasMore }) => {
	document.querySelector("ul")!.replaceChildren(
		...messages.map((m) => {
			const item = document.createElement("li");
			item.append(`${m.content?.text} `, button("Archive", () => store.archive([m.id])));
			return item;
		}),
	);
	document.querySelector("div")!.replaceChildren(...(hasMore ? [button("More", () => list.more())] : []));
});
store.preferences.subscribe(({ preferences }) => {
	if (!preferences) return;
	const input = document.querySelector("input") ?? document.body.appendChild(document.createElement("input"));
	input.type = "checkbox";
	input.checked = preferences.global.channels.email !== false;
	input.onchange = () => store.preferences.setGlobalPreference({ email: input.checked });
});
await store.start();

function button(label: string, press: () => unknown): HTMLButtonElement {
	const made = document.createElement("button");
	made.textContent = label;
	made.onclick = press;
	return made;
}
