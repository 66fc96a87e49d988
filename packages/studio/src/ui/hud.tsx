import type { HudLine, View } from 'hurtbox/module'
import type { AnyWorld } from 'hurtbox/tools'
import { type Studio, worldOf } from '../model/studio.ts'

/** The player's figures over the stage; of the first seat while there is no player. */
export function Hud({ studio }: { studio: Studio }) {
  // Read so that the figures follow the match ten times a second.
  void studio.pulse.value
  const { view, seat, show } = studio
  if (!show.isReady.value) return null
  return <HudLines view={view} world={worldOf(studio)} seat={Math.max(0, seat.value)} />
}

export function HudLines({ view, world, seat }: { view: View; world: AnyWorld; seat: number }) {
  const lines = view.hud?.(world as never, seat) ?? []
  if (lines.length === 0) return null
  return (
    <div class="hud" data-testid="hud">
      {lines.map((line) => (
        <Line key={line.label} line={line} />
      ))}
    </div>
  )
}

function Line({ line: { label, value, max, tone } }: { line: HudLine }) {
  const isBar = typeof value === 'number' && max !== undefined && max > 0
  const part = isBar ? Math.max(0, Math.min(1, value / max)) : 0
  return (
    <div class={`hud-line ${tone ?? ''}`}>
      <span>{label}</span>
      {isBar && (
        <i class="hud-bar">
          <i style={{ width: `${part * 100}%` }} />
        </i>
      )}
      <b>
        {/* A bar from 0 to 1 needs no number. */}
        {!(isBar && max === 1) && format(value)}
        {isBar && max !== 1 && <small> / {format(max)}</small>}
      </b>
    </div>
  )
}

function format(value: number | string): string {
  return typeof value === 'number' ? String(Math.round(value * 10) / 10) : value
}
