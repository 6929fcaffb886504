/** How the element looks. Pages set the custom properties named --carillon-… to change it. */
export const style = `
:host {
	color-scheme: light dark;
	--accent: var(--carillon-accent, light-dark(#2456d6, #8fb0ff));
	--on-accent: var(--carillon-on-accent, light-dark(#fff, #10182b));
	--surface: var(--carillon-surface, light-dark(#fff, #1b1e25));
	--raised: var(--carillon-raised, light-dark(#f3f5f9, #262a33));
	--text: var(--carillon-text, light-dark(#1b1e25, #eceff5));
	--faint: var(--carillon-faint, light-dark(#545b69, #a9b1c1));
	--line: var(--carillon-line, light-dark(#d9dde5, #3a404c));
	--alert: var(--carillon-alert, light-dark(#b3261e, #ffb4ab));
	--on-alert: light-dark(#fff, #410e0b);
	display: inline-block;
	position: relative;
	font: var(--carillon-font, 14px/1.45 system-ui, sans-serif);
}
:host([theme="light"]) { color-scheme: light; }
:host([theme="dark"]) { color-scheme: dark; }
:host([hidden]), [hidden] { display: none !important; }
* { box-sizing: border-box; }
button, select, input { font: inherit; color: inherit; }
button { background: none; border: 0; border-radius: 6px; padding: 6px 10px; min-height: 32px; cursor: pointer; }
button:hover { background: var(--raised); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 1px; }
.bell { position: relative; padding: 8px; color: var(--text); background: var(--surface); border: 1px solid var(--line); border-radius: 50%; width: 42px; height: 42px; }
.bell svg { display: block; width: 24px; height: 24px; }
.badge { position: absolute; top: -4px; inset-inline-end: -6px; min-width: 20px; padding: 0 5px; border-radius: 10px; background: var(--alert); color: var(--on-alert); font-size: 12px; line-height: 20px; text-align: center; }
.panel { position: absolute; z-index: 1000; inset-inline-end: 0; top: calc(100% + 8px); width: min(400px, calc(100vw - 16px)); max-height: min(640px, calc(100vh - 80px)); display: flex; flex-direction: column; background: var(--surface); color: var(--text); border: 1px solid var(--line); border-radius: 12px; box-shadow: 0 8px 32px #0004; overflow: hidden; }
:host([align="start"]) .panel { inset-inline: 0 auto; }
@media (max-width: 480px) { :host .panel, :host([align]) .panel { position: fixed; inset: 8px; width: auto; max-height: none; } }
header { display: flex; align-items: center; gap: 4px; padding: 8px 8px 4px; padding-inline-start: 14px; }
:host(:dir(rtl)) .arrow { display: inline-block; transform: scaleX(-1); }
h2 { flex: 1; margin: 0; font-size: 16px; }
.tabs { display: flex; gap: 2px; padding: 0 8px; border-bottom: 1px solid var(--line); overflow-x: auto; }
.tabs button { border-radius: 6px 6px 0 0; border-bottom: 2px solid transparent; white-space: nowrap; color: var(--faint); }
.tabs button[aria-selected="true"] { color: var(--text); border-bottom-color: var(--accent); }
.tabs button:focus-visible { outline-offset: -2px; }
.count { margin-inline-start: 4px; }
.body { overflow-y: auto; flex: 1; min-height: 120px; }
.bulk { display: flex; flex-wrap: wrap; padding: 4px 8px; gap: 4px; }
.bulk button, .row button, .more { color: var(--accent); font-size: 13px; }
ul { list-style: none; margin: 0; padding: 0; }
li { border-bottom: 1px solid var(--line); padding: 10px 14px; }
li.unread { background: var(--raised); }
.open { display: flex; gap: 10px; width: 100%; text-align: start; padding: 4px; }
.open img { width: 32px; height: 32px; border-radius: 50%; object-fit: cover; flex: none; }
.open span { display: block; overflow-wrap: anywhere; }
.open .what { flex: 1; min-width: 0; }
.subject { font-weight: 600; }
.dot { flex: none; width: 8px; height: 8px; margin-top: 6px; border-radius: 50%; background: var(--accent); }
.high .subject::before { content: "! "; color: var(--alert); }
time, .note { color: var(--faint); font-size: 12px; }
.row { display: flex; flex-wrap: wrap; gap: 2px; }
.row .main { background: var(--accent); color: var(--on-accent); }
.row .main:hover { filter: brightness(1.1); }
.row [aria-disabled] { opacity: 0.6; cursor: default; filter: none; }
.row [aria-pressed]::before { content: "✓ "; }
.empty, .note { padding: 16px; margin: 0; text-align: center; color: var(--faint); }
.problem { padding: 6px 14px; margin: 0; color: var(--alert); }
fieldset { border: 0; border-bottom: 1px solid var(--line); margin: 0; padding: 10px 14px; display: flex; flex-wrap: wrap; gap: 6px 16px; min-width: 0; }
legend { float: inline-start; width: 100%; font-weight: 600; padding: 0; }
label { display: inline-flex; align-items: center; gap: 6px; min-height: 28px; }
input[type="checkbox"] { width: 18px; height: 18px; accent-color: var(--accent); }
input[type="time"] { background: var(--surface); border: 1px solid var(--line); border-radius: 6px; padding: 3px 6px; min-height: 28px; }
.day { display: flex; flex-wrap: wrap; align-items: center; gap: 6px; width: 100%; }
.day label { min-width: 120px; }
.quiet { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) { .panel { animation: appear 120ms ease-out; } @keyframes appear { from { opacity: 0; transform: translateY(-4px); } } }
`;
