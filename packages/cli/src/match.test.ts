import { readFileSync } from 'node:fs'
import { advance, collide, createSession, declareGame, defineGame, hashWorld, type Scene, spawn } from 'hurtbox'
import { expect, test } from 'vitest'
import { messageOf } from './errors.ts'
import { playMatch, startMatch } from './match.ts'
import { withShortNumbers } from './text.ts'

const declaration = declareGame({
  id: 'clumsy',
  tickRate: 60,
  seats: { min: 0, max: 1 },
  layers: { thing: ['thing'] },
  capacity: 2,
  globals: { ran: 'u32' },
})

/** Where all of them throw. */
const lines = readFileSync(import.meta.filename, 'utf8').split('\n')
const LINE = lines.findIndex((line) => line.trim().startsWith('if (name === culprit)')) + 1

type Culprit = 'nobody' | 'onJoin' | 'onLeave' | 'phase count' | typeof RULE | 'inputs of scene first'
const RULE = 'rule "a thing touches another" of phase hits'

/** A game in which a player joins in tick 1 and leaves in tick 2; one of its functions throws. */
function clumsy(culprit: Culprit): Scene {
  const failIf = (name: Culprit) => {
    if (name === culprit) throw new TypeError('no such thing')
  }
  const game = defineGame(declaration, {
    setup(world) {
      for (let i = 0; i < 2; i++) spawn(world, 'thing', { x: i, radius: 1 })
    },
    onJoin: () => failIf('onJoin'),
    onLeave: () => failIf('onLeave'),
    phases: {
      count: {
        run(world) {
          world.globals.ran++
          failIf('phase count')
        },
        whilePaused: true,
      },
      hits: collide(declaration, {
        'a thing touches another': {
          between: ['thing', 'thing'],
          decide() {
            failIf(RULE)
            return 'no'
          },
        },
      }),
    },
  })
  const inputs = (tick: number) => {
    if (tick === 3) failIf('inputs of scene first')
    if (tick === 1) return { controls: [{ control: 'join', seat: 0 } as const] }
    return tick === 2 ? { controls: [{ control: 'leave', seat: 0 } as const] } : {}
  }
  return { name: 'first', about: '', game, seed: 1, ticks: 5, inputs }
}

function thrownBy(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    return error
  }
}

function play(scene: Scene) {
  const session = startMatch(scene)
  playMatch(scene, session, scene.ticks)
  return session
}

test.each<[Culprit, string]>([
  ['phase count', 'in tick 0'],
  [RULE, 'in tick 0 with thing 1 and thing 2'],
  ['onJoin', 'in tick 1'],
  ['onLeave', 'in tick 2'],
  ['inputs of scene first', 'in tick 3'],
])('[CL23] a failure in %s says so, with file and line', (culprit, when) => {
  const told = new RegExp(
    `^${culprit} failed ${when}: no such thing \\(packages/cli/src/match\\.test\\.ts:${LINE}:\\d+\\)$`,
  )
  expect(messageOf(thrownBy(() => play(clumsy(culprit))))).toMatch(told)
})

test('[CL23] a game whose failures are named plays as it does otherwise, also in a pause', () => {
  const scene = clumsy('nobody')
  const paused: Scene = { ...scene, inputs: () => ({ controls: [{ control: 'pause', paused: true }] }) }
  for (const played of [scene, paused]) {
    const asItIs = createSession(played.game, { seed: played.seed })
    for (let tick = 0; tick < played.ticks; tick++) advance(asItIs, played.inputs?.(tick, asItIs.world))
    expect(asItIs.world.globals.ran).toBe(5)
    expect(hashWorld(play(played).world)).toBe(hashWorld(asItIs.world))
  }
})

test('[CL14] numbers in sentences have six digits, or all before the point', () => {
  expect(withShortNumbers('x of things id 1234567 gains 0.30000000000000004')).toBe('x of things id 1234567 gains 0.3')
  expect(withShortNumbers('from 1234567.8912345 to 2.5, 12.3456789 and 1.23456789e-7')).toBe(
    'from 1234568 to 2.5, 12.3457 and 1.23457e-7',
  )
})
