/** How the element looks. Pages set the custom properties named --carillon-… and style its parts to change it. */
const style = `
:host {
	color-scheme: light dark;
	--accent: var(--carillon-accent, light-dark(#2456d6, #8fb0ff));
	--on-accent: var(--carillon-on-accent, light-dark(#fff, #10182b));
	--surface: var(--carillon-surface, light-dark(#fff, #17191f));
	--raised: var(--carillon-raised, light-dark(#f2f4f8, #232730));
	--text: var(--carillon-text, light-dark(#1b1e25, #eceff5));
	--faint: var(--carillon-faint, light-dark(#545b69, #a9b1c1));
	--line: var(--carillon-line, light-dark(#e1e5ec, #333945));
	--alert: var(--carillon-alert, light-dark(#b3261e, #ffb4ab));
	--on-alert: var(--carillon-on-alert, light-dark(#fff, #410e0b));
	--radius: var(--carillon-radius, 12px);
	--shadow: var(--carillon-shadow, 0 12px 40px light-dark(#0f172a2e, #000a));
	display: inline-block;
	position: relative;
	font: var(--carillon-font, 14px/1.45 system-ui, sans-serif);
	color: var(--text);
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
button, select, input { font: inherit; color: inherit; }
button { background: none; border: 0; border-radius: 8px; padding: 6px 10px; min-height: 32px; cursor: pointer; }
button:hover { background: var(--raised); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.icon { display: block; width: 18px; height: 18px; fill: none; stroke: currentColor; stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }
.icon-more { stroke-width: 3; }
.icon-button { flex: none; width: 32px; height: 32px; min-height: 0; padding: 7px; color: var(--faint); }
.icon-button:hover, .icon-button[aria-expanded="true"] { color: var(--text); background: var(--raised); }
.icon-button[aria-disabled="true"] { opacity: 0.5; cursor: default; }
.main { background: var(--accent); color: var(--on-accent); font-weight: 600; }
.main:hover { background: var(--accent); filter: brightness(1.1); }
.bell { position: relative; padding: 8px; color: var(--text); background: var(--surface); border: 1px solid var(--line); border-radius: 50%; width: 42px; height: 42px; }
.bell .icon { width: 24px; height: 24px; }
.badge { position: absolute; top: -4px; inset-inline-end: -6px; min-width: 20px; padding: 0 5px; border-radius: 10px; background: var(--alert); color: var(--on-alert); font-size: 12px; font-weight: 600; line-height: 20px; text-align: center; }
.panel { position: absolute; z-index: 1000; inset-inline-end: 0; top: calc(100% + 8px); width: min(var(--carillon-width, 420px), calc(100vw - 16px)); height: min(var(--carillon-height, 640px), calc(100vh - 80px)); background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); overflow: hidden; text-align: start; }
.panel:focus-visible { outline-offset: -2px; }
:host([align="start"]) .panel { inset-inline: 0 auto; }
:host([inline]) { display: block; height: var(--carillon-height, 640px); }
:host([inline]) .panel { position: relative; z-index: 0; inset: 0; width: 100%; height: 100%; box-shadow: none; }
@media (max-width: 480px) { :host(:not([inline])) .panel { position: fixed; inset: 8px; width: auto; height: auto; } }
.sheet { position: relative; display: flex; flex-direction: column; height: 100%; }
.sheet > * { flex: none; }
.header { display: flex; align-items: center; gap: 2px; padding: 8px; padding-inline-start: 16px; min-height: 48px; }
.header:has([data-key="back"]) { padding-inline-start: 8px; }
.sheet:dir(rtl) .icon-back { transform: scaleX(-1); }
h2 { flex: 1; margin: 0; font-size: 16px; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.icon-button.on { color: var(--accent); background: var(--raised); }
.tabs { display: flex; gap: 2px; padding: 0 10px; border-bottom: 1px solid var(--line); overflow-x: auto; scrollbar-width: none; }
.tabs button { flex: none; border-radius: 8px 8px 0 0; border-bottom: 2px solid transparent; padding: 8px 8px 6px; white-space: nowrap; color: var(--faint); }
.tabs button[aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); font-weight: 600; }
.tabs button:focus-visible { outline-offset: -2px; }
.count { margin-inline-start: 6px; padding: 0 6px; border-radius: 9px; background: var(--raised); color: var(--text); font-size: 12px; font-weight: 600; }
.banner, .problem { margin: 0; padding: 6px 16px; font-size: 13px; background: var(--raised); }
.problem { color: var(--alert); }
.sheet > .stage { position: relative; flex: 1; min-height: 0; display: flex; flex-direction: column; }
.body { flex: 1; min-height: 0; overflow-y: auto; overscroll-behavior: contain; outline-offset: -2px; }
.popover { position: absolute; z-index: 5; min-width: 180px; max-width: calc(100% - 16px); padding: 4px; background: var(--surface); border: 1px solid var(--line); border-radius: 10px; box-shadow: var(--shadow); }
.popover > button { display: flex; align-items: center; gap: 16px; width: 100%; text-align: start; }
.popover > button span:first-child { flex: 1; }
.popover > button:focus { background: var(--raised); outline-offset: -2px; }
.popover [role="menuitemcheckbox"]::before { content: "✓"; width: 14px; margin-inline-end: -8px; visibility: hidden; }
.popover [aria-checked="true"]::before { visibility: visible; }
.hint { color: var(--faint); font-size: 12px; }
.danger { color: var(--alert); }
.snooze-form { display: grid; gap: 8px; padding: 8px; }
.row-buttons { display: flex; gap: 8px; }
input[type="datetime-local"], input[type="time"] { background: var(--surface); border: 1px solid var(--line); border-radius: 8px; padding: 4px 8px; min-height: 32px; }
.snackbar { position: absolute; z-index: 4; inset: auto 12px 12px; display: flex; align-items: center; justify-content: space-between; gap: 12px; padding: 4px 4px 4px 14px; border-radius: 10px; background: light-dark(#1b1e25, #eceff5); color: light-dark(#fff, #17191f); box-shadow: var(--shadow); }
.snackbar button { color: light-dark(#a9c1ff, #1d47b8); font-weight: 600; }
.snackbar button:hover { background: #8884; }
.toasts { position: fixed; z-index: 1001; inset-block-end: 16px; inset-inline-end: 16px; display: grid; gap: 8px; width: min(360px, calc(100vw - 32px)); }
.toast { display: flex; align-items: start; padding: 8px; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: var(--radius); box-shadow: var(--shadow); text-align: start; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) {
	.panel, .popover, .toast, .snackbar { animation: appear 140ms ease-out; }
	@keyframes appear { from { opacity: 0; translate: 0 -4px; } }
}
@media (forced-colors: active) { .dot { background: Highlight; } .row.unread .subject { text-decoration: underline; } }
`;

/** The style sheets that were made, which all elements of a page share. @type {Map<string, CSSStyleSheet>} */
const made = new Map();

/** Gives a shadow tree a style sheet, once. @param {ShadowRoot} root @param {string} [text] */
export function adopt(root, text = style) {
	let sheet = made.get(text);
	if (!sheet) {
		sheet = new CSSStyleSheet();
		sheet.replaceSync(text);
		made.set(text, sheet);
	}
	if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets = [...root.adoptedStyleSheets, sheet];
}
