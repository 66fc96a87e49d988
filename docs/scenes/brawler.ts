/** A brawl in space, seen from above: fighters on a platform, punches that throw them up and out, and who falls is out. */

import {
  addVolume,
  collide,
  declareGame,
  defineBlocks,
  defineGame,
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
import { clamp, length } from 'hurtbox/math'
import { moveBodies, pushBodies } from 'hurtbox/motion'
import { capsule } from 'hurtbox/volumes'

const combat = defineCombat({ damageTypes: ['blow'] })

// #region recipe
const abilities = defineAbilities({
  source: 'brawler.ts',
  damageTypes: combat.typeNames,
  slots: { attack: ['punch'] },
  abilities: {
    punch: {
      startup: 8,
      active: 4,
      recovery: 14,
      cooldown: 30,
      effects: [
        { on: 'active', melee: { sphere: { radius: 14 }, ahead: 22 } },
        { on: 'hit', damage: { amount: 6 } },
        { on: 'hit', stun: { ticks: 20, stop: 4 } },
        // Away from the attacker, and up: [along, aside, up].
        { on: 'hit', force: { frame: 'away', along: [2, 0, 1], speed: 260 } },
      ],
    },
  },
})
// #endregion recipe

const BODY = { radius: 12, halfLength: 10 }
const declaration = declareGame({
  id: 'brawler',
  tickRate: 60,
  layers: { fist: ['fighter'], fighter: ['platform'], platform: [] },
  things: { ...combat.columns, ...abilities.columns, z: 'f64', vz: 'f64', halfLength: 'f64', grounded: 'u8' },
  tables: { casts: abilities.casts },
  hits: rememberHits(64),
  globals: abilities.globals,
  events: { ...combat.events, ...abilities.events, fall: { victim: 'id' } },
  content: { map: [{ layer: 'platform', minX: -130, minY: -85, minZ: -20, maxX: 130, maxY: 85, maxZ: 0 } as const] },
})
const statics = defineBlocks(declaration, declaration.content.map)
const body = capsule(BODY.radius, BODY.halfLength)

const hits = collide(
  declaration,
  { 'fist hits fighter': { between: ['fist', 'fighter'], touching: true, gates: ['owner'], ...strikes(abilities) } },
  {
    pose: {
      fighter(fighter, boxes) {
        addWindows(abilities, fighter, boxes, 'fist')
        addVolume(boxes, body, fighter)
      },
    },
  },
)

const PLACES = [
  [-70, -40],
  [70, 40],
  [-70, 40],
  [70, -40],
]

const game = defineGame(declaration, {
  setup(world) {
    for (const [x, y] of PLACES) {
      const place = { x, y, z: 22, facingX: -Math.sign(x) }
      spawn(world, 'fighter', { ...BODY, ...place, invMass: 1, hp: 60, maxHp: 60 })
    }
  },
  phases: {
    advance: advanceAbilities(abilities),
    think,
    move: moveBodies({
      statics,
      gravity: () => 700,
      moves: (fighter: { id: number; stillUntil: number }) => !isStopped(fighter),
    }),
    push: pushBodies({ statics }),
    hits,
    settle: settleHits(abilities),
    out,
  },
})

/** Each goes for the next one, and slows down at the edge when nobody threw it. */
function think(world: World<typeof declaration>): void {
  for (const fighter of each(world, 'fighter')) {
    const foe =
      [...each(world, 'fighter')].find(({ id, hp }) => id > fighter.id && hp > 0) ?? [...each(world, 'fighter')][0]
    const [dx, dy] = [foe.x - fighter.x, foe.y - fighter.y]
    const way = Math.max(1, length(dx, dy))
    const isFree = fighter.grounded === 1 && fighter.stunnedUntil <= world.clock
    if (isFree) {
      fighter.facingX = dx / way
      fighter.facingY = dy / way
      const speed = way > 34 ? 70 : 0
      fighter.vx += clamp(fighter.facingX * speed - fighter.vx, -12, 12)
      fighter.vy += clamp(fighter.facingY * speed - fighter.vy, -12, 12)
    }
    pressSlot(abilities, fighter, 'attack', isFree && way < 42 && (world.clock + fighter.id * 17) % 40 === 0 ? 1 : 0)
  }
}

/** Who falls off the platform is out for this fall, and begins again above it. */
function out(world: World<typeof declaration>): void {
  for (const fighter of each(world, 'fighter')) {
    if (fighter.z > -60) continue
    const [x, y] = PLACES[fighter.id % PLACES.length]
    Object.assign(fighter, { x, y, z: 120, vx: 0, vy: 0, vz: 0, hp: fighter.maxHp })
  }
}

export const scene: Scene = {
  name: 'brawler',
  about: 'punches that throw, and an edge to fall off',
  game,
  seed: 1,
  ticks: 1800,
}
