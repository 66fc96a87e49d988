/**
 * The words of a trace: why a pair of things did or did not hit, and what pushed it apart.
 *
 * `collide` knows a trace only by its two calls, so that a page that never asks why does not carry these words. Phases that
 * push things apart note it in a record (`pushes.ts`). Of a game without a `collide` phase there is
 * nothing to ask: there each phase that changed both things is told with what it changed.
 */

import { shorterWay } from '../../geometry/space/topology.ts'
import { findRow, type Id } from '../../state/table.ts'
import { layersMeet } from '../../world/layers.ts'
import { type AnyWorld, wrapPhases } from '../../world/world.ts'
import { type Boxes, imageShiftX, imageShiftY } from './boxes.ts'
import { type Collision, collisionsOf } from './collide.ts'
import { ACCEPTED, type BoundRule } from './decide.ts'
import { describeChanges, format } from './explain-changes.ts'
import { gapsOf, staticsOf } from './maps.ts'
import { type Push, recordPushes, type WallPush } from './pushes.ts'
import type { GateName, HitScratch } from './rule.ts'
import type { Statics } from './statics.ts'
import type { Trace, TraceEntry } from './trace.ts'

/** Watches the pair `a` and `b` in the next step of a world; returns the list that its entries will be in. */
export function watchPair(world: AnyWorld, a: Id, b: Id): readonly TraceEntry[] {
  const entries: TraceEntry[] = []
  const collisions = collisionsOf(world)
  for (const [phase, collision] of collisions) {
    collision.trace = createTrace(phase, [a, b], entries, (decided) => explainMiss(decided, a, b))
  }
  const record = recordPushes(world)
  wrapPhases(world, (phase, run) => {
    const noted = record.tick === world.tick ? record.pushes.length : 0
    const before = collisions.size === 0 ? [valuesOf(world, a), valuesOf(world, b)] : []
    const { things } = world.tables
    const gap = gapsOf(world, phase)?.(findRow(things, a), findRow(things, b)) ?? Number.NaN
    run()
    const pushes = record.tick === world.tick ? record.pushes.slice(noted) : []
    addPushes(world, phase, [a, b], pushes, entries)
    // Where a rule has spoken, or another phase has pushed, that is the answer.
    if (gap >= 0 && entries.every(({ verdict }) => NO_RULE.has(verdict)))
      entries.splice(0, 9, { phase, rule: '', first: a, second: b, ...notOverlapping(gap), changes: [] })
    if (collisions.size === 0) addChanges(world, phase, [a, b], before, entries)
  })
  return entries
}

/** The same for a thing and a wall, which is named by its place in the static map. */
export function watchWall(world: AnyWorld, a: Id, wall: number): readonly TraceEntry[] {
  const entries: TraceEntry[] = []
  for (const [phase, collision] of collisionsOf(world)) {
    if (collision.statics === undefined) continue
    collision.trace = createTrace(phase, [a, -1 - wall], entries, (decided) => explainWall(decided, a, wall))
  }
  const maps = staticsOf(world)
  const collisions = collisionsOf(world)
  const record = recordPushes(world)
  wrapPhases(world, (phase, run) => {
    const noted = record.tick === world.tick ? record.walls.length : 0
    run()
    const statics = maps.get(phase)
    if (statics === undefined || collisions.has(phase)) return
    const met = record.tick === world.tick ? record.walls.slice(noted) : []
    const told = met.filter((push) => push.thing === a && push.wall === wall).map(tellWallPush)
    if (told.length === 0) told.push({ ...explainUnmet(world, phase, statics, a, wall), changes: [] })
    for (const entry of told) entries.push({ phase, rule: '', first: a, second: 0, wall, ...entry })
  })
  return entries
}

