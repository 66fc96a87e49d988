import { why } from 'hurtbox'
import { playScene, startScene } from 'hurtbox/tools'
import { describe, expect, test } from 'vitest'
import { shortScenes } from '../scenes/index.ts'

describe('why', () => {
  const scene = shortScenes.find(({ name }) => name === 'dummy')!
  const session = startScene(scene)
  const strikes: { tick: number; source: number }[] = []
  for (let tick = 0; tick < scene.ticks; tick++) {
    playScene(scene, session, 1)
    const { strike } = session.world.events as { strike: { count: number; source: Uint32Array } }
    if (strike.count > 0) strikes.push({ tick, source: strike.source[0] })
  }
  const [dummy, player] = [1, 2]
  const textAt = (tick: number, a: number, b: number) => why(session, tick, a, b).map(({ text }) => text)

  test('[SU32] names the rule of a hit, and every change it made', () => {
    const [entry] = why(session, strikes[0].tick, player, dummy)
    expect(entry).toMatchObject({ rule: 'hitbox hits character', first: player, second: dummy, verdict: 'accepted' })
    const changes = entry.changes.join('\n')
    for (const change of [
      'hp of things id 1: 100 → 96',
      'vx of things id 1: 0 → 1.9',
      'stunnedUntil of things id 1: 0 → ',
    ]) {
      expect(changes).toContain(change)
    }
    const shot = strikes.at(-1)!
    expect(textAt(shot.tick, shot.source, dummy)).toEqual([
      `projectile hits character: ${shot.source} and ${dummy}: accepted`,
    ])
  })

  test('[SU32] and the reason of a miss: no box yet, already hit, too far away', () => {
    expect(textAt(strikes[0].tick - 1, player, dummy)[0]).toContain('a hit would take a box on hitbox or projectile')
    // After the two ticks of hit stop the window is open again.
    expect(textAt(strikes[0].tick + 3, player, dummy)).toEqual([
      `hitbox hits character: ${player} and ${dummy}: refused, this attack has already hit this victim`,
    ])
    const shot = strikes.at(-1)!
    // Three ticks at 20 m/s before the hit, and less than one from touching then.
    const [text] = textAt(shot.tick - 3, shot.source, dummy)
    const missing = Number(/^apart: ([\d.]+) were missing$/.exec(text)?.[1])
    expect(missing, text).toBeGreaterThan((2 * 20) / 64)
    expect(missing, text).toBeLessThan((3 * 20) / 64)
  })
})
