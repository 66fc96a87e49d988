/**
 * Harbour Brawl: three against three on the quays, seen from the side. Poisoned darts and a parry that sends them back, grabs and throws,
 * a crab with five sorts of armour, a flag, and loot behind a gate.
 */

import { axis, button, collide, declareGame, defineGame, defineStatics, press, type Thing, type World } from 'hurtbox'

// What rules and phases work with:

import { addShape, despawn, each, emit, eventsOf, players, spawn, sweepBox, thing, turnBox } from 'hurtbox'
import { attach, attachment, detach, followHolders } from 'hurtbox/attach'
import { expire, hurt, protect, spawnFrom } from 'hurtbox/combat'
import { comesBack, matchFlow, playRounds, returnIn, score, waveAt } from 'hurtbox/match'
import { direction, PI, purposeOf, unitAt } from 'hurtbox/math'
import { dropThrough, jump, jumpSpeed, movePlatformer, platformer, run } from 'hurtbox/platformer'
import { arc, box, circle } from 'hurtbox/shapes'
import { cleanse, inflict, isStunned, runStatus, speedFactor } from 'hurtbox/status'
import { hurtZone, mendZone, poseZones } from 'hurtbox/zones'
import { combat, status, zones } from './content.ts'
import { BASES, HEIGHT, LIFTS, map, PLATE, START } from './map.ts'

const ground = ['wall', 'ledge', 'lift'] as const

const declared = declareGame({
  id: 'harbour',
  tickRate: 60,
  seats: { min: 1, max: 6 },
  layers: {
    fighter: [...ground, 'crab', 'loot'],
    ...{ crab: ground, flag: ground, loot: ground, lift: [], wall: [], ledge: [] },
    ...{ hand: ['fighter', 'flag'], parry: ['dart'], dart: ['fighter', 'crab', 'wall'] },
  },
  capacity: 128,
  things: {
    ...{ ...combat.columns, ...platformer.columns, ...attachment.columns, ...status.columns, ...zones.columns },
    ...{ ...matchFlow.columns, facingX: 'f64', facingY: 'f64' },
    ...{ readyAt: 'timer', parryUntil: 'timer', grabUntil: 'timer' },
  },
  tables: { ...status.tables },
  globals: { ...matchFlow.globals, ...matchFlow.teams(2), gateOpen: 'u8' },
  input: { moveX: axis(), jump: press(), hold: button(), drop: press(), dart: press(), parry: press(), grab: press() },
  events: {
    ...{ ...combat.events, ...platformer.events, ...status.events, ...zones.events, ...matchFlow.events },
    ...{ parried: { fighter: 'id', dart: 'id' }, thrown: { fighter: 'id', what: 'id' } },
    ...{ looted: { fighter: 'id' }, flagHome: { fighter: 'id', team: 'u8' } },
  },
})
export interface Harbour extends Readonly<typeof declared> {}
const declaration: Harbour = declared
type Body = Thing<Harbour>

const [GRAVITY, SPEED, DART, PARRY_TICKS, LOOT] = [1800, 240, 520, 10, purposeOf('loot')]
const [body, hand, blade, dartShape] = [box(10, 18), box(10, 14, { offsetX: 18 }), arc(46, 1), circle(3)]
const statics = defineStatics(declaration, map)

const { nextStage, judge, isOver, result } = playRounds(declaration, {
  ...{ needs: 1, rounds: 3, points: 15, time: 10_800, suddenDeath: 3600, countdown: 60, breather: 120 },
  begin(world) {
    for (const fighter of each(world, 'fighter')) returnIn(fighter, 0)
    for (const flag of each(world, 'flag')) sendHome(flag)
  },
})

function sendHome(flag: Body): void {
  detach(flag)
  Object.assign(flag, { ...START, vx: 0, vy: 0 })
}

/** What somebody holds. */
function heldBy(world: World<Harbour>, holder: Body): Body | undefined {
  for (const one of each(world)) if (one.attachedTo === holder.id) return one
  return undefined
}

