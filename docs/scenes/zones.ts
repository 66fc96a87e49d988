/** Four guns and a walker with a head, a shield that breaks off, plate that cracks, and a core. */

import { addCircle, collide, declareGame, defineGame, despawn, each, type Scene, spawn, sweepBox } from 'hurtbox'
import { defineCombat, expire, spawnFrom } from 'hurtbox/combat'
import { box, circle } from 'hurtbox/shapes'
import { defineStatus, isStunned, runStatus } from 'hurtbox/status'
import { defineZones, hurtZone, mendZone, poseZones } from 'hurtbox/zones'

// #region recipe
const combat = defineCombat({ damageTypes: ['shot'] })
const status = defineStatus({ stun: { stuns: true, ticks: 25 } })
const zones = defineZones(
  {
    head: { shape: circle(12, { offsetY: -42 }), damage: 2, inflicts: 'stun' },
    shield: { shape: box(5, 34, { offsetX: 34 }), damage: 0, breaksAt: 40, broken: 'gone' },
    plate: { shape: box(24, 12, { offsetY: -18 }), armour: { shot: 0.75 }, breaksAt: 25, broken: { damage: 1.5 } },
    core: { shape: circle(26, { offsetY: 8 }) },
  },
  { damageTypes: combat.typeNames, status },
)

const declaration = declareGame({
  id: 'zones',
  tickRate: 60,
  layers: { walker: ['shot'], shot: [], gun: [] },
  capacity: 64,
  things: { ...combat.columns, ...status.columns, ...zones.columns },
  tables: { ...status.tables },
  events: { ...combat.events, ...status.events, ...zones.events },
})

const hits = collide(
  declaration,
  {
    'shot hits walker': {
      between: ['shot', 'walker'],
      gates: ['dead', zones.gate], // parts that are gone let the shot pass
      decide(shot, walker, { secondBox }) {
        hurtZone(zones, walker, secondBox, { amount: 5, by: shot, type: combat.type.shot })
        despawn(shot)
      },
    },
  },
  {
    pose: {
      walker: poseZones(zones),
      shot(shot, boxes) {
        addCircle(boxes, shot)
        sweepBox(boxes, shot.vx, shot.vy)
      },
    },
  },
)
// #endregion recipe

const game = defineGame(declaration, {
  phases: {
    status: runStatus(status),
    shoot(world) {
      for (const gun of each(world, 'gun')) {
        if ((world.clock + gun.id * 13) % 40 !== 0) continue
        const vx = gun.x > 0 ? -6 : 6
        spawnFrom(gun, 'shot', { vx, radius: 3, endsAt: world.clock + 60 })
      }
    },
    move(world) {
      for (const walker of each(world, 'walker')) {
        // A new one, when it is beaten.
        if (walker.hp <= 0) {
          walker.hp = walker.maxHp
          mendZone(zones, walker)
        }
        if (!isStunned(status, walker)) walker.y += walker.vy
        if (Math.abs(walker.y) > 45) walker.vy = -walker.vy
      }
      for (const shot of each(world, 'shot')) shot.x += shot.vx
    },
    expire,
    hits,
  },
  setup(world) {
    spawn(world, 'walker', { vy: 0.7, hp: 220, maxHp: 220 })
    for (const y of [-45, 0, 40]) spawn(world, 'gun', { x: 170, y, radius: 8 })
    spawn(world, 'gun', { x: -170, y: -10, radius: 8 })
  },
})

export const scene: Scene = {
  name: 'zones',
  about: 'a head that counts twice, a shield that breaks off, plate that cracks, and a core',
  game,
  seed: 1,
  ticks: 900,
}