/** What a wall did to a thing that moves by itself. */
function tellWallPush({ isOut, depth, x, y, z }: WallPush): Pick<TraceEntry, 'verdict' | 'text' | 'changes'> {
  const way = `(${[x, y, ...(z === 0 ? [] : [z])].map(format).join(', ')})`
  const text = isOut
    ? `moved out of the wall: it was ${format(depth)} deep in it, the way out is ${way}`
    : `stopped by the wall: what goes against ${way} is taken from move and speed`
  return { verdict: isOut ? 'pushed' : 'stopped', text, changes: [] }
}

/** Why a phase that moves or separates things did nothing about a thing and a wall. */
function explainUnmet(
  world: AnyWorld,
  phase: string,
  statics: Statics,
  a: Id,
  wall: number,
): Pick<TraceEntry, 'verdict' | 'text'> {
  const { things } = world.tables
  const { rectangles } = statics.map
  const missing = explainMissing(world, rectangles.count, a, wall)
  if (missing !== undefined) return missing
  const row = findRow(things, a)
  const { names } = world.game.layers
  const [own, other] = [things.layer[row], rectangles.layer[wall]]
  if (!layersMeet(world.game.layers, own, other))
    return { verdict: 'layers', text: `layers do not meet: ${a} is ${names[own]}, the wall is ${names[other]}` }
  if (statics.isOpen(world, wall)) return { verdict: 'open', text: `wall ${wall} is a door, and open` }
  const dx = Math.max(rectangles.minX[wall] - things.x[row], 0, things.x[row] - rectangles.maxX[wall])
  const dy = Math.max(rectangles.minY[wall] - things.y[row], 0, things.y[row] - rectangles.maxY[wall])
  const gap = Math.sqrt(dx * dx + dy * dy) - things.radius[row]
  if (gap >= 0 && gapsOf(world, phase) !== undefined) return notOverlapping(gap)
  return apart(gap, 'it did not run into it')
}

const MISSED = 'their shapes do not meet'

/** By how much two missed each other, or how they did where no distance says it. */
function apart(gap: number, how: string = MISSED, past = ''): Pick<TraceEntry, 'verdict' | 'text'> {
  return { verdict: 'apart', text: `apart: ${gap > 0 ? `${format(gap)} were missing` : `${how} in this tick`}${past}` }
}

function explainMissing(
  world: AnyWorld,
  count: number,
  a: Id,
  wall: number,
): Pick<TraceEntry, 'verdict' | 'text'> | undefined {
  if (wall >= count)
    return { verdict: 'gone', text: `the map of this phase has no wall ${wall}: it has ${count}, counted from 0` }
  return explainGone(world, a)
}

/** Why a thing is not there to meet anything; `undefined` if it is. */
function explainGone({ tick, tables: { things } }: AnyWorld, id: Id): Pick<TraceEntry, 'verdict' | 'text'> | undefined {
  const row = findRow(things, id)
  if (row < 0) return { verdict: 'gone', text: `${id} is not in the world at tick ${tick}` }
  return things.leaving[row] === 0 ? undefined : { verdict: 'leaving', text: `${id} was already leaving` }
}

/** What pushed the pair apart. That their layers have no rule is then no answer, and is taken out. */
function addPushes(
  world: AnyWorld,
  phase: string,
  [a, b]: readonly [Id, Id],
  pushes: readonly Push[],
  entries: TraceEntry[],
): void {
  for (const push of pushes) {
    const { first, second, overlap, shareFirst, shareSecond, x, y, z } = push
    if (!((first === a && second === b) || (first === b && second === a))) continue
    for (let i = entries.length - 1; i >= 0; i--) if (NO_RULE.has(entries[i].verdict)) entries.splice(i, 1)
    const isFlat = world.tables.things.z === undefined
    const vector = (way: number) => `(${(isFlat ? [x, y] : [x, y, z]).map((part) => format(part * way)).join(', ')})`
    const held = overlap - push.push > 1e-9 ? `, of which ${format(push.push)} are undone` : ''
    const all = shareFirst + shareSecond
    const shares = all > 0 ? `, ${percent(shareFirst / all)} / ${percent(shareSecond / all)}` : ''
    entries.push({
      phase,
      rule: '',
      first,
      second,
      verdict: 'pushed',
      text: `pushed apart: overlap ${format(overlap)}${held}${shares}`,
      changes: [
        ...(shareFirst > 0 ? [`${first} is pushed by ${vector(-shareFirst)}`] : []),
        ...(shareSecond > 0 ? [`${second} is pushed by ${vector(shareSecond)}`] : []),
      ],
    })
  }
}

