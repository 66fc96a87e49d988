/**
 * Lag compensation, with a duel of rays: a shot hits whom it crosses where its shooter saw them.
 *
 * Targets run 10 units a tick and are 1 unit wide, so being one tick off is a miss.
 */

import { expect, test } from 'vitest'
import {
  advance,
  createSession,
  createWorld,
  declareGame,
  defineGame,
  despawn,
  each,
  emit,
  fixed,
  players,
  press,
  type Session,
  spawn,
  step,
  syncTest,
  type World,
} from '../../index.ts'
import { loadReplay, saveReplay, verifyReplay } from '../../record/replay/index.ts'
import { defineRewind, recordPoses, type SeenPose, seenPose } from './index.ts'

const rewind = defineRewind(16, 8)
const SPEED = 10
const RADIUS = 1

const declaration = declareGame({
  id: 'duel',
  tickRate: 60,
  seats: { min: 1, max: 4 },
  layers: { runner: [] },
  capacity: 16,
  things: { hp: 'f64' },
  tables: rewind.tables,
  input: { shoot: press(), at: fixed({ min: -1000, max: 1000, step: 0.125 }), blink: press(), ...rewind.input },
  events: { hit: { shooter: 'u8', victim: 'id', ago: 'f64' } },
})
interface Duel extends World<typeof declaration> {}

const pose: SeenPose = { x: 0, y: 0, ago: 0 }

/** A shot goes straight up at x = `at` and hits all within a radius of it, where the shooter saw them. */
function shoot(world: Duel): void {
  const { things, players: table } = world.tables
  for (let player = 0; player < table.count; player++) {
    if (table.shoot[player] === 0) continue
    for (let row = 0; row < things.count; row++) {
      if (things.id[row] === table.thing[player] || things.hp[row] <= 0) continue
      seenPose(world, rewind, row, table.seenAgo[player], pose)
      if (Math.abs(pose.x - table.at[player]) > RADIUS) continue
      emit(world, 'hit', { shooter: table.seat[player], victim: things.id[row], ago: pose.ago })
    }
  }
}

function run(world: Duel): void {
  for (const runner of each(world)) {
    runner.x += SPEED
    if (runner.hp < 0) {
      runner.hp++
      if (runner.hp === 0) runner.hp = 100
    }
  }
  for (const { thing: runner, blink } of players(world)) {
    if (blink === 0 || runner === undefined) continue
    runner.x -= 500
    runner.teleports++
  }
}

const game = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'runner', { hp: 100 })
  },
  onLeave(_world, { thing: runner }) {
    if (runner !== undefined) despawn(runner)
  },
  phases: { shoot, run, record: recordPoses(rewind, () => true) },
})

/** A match of two; seat 1 is the target. Its place before tick t (t > 0) is 10 t. */
function start(): Session<Duel> {
  const session = createSession(game)
  advance(session, {
    controls: [
      { control: 'join', seat: 0 },
      { control: 'join', seat: 1 },
    ],
  })
  return session
}

function runTo(session: Session<Duel>, tick: number): void {
  while (session.world.tick < tick) advance(session)
}

/** Shoots in the next tick; returns how far back the hit was, or undefined for a miss. */
function shot(session: Session<Duel>, at: number, seenAgo: number): number | undefined {
  advance(session, { players: [{ seat: 0, shoot: 1, at, seenAgo }] })
  const { hit } = session.world.events
  return hit.count > 0 ? hit.ago[0] : undefined
}

test('[LC1] a shot is judged at the very tick its player saw: one tick off either way is a miss', () => {
  for (let ago = 0; ago <= 15; ago++) {
    for (const off of [-1, 0, 1]) {
      const session = start()
      runTo(session, 40)
      const seen = 10 * (40 - ago) + SPEED * off
      expect([ago, off, shot(session, seen, ago)]).toEqual([ago, off, off === 0 ? ago : undefined])
    }
  }
})

test('[LC2] between two ticks the pose lies between them', () => {
  for (let part = 0; part < 8; part++) {
    const session = start()
    runTo(session, 40)
    const ago = 5 + part / 8
    const seen = 10 * (40 - ago)
    expect(shot(session, seen, ago)).toBe(ago)
    seenPose(session.world, rewind, 1, ago, pose)
    // A tick later the same look back shows the target a tick further.
    expect(pose.x).toBe(seen + SPEED)
  }
})

test('[LC3] a look back ends at what is kept', () => {
  const session = start()
  runTo(session, 40)
  expect(shot(session, 10 * (40 - 15), 1000)).toBe(15)
  expect(shot(session, 10 * (41 - 20), 20)).toBeUndefined()
  seenPose(session.world, rewind, 1, 1000, pose)
  expect(pose).toEqual({ x: 10 * (42 - 15), y: 0, ago: 15 })
})

