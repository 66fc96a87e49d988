/**
 * The collision loop of seed document 001 (sections 1 to 6), written down from its text and from nothing else: circles, each
 * projectile against each enemy in the order of the lists, then each enemy against the player, i-frames, knockback.
 *
 * One sentence of it is settled as the README says: a projectile whose enemy died earlier in the tick flies on.
 */

type Vec = { x: number; y: number }
type Projectile = Vec & { radius: number; damage: number; isActive: boolean }
type Enemy = Vec & { radius: number; hp: number; touch: number }
type Player = Vec & { radius: number; hp: number; iframes: number }

export type Field = { projectiles: Projectile[]; enemies: Enemy[]; player: Player }
/** Targets are places in the list of enemies; -1 is the player. */
export type Damage = { target: number; damage: number; source: 'projectile' | 'enemy' }

const IFRAME_TICKS = 60

function checkCircle(a: Vec & { radius: number }, b: Vec & { radius: number }): boolean {
  const dx = a.x - b.x
  const dy = a.y - b.y
  const reach = a.radius + b.radius
  return dx * dx + dy * dy < reach * reach
}

function calculateKnockback(from: Vec, to: Vec, magnitude: number): Vec {
  const dx = to.x - from.x
  const dy = to.y - from.y
  const distance = Math.sqrt(dx * dx + dy * dy)
  if (distance === 0) return { x: magnitude, y: 0 }
  return { x: (dx / distance) * magnitude, y: (dy / distance) * magnitude }
}

/** One frame: i-frames run down, contacts are found where everything stands, then they are resolved in order. */
export function stepCollision({ projectiles, enemies, player }: Field): Damage[] {
  const events: Damage[] = []
  const pushes: { who: Vec; by: Vec }[] = []
  player.iframes = Math.max(0, player.iframes - 1)
  for (const projectile of projectiles) {
    for (const [target, enemy] of enemies.entries()) {
      if (!projectile.isActive || enemy.hp <= 0 || !checkCircle(projectile, enemy)) continue
      const damage = Math.min(enemy.hp, projectile.damage)
      enemy.hp -= damage
      projectile.isActive = false
      pushes.push({ who: enemy, by: calculateKnockback(projectile, enemy, 50) })
      events.push({ target, damage, source: 'projectile' })
      break
    }
  }
  for (const enemy of enemies) {
    if (enemy.hp <= 0 || player.hp <= 0 || player.iframes > 0 || !checkCircle(enemy, player)) continue
    const damage = Math.min(player.hp, enemy.touch)
    player.hp -= damage
    player.iframes = IFRAME_TICKS
    pushes.push({ who: player, by: calculateKnockback(enemy, player, 100) })
    events.push({ target: -1, damage, source: 'enemy' })
  }
  for (const { who, by } of pushes) {
    who.x += by.x
    who.y += by.y
  }
  return events
}
