/** How the preferences look. */
export const preferencesStyle = `
fieldset { border: 0; border-bottom: 1px solid var(--line); margin: 0; padding: 10px 16px 12px; min-width: 0; }
legend { float: inline-start; width: 100%; font-weight: 600; padding: 4px 0; }
legend + * { clear: both; }
.toggle { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 36px; cursor: pointer; }
.toggle input { appearance: none; flex: none; position: relative; width: 36px; height: 20px; margin: 0; border-radius: 10px; background: light-dark(#737b8c, #6b7486); cursor: pointer; }
.toggle input::after { content: ""; position: absolute; inset-block-start: 2px; inset-inline-start: 2px; width: 16px; height: 16px; border-radius: 50%; background: #fff; }
.toggle input:checked { background: var(--accent); }
.toggle input:checked::after { inset-inline-start: 18px; background: var(--on-accent); }
@media (forced-colors: active) { .toggle input { appearance: auto; width: 18px; } .toggle input::after { content: none; } }
.schedule-day { border-top: 1px solid var(--line); }
.ranges { display: grid; gap: 4px; justify-items: start; }
.ranges:not(:empty) { padding-bottom: 8px; }
.range { display: flex; align-items: center; gap: 6px; }
.blocked { margin: 0 0 8px; }
.all-day, .blocked { color: var(--faint); font-size: 13px; }
.add { color: var(--accent); font-size: 13px; padding: 2px 4px; min-height: 28px; }
.add::before { content: "+ " / ""; }
`;