function control(world: World<Harbour>): void {
  const { clock } = world
  for (const player of players(world)) {
    const fighter = player.thing
    if (fighter === undefined || fighter.hp <= 0) continue
    const isFree = !isStunned(status, fighter)
    if (isFree) detach(fighter)
    const wish = isFree ? player.moveX * SPEED * speedFactor(status, fighter) : 0
    run(fighter, wish, { acceleration: 2400, inAir: 0.5 })
    jump(fighter, { pressed: isFree && player.jump > 0, held: player.hold }, { speed: jumpSpeed(130, GRAVITY) })
    if (isFree && player.drop > 0) dropThrough(fighter)
    if (isFree && player.moveX !== 0) fighter.facingX = Math.sign(player.moveX)
    if (!isFree || fighter.readyAt > clock || player.dart + player.parry + player.grab === 0) continue
    fighter.readyAt = clock + 18
    const dart = { y: fighter.y - 4, vx: DART * fighter.facingX, endsAt: clock + 90 }
    if (player.dart > 0) spawnFrom(fighter, 'dart', dart)
    else if (player.parry > 0) fighter.parryUntil = clock + PARRY_TICKS
    else grabOrThrow(world, fighter)
  }
}

function grabOrThrow(world: World<Harbour>, fighter: Body): void {
  const held = heldBy(world, fighter)
  if (held === undefined) return void (fighter.grabUntil = world.clock + 4)
  detach(held, { ahead: 330, y: -420 })
  cleanse(status, held, 'held')
  emit(world, 'thrown', { fighter, what: held })
}

/** Lifts go to and fro, and so does the crab; darts fly; the gate is open while somebody stands on its plate. */
function machinery(world: World<Harbour>): void {
  const { clock, globals } = world
  let number = 0
  for (const lift of each(world, 'lift')) {
    const { vx, vy, ticks } = LIFTS[number++]
    Object.assign(lift, clock % (2 * ticks) < ticks ? { vx, vy } : { vx: -vx, vy: -vy })
  }
  for (const crab of each(world, 'crab')) run(crab, clock % 480 < 240 ? -50 : 50, { acceleration: 600 })
  for (const dart of each(world, 'dart')) dart.x += dart.vx / 60
  globals.gateOpen = 0
  for (const { hp, x, y } of each(world, 'fighter')) {
    if (hp > 0 && x > PLATE.minX && x < PLATE.maxX && y > PLATE.y - 30) globals.gateOpen = 1
  }
}

const hits = collide(
  declaration,
  {
    'parry reflects dart': {
      between: ['parry', 'dart'],
      gates: ['team'],
      decide(fighter, dart, { world }) {
        Object.assign(dart, { vx: -1.3 * dart.vx, owner: fighter.id, team: fighter.team, endsAt: world.clock + 90 })
        emit(world, 'parried', { fighter, dart })
      },
    },
    'dart hits fighter': {
      between: ['dart', 'fighter'],
      gates: ['owner', 'team', 'dead', 'invulnerable'],
      decide(dart, fighter) {
        hurt(fighter, 8, dart, combat.type.dart)
        inflict(status, fighter, 'poison', { by: dart })
        despawn(dart)
      },
    },
    'dart hits crab': {
      between: ['dart', 'crab'],
      gates: ['dead', zones.gate],
      decide(dart, crab, { secondBox }) {
        hurtZone(zones, crab, secondBox, { amount: 15, by: dart, type: combat.type.dart })
        despawn(dart)
      },
    },
    'dart sticks in wall': { between: ['dart', 'wall'], decide: (dart) => despawn(dart) },
    'crab bites fighter': {
      between: ['crab', 'fighter'],
      gates: ['dead', 'attacker-dead', 'invulnerable'],
      decide(crab, fighter) {
        hurt(fighter, 15, crab, combat.type.bite)
        protect(fighter, 40)
        Object.assign(fighter, { vx: fighter.x < crab.x ? -320 : 320, vy: -220 })
      },
    },
    'hand grabs fighter': {
      between: ['hand', 'fighter'],
      gates: ['team', 'dead', 'invulnerable'],
      decide(holder, fighter) {
        holder.grabUntil = 0
        if (fighter.attachedTo !== 0 || !attach(fighter, holder, { ahead: 24, y: -6 })) return 'held already'
        inflict(status, fighter, 'held', { by: holder })
      },
    },
    // Out of the hands of another, too.
    'hand takes flag': {
      between: ['hand', 'flag'],
      decide: (holder, flag) => void attach(flag, holder, { ahead: -10, y: -14 }),
    },
    'fighter takes loot': {
      between: ['fighter', 'loot'],
      gates: ['attacker-dead'],
      decide(fighter, loot, { world }) {
        // The room draws it: no client knows before.
        if (unitAt(world.entropy, world.clock, fighter.id, 0, LOOT) < 0.5) inflict(status, fighter, 'haste')
        else fighter.shield = 30
        cleanse(status, fighter, 'poison')
        emit(world, 'looted', { fighter })
        despawn(loot)
      },
    },
  },
  {
    statics,
    pose: {
      fighter(fighter, boxes, { clock }) {
        if (fighter.hp <= 0) return
        addShape(boxes, body, fighter)
        if (fighter.grabUntil > clock) addShape(boxes, hand, fighter, 'hand')
        if (fighter.parryUntil <= clock) return
        // From above the head to the feet, and whatever it passes on the way.
        const { x, y, facingX, parryUntil } = fighter
        direction((0.5 - (parryUntil - clock - 1) / PARRY_TICKS) * PI, way)
        addShape(boxes, blade, { x, y, facingX: way.x * facingX, facingY: way.y }, 'parry')
        direction((0.5 - (parryUntil - clock) / PARRY_TICKS) * PI, way)
        turnBox(boxes, way.x * facingX, way.y)
      },
      crab: poseZones(zones),
      dart(dart, boxes) {
        addShape(boxes, dartShape, dart)
        sweepBox(boxes, dart.vx / 60, 0)
      },
    },
  },
)
const way = { x: 0, y: 0 }

