/** The page around a match: a bar, the stage with all the room that there is, and who is there. */

export const STYLE = `
html:has(.hb-page), body:has(> .hb-page) { height: 100%; margin: 0; background: var(--hb-ground); overscroll-behavior: none; }
.hb-page {
  position: relative; box-sizing: border-box; display: grid; grid-template-rows: auto auto 1fr auto; height: 100dvh; color: var(--hb-text); background: var(--hb-ground);
  font: var(--hb-font); color-scheme: dark;
}
.hb-bar {
  display: flex; flex-wrap: wrap; align-items: center; gap: 8px;
  padding: 8px calc(12px + env(safe-area-inset-right)) 8px calc(12px + env(safe-area-inset-left));
}
.hb-bar h1 { margin: 0 8px 0 0; font-size: 17px; line-height: 1.2; }
.hb-space { flex: 1; }
.hb-figures .hb-hud { position: static; display: flex; flex-wrap: wrap; gap: 2px 18px; max-width: none; padding: 0 12px 6px; background: none; }
.hb-figures .hb-hud[hidden] { display: none; }
.hb-main { display: grid; min-height: 0; }
.hb-view { position: relative; min-height: 0; overflow: hidden; touch-action: none; }
.hb-foot {
  display: flex; flex-wrap: wrap; align-items: center; gap: 4px 18px; min-height: 22px;
  padding: 6px calc(12px + env(safe-area-inset-right)) calc(6px + env(safe-area-inset-bottom)) calc(12px + env(safe-area-inset-left));
}
.hb-foot p { margin: 0; }
.hb-foot .hb-roster { display: flex; flex-wrap: wrap; gap: 2px 16px; }
.hb-foot .hb-code { margin-left: auto; align-items: center; }
.hb-foot .hb-code label { display: flex; align-items: center; gap: 8px; }
.hb-foot .hb-code[hidden] { display: none; }
@media (max-width: 720px), (max-height: 500px) {
  .hb-bar h1 { font-size: 14px; }
  .hb-bar .hb-button, .hb-foot .hb-button { min-height: 32px; padding: 3px 9px; font-size: 13px; }
  .hb-foot .hb-code { display: none; }
}
`
