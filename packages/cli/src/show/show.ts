/**
 * What `npm start` shows as long as there is no studio: a match, live in the terminal, and the proof that it is the
 * same match every time.
 *
 * It plays one scene once, for the eyes. Then it plays it again with a rollback on every tick, and once more from the
 * saved replay: three ways that must end in one hash.
 */

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type AnyWorld,
  createWorld,
  findRow,
  hashWorld,
  listEvents,
  restore,
  type Scene,
  type Session,
  snapshot,
  step,
} from 'hurtbox'
import { verifyReplay } from 'hurtbox/replay'
import { loadGame } from '../games.ts'
import { chooseScene, playMatch, startMatch } from '../match.ts'
import { print } from '../output.ts'
import { createReplayFile, readReplayFile } from '../replay-file.ts'
import { grouped, listed, rounded } from '../text.ts'
import { createCanvas, renderLines } from './canvas.ts'
import { aspectOf, createPicture, draw, watchTick } from './picture.ts'

const GAME = 'skirmish'
const SCENE = 'skirmish-busy'
const REPLAY = '.cache/skirmish-busy.hbr'
const ROLLBACK_TICKS = 4
const FRAMES_PER_SECOND = 20

export async function show(): Promise<number> {
  const scene = chooseScene(await loadGame(GAME), { scene: SCENE })
  const session = startMatch(scene)
  print(`Hurtbox: ${scene.about}`)
  const canDraw = process.stdout.isTTY && process.env.TERM !== 'dumb' && !process.env.NO_COLOR
  if (canDraw) await playAsPicture(scene, session)
  else playAsLines(scene, session)
  const isProven = await prove(scene, session)
  print('')
  print('Try next')
  print('  npx hurtbox games                                    what there is, and what can be changed')
  print(`  npx hurtbox run ${GAME} --events --ticks 60           a match in words`)
  print(`  npx hurtbox why ${GAME} --tick 32 --a 25 --b 58       why did that hit count?`)
  print(`  npx hurtbox synctest ${GAME} --depth 1-16             rollbacks, every tick`)
  print(`  npx hurtbox verify ${REPLAY}          the replay just saved`)
  return isProven ? 0 : 1
}

/** Three matches, one hash. */
async function prove(scene: Scene, session: Session): Promise<boolean> {
  print('')
  print('The same match three times')
  const played = hashWorld(session.world)
  print(`  as seen                                     ${played}`)
  const rolledBack = hashWithRollbacks(scene)
  print(`  rolled back ${ROLLBACK_TICKS} ticks on each of ${scene.ticks} ticks    ${rolledBack}`)

  mkdirSync(dirname(REPLAY), { recursive: true })
  const bytes = createReplayFile(REPLAY, session).finish()
  const replay = await readReplayFile(REPLAY)
  const { hash: verified } = verifyReplay(replay.game, replay)
  print(`  saved, loaded and played (${grouped(bytes)} bytes)    ${verified}`)
  const isProven = played === rolledBack && played === verified
  print(isProven ? '  equal' : '  NOT EQUAL: this is a bug, please report it')
  return isProven
}

/** Plays a scene and goes back after every tick, as a game does whose network is late. */
function hashWithRollbacks(scene: Scene): string {
  const { game, seed, options = {}, tuning = {} } = scene
  const world: AnyWorld = createWorld(game, { seed, options, tuning })
  const saved = [snapshot(world)]
  const play = () => step(world as never, (scene.inputs?.(world.tick, world) ?? {}) as never)
  while (world.tick < scene.ticks) {
    play()
    const now = world.tick
    if (saved.length > ROLLBACK_TICKS) saved.shift()
    restore(world, saved[0])
    while (world.tick < now) play()
    saved.push(snapshot(world))
  }
  return hashWorld(world)
}

function playAsLines(scene: Scene, session: Session): void {
  const counts: Record<string, number> = {}
  playMatch(scene, session, scene.ticks, (world) => {
    countEvents(counts, world)
    if (world.tick % 60 === 0) {
      print(`  tick ${world.tick}: things ${grouped(world.tables.things.count)}, ${listed(counts)}`)
    }
    return true
  })
}

/** Plays in real time, or as fast as the machine can. */
async function playAsPicture(scene: Scene, session: Session): Promise<void> {
  const { world } = session
  const { tickRate } = scene.game.declaration
  const counts: Record<string, number> = {}
  playMatch(scene, session, 1)
  const picture = createPicture(world)
  const canvas = createCanvas(...sizeFor(aspectOf(picture)))
  const ticksPerFrame = Math.max(1, Math.round(tickRate / FRAMES_PER_SECOND))
  let ticker = ''
  let frames = 0
  let computedMs = 0

  const showCursor = () => process.stdout.write('\x1b[?25h')
  const stop = () => {
    showCursor()
    process.exit(130)
  }
  process.once('SIGINT', stop)
  process.stdout.write('\x1b[?25l')
  const startedAt = performance.now()
  while (world.tick < scene.ticks) {
    const frameAt = performance.now()
    playMatch(scene, session, Math.min(world.tick + ticksPerFrame, scene.ticks), () => {
      countEvents(counts, world)
      watchTick(picture, world)
      ticker = describeEvents(world) || ticker
      return true
    })
    computedMs += performance.now() - frameAt
    draw(picture, world, canvas)
    const cost = `${(computedMs / world.tick).toFixed(2)} ms a tick`
    const texts = [
      `tick ${world.tick} of ${scene.ticks}  things ${world.tables.things.count}  ${listed(counts)}  ${cost}`,
      describePlayers(world),
      ticker,
    ]
    const lines = [...renderLines(canvas), ...texts.map((text) => text.slice(0, canvas.width))]
    const up = frames++ === 0 ? '' : `\x1b[${lines.length}A`
    process.stdout.write(`${up}${lines.map((line) => `\x1b[2K${line}\n`).join('')}`)
    const dueMs = (frames * ticksPerFrame * 1000) / tickRate
    await sleep(Math.max(0, dueMs - (performance.now() - startedAt)))
  }
  showCursor()
  process.off('SIGINT', stop)
}

/** Columns and lines that show the whole area and leave room for the text. */
function sizeFor(aspect: number): [columns: number, lines: number] {
  const { columns, rows } = process.stdout
  const width = Math.min(columns, 120, Math.floor((rows - 6) * 2 * aspect))
  return [Math.max(20, width), Math.max(5, Math.round(width / aspect / 2))]
}

function countEvents(counts: Record<string, number>, world: AnyWorld): void {
  for (const list of world.memory.events) counts[list.name] = (counts[list.name] ?? 0) + list.count
}

/** The events of the last tick in a line. */
function describeEvents(world: AnyWorld): string {
  return listEvents(world)
    .map(({ tick, kind, n, ...fields }) => {
      const values = Object.entries(fields).map(([name, value]) => `${name} ${rounded(Number(value))}`)
      return `${kind}: ${values.join(', ')}`
    })
    .join('  ')
}

/** What the players have left, as bars; the fullest is full. */
function describePlayers(world: AnyWorld): string {
  const { players, things } = world.tables
  if (things.hp === undefined) return ''
  const left = Array.from({ length: players.count }, (_, row) => {
    const thing = findRow(things, players.thing[row])
    return thing < 0 ? 0 : Math.max(0, things.hp[thing])
  })
  const most = Math.max(...left, 1)
  return left.map((hp, row) => `${players.seat[row]} ${bar(hp / most)} ${rounded(hp)}`).join('  ')
}

function bar(share: number): string {
  const full = Math.round(share * 5)
  return '█'.repeat(full) + '░'.repeat(5 - full)
}
