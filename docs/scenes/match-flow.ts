/** Two teams who shoot at each other: rounds of ten points, returns in waves, protection, sudden death. */

import { addCircle, collide, declareGame, defineGame, despawn, each, type Scene, spawn, sweepBox } from 'hurtbox'
import { defineCombat, expire, hurt, spawnFrom } from 'hurtbox/combat'
import { comesBack, isPlaying, matchFlow, playRounds, returnIn, safestPlace, score } from 'hurtbox/match'
import { unit } from 'hurtbox/math'

const combat = defineCombat({ damageTypes: ['shot'] })

const declaration = declareGame({
  id: 'match-flow',
  tickRate: 60,
  layers: { fighter: [], shot: ['fighter'] },
  capacity: 64,
  things: { ...combat.columns, ...matchFlow.columns, facingX: 'f64', facingY: 'f64' },
  globals: { ...matchFlow.globals, ...matchFlow.teams(2) },
  events: { ...combat.events, ...matchFlow.events },
  streams: ['aim'],
})

// #region recipe
const PLACES = [-160, 160].flatMap((x) => [-70, 0, 70].map((y) => ({ x, y })))
const rounds = playRounds(declaration, {
  needs: 0, // this scene has no players
  rounds: 3,
  points: 6, // a round is won by so many,
  time: 420, // or by who leads after seven seconds;
  suddenDeath: 120, // level then, the next point wins
  countdown: 30,
  breather: 60,
  begin(world) {
    for (const shot of each(world, 'shot')) despawn(shot)
    for (const fighter of each(world, 'fighter')) returnIn(fighter, 0)
  },
})

const game = defineGame(declaration, {
  setup(world) {
    for (let i = 0; i < 6; i++) spawn(world, 'fighter', { team: 1 + (i % 2), radius: 12, maxHp: 20 })
  },
  phases: {
    nextStage: rounds.nextStage,
    comeBack(world) {
      for (const fighter of each(world, 'fighter')) {
        // At rest, whole, and safe for a second; where the foes are farthest.
        if (comesBack(fighter, 60)) Object.assign(fighter, safestPlace(PLACES, fighter))
      }
    },
    shoot,
    move(world) {
      for (const shot of each(world, 'shot'))
        Object.assign(shot, { x: shot.x + shot.vx / 60, y: shot.y + shot.vy / 60 })
    },
    expire,
    hits: collide(
      declaration,
      {
        'shot hits fighter': {
          between: ['shot', 'fighter'],
          gates: ['owner', 'team', 'dead', 'invulnerable'],
          decide(shot, fighter, { world }) {
            hurt(fighter, 10, shot)
            despawn(shot)
            if (fighter.hp > 0) return
            score(world, shot.team) // part of the hit, like everything a rule writes
            returnIn(fighter, 60, 90) // in a second or more: all who fell come back together
          },
        },
      },
      {
        pose: {
          shot: (shot, boxes) => {
            addCircle(boxes, shot)
            sweepBox(boxes, shot.vx / 60, shot.vy / 60)
          },
        },
      },
    ),
    judge: rounds.judge,
  },
  isOver: rounds.isOver,
  result: rounds.result,
})
// #endregion recipe

/** Each in turn at the nearest foe, not always well. */
function shoot(world: Parameters<typeof rounds.judge>[0]): void {
  if (!isPlaying(world)) return
  for (const fighter of each(world, 'fighter')) {
    if (fighter.hp <= 0 || (world.clock + fighter.id * 11) % 48 !== 0) continue
    let [nearest, wayX, wayY] = [Number.POSITIVE_INFINITY, 0, 0]
    for (const foe of each(world, 'fighter')) {
      const [dx, dy] = [foe.x - fighter.x, foe.y - fighter.y]
      const way = Math.sqrt(dx * dx + dy * dy)
      if (foe.hp > 0 && foe.team !== fighter.team && way < nearest) [nearest, wayX, wayY] = [way, dx / way, dy / way]
    }
    if (nearest === Number.POSITIVE_INFINITY) continue
    fighter.facingX = wayX
    fighter.facingY = wayY
    const aside = (unit(world.random.aim) - 0.5) * 0.16
    const [vx, vy] = [(wayX - wayY * aside) * 420, (wayY + wayX * aside) * 420]
    spawnFrom(fighter, 'shot', { radius: 3, vx, vy, endsAt: world.clock + 70 })
  }
}

export const scene: Scene = {
  name: 'match-flow',
  about: 'best of three rounds: six points or seven seconds, sudden death, returns in waves',
  game,
  seed: 4,
  ticks: 2400,
}
