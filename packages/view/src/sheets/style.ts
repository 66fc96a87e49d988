/** Sheets, cards and figures over a stage, on a screen of any size. */

export const STYLE = `
.hb-hud {
  position: absolute; left: calc(10px + env(safe-area-inset-left)); top: 10px; z-index: 1; display: grid; gap: 3px; min-width: 170px; max-width: 60%; padding: 8px 12px;
  border: 0; border-radius: 10px; background: #0a0c13b3; color: var(--hb-text); font: var(--hb-font); text-align: left;
  -webkit-tap-highlight-color: transparent;
}
.hb-hud[hidden], .hb-choices[hidden], .hb-notice[hidden] { display: none; }
.hb-hud-line { display: grid; grid-template-columns: 1fr auto auto; align-items: center; gap: 10px; }
.hb-hud-line > span { display: flex; align-items: center; gap: 6px; }
.hb-hud-line b { font: 600 13px/1.3 var(--hb-mono); text-align: right; }
.hb-hud-line small { color: var(--hb-muted); font-weight: 400; }
.hb-hud-bar { width: 70px; height: 6px; border-radius: 3px; background: #ffffff26; overflow: hidden; }
.hb-hud-bar i { display: block; height: 100%; background: var(--hb-text); }
.hb-hud-line.good i i { background: var(--hb-good); }
.hb-hud-line.warn i i { background: var(--hb-accent); }
.hb-hud-line.bad i i { background: var(--hb-bad); }
.hb-hud-line.cool i i { background: var(--hb-cool); }
.hb-hud-line.good b { color: var(--hb-good); }
.hb-hud-line.warn b { color: var(--hb-accent); }
.hb-hud-line.bad b { color: #ff8a97; }
.hb-hud-line.cool b { color: #8cc2ff; }
.hb-sheet {
  position: absolute; inset: 0; z-index: 3; display: grid; place-items: safe center; overflow: auto; background: #05070bb8;
  padding: 16px calc(16px + env(safe-area-inset-right)) calc(16px + env(safe-area-inset-bottom)) calc(16px + env(safe-area-inset-left));
  color: var(--hb-text); font: var(--hb-font);
}
.hb-card {
  box-sizing: border-box; display: grid; gap: 14px; width: min(560px, 100%); padding: 22px 26px 24px; border: 1px solid var(--hb-line); border-radius: 16px;
  background: var(--hb-surface); box-shadow: 0 24px 80px #000c;
}
.hb-card h2 { margin: 0; font-size: clamp(24px, 4vw, 38px); line-height: 1.1; letter-spacing: -.025em; }
.hb-card p { margin: 0; }
.hb-goal { font-size: 16px; text-wrap: pretty; }
.hb-outcome { width: 100%; border-collapse: collapse; }
.hb-outcome :is(td, th) { padding: 5px 0; border-top: 1px solid #ffffff12; font-weight: 400; text-align: right; }
.hb-outcome :is(td, th) + :is(td, th) { padding-left: 14px; }
.hb-outcome thead :is(td, th) { border-top: 0; color: var(--hb-muted); font-size: 12px; }
.hb-outcome th:first-child { text-align: left; overflow-wrap: anywhere; }
.hb-outcome td { font-family: var(--hb-mono); }
.hb-outcome .has-won :is(td, th) { font-weight: 700; }
.hb-countdown { position: absolute; inset: 0; z-index: 3; display: grid; place-items: center; pointer-events: none; }
.hb-countdown b {
  color: var(--hb-text); font: 800 clamp(96px, 24vh, 220px) / 1 var(--hb-mono); text-shadow: 0 6px 40px #000;
  animation: hb-count .65s ease-out both;
}
@keyframes hb-count { from { scale: 1.5; opacity: 0; } 30% { scale: 1; opacity: 1; } }
@media (prefers-reduced-motion: reduce) { .hb-countdown b { animation: none; } }
.hb-choices {
  position: absolute; inset: 0; z-index: 2; display: grid; align-content: safe center; justify-items: center; gap: 16px; padding: 12px;
  overflow: auto; background: #05081299; color: var(--hb-text); font: var(--hb-font);
}
.hb-choices h2 { margin: 0; font-size: 22px; }
.hb-choices > div { display: flex; flex-wrap: wrap; justify-content: center; gap: 14px; }
.hb-choice {
  display: grid; grid-template-rows: auto auto 1fr auto; justify-items: center; gap: 4px; width: 200px; min-height: 168px; padding: 14px 12px;
  border: 2px solid var(--tone, var(--hb-cool)); border-radius: 12px; background: #131a2e; color: inherit; font: inherit; text-align: center; cursor: pointer;
  -webkit-tap-highlight-color: transparent;
}
.hb-choice b { color: var(--tone, var(--hb-cool)); font-size: 19px; }
/* Below the middle: there is nothing that a game writes, and thumbs are beside it. */
.hb-notice {
  position: absolute; left: 50%; top: 64%; translate: -50% 0; z-index: 2; display: grid; justify-items: center; gap: 2px; width: max-content;
  max-width: calc(100% - 32px); padding: 9px 20px; border-radius: 12px; background: #0a0c13d9; box-shadow: inset 0 -3px 0 var(--hb-bad);
  color: var(--hb-text); font: var(--hb-font); text-align: center; pointer-events: none;
}
.hb-notice b { font-size: 17px; }
.hb-notice span { color: var(--hb-muted); }
@media (max-width: 720px) {
  .hb-hud { min-width: 0; padding: 6px 9px; font-size: 12px; }
  .hb-hud:not(.is-open) .hb-hud-line:nth-child(n + 4) { display: none; }
  .hb-hud-bar { width: 46px; }
  .hb-card { padding: 16px 16px 18px; gap: 10px; }
  .hb-choice { width: min(100%, 300px); min-height: 0; }
  .hb-choices > div { gap: 8px; }
}
/* A phone on its side. */
@media (max-height: 500px) {
  .hb-choices > div { gap: 8px; }
  .hb-choice { width: 170px; min-height: 96px; padding: 8px; gap: 2px; }
  .hb-choice b { font-size: 16px; }
  .hb-choice .hb-kbd { display: none; }
  .hb-card { padding: 14px 16px 16px; gap: 9px; }
}
@media (pointer: coarse) { .hb-hud-line.is-on-button { display: none; } }
`
