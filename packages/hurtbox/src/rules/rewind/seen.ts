/**
 * Judged as seen: the contacts of `collide` by what the attacker saw.
 *
 * A player on a terminal aims at the past. Here the attack meets the boxes that its victim had at the moment on the attacker's
 * screen: the columns by which a victim is posed are kept for some ticks, put back for the moment of posing, and the game's own
 * poser makes the boxes. Each attacker has a moment of its own, between two ticks if need be. What is left of the rule runs in
 * the present: gates, damage, knockback.
 *
 * It makes another game of a game, because the past is state and the moment is input. The game without it has the same layout and the
 * same hashes as ever.
 */

import { HurtboxError, requireFields, requireInteger, unknownName } from '../../base/errors.ts'
import { addRow, findRow } from '../../state/table.ts'
import {
  type AnyDeclaration,
  type AnyGame,
  type Behaviour,
  type ColumnsOf,
  type Declaration,
  defineGame,
  type Game,
  type Phase,
} from '../../world/game.ts'
import { closeCursor, cursorAt } from '../../world/handles/pool.ts'
import type { LayerName } from '../../world/handles/types.ts'
import { wide } from '../../world/handles/wide.ts'
import { layerNumber } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'
import { addCircle, type Boxes, imageShiftX, imageShiftY } from '../collide/boxes.ts'
import { type Collision, detect, type Judged, orderAndDecide, pose } from '../collide/collide.ts'
import { addContact, reserveContacts } from '../collide/detect.ts'
import { isAlive, SEEN_AGO, seenAgoInput } from './rewind.ts'

export type SeenOptions<D extends Declaration = AnyDeclaration> = {
  /** How many states are kept; one less is the furthest look back, in ticks. This is the bound of what players can claim. */
  readonly ticks: number
  /** The layers of attack and victim, as in the `between` of rules. All rules about the two are judged so. */
  readonly between: readonly (readonly [attack: LayerName<D>, victim: LayerName<D>])[]
  /** The layers of the things whose past is kept. Default: the victims' of `between`. */
  readonly record?: readonly LayerName<D>[]
  /** The columns by which victims are posed. Default: x, y, and z, facingX and facingY where the game has them. */
  readonly columns?: readonly (keyof ColumnsOf<D, 'things'> & string)[]
  /** How many things are kept at a time. Others are judged where they are. Default 64. */
  readonly capacity?: number
}

const TABLE = 'seen'
const MAX_TICKS = 64
const DEFAULT_CAPACITY = 64
const DEFAULT_COLUMNS: readonly string[] = ['x', 'y', 'z', 'facingX', 'facingY']

/**
 * A game whose attacks are judged by what the attacker saw. It has the id `<id>-as-seen`: rooms of both can run side by side.
 *
 * @example
 * ```ts
 * import { collide, createWorld, declareGame, defineGame } from 'hurtbox'
 * import { judgeAsSeen } from 'hurtbox/rewind'
 *
 * const layers = { bullet: ['ship'], ship: [] } as const
 * const arena = declareGame({ id: 'arena', tickRate: 60, layers, things: { hp: 'f64' } })
 * const hits = collide(arena, {
 *   'bullet hits ship': { between: ['bullet', 'ship'], decide: (_bullet, ship) => void (ship.hp -= 10) },
 * })
 * const game = defineGame(arena, { phases: { hits } })
 * const fair = judgeAsSeen(game, { ticks: 16, between: [['bullet', 'ship']] })
 * console.log(fair.declaration.id, createWorld(fair).tables.seen.capacity) // arena-as-seen 64
 * ```
 */
