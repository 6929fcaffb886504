import { Inbox } from "./inbox";

export default function Page() {
	return <Inbox />;
}
