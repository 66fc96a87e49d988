/** A fight seen from the side: run, jump, a jab in two steps, an uppercut that throws up, and blocking. */

import {
  addCircle,
  collide,
  declareGame,
  defineGame,
  defineStatics,
  each,
  rememberHits,
  type Scene,
  spawn,
  type World,
} from 'hurtbox'
import {
  addWindows,
  advanceAbilities,
  defineAbilities,
  isStopped,
  pressSlot,
  settleHits,
  strikes,
} from 'hurtbox/abilities'
import { defineCombat } from 'hurtbox/combat'
import { jump, jumpSpeed, movePlatformer, platformer, run } from 'hurtbox/platformer'

const combat = defineCombat({ damageTypes: ['blow'] })

const abilities = defineAbilities({
  source: 'fighter.ts',
  damageTypes: combat.typeNames,
  slots: { attack: ['jab'], heavy: ['uppercut'] },
  abilities: {
    // #region recipe
    jab: {
      ...{ startup: 5, active: 3, recovery: 9, cooldown: 0, steps: 2, window: 14 },
      cancels: { uppercut: 'hit' }, // a jab that hit may go on as an uppercut
      effects: [
        { on: 'active', melee: { box: [16, 8, 1], ahead: 26 } },
        { on: 'hit', damage: { amount: 4 } },
        { on: 'hit', stun: { ticks: 16, stop: 5 } }, // both stand still for five ticks
      ],
    },
    uppercut: {
      ...{ startup: 7, active: 4, recovery: 20, cooldown: 40 },
      effects: [
        { on: 'active', melee: { box: [12, 18, 1], ahead: 20 } },
        { on: 'hit', damage: { amount: 10 } },
        { on: 'hit', force: { frame: 'side', along: [1, 0, 3], speed: 420 } }, // ahead as it faces, and up
        { on: 'hit', stun: { ticks: 30, stop: 8 } },
      ],
    },
    // #endregion recipe
  },
})

const declaration = declareGame({
  id: 'fighter',
  tickRate: 60,
  layers: { fist: ['fighter'], fighter: ['wall'], wall: [] },
  things: { ...combat.columns, ...abilities.columns, ...platformer.columns },
  tables: { casts: abilities.casts },
  hits: rememberHits(64),
  globals: abilities.globals,
  events: { ...combat.events, ...abilities.events },
  content: {
    map: [
      { layer: 'wall', minX: -215, maxX: 215, minY: 80, maxY: 125 },
      { layer: 'wall', minX: -215, maxX: -195, minY: -400, maxY: 80 },
      { layer: 'wall', minX: 195, maxX: 215, minY: -400, maxY: 80 },
    ],
  },
})

const hits = collide(
  declaration,
  { 'fist hits fighter': { between: ['fist', 'fighter'], touching: true, gates: ['owner'], ...strikes(abilities) } },
  {
    pose: {
      fighter(fighter, boxes) {
        addWindows(abilities, fighter, boxes, 'fist')
        addCircle(boxes, fighter)
      },
    },
  },
)

const game = defineGame(declaration, {
  setup(world) {
    const box = { radius: 16, halfWidth: 12, halfHeight: 16, y: 60, invMass: 1, hp: 120, maxHp: 120 }
    spawn(world, 'fighter', { ...box, x: -90, facingX: 1 })
    spawn(world, 'fighter', { ...box, x: 90, facingX: -1 })
  },
  phases: {
    advance: advanceAbilities(abilities),
    press,
    move: movePlatformer(declaration, {
      bodies: ['fighter'],
      statics: defineStatics(declaration, declaration.content.map),
      gravity: () => 1100,
      moves: (body: { id: number; stillUntil: number }) => !isStopped(body),
    }),
    hits,
    settle: settleHits(abilities),
  },
})

/** Comes nearer, jabs twice and goes on with the uppercut; in turn, so that each is thrown now and then. */
function press(world: World<typeof declaration>): void {
  const both = [...each(world, 'fighter')]
  const turn = Math.floor(world.tick / 300) % 2
  for (const [i, fighter] of both.entries()) {
    const foe = both[1 - i]
    const way = foe.x - fighter.x
    const isFree = fighter.grounded === 1 && fighter.stunnedUntil <= world.clock
    const attacks = i === turn
    if (isFree) fighter.facingX = way < 0 ? -1 : 1
    const wish = !attacks && Math.abs(way) < 120 ? -Math.sign(way) * 40 : Math.abs(way) > 38 ? Math.sign(way) * 95 : 0
    run(fighter, isFree ? wish : 0, { acceleration: isFree ? 1400 : 200, inAir: 0.1 })
    const beat = world.tick % 75
    jump(fighter, { pressed: isFree && !attacks && beat === 40, held: true }, { speed: jumpSpeed(50, 1100) })
    const isNear = attacks && Math.abs(way) < 46
    pressSlot(abilities, fighter, 'attack', isNear && (beat === 2 || beat === 16) ? 1 : 0)
    pressSlot(abilities, fighter, 'heavy', isNear && beat === 30 ? 1 : 0)
    if (fighter.hp <= 0) fighter.hp = fighter.maxHp
  }
}

export const scene: Scene = {
  name: 'fighter',
  about: 'jabs and an uppercut, seen from the side',
  game,
  seed: 1,
  ticks: 1200,
}