function notOverlapping(gap: number): Pick<TraceEntry, 'verdict' | 'text'> {
  return { verdict: 'apart', text: `they do not overlap: ${format(gap)} apart` }
}

/** Verdicts that say no more than that this phase is not about the pair. */
const NO_RULE: ReadonlySet<string> = new Set(['layers', 'no-rule'])

function percent(part: number): string {
  return `${Math.round(part * 100)} %`
}

/** The columns of a thing, by name; nothing when it is not there. */
function valuesOf({ tables: { things } }: AnyWorld, id: Id): ReadonlyMap<string, number> {
  const values = new Map<string, number>()
  const row = findRow(things, id)
  if (row < 0) return values
  for (const { name, array, width } of things.columns) {
    for (let i = 0; i < width; i++) values.set(width > 1 ? `${name}[${i}]` : name, array[row * width + i])
  }
  return values
}

/** What a phase changed, where it changed both. */
function addChanges(
  world: AnyWorld,
  phase: string,
  pair: readonly [Id, Id],
  before: readonly ReadonlyMap<string, number>[],
  entries: TraceEntry[],
): void {
  const changed = pair.map((id, i) => {
    const now = valuesOf(world, id)
    return [...before[i]].flatMap(([name, old]) => {
      const value = now.get(name) ?? Number.NaN
      return value === old ? [] : [`${name} of things id ${id}: ${format(old)} → ${format(value)}`]
    })
  })
  const explain = world.memory.phases.find(({ name }) => name === phase)?.phase.explain
  const isChanged = changed.every((lines) => lines.length > 0)
  if (!isChanged && explain === undefined) return
  const text =
    explain?.(world as never, ...pair) ?? 'this phase is code of the game and has no rules to ask; it changed both'
  const verdict = isChanged ? 'changed' : 'explained'
  const changes = isChanged ? changed.flat() : []
  entries.push({ phase, rule: '', first: pair[0], second: pair[1], verdict, text, changes })
}

/** The second of the pair is -1 - its place for a wall. */
function createTrace(
  phase: string,
  [a, b]: readonly [Id, Id],
  entries: TraceEntry[],
  explain: (collision: Collision) => Pick<TraceEntry, 'verdict' | 'text'>,
): Trace {
  let isNoted = false
  const wall = b < 0 ? { wall: -1 - b } : {}
  return {
    a,
    b,
    entries,
    onVerdict: ({ world, hit, boxes, block, mark, moveMark, judged }, { name }, verdict, isForRule) => {
      const { id } = world.tables.things
      const first = id[hit.firstRow]
      const second = hit.secondRow < 0 ? -1 - hit.wall : id[hit.secondRow]
      if (!((a === first && b === second) || (a === second && b === first))) return
      isNoted = true
      entries.push({
        phase,
        rule: name,
        first,
        second: Math.max(second, 0),
        ...wall,
        verdict,
        text: `${name}: ${first} and ${second < 0 ? `wall ${hit.wall}` : second}: ${reason(world, hit, verdict, isForRule)}${labelOf(boxes, hit.firstPlace)}${labelOf(boxes, hit.secondPlace)}${inPast(world, judged?.agoOf(hit.secondPlace))}`,
        changes: verdict === ACCEPTED ? describeChanges(world, block.journal, mark, moveMark) : [],
      })
    },
    onDecided: (collision) => {
      if (isNoted) return
      entries.push({ phase, rule: '', first: a, second: Math.max(b, 0), ...wall, changes: [], ...explain(collision) })
    },
  }
}

