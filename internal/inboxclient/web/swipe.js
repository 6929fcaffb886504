/** How far a finger must go for the action, and until a movement is one at all. */
export const enough = 88;
const least = 12;

/** What a movement is: none yet, a scroll, or a swipe. @param {number} dx @param {number} dy */
export function gesture(dx, dy) {
	if (Math.abs(dx) < least && Math.abs(dy) < least) return "none";
	return Math.abs(dx) > 1.5 * Math.abs(dy) ? "swipe" : "scroll";
}

/**
 * Makes rows follow a finger to the side, and acts when it has gone far enough.
 * @param {HTMLElement} list
 * @param {() => boolean} rtl
 * @param {(row: HTMLElement, op: "archive" | "markRead") => unknown} act A swipe to the start of the lines archives.
 */
export function swipes(list, rtl, act) {
	/** @type {{ row: HTMLElement, x: number, y: number, dx: number, state: "none" | "swipe" } | undefined} */
	let held;
	const release = () => {
		if (!held) return;
		const { row } = held;
		held = undefined;
		row.classList.remove("swiping");
		row.removeAttribute("data-swipe");
		row.style.removeProperty("translate");
	};
	list.addEventListener("pointerdown", (event) => {
		const row = /** @type {HTMLElement | undefined} */ (
			event.composedPath().find((e) => e instanceof Element && e.matches("li.row"))
		);
		if (event.pointerType !== "touch" || !event.isPrimary || !row) return;
		held = { row, x: event.clientX, y: event.clientY, dx: 0, state: "none" };
	});
	list.addEventListener("pointermove", (event) => {
		if (!held || event.pointerType !== "touch") return;
		held.dx = event.clientX - held.x;
		if (held.state === "none") {
			const now = gesture(held.dx, event.clientY - held.y);
			if (now === "none") return;
			if (now === "scroll") return release();
			held.state = "swipe";
			if (!held.row.isConnected) return release(); // it was drawn anew meanwhile
			held.row.setPointerCapture?.(event.pointerId);
			held.row.classList.add("swiping");
		}
		held.row.dataset.swipe = held.dx < 0 === rtl() ? "end" : "start";
		held.row.classList.toggle("far", Math.abs(held.dx) >= enough);
		held.row.style.setProperty("translate", `${held.dx}px`);
	});
	list.addEventListener("pointerup", () => {
		if (held?.state !== "swipe") return release();
		const { row, dx } = held;
		release();
		list.addEventListener("click", stop, { capture: true, once: true }); // the finger's own
		setTimeout(() => list.removeEventListener("click", stop, { capture: true }), 50);
		if (Math.abs(dx) >= enough) act(row, dx < 0 === rtl() ? "markRead" : "archive");
	});
	list.addEventListener("pointercancel", release);
}

/** @param {Event} event */
function stop(event) {
	event.stopPropagation();
	event.preventDefault();
}
