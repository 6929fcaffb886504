/** The icons, as paths of a 24 × 24 drawing. */
const paths = {
	bell: "M6 9a6 6 0 0 1 12 0c0 6 2 7 2 8H4c0-1 2-2 2-8M10 20a2 2 0 0 0 4 0",
	filter: "M4 6h16M7 12h10M10 18h4",
	readAll: "M2 13l4 4L16 7M12 16l1 1L23 7",
	settings: "M4 7h10M18 7h2M4 17h2M10 17h10M14 7a2 2 0 1 0 4 0a2 2 0 1 0-4 0M6 17a2 2 0 1 0 4 0a2 2 0 1 0-4 0",
	more: "M5 12h.01M12 12h.01M19 12h.01",
	close: "M6 6l12 12M18 6L6 18",
	back: "M19 12H5M11 6l-6 6l6 6",
	markRead: "M5 13l4 4L19 7",
	markUnread: "M4 6h16v12H4zM4 7l8 6l8-6",
	archive: "M3 5h18v4H3zM5 9v10h14V9M10 13h4",
	unarchive: "M3 5h18v4H3zM5 9v10h14V9M12 17v-5M9 14l3-3l3 3",
	snooze: "M12 8v5l3 2M5 13a7 7 0 1 0 14 0a7 7 0 1 0-14 0M5 4L3 6M19 4l2 2",
	unsnooze: "M4 12a8 8 0 1 0 3-6M4 4v4h4",
	delete: "M4 7h16M9 7V4h6v3M6 7l1 13h10l1-13M10 11v5M14 11v5",
	up: "M12 19V5M6 11l6-6l6 6",
};

/** @typedef {keyof typeof paths} Icon */

/** An icon. Made without HTML, which pages with trusted types refuse. @param {Icon} name */
export function icon(name) {
	const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
	svg.setAttribute("viewBox", "0 0 24 24");
	svg.setAttribute("class", `icon icon-${name}`);
	svg.setAttribute("aria-hidden", "true");
	const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
	path.setAttribute("d", paths[name]);
	svg.append(path);
	return svg;
}