/** What a box that met is called, if it is. */
function labelOf({ isPlain, shape }: Boxes, place: number): string {
  const { label = '' } = (isPlain ? {} : (shape[place] ?? {})) as { label?: string }
  return label && ` (${label})`
}

/** Of a contact that was judged by what the attacker saw. */
function inPast({ game }: AnyWorld, ago = 0): string {
  const { tickRate } = game.declaration
  return ago > 0 ? ` (judged ${Math.round((1000 * ago) / tickRate)} ms ago, where the attacker saw it)` : ''
}

/** Why a thing and a wall never came before a rule. */
function explainWall(collision: Collision, a: Id, wall: number): Pick<TraceEntry, 'verdict' | 'text'> {
  const { world, boxes, groups, statics } = collision
  const { things } = world.tables
  const { rectangles } = statics!.map
  const missing = explainMissing(world, rectangles.count, a, wall)
  if (missing !== undefined) return missing
  const own = boxesOf(boxes, findRow(things, a))
  if (own.length === 0) return { verdict: 'no-box', text: `${a} has no box in this tick` }
  const layer = rectangles.layer[wall]
  const { names } = world.game.layers
  const ruled = own.filter((box) => groups.flat().some((bound) => isAbout(bound, boxes.layer[box], layer)))
  if (ruled.length === 0) {
    return {
      verdict: 'no-rule',
      text: `this phase has no rule about ${names[boxes.layer[own[0]]]} and ${names[layer]}`,
    }
  }
  if (statics!.isOpen(world, wall)) return { verdict: 'open', text: `wall ${wall} is a door, and open` }
  const { minX, minY, maxX, maxY } = rectangles
  const gaps = ruled.map((box) => {
    const dx = gapAlong(boxes.x[box], minX[wall], maxX[wall], boxes.width)
    const dy = gapAlong(boxes.y[box], minY[wall], maxY[wall], boxes.height)
    return Math.sqrt(dx * dx + dy * dy) - boxes.radius[box]
  })
  const gap = Math.min(...gaps)
  return apart(gap)
}

/** How far a coordinate is from a stretch along one axis, on a torus from its nearest image. */
function gapAlong(at: number, min: number, max: number, period: number): number {
  return Math.max(0, Math.abs(shorterWay(at - (min + max) / 2, period)) - (max - min) / 2)
}

/** Why the pair never came before a rule. */
function explainMiss(collision: Collision, a: Id, b: Id): Pick<TraceEntry, 'verdict' | 'text'> {
  const { world, boxes, groups, judged } = collision
  const { things } = world.tables
  const rules = groups.flat()
  const gone = explainGone(world, a) ?? explainGone(world, b)
  if (gone !== undefined) return gone
  const boxesA = boxesOf(boxes, findRow(things, a))
  const boxesB = boxesOf(boxes, findRow(things, b))
  if (boxesA.length === 0) return { verdict: 'no-box', text: `${a} has no box in this tick` }
  if (boxesB.length === 0) return { verdict: 'no-box', text: `${b} has no box in this tick` }

  const { layers } = world.game
  const names = (list: readonly number[]) => [...new Set(list.map((box) => layers.names[boxes.layer[box]]))].join(', ')
  const who = `${a} is ${names(boxesA)}, ${b} is ${names(boxesB)}`
  const pairs = boxesA
    .flatMap((boxA) => boxesB.map((boxB) => [boxA, boxB] as const))
    .filter(([boxA, boxB]) => judged === undefined || judged.isPair(boxA, boxB))
  const meeting = pairs.filter(([boxA, boxB]) => layersMeet(layers, boxes.layer[boxA], boxes.layer[boxB]))
  if (meeting.length === 0) return { verdict: 'layers', text: `layers do not meet: ${who}` }
  const ruled = meeting.filter(([boxA, boxB]) =>
    rules.some((bound) => isAbout(bound, boxes.layer[boxA], boxes.layer[boxB])),
  )
  if (ruled.length === 0) {
    const wanted = layersThatMeet(
      rules,
      [...boxesA, ...boxesB].map((box) => boxes.layer[box]),
    )
    const hint =
      wanted.length === 0 ? '' : `; a hit would take a box on ${wanted.map((l) => layers.names[l]).join(' or ')}`
    return { verdict: 'no-rule', text: `this phase has no rule about their layers: ${who}${hint}` }
  }
  const past = inPast(world, Math.max(...ruled.flat().map((box) => judged?.agoOf(box) ?? 0)))
  if (ruled.some(([boxA, boxB]) => boxes.narrow === undefined || boxes.narrow(boxes, boxA, boxB, true) >= 0)) {
    const gap = Math.min(...ruled.map(([boxA, boxB]) => gapOf(boxes, boxA, boxB)))
    if (gap > 0) return apart(gap, '', past)
    return { verdict: 'touching', text: 'they only touch, and no rule about them counts that' }
  }
  const gap = boxes.gap === undefined ? 0 : Math.min(...ruled.map(([boxA, boxB]) => boxes.gap!(boxes, boxA, boxB)))
  return apart(gap, MISSED, past)
}

