/** A match of six bots in one process: what happened in it. */

import { listEvents } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { scenes } from '../game/index.ts'

export function playMatch(ticks: number) {
  const scene = { ...scenes[0], ticks }
  const session = startScene(scene)
  const seen = new Set<string>()
  const count = { returned: 0, carried: 0, opened: 0 }
  const before = new Map<number, number>()
  for (let tick = 0; tick < ticks; tick++) {
    playScene(scene, session, 1)
    const { world } = session
    for (const event of listEvents(world))
      seen.add(event.kind === 'statusBegan' ? `status ${event.effect}` : event.kind)
    count.opened += world.globals.gateOpen
    const { things } = world.tables
    for (let row = 0; row < things.count; row++) {
      const [id, hp] = [things.id[row], things.hp[row]]
      if (hp > 0 && before.get(id)! <= 0) count.returned++
      if (things.standsOn[row] > 0) count.carried++
      before.set(id, hp)
    }
  }
  return { seen, count, session }
}
