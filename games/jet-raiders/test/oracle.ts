/**
 * The seed's own loop, written from its text: objects in lists, timers that count down, every bullet against every ship.
 *
 * Too slow and too plain to ship, and for that reason the judge of the rules. Only sine, cosine and the places of new
 * ships are ours, because those of the seed differ between machines and read a clock.
 */

import { cos, sin } from 'hurtbox/math'

export type Ship = ReturnType<typeof newShip>
export type Projectile = { id: number; ownerId: number; x: number; y: number; vx: number; vy: number; ttl: number }
export type Hit = { victim: number; shooter: number; projectile: number; hpAfter: number }
export type Oracle = { ships: Ship[]; projectiles: Projectile[]; nextId: number; spawnPlace: () => [number, number] }

const dt = 0.016
const [halfWidth, halfHeight] = [400, 230]
const player = { maxSpeed: 150, turnRate: 3, throttleRate: 2, radius: 24, hp: 100, respawnDelay: 1 }
const projectile = { speed: 500, ttl: 3, radius: 5, damage: 30, cooldown: 0.1 }

function newShip(id: number, [x, y]: [number, number]) {
  const input = { thrust: 0, turn: 0, shoot: false }
  return { id, x, y, rot: 0, throttle: 0, hp: player.hp, alive: true, respawnTimer: 0, shootCooldown: 0, input }
}

export function join(world: Oracle): Ship {
  const ship = newShip(world.nextId++, world.spawnPlace())
  world.ships.push(ship)
  return ship
}

export function leave(world: Oracle, ship: Ship): void {
  world.ships = world.ships.filter((each) => each !== ship)
  world.projectiles = world.projectiles.filter((each) => each.ownerId !== ship.id)
}

export function tick(world: Oracle): Hit[] {
  for (const e of world.ships) {
    if (!e.alive) {
      e.respawnTimer -= dt
      if (e.respawnTimer <= 0) Object.assign(e, newShip(e.id, world.spawnPlace()))
      continue
    }
    e.rot += e.input.turn * player.turnRate * dt
    e.throttle = Math.min(Math.max(e.throttle + e.input.thrust * player.throttleRate * dt, 0), 1)
    e.x += sin(e.rot) * (e.throttle * player.maxSpeed) * dt
    e.y += -cos(e.rot) * (e.throttle * player.maxSpeed) * dt
    e.x = e.x > halfWidth ? -halfWidth : e.x < -halfWidth ? halfWidth : e.x
    e.y = e.y > halfHeight ? -halfHeight : e.y < -halfHeight ? halfHeight : e.y
  }
  for (const e of world.ships) {
    if (!e.alive) continue
    e.shootCooldown = Math.max(e.shootCooldown - dt, 0)
    if (!e.input.shoot || e.shootCooldown > 0) continue
    e.shootCooldown = projectile.cooldown
    const [fx, fy] = [sin(e.rot), -cos(e.rot)]
    const [x, y, vx, vy] = [
      e.x + fx * player.radius,
      e.y + fy * player.radius,
      fx * projectile.speed,
      fy * projectile.speed,
    ]
    world.projectiles.push({ id: world.nextId++, ownerId: e.id, x, y, vx, vy, ttl: projectile.ttl })
  }
  for (const p of world.projectiles) {
    p.x += p.vx * dt
    p.y += p.vy * dt
    p.ttl -= dt
  }
  const hits: Hit[] = []
  const hitRadius = player.radius + projectile.radius
  for (const p of world.projectiles) {
    if (p.ttl <= 0) continue
    for (const e of world.ships) {
      if (!e.alive || e.id === p.ownerId) continue
      const dx = e.x - p.x
      const dy = e.y - p.y
      if (dx * dx + dy * dy > hitRadius * hitRadius) continue
      e.hp -= projectile.damage
      if (e.hp <= 0)
        Object.assign(e, { hp: 0, alive: false, respawnTimer: player.respawnDelay, throttle: 0, shootCooldown: 0 })
      hits.push({ victim: e.id, shooter: p.ownerId, projectile: p.id, hpAfter: e.hp })
      p.ttl = 0
      break
    }
  }
  world.projectiles = world.projectiles.filter((p) => p.ttl > 0)
  return hits
}
