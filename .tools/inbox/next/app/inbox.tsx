"use client";

import { InboxProvider, useInbox, usePreferences, useUnreadCount } from "carillon-inbox/react";
import { useEffect } from "react";
import { fetchToken, url } from "../../session";

export function Inbox() {
	return (
		<InboxProvider url={url} token={fetchToken}>
			<Page />
		</InboxProvider>
	);
}

function Page() {
	// The element needs a browser.
	useEffect(() => void import("carillon-inbox"), []);
	const { messages, hasMore, more, store } = useInbox({ pageSize: 2 });
	const { preferences, store: wishes } = usePreferences();
	return (
		<>
			<output>{useUnreadCount()} unread</output>
			<ul>
				{messages.map((m) => (
					<li key={m.id}>
						{m.content?.text} <button onClick={() => store.archive([m.id])}>Archive</button>
					</li>
				))}
			</ul>
			{hasMore && <button onClick={more}>More</button>}
			{preferences && (
				<label>
					<input
						type="checkbox"
						checked={preferences.global.channels.email !== false}
						onChange={(event) => wishes.setGlobalPreference({ email: event.target.checked })}
					/>
					E-mail
				</label>
			)}
		</>
	);
}