export function judgeAsSeen<D extends Declaration>(game: Game<D>, options: SeenOptions<NoInfer<D>>): Game<D> {
  requireFields(options, 'judgeAsSeen', ['ticks', 'between', 'record', 'columns', 'capacity'])
  const { ticks, between, capacity = DEFAULT_CAPACITY } = options
  requireInteger(ticks, 'ticks', 2, MAX_TICKS)
  requireInteger(capacity, 'capacity', 1, 1 << 16)
  if (!Array.isArray(between) || between.length === 0) {
    throw new HurtboxError('bad-argument', "judgeAsSeen needs pairs of layers: between: [['bullet', 'ship']].")
  }
  for (const [attack, victim] of between) {
    if (attack !== victim) continue
    throw new HurtboxError(
      'bad-argument',
      `${attack} and ${victim} are one layer: both would be the attacker. Such rules are judged in the present.`,
    )
  }
  const known = game.tables.things.columns
  const columns = options.columns ?? DEFAULT_COLUMNS.filter((name) => name in known)
  for (const name of columns) if (!(name in known)) throw unknownName('column of things', name, Object.keys(known))
  const past = wide('f64', ticks)
  const { declaration, behaviour } = game as unknown as AnyGame
  const table = {
    capacity,
    columns: {
      thing: 'id',
      from: 'u32',
      jumps: 'u8',
      lived: 'u8',
      ...Object.fromEntries(columns.map((name) => [pastOf(name), past])),
    },
  }
  const seen: Seen = {
    ticks,
    columns,
    between: between.map(([attack, victim]) => [layerNumber(game.layers, attack), layerNumber(game.layers, victim)]),
    recorded: (options.record ?? between.map(([, victim]) => victim)).map((name) => layerNumber(game.layers, name)),
  }
  const own = behaviour.phases
  return defineGame(
    {
      ...declaration,
      id: `${declaration.id}-as-seen`,
      tables: { ...declaration.tables, [TABLE]: table },
      input: { ...declaration.input, [SEEN_AGO.field]: seenAgoInput(ticks) },
    } as Declaration,
    {
      ...behaviour,
      phases: (matchOptions: never) => {
        const phases: Record<string, Phase<Declaration>> = typeof own === 'function' ? own(matchOptions) : own
        const judged = Object.entries(phases).map(([name, phase]) => [name, judgePhase(phase, seen)])
        return { ...Object.fromEntries(judged), recordSeen: recordSeen(seen) }
      },
    } as Behaviour<Declaration>,
  ) as unknown as Game<D>
}

type Seen = {
  readonly ticks: number
  readonly columns: readonly string[]
  /** Layers by number. */
  readonly between: readonly (readonly [number, number])[]
  readonly recorded: readonly number[]
}

function pastOf(column: string): string {
  return `past${column[0].toUpperCase()}${column.slice(1)}`
}

/** A `collide` phase runs through here; every other phase is as it was. */
function judgePhase(phase: Phase<Declaration>, seen: Seen): Phase<Declaration> {
  if (typeof phase === 'function' || !('create' in phase)) return phase
  return {
    ...phase,
    create(world) {
      const running = phase.create(world)
      if (!('contacts' in running && 'boxes' in running)) return running
      const collision = running as unknown as Collision
      if (seen.between.some((pair) => isRuled(collision, pair))) judgeCollision(collision, seen)
      return running
    },
  }
}

function isRuled({ groups }: Collision, [attack, victim]: readonly [number, number]): boolean {
  return groups.flat().some(({ firstLayer, secondLayer }) => firstLayer === attack && secondLayer === victim)
}

/** Boxes in the past: those from `first` on, each with the thing whose moment it is from, and how long ago that is. */
type Ghosts = { first: number; readonly attackers: number[]; readonly ago: number[] }

function judgeCollision(collision: Collision, seen: Seen): void {
  const { boxes, world } = collision
  const ghosts: Ghosts = { first: 0, attackers: [], ago: [] }
  const lookers = new Map<number, number>()
  const isGhost = (box: number) => box >= ghosts.first && box < boxes.count
  const judged: Judged = {
    agoOf: (box) => (isGhost(box) ? ghosts.ago[box - ghosts.first] : 0),
    isPair: (a, b) => isPairOf(collision, ghosts, a, b) || isPairOf(collision, ghosts, b, a),
  }
  collision.judged = judged
  collision.run = () => {
    pose(collision)
    detect(collision)
    ghosts.first = boxes.count
    ghosts.attackers.length = 0
    ghosts.ago.length = 0
    if (findLookers(world, lookers)) judgeContacts(collision, seen, ghosts, lookers)
    orderAndDecide(collision)
  }
}

/** The things of players that saw a past, with how long ago that was, in ticks. */
function findLookers(world: AnyWorld, lookers: Map<number, number>): boolean {
  const { players } = world.tables
  lookers.clear()
  for (let player = 0; player < players.count; player++) {
    const ago = players[SEEN_AGO.field][player]
    if (ago > 0 && players.thing[player] !== 0) lookers.set(players.thing[player], ago)
  }
  return lookers.size > 0
}

