/** Matches of the arena for the tests: hands that press random inputs, the same for the same seed. */

import { randomAt, unitAt } from '../../src/geometry/math/random.ts'
import {
  type AnyGame,
  type AnyWorld,
  type Control,
  type PlayerInput,
  seatRow,
  type TickInputs,
} from '../../src/host/tools/index.ts'
import { advance, createSession, type Session } from '../../src/index.ts'

export function playArena(game: AnyGame, seed: number, ticks: number): Session {
  const session = createSession(game, { seed, options: { bouncy: true }, tuning: { damage: 25 } }) as Session
  playOn(session, seed, ticks)
  return session
}

export function playOn(session: Session, seed: number, ticks: number): void {
  for (let i = 0; i < ticks; i++) advance(session, inputsOf(session.world, seed))
}

/** What enters the next tick: players join and leave, tuning and entropy change, and every seated player presses. */
export function inputsOf(world: AnyWorld, seed: number): TickInputs {
  const { tick } = world
  const controls: Control[] = []
  if (tick === 0) controls.push({ control: 'join', seat: 0 }, { control: 'join', seat: 1, team: 2 })
  const roll = randomAt(seed, tick, 0, 0, 1)
  const seat = roll % 5
  const sits = seatRow(world, seat) >= 0
  if (tick > 0 && roll % 7 === 0) controls.push(sits ? { control: 'leave', seat } : { control: 'join', seat, team: 1 })
  if (roll % 29 === 1) controls.push({ control: 'tune', name: 'damage', value: (roll >>> 8) % 100 })
  if (roll % 31 === 2) controls.push({ control: 'entropy', bits: roll })
  if (roll % (world.paused ? 4 : 37) === 3) controls.push({ control: 'pause', paused: !world.paused })
  const players: PlayerInput[] = []
  for (let each = 0; each < 5; each++) {
    const joins = controls.some((control) => control.control === 'join' && control.seat === each)
    const leaves = controls.some((control) => control.control === 'leave' && control.seat === each)
    if (leaves || (!joins && seatRow(world, each) < 0) || randomAt(seed, tick, each, 0, 2) % 3 === 0) continue
    players.push({ seat: each, ...handOf(seed, tick, each) } as PlayerInput)
  }
  return { controls, players }
}

function handOf(seed: number, tick: number, seat: number): Record<string, unknown> {
  const mood = Math.floor(tick / 8)
  const roll = randomAt(seed, tick, seat, 0, 3)
  return {
    walk: unitAt(seed, mood, seat, 0, 4) * 2 - 1,
    strafe: unitAt(seed, mood, seat, 0, 5) * 2 - 1,
    block: randomAt(seed, mood, seat, 0, 6) % 3 === 0,
    fire: roll % 4 === 0 ? 1 + (roll % 3) : 0,
    stance: ['low', 'middle', 'high'][randomAt(seed, mood, seat, 0, 7) % 3],
    aim: { x: unitAt(seed, mood, seat, 0, 8) * 200 - 100, y: unitAt(seed, mood, seat, 0, 9) * 200 - 100 },
    power: unitAt(seed, mood, seat, 0, 10) * 2,
    target: roll % 20,
    orders: roll % 11 === 0 ? [{ at: { x: roll % 50, y: -(roll % 30) }, size: 'm' }] : [],
  }
}
