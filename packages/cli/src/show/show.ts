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
import { grouped, inColumns, listed, rounded } from '../text.ts'
import { createCanvas, renderLines } from './canvas.ts'
import { aspectOf, createPicture, draw, watchTick } from './picture.ts'

const GAME = 'skirmish'
const SCENE = 'skirmish-busy'
const REPLAY = '.cache/skirmish-busy.hbr'
const ROLLBACK_TICKS = 4
const FRAMES_PER_SECOND = 20

type Hit = { readonly tick: number; readonly victim: number; readonly attacker: number }

/** What was counted while the match was shown. */
type Sighting = {
  readonly events: Record<string, number>
  /** The latest hit, to ask about afterwards. */
  hit: Hit | undefined
}

export async function show(): Promise<number> {
  const scene = chooseScene(await loadGame(GAME), { scene: SCENE })
  const session = startMatch(scene)
  const sighting: Sighting = { events: {}, hit: undefined }
  print(`Hurtbox: ${scene.about}`)
  const canDraw = process.stdout.isTTY && process.env.TERM !== 'dumb' && !process.env.NO_COLOR
  if (canDraw) await playAsPicture(scene, session, sighting)
  else playAsLines(scene, session, sighting)
  print('')
  const isProven = await prove(scene, session)
  print('')
  printWhatNext(sighting)
  return isProven ? 0 : 1
}

/** Three matches, one hash. */
async function prove(scene: Scene, session: Session): Promise<boolean> {
  const seen = hashWorld(session.world)
  const rolledBack = hashWithRollbacks(scene)
  mkdirSync(dirname(REPLAY), { recursive: true })
  const bytes = createReplayFile(REPLAY, session).finish()
  const replay = await readReplayFile(REPLAY)
  const { hash: replayed } = verifyReplay(replay.game, replay)
  const isProven = seen === rolledBack && seen === replayed

  print('The same match three times')
  const rows = [
    ['as seen', seen],
    [`rolled back ${ROLLBACK_TICKS} ticks after each of ${scene.ticks} ticks`, rolledBack],
    [`saved (${grouped(bytes)} bytes), loaded and played again`, replayed],
  ]
  print(inColumns(rows))
  print(isProven ? '  equal' : '  NOT EQUAL: this is a bug, please report it')
  return isProven
}

function printWhatNext({ hit }: Sighting): void {
  print('Try next')
  const rows = [
    [`npx hurtbox run ${GAME} --events --ticks 60`, 'a match in words'],
    [`npx hurtbox synctest ${GAME} --depth 1-8`, 'rollbacks on every tick'],
    [`npx hurtbox verify ${REPLAY}`, 'the replay just saved'],
    ['npx hurtbox games', 'what there is, and what can be changed'],
  ]
  if (hit !== undefined) {
    const { tick, victim, attacker } = hit
    rows.push([`npx hurtbox why ${REPLAY} --tick ${tick} --a ${attacker} --b ${victim}`, 'why did that hit count?'])
  }
  print(inColumns(rows))
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

function playAsLines(scene: Scene, session: Session, sighting: Sighting): void {
  playMatch(scene, session, scene.ticks, (world) => {
    see(sighting, world)
    if (world.tick % 60 === 0) {
      print(`  tick ${world.tick}: things ${grouped(world.tables.things.count)}, ${listed(sighting.events)}`)
    }
    return true
  })
}

/** Plays in real time, or as fast as the machine can. */
async function playAsPicture(scene: Scene, session: Session, sighting: Sighting): Promise<void> {
  const { world } = session
  const { tickRate } = scene.game.declaration
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
      see(sighting, world)
      watchTick(picture, world)
      ticker = describeEvents(world) || ticker
      return true
    })
    computedMs += performance.now() - frameAt
    draw(picture, world, canvas)
    const cost = `${(computedMs / world.tick).toFixed(2)} ms a tick`
    const texts = [
      `tick ${world.tick} of ${scene.ticks}  things ${world.tables.things.count}  ${listed(sighting.events)}  ${cost}`,
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

function see(sighting: Sighting, world: AnyWorld): void {
  for (const list of world.memory.events) {
    sighting.events[list.name] = (sighting.events[list.name] ?? 0) + list.count
  }
  const hit = listEvents(world).find((event) => 'victim' in event && 'attacker' in event)
  if (hit !== undefined) sighting.hit = hit as unknown as Hit
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