/** The thing whose player attacks with a box: its owner's, or the thing itself; 0 when no player saw a past. */
function attackerOf({ boxes, world }: Collision, box: number, lookers: ReadonlyMap<number, number>): number {
  const { things } = world.tables
  const row = boxes.owner[box]
  if (row >= things.count) return 0
  const { id, owner } = things
  return lookers.has(id[row]) ? id[row] : lookers.has(owner[row]) ? owner[row] : 0
}

/** Replaces the contacts of the present that are judged in the past by those of the past. */
function judgeContacts(collision: Collision, seen: Seen, ghosts: Ghosts, lookers: ReadonlyMap<number, number>): void {
  const { boxes, world } = collision
  const victims = findVictims(world, seen)
  if (victims.length === 0) return
  const present = boxes.count
  const { contacts } = collision
  const withStatics = Array.from({ length: contacts.count - contacts.amongThings }, (_, i) => {
    const c = contacts.amongThings + i
    return { a: contacts.a[c], b: contacts.b[c], time: contacts.time[c] }
  })
  dropPresent(collision, seen, lookers, victims)
  for (const [attacker, ago] of lookers) {
    const attacks: number[] = []
    for (let box = 0; box < present; box++) {
      const isAttack = seen.between.some(([layer]) => layer === boxes.layer[box])
      if (isAttack && attackerOf(collision, box, lookers) === attacker) attacks.push(box)
    }
    if (attacks.length === 0) continue
    for (const victim of victims) {
      if (world.tables.things.id[victim.row] === attacker) continue
      const from = boxes.count
      const really = poseInPast(collision, seen, victim, ago)
      for (let box = from; box < boxes.count; box++) {
        ghosts.attackers.push(attacker)
        ghosts.ago.push(really)
      }
      for (const attack of attacks) {
        for (let box = from; box < boxes.count; box++) testPast(collision, seen, attack, box)
      }
    }
  }
  // Those with the static map stand last.
  contacts.amongThings = contacts.count
  reserveContacts(contacts, contacts.count + withStatics.length)
  for (const { a, b, time } of withStatics) addContact(contacts, a, b, time)
}

type Victim = { readonly row: number; readonly kept: number }

/** Things of which a past is known that counts: it is of the same life. */
function findVictims(world: AnyWorld, seen: Seen): Victim[] {
  const { things, [TABLE]: past } = world.tables
  const victims: Victim[] = []
  for (let kept = 0; kept < past.count; kept++) {
    const row = findRow(things, past.thing[kept])
    if (row < 0 || things.leaving[row] !== 0 || !seen.recorded.includes(things.layer[row])) continue
    if (isSameLife(world, row, kept) && past.from[kept] <= world.tick) victims.push({ row, kept })
  }
  return victims.sort((a, b) => a.row - b.row)
}

/** Takes out the contacts that attackers with a past have with victims in the present. */
function dropPresent(
  collision: Collision,
  seen: Seen,
  lookers: ReadonlyMap<number, number>,
  victims: readonly Victim[],
): void {
  const { contacts, boxes } = collision
  const rows = new Set(victims.map(({ row }) => row))
  const isJudged = (attack: number, victim: number) =>
    isBetween(seen, boxes, attack, victim) &&
    rows.has(boxes.owner[victim]) &&
    attackerOf(collision, attack, lookers) !== 0
  const { amongThings } = contacts
  contacts.count = 0
  for (let c = 0; c < amongThings; c++) {
    const [a, b] = [contacts.a[c], contacts.b[c]]
    if (!isJudged(a, b) && !isJudged(b, a)) addContact(contacts, a, b, contacts.time[c])
  }
}

function isBetween({ between }: Seen, { layer }: Boxes, attack: number, victim: number): boolean {
  for (const [first, second] of between) if (layer[attack] === first && layer[victim] === second) return true
  return false
}