/** Who died lets go, scores for the others and comes back; so does who fell into the water. A flag that is carried home is three points. */
function bury(world: World<Harbour>): void {
  for (const one of each(world)) if (one.y > HEIGHT) hurt(one, 1e6, undefined, combat.type.fall)
  for (const { victim, attacker } of eventsOf(world, 'kill')) {
    const fallen = thing(world, victim)!
    for (const one of [fallen, heldBy(world, fallen)]) if (one !== undefined) detach(one)
    score(world, thing(world, attacker)?.team ?? 0, fallen.layer === 'crab' ? 5 : 1)
    returnIn(fallen, fallen.layer === 'crab' ? 900 : 90, 120)
  }
  for (const flag of each(world, 'flag')) {
    const fighter = thing(world, flag.attachedTo)
    const isHome = fighter !== undefined && Math.abs(fighter.x - BASES[fighter.team]) < 60
    if (isHome && score(world, fighter, 3)) emit(world, 'flagHome', { fighter, team: fighter.team })
    if (isHome || flag.y > HEIGHT) sendHome(flag)
  }
}

function comeBack(world: World<Harbour>): void {
  for (const one of each(world)) {
    if (!comesBack(one, 90)) continue
    Object.assign(one, one.layer === 'crab' ? { x: 1000, y: 560 } : { x: BASES[one.team], y: 440 })
    mendZone(zones, one)
  }
  if (waveAt(world, 240, 900) === 0) return
  for (const old of each(world, 'loot')) despawn(old)
  spawn(world, 'loot', { x: START.x, y: 200, radius: 10, halfWidth: 10, halfHeight: 10 })
}

const move = movePlatformer(declaration, {
  bodies: ['fighter', 'crab', 'flag', 'loot'],
  ...{ statics, gravity: () => GRAVITY, fastestFall: 900, oneWay: ['ledge'], platforms: ['lift'] },
  moves: ({ attachedTo, hp, maxHp }: Body) => attachedTo === 0 && (maxHp === 0 || hp > 0),
})
const effects = runStatus(status)

export const game = defineGame(declaration, {
  setup(world) {
    for (const { x, y } of LIFTS) spawn(world, 'lift', { x, y, halfWidth: 40, halfHeight: 6 })
    spawn(world, 'flag', { ...START, radius: 10, halfWidth: 6, halfHeight: 12 })
    spawn(world, 'crab', { x: 1000, y: 560, halfWidth: 40, halfHeight: 26, hp: 300, maxHp: 300 })
  },
  phases: { nextStage, effects, comeBack, control, machinery, move, followHolders, expire, hits, bury, judge },
  onJoin(world, player) {
    const team = 1 + (player.seat % 2)
    const body = { radius: 18, halfWidth: 10, halfHeight: 18, hp: 100, maxHp: 100 }
    player.thing = spawn(world, 'fighter', { ...body, team, x: BASES[team], y: 440, facingX: team === 1 ? 1 : -1 })
  },
  ...{ isOver, result },
})
