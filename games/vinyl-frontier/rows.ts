/** The commands of a turn as rows of a table, from the events of the preset `commands`. */

import { listEvents, type Scene } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { NAME_LENGTH, STEPS, type VinylWorld } from './rules/declaration.ts'
import { PRIORITIES } from './rules/pipeline/commands.ts'
import { readBytes } from './rules/text.ts'

/** Step, priority and kind, of whom, by whom, the value, and whether it was done. */
export function commandRows(scene: Scene, turn: number): string[][] {
  const session = startScene(scene)
  const world = session.world as unknown as VinylWorld
  playScene(scene, session, turn * STEPS)
  const rows: string[][] = []
  for (let i = 0; i < STEPS; i++) {
    playScene(scene, session, 1)
    for (const event of listEvents(world)) {
      if (event.kind !== 'command') continue
      const { step, priority, targetName, byName, x, y, isDone } = event
      const kind = PRIORITIES[priority - 1]
      const name = (bytes: readonly number[]) => readBytes(bytes, 0, NAME_LENGTH)
      const by = name(byName) || 'light'
      rows.push([String(step), `${priority} ${kind}`, name(targetName), by, figure(kind, x, y), isDone ? 'yes' : 'no'])
    }
  }
  return rows
}

function figure(kind: (typeof PRIORITIES)[number], x: number, y: number): string {
  const short = (value: number) => String(Math.round(value * 1000) / 1000 + 0)
  if (kind === 'KillSelf' || kind === 'Announce') return ''
  return kind === 'AdjustShield' || kind === 'AdjustCargo' ? short(x) : `${short(x)}, ${short(y)}`
}