/** Adds the boxes of a victim as they were; returns how long ago that really is, after all that limits it. */
function poseInPast(collision: Collision, seen: Seen, { row, kept }: Victim, wanted: number): number {
  const { boxes, world, posers, things: pool } = collision
  const { things, [TABLE]: past } = world.tables
  const { ticks, columns } = seen
  const ago = Math.min(wanted, ticks - 1, world.tick - past.from[kept])
  const moment = world.tick - ago
  const older = Math.floor(moment)
  const part = moment - older
  const a = kept * ticks + (older % ticks)
  const b = part === 0 ? a : kept * ticks + ((older + 1) % ticks)
  const now = columns.map((name) => things[name][row])
  for (const name of columns) {
    const values: Float64Array = past[pastOf(name)]
    const period = name === 'x' ? boxes.width : name === 'y' ? boxes.height : Number.POSITIVE_INFINITY
    let way = values[b] - values[a]
    if (period !== Number.POSITIVE_INFINITY) way -= Math.round(way / period) * period
    things[name][row] = values[a] + way * part
  }
  boxes.posing = row
  boxes.posingLayer = things.layer[row]
  const poseThing = posers[things.layer[row]]
  try {
    if (poseThing === undefined) {
      addCircle(boxes, { x: things.x[row], y: things.y[row], radius: things.radius[row] })
    } else poseThing(cursorAt(pool, row), boxes, world)
  } finally {
    closeCursor(pool)
    columns.forEach((name, i) => {
      things[name][row] = now[i]
    })
  }
  return ago
}

/** Notes a contact of an attack with a box of the past, as detection would. */
function testPast({ boxes, contacts }: Collision, seen: Seen, attack: number, victim: number): void {
  const { owner, x, y, radius } = boxes
  if (!isBetween(seen, boxes, attack, victim) || owner[attack] === owner[victim]) return
  const reach = radius[attack] + radius[victim]
  const dx = x[victim] + imageShiftX(boxes, attack, victim) - x[attack]
  const dy = y[victim] + imageShiftY(boxes, attack, victim) - y[attack]
  // The circles hold their boxes up to rounding.
  if (dx * dx + dy * dy > reach * reach * (boxes.isPlain ? 1 : 1 + 1e-9)) return
  const [a, b] = owner[attack] < owner[victim] ? [attack, victim] : [victim, attack]
  const time = boxes.isPlain ? 1 : boxes.narrow!(boxes, a, b, true)
  if (time < 0) return
  reserveContacts(contacts, contacts.count + 1)
  addContact(contacts, a, b, time)
}

/** Whether a box of an attack was compared with a box of a victim: with the one of its own moment, or with the present one. */
function isPairOf({ boxes, world }: Collision, ghosts: Ghosts, attack: number, victim: number): boolean {
  const { things } = world.tables
  const isGhost = (box: number) => box >= ghosts.first && box < boxes.count
  if (isGhost(attack)) return false
  const row = boxes.owner[attack]
  const ids = row < things.count ? [things.id[row], things.owner[row]] : []
  if (isGhost(victim)) return ids.includes(ghosts.attackers[victim - ghosts.first])
  const hasGhost = ghosts.attackers.some(
    (id, g) => ids.includes(id) && boxes.owner[ghosts.first + g] === boxes.owner[victim],
  )
  return !hasGhost
}

/** The phase that keeps the past, at the end of the tick. */
function recordSeen({ ticks, columns, recorded }: Seen): Phase<Declaration> {
  const run = (world: AnyWorld): void => {
    const { things, [TABLE]: past } = world.tables
    const keptOf = new Map<number, number>()
    for (let kept = 0; kept < past.count; kept++) {
      const row = findRow(things, past.thing[kept])
      if (row < 0 || things.leaving[row] !== 0) past.leaving[kept] = 1
      else keptOf.set(past.thing[kept], kept)
    }
    // The state of this tick's end is the one that the next tick starts from.
    const state = world.tick + 1
    for (let row = 0; row < things.count; row++) {
      if (things.leaving[row] !== 0 || !recorded.includes(things.layer[row])) continue
      const known = keptOf.get(things.id[row])
      const kept = known ?? addRow(past)
      if (kept < 0) continue
      if (known === undefined || !isSameLife(world, row, kept)) past.from[kept] = state
      past.thing[kept] = things.id[row]
      past.jumps[kept] = things.teleports[row]
      past.lived[kept] = isAlive(world, row)
      for (const name of columns) past[pastOf(name)][kept * ticks + (state % ticks)] = things[name][row]
    }
  }
  return { whilePaused: true, run: (world) => run(world as unknown as AnyWorld) }
}

/** Whether nothing has happened to the thing since it was kept that ends a life: a jump, a death, a return. */
function isSameLife(world: AnyWorld, row: number, kept: number): boolean {
  const { things, [TABLE]: past } = world.tables
  return past.jumps[kept] === things.teleports[row] && past.lived[kept] === isAlive(world, row)
}
