/** How the list of messages looks. */
export const listStyle = `
ul { list-style: none; margin: 0; padding: 0; }
h3 { position: sticky; top: 0; z-index: 2; margin: 0; padding: 6px 16px; height: 33px; font-size: 12px; font-weight: 600; line-height: 21px; color: var(--faint); background: var(--surface); }
.row { position: relative; display: grid; grid-template-columns: auto minmax(0, 1fr); border-bottom: 1px solid var(--line); background: var(--surface); touch-action: pan-y; }
.row.unread { background: color-mix(in srgb, var(--accent) 6%, var(--surface)); }
.row.selected { background: color-mix(in srgb, var(--accent) 14%, var(--surface)); }
.row:hover { background: var(--raised); }
.open { grid-column: 2; position: relative; display: flex; align-items: start; gap: 12px; width: 100%; padding: 10px 16px; padding-inline-end: 28px; border-radius: 0; text-align: start; }
.open:hover { background: none; }
.open:focus-visible { outline-offset: -2px; }
.pick { grid-column: 1; width: 18px; height: 18px; margin: 17px 0; margin-inline-start: 16px; accent-color: var(--accent); }
.avatar { flex: none; width: 32px; height: 32px; border-radius: 50%; object-fit: cover; display: grid; place-items: center; font-weight: 600; font-size: 14px; color: light-dark(#1f3a8a, #c7d7ff); background: light-dark(#e0e8ff, #263457); }
.hue-1 { color: light-dark(#14532d, #b9f0cb); background: light-dark(#d9f5e2, #1d3b29); }
.hue-2 { color: light-dark(#7c2d12, #ffd3bd); background: light-dark(#ffe6da, #4a2a1a); }
.hue-3 { color: light-dark(#581c87, #e6cfff); background: light-dark(#f0e3ff, #3a2552); }
.hue-4 { color: light-dark(#134e4a, #b4f0ea); background: light-dark(#d5f4f1, #173b38); }
.hue-5 { color: light-dark(#831843, #ffc9de); background: light-dark(#ffe3ee, #4a1e33); }
.what { flex: 1; min-width: 0; display: grid; gap: 1px; }
.first { display: flex; align-items: baseline; gap: 6px; min-width: 0; }
.subject { flex: 1; min-width: 0; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.unread .subject, .toast .subject { font-weight: 600; }
.important { flex: none; padding: 0 6px; border-radius: 9px; background: var(--alert); color: var(--on-alert); font-size: 11px; font-weight: 600; line-height: 18px; }
.text { color: var(--faint); font-size: 13px; display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow: hidden; overflow-wrap: anywhere; }
time { flex: none; color: var(--faint); font-size: 12px; white-space: nowrap; }
.drawn { grid-column: 2; z-index: 0; margin-top: -22px; padding-block-end: 10px; padding-inline: 60px 28px; color: var(--faint); font-size: 13px; overflow-wrap: anywhere; cursor: pointer; }
.dot { position: absolute; inset-inline-end: 12px; top: 17px; width: 8px; height: 8px; border-radius: 50%; }
.unread .dot { background: var(--accent); }
.own { grid-column: 2; display: flex; flex-wrap: wrap; gap: 6px; padding: 0 16px 10px; padding-inline-start: 60px; }
.own button { border: 1px solid var(--line); padding: 3px 12px; font-size: 13px; }
.own [aria-disabled] { opacity: 0.7; cursor: default; filter: none; }
.own [aria-pressed]::before { content: "✓ "; }
.actions { position: absolute; inset-inline-end: 8px; top: 6px; display: flex; background: var(--raised); border-radius: 8px; box-shadow: 0 0 0 1px var(--line); opacity: 0; }
.row:hover .actions, .row:focus-within .actions, .actions:has([aria-expanded="true"]) { opacity: 1; }
.actions .icon-button { width: 28px; height: 28px; padding: 5px; }
.actions .icon-button:hover { background: var(--surface); }
@media (hover: none) and (pointer: coarse) {
	.actions { opacity: 1; background: none; box-shadow: none; top: auto; bottom: 4px; }
	.actions .icon-button:not(.more-actions) { display: none; }
	.actions .more-actions { width: 32px; height: 32px; padding: 7px; }
	.open { padding-inline-end: 44px; }
	.dot { inset-inline-end: 20px; }
}
.swiping { z-index: 1; box-shadow: var(--shadow); user-select: none; }
.swiping::after { position: absolute; top: 0; bottom: 0; width: 120px; display: grid; place-items: center; font-size: 22px; }
.swiping[data-swipe="start"]::after { content: "▤"; inset-inline-start: 100%; color: var(--accent); }
.swiping[data-swipe="end"]::after { content: "✓"; inset-inline-end: 100%; color: var(--accent); }
.swiping.far::after { background: var(--accent); color: var(--on-accent); }
.list { overflow-x: clip; }
.empty, .note { display: grid; place-items: center; gap: 8px; padding: 16px; margin: 0; text-align: center; color: var(--faint); }
.empty { padding: 72px 24px; }
.empty .icon { width: 40px; height: 40px; opacity: 0.5; }
.empty p { margin: 0; }
.fresh { position: absolute; z-index: 3; top: 8px; inset-inline: 0; display: grid; justify-content: center; pointer-events: none; }
.fresh button { pointer-events: auto; display: flex; align-items: center; gap: 6px; border-radius: 16px; background: var(--accent); color: var(--on-accent); box-shadow: var(--shadow); }
.fresh .icon { width: 14px; height: 14px; }
.selection { display: flex; align-items: center; gap: 2px; padding: 6px 8px; padding-inline-start: 16px; border-top: 1px solid var(--line); }
.selected-count { flex: 1; }
`;
