/**
 * What all parts look like.
 *
 * The colours are variables of CSS with a specificity of zero: `:root { --hb-accent: #0af }` in a sheet of the page is enough to change one.
 */

export const BASE = `
:where(:root) {
  --hb-ground: #090b11;
  --hb-surface: #10131c;
  --hb-raised: #181c28;
  --hb-line: #3a4258;
  --hb-text: #e9ecf5;
  --hb-muted: #a3abc0;
  --hb-accent: #ffd166;
  --hb-bad: #ff5468;
  --hb-good: #5ef08c;
  --hb-cool: #5aa8ff;
  --hb-font: 14px / 1.5 system-ui, sans-serif;
  --hb-mono: ui-monospace, Menlo, Consolas, monospace;
}
.hb-button {
  min-height: 36px; padding: 6px 14px; border: 1px solid var(--hb-line); border-radius: 10px; background: var(--hb-raised);
  color: var(--hb-text); font: inherit; line-height: 1.3; text-decoration: none; cursor: pointer; white-space: nowrap;
  -webkit-tap-highlight-color: transparent;
}
.hb-button:hover:enabled { border-color: var(--hb-accent); }
.hb-button:disabled { color: var(--hb-muted); cursor: default; }
.hb-button.is-first { border-color: var(--hb-text); background: var(--hb-text); color: #0b0d14; font-weight: 650; }
.hb-button.is-first:disabled { opacity: .7; }
.hb-button:focus-visible, .hb-key:focus-visible { outline: 2px solid var(--hb-accent); outline-offset: 2px; }
.hb-actions { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
.hb-muted { color: var(--hb-muted); }
.hb-swatch { display: inline-block; width: 11px; height: 11px; margin-right: 9px; border-radius: 3px; }
.hb-kbd {
  display: inline-block; min-width: 1.7em; padding: 0 .4em; border: 1px solid var(--hb-line); border-bottom-width: 2px; border-radius: 5px;
  background: var(--hb-raised); color: var(--hb-text); font: 600 11px / 18px var(--hb-mono); text-align: center;
}
.hb-button[hidden], .hb-actions[hidden] { display: none; }
`
