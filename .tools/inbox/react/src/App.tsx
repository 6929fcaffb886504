import { InboxProvider, useInbox, usePreferences, useUnreadCount } from "carillon-inbox/react";
import { fetchToken, url } from "../../session.ts";

export function App() {
	return (
		<InboxProvider url={url} token={fetchToken}>
			<Bell />
			<Messages />
			<Preferences />
		</InboxProvider>
	);
}

function Bell() {
	return <output>{useUnreadCount()} unread</output>;
}

function Messages() {
	const { messages, hasMore, more, error, store } = useInbox({ pageSize: 2 });
	return (
		<>
			{error && <p role="alert">{error.message}</p>}
			<ul>
				{messages.map((m) => (
					<li key={m.id}>
						{m.content?.text} <button onClick={() => store.archive([m.id])}>Archive</button>
					</li>
				))}
			</ul>
			{hasMore && <button onClick={more}>More</button>}
		</>
	);
}

function Preferences() {
	const { preferences, store } = usePreferences();
	if (!preferences) return null;
	return (
		<label>
			<input
				type="checkbox"
				checked={preferences.global.channels.email !== false}
				onChange={(event) => store.setGlobalPreference({ email: event.target.checked })}
			/>
			E-mail
		</label>
	);
}