test('[LC4] a jump is not looked across: the oldest pose is the one after it', () => {
  const session = start()
  runTo(session, 40)
  advance(session, { players: [{ seat: 1, blink: 1 }] })
  // Where the target stood before the jump it cannot be hit any more, however far back one looks.
  for (const ago of [0, 1, 5, 15]) {
    const { world } = session
    seenPose(world, rewind, 1, ago, pose)
    expect([ago, pose.x, pose.ago]).toEqual([ago, 410 - 500, 0])
  }
  advance(session)
  expect(shot(session, 400, 2)).toBeUndefined()
  runTo(session, 46)
  expect(shot(session, 410 - 500, 15)).toBe(5)
})

test('[LC4] in the tick of the jump itself the present pose counts', () => {
  const world = createWorld(game)
  step(world, { controls: [{ control: 'join', seat: 0 }] })
  for (let i = 0; i < 20; i++) step(world)
  const { things } = world.tables
  things.x[0] = -7
  things.teleports[0]++
  seenPose(world, rewind, 0, 6, pose)
  expect(pose).toEqual({ x: -7, y: 0, ago: 0 })
})

test('[LC5] spawn, death and respawn each start a new history', () => {
  const session = start()
  const { world } = session
  const { things } = world.tables
  runTo(session, 3)
  seenPose(world, rewind, 1, 15, pose)
  expect(pose).toEqual({ x: 10, y: 0, ago: 2 })

  runTo(session, 40)
  things.hp[1] = -5
  seenPose(world, rewind, 1, 3, pose)
  expect(pose.ago).toBe(0)
  advance(session)
  // Dead since tick 40, back in tick 44: recorded as alive from state 45 on.
  runTo(session, 47)
  expect(things.hp[1]).toBe(100)
  seenPose(world, rewind, 1, 15, pose)
  expect(pose).toEqual({ x: 450, y: 0, ago: 2 })
})

test('[LC5] a player that joins after another left starts with a past of its own', () => {
  const session = start()
  runTo(session, 20)
  advance(session, { controls: [{ control: 'leave', seat: 1 }] })
  advance(session, { controls: [{ control: 'join', seat: 1 }] })
  const { things, poses } = session.world.tables
  expect([...poses.thing.subarray(0, poses.count)]).toEqual([...things.id.subarray(0, things.count)])
  seenPose(session.world, rewind, 1, 15, pose)
  expect(pose).toEqual({ x: 10, y: 0, ago: 0 })
})

test('[LC5] asked again in the tick that recorded it first, a thing has no past yet', () => {
  const seen: SeenPose[] = []
  const look = (world: Duel) => {
    for (let row = 0; row < world.tables.things.count; row++) {
      const at = { x: 0, y: 0, ago: 0 }
      seenPose(world, rewind, row, 3, at)
      seen.push(at)
    }
  }
  const looking = defineGame(declaration, {
    setup: (world) => void spawn(world, 'runner', { x: 5, hp: 100 }),
    phases: { run, record: recordPoses(rewind, () => true), look },
  })
  const world = createWorld(looking)
  step(world)
  step(world)
  expect(seen).toEqual([
    { x: 15, y: 0, ago: 0 },
    { x: 15, y: 0, ago: 0 },
  ])
})

test('[LC6] poses are state: rollbacks, fresh worlds and replays agree', () => {
  const session = start()
  for (let tick = 1; tick < 200; tick++) {
    const ago = (tick % 128) / 8
    const controls =
      tick % 50 === 49
        ? [{ control: 'leave' as const, seat: 1 }]
        : tick % 50 === 10 && tick > 50
          ? [{ control: 'join' as const, seat: 1 }]
          : []
    advance(session, {
      controls,
      players: [
        { seat: 0, shoot: tick % 3 === 0 ? 1 : 0, at: 10 * (tick - ago), seenAgo: ago, blink: tick % 60 === 0 ? 1 : 0 },
      ],
    })
  }
  const untyped = session as unknown as Session
  expect(syncTest(untyped, 8).mismatch).toBeUndefined()
  expect(syncTest(untyped, 20, { fresh: true }).mismatch).toBeUndefined()
  expect(verifyReplay(game, loadReplay(game, saveReplay(untyped))).mismatch).toBeUndefined()
})

test('[LC7] a full table of poses leaves things unrecorded, and they are judged where they are', () => {
  const world = createWorld(game)
  const { poses } = world.tables
  for (let i = 0; i < 12; i++) spawn(world, 'runner', { x: i, hp: 100 })
  for (let i = 0; i < 5; i++) step(world)
  expect(poses.count).toBe(8)
  seenPose(world, rewind, 11, 3, pose)
  expect(pose).toEqual({ x: 61, y: 0, ago: 0 })
})

test('[LC8] a game that records poses without the table for them is refused when its world is made', () => {
  const { poses: _, ...tables } = declaration.tables
  const bare = defineGame({ ...declaration, tables } as never, {
    phases: { record: recordPoses(rewind, () => true) },
  })
  expect(() => createWorld(bare)).toThrow(/recorded poses need their table/)
})