function isAbout({ firstLayer, secondLayer }: BoundRule, layerA: number, layerB: number): boolean {
  return (firstLayer === layerA && secondLayer === layerB) || (firstLayer === layerB && secondLayer === layerA)
}

/** The layers that rules bring together with one of these: what a swing has while it hits, and not before. */
function layersThatMeet(rules: readonly BoundRule[], present: readonly number[]): number[] {
  const found = rules.flatMap(({ firstLayer, secondLayer }) => {
    if (present.includes(secondLayer)) return [firstLayer]
    return present.includes(firstLayer) ? [secondLayer] : []
  })
  return [...new Set(found)]
}

/** Distance of the circles around two boxes; exact for standing circles. */
function gapOf(boxes: Boxes, a: number, b: number): number {
  const dx = boxes.x[b] + imageShiftX(boxes, a, b) - boxes.x[a]
  const dy = boxes.y[b] + imageShiftY(boxes, a, b) - boxes.y[a]
  return Math.sqrt(dx * dx + dy * dy) - boxes.radius[a] - boxes.radius[b]
}

/** A rule may refuse with any word, also with one that the engine uses, so its meaning depends on which of them refused. */
function reason(world: AnyWorld, hit: HitScratch, verdict: string, isForRule: boolean): string {
  if (verdict === ACCEPTED) return ACCEPTED
  if (verdict === 'ledger-full')
    return 'refused, there is no room to remember the hit: give once a number of ticks, or declare more hits'
  if (isForRule) return `refused by the rule: "${verdict}"`
  const explain = REFUSALS[verdict as Refusal]
  return explain === undefined ? `refused by the gate "${verdict}"` : `refused, ${explain(world, hit)}`
}

type Refusal = GateName | 'leaving' | 'same-attack' | 'already-hit'

const REFUSALS: Readonly<Record<Refusal, (world: AnyWorld, hit: HitScratch) => string>> = {
  leaving: () => 'one of them was leaving or was used up by an earlier contact of this tick',
  owner: () => 'they belong together (one made the other, or both have the same owner)',
  team: ({ tables: { things } }, { firstRow }) => `both are on team ${things.team[firstRow]}`,
  dead: ({ tables: { things } }, { secondRow }) => `${things.id[secondRow]} had no health left`,
  'attacker-dead': ({ tables: { things } }, { firstRow }) => `${things.id[firstRow]} had no health left`,
  invulnerable: ({ clock, tables: { things } }, { secondRow }) =>
    `${things.id[secondRow]} was invulnerable at ${clock}, until ${things.invulnerableUntil[secondRow]}`,
  'already-hit': () => 'this attack has already hit this victim',
  'same-attack': () => 'another box of the same attack has just hit',
}

function boxesOf(boxes: Boxes, row: number): number[] {
  const found: number[] = []
  for (let box = 0; box < boxes.count; box++) if (boxes.owner[box] === row) found.push(box)
  return found
}
