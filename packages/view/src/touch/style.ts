/** Where sticks and buttons lie: beside the safe areas of a phone, upright and on its side. */

export const STYLE = `
.hb-touch { display: none; }
.hb-touch.is-touched { position: absolute; inset: 0; z-index: 1; display: block; pointer-events: none; }
@media (pointer: coarse) {
  .hb-touch { position: absolute; inset: 0; z-index: 1; display: block; pointer-events: none; }
}
.hb-stick-zone, .hb-touch-button {
  pointer-events: auto; touch-action: none; user-select: none; -webkit-user-select: none; -webkit-touch-callout: none;
  -webkit-tap-highlight-color: transparent;
}
/* The lower part of each half: above it are figures, and the game. */
.hb-stick-zone { position: absolute; top: 34%; bottom: 0; width: 46%; }
.hb-stick-zone.is-left { left: 0; }
.hb-stick-zone.is-right { right: 0; top: auto; height: 150px; }
.hb-stick {
  position: absolute; bottom: calc(14px + env(safe-area-inset-bottom)); box-sizing: border-box; display: grid; place-items: center; width: 112px;
  height: 112px; border: 2px solid #ffffff2e; border-radius: 50%; background: #0a0c1355; opacity: .65; pointer-events: none;
}
.hb-stick.is-held { opacity: 1; }
.is-left .hb-stick { left: calc(14px + env(safe-area-inset-left)); }
.is-right .hb-stick { right: calc(14px + env(safe-area-inset-right)); }
.hb-stick i { width: 48px; height: 48px; border-radius: 50%; background: #ffffffb8; }
.hb-stick span { position: absolute; bottom: 7px; font-size: 10px; color: #fffc; }
.hb-touch-buttons {
  position: absolute; right: calc(14px + env(safe-area-inset-right)); bottom: calc(14px + env(safe-area-inset-bottom)); display: flex;
  flex-wrap: wrap-reverse; justify-content: flex-end; gap: 8px; max-width: 200px;
}
.has-right .hb-touch-buttons { bottom: calc(140px + env(safe-area-inset-bottom)); max-width: 264px; }
.hb-touch-button {
  box-sizing: border-box; min-width: 60px; height: 60px; padding: 0 6px; border: 2px solid #ffffff4d; border-radius: 50%;
  background: #0a0c13b3; color: #fff; font: 650 12px / 1.15 system-ui, sans-serif;
}
/* What is not ready yet fills up like a clock. */
.hb-touch-button.is-waiting { border-color: #ffffff26; background: conic-gradient(#5aa8ff66 var(--ready), #0a0c13b3 0); color: #fffc; }
.hb-touch-button:active { background: #ffffff55; }
.hb-touch-button.is-small { width: min-content; min-width: 48px; height: 48px; font-size: 11px; white-space: normal; }
/* A phone on its side: low and wide. Buttons go beside the right stick instead of above it. */
@media (max-height: 500px) and (pointer: coarse) {
  .hb-touch-buttons { max-width: 264px; }
  .has-right .hb-touch-buttons {
    right: calc(140px + env(safe-area-inset-right)); bottom: calc(14px + env(safe-area-inset-bottom)); max-width: 200px;
  }
  .hb-touch-button { min-width: 54px; height: 54px; }
  .hb-stick { width: 100px; height: 100px; }
}
`
