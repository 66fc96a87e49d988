/** A match in the page: what its player brings along, and how it fails. */

import { axis, type Bot, choice, declareGame, defineGame, spawn } from 'hurtbox'
import { defineModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import { playOffline } from './index.ts'

const declaration = declareGame({ id: 'trap', tickRate: 100, layers: { ball: [] }, input: { moveX: axis() } })
const idle: Bot<typeof declaration> = { name: 'idle', about: '', think: () => ({}) }

function play(culprit: string) {
  const failIf = (name: string, tick: number) => {
    if (name === culprit && tick === 3) throw new Error('sprung')
  }
  const game = defineGame(declaration, {
    setup: (world) => void spawn(world, 'ball'),
    phases: { trap: ({ tick }) => failIf('phase trap', tick) },
  })
  const think: (typeof idle)['think'] = ({ tick }) => {
    failIf('bot "idle" of seat 1', tick)
    return {}
  }
  const match = playOffline(defineModule({ game, title: 'Trap', bots: [{ ...idle, think }], seating: { seats: 2 } }))
  const input = (tick: number) => {
    failIf('input of seat 0', tick)
    return {}
  }
  return { match, update: (now: number) => match.update(now, input) }
}

test.each(['phase trap', 'bot "idle" of seat 1', 'input of seat 0'])(
  '[EW9] what %s throws is thrown once; then the match stands, and can be drawn',
  (culprit) => {
    const { match, update } = play(culprit)
    for (let now = 0; now <= 20; now += 10) update(now)
    expect(match.world.tick).toBe(3)
    expect(() => update(30)).toThrow(`${culprit} failed in tick 3: sprung`)
    for (let now = 40; now <= 90; now += 10) expect(update(now)?.after.tick).toBe(3)
  },
)

test('[VW38] what the player brings along reaches onJoin as from a server: the same words, every field; bots bring nothing', () => {
  const brought = declareGame({
    id: 'brought',
    tickRate: 100,
    layers: { ball: [] },
    join: { size: choice(['small', 'large']), skill: axis() },
  })
  const seen: unknown[] = []
  const game = defineGame(brought, {
    phases: {},
    onJoin: (_world, { seat }, data) => void seen.push([seat, data]),
  })
  const bots = [{ name: 'idle', about: '', think: () => ({}) }]
  const module = defineModule({ game, title: 'Brought', bots, seating: { seats: 2 } })
  const match = playOffline(module, { data: { size: 'large' } })
  match.update(0, () => ({}))
  expect(seen).toEqual([
    [0, { size: 'large', skill: 0 }],
    [1, undefined],
  ])
  // @ts-expect-error A word that was not declared is found by the compiler, and refused where it gets past it.
  expect(() => playOffline(module, { data: { size: 'lage' } }).update(0, () => ({}))).toThrow(
    /no choice of input size "lage"\. Known: large, small/,
  )
})
