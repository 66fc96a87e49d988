/** The engine's own scenes: shared by its tests, the benchmarks, the matrix of engines and the command line. */

import { randomAt, unitAt } from '../src/geometry/math/random.ts'
import { defineModule } from '../src/host/module/index.ts'
import type { AnyWorld, Control, TickInputs } from '../src/host/tools/index.ts'
import type { Scene } from '../src/index.ts'
import { skirmish } from './skirmish.ts'

/** Players with random inputs: different for every seed, tick and seat, the same in every run. */
function noise(seed: number, seats: number, extra: (tick: number) => readonly Control[] = () => []) {
  return (tick: number, _world: AnyWorld): TickInputs => {
    const controls: Control[] = []
    if (tick === 0) for (let seat = 0; seat < seats; seat++) controls.push({ control: 'join', seat, team: seat % 2 })
    controls.push(...extra(tick))
    if (controls.some(({ control }) => control === 'leave')) return { controls }
    const players = []
    for (let seat = 0; seat < seats; seat++) {
      // Levels change now and then, as with real hands; some ticks bring no input at all.
      const mood = Math.floor(tick / 20)
      if (randomAt(seed, tick, seat, 0, 1) % 10 === 0) continue
      players.push({
        seat,
        walk: unitAt(seed, mood, seat, 0, 2) * 2 - 1,
        turn: unitAt(seed, mood, seat, 0, 3) * 2 - 1,
        fire: randomAt(seed, tick, seat, 0, 4) % 4 === 0 ? 1 + (randomAt(seed, tick, seat, 0, 5) % 2) : 0,
        aim: { x: unitAt(seed, mood, seat, 0, 6) * 1200, y: unitAt(seed, mood, seat, 0, 7) * 800 },
      })
    }
    return { controls, players }
  }
}

/** Seat 1 leaves and comes back, the game pauses, and somebody turns a knob. */
function comingsAndGoings(tick: number): readonly Control[] {
  if (tick === 100) return [{ control: 'leave', seat: 1 }]
  if (tick === 101) return [{ control: 'join', seat: 1, team: 1 }]
  if (tick === 150) return [{ control: 'pause', paused: true }]
  if (tick === 170) return [{ control: 'pause', paused: false }]
  if (tick === 200) return [{ control: 'tune', name: 'knockback', value: 40 }]
  return tick === 210 ? [{ control: 'entropy', bits: 0xdecafbad }] : []
}

export const scenes: readonly Scene[] = [
  {
    name: 'skirmish',
    about: 'four gunners against drones that keep coming',
    game: skirmish,
    seed: 7,
    ticks: 600,
    inputs: noise(7, 4),
  },
  {
    name: 'skirmish-comings',
    about: 'players leave and return, the match pauses, a number is tuned',
    game: skirmish,
    seed: 11,
    ticks: 400,
    inputs: noise(11, 3, comingsAndGoings),
  },
  {
    name: 'skirmish-busy',
    about: 'eight gunners with piercing bullets in a crowd of 600 drones',
    game: skirmish,
    seed: 3,
    options: { drones: 600, piercing: true },
    ticks: 240,
    inputs: noise(3, 8),
  },
]

export default defineModule({
  game: skirmish,
  title: 'Skirmish',
  about: "The engine's own test game: gunners against drones that keep coming.",
  goal: 'Stay alive and shoot drones.',
  scenes,
  // The matrix puts the id of the game in front.
  probes: scenes.map((scene) => ({ ...scene, name: scene.name.replace(/^skirmish-?/, '') || 'plain' })),
  room: false,
  meaning: {
    score: ({ score }) => score,
    events: {
      hurt: {
        is: 'hit',
        sound: 'hit',
        sentence: ({ victim, attacker, hpAfter }, name) =>
          `${name(attacker)} hurts ${name(victim)}, ${hpAfter} hp left`,
      },
      killed: { is: 'kill', sound: 'death', sentence: ({ victim }, name) => `${name(victim)} is destroyed` },
    },
  },
})
