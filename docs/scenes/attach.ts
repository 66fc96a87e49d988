/** Seen from the side: two runners fight over a flag, and a wizard's orbs knock it out of their hands. A spark goes around one of the orbs. */

import { collide, declareGame, defineGame, each, type Scene, spawn, thing } from 'hurtbox'
import { attach, attachment, detach, followHolders } from 'hurtbox/attach'
import { move } from 'hurtbox/motion'

const declaration = declareGame({
  id: 'attach',
  tickRate: 60,
  layers: { runner: ['flag'], orb: ['runner'], flag: [], spark: [], wizard: [] },
  things: { ...attachment.columns, facingX: 'f64', facingY: 'f64', carries: 'id', emptyUntil: 'timer' },
})

const FLOOR = 70
/** A turn of a twentieth radian: a right triangle of whole sides keeps the orb at its distance. */
const [COS, SIN] = [1599 / 1601, 80 / 1601] as const

// #region recipe
const game = defineGame(declaration, {
  phases: {
    run(world) {
      for (const runner of each(world, 'runner')) {
        if (runner.x * runner.vx > 0 && Math.abs(runner.x) > 180) runner.vx = -runner.vx
        runner.facingX = runner.vx < 0 ? -1 : 1
        // At the end of the way the flag is thrown back over the shoulder: behind the runner, whichever way it faces, and up.
        const flag = thing(world, runner.carries)
        if (flag === undefined || Math.abs(runner.x) < 150 || runner.x * runner.vx < 0) continue
        detach(flag, { ahead: -330, y: -330 })
        runner.carries = 0
        runner.emptyUntil = world.clock + 40
      }
      for (const flag of each(world, 'flag')) {
        flag.vy = flag.y < FLOOR - flag.radius || flag.vy < 0 ? flag.vy + 10 : 0
        if (flag.vy === 0) flag.vx = 0
      }
      // Around its holder: the place is turned a little in each tick.
      for (const orb of each(world)) {
        if (orb.layer !== 'orb' && orb.layer !== 'spark') continue
        const { atX, atY } = orb
        orb.atX = COS * atX - SIN * atY
        orb.atY = SIN * atX + COS * atY
      }
    },
    take: collide(declaration, {
      'runner takes flag': {
        between: ['runner', 'flag'],
        decide(runner, flag, { world }) {
          if (flag.attachedTo !== 0) return 'held by somebody'
          if (runner.emptyUntil > world.clock) return 'has just let go'
          attach(flag, runner, { ahead: -10, y: -22 }) // on the back, above, whichever way it runs
          runner.carries = flag.id
        },
      },
      'orb strikes runner': {
        between: ['orb', 'runner'],
        decide(_orb, runner, { world }) {
          const flag = thing(world, runner.carries)
          if (flag === undefined || !detach(flag, { y: -260 })) return 'carries nothing'
          runner.carries = 0
          runner.emptyUntil = world.clock + 60
        },
      },
    }),
    move: move(['runner', 'flag', 'wizard']),
    followHolders, // after all that moves: a chain is never a tick late
  },
  // #endregion recipe
  setup(world) {
    spawn(world, 'runner', { x: -60, y: FLOOR - 14, vx: 110, radius: 14 })
    spawn(world, 'runner', { x: 150, y: FLOOR - 14, vx: -80, radius: 14 })
    spawn(world, 'flag', { x: 20, y: -60, radius: 8 })
    const wizard = spawn(world, 'wizard', { y: -12, radius: 12 })
    for (const side of [-1, 1]) {
      const orb = spawn(world, 'orb', { radius: 7 })
      attach(orb, wizard, { x: 52 * side })
      if (side === 1) attach(spawn(world, 'spark', { radius: 3 }), orb, { y: 15 })
    }
  },
})

export const scene: Scene = {
  name: 'attach',
  about: 'a flag that is carried, thrown and knocked away, orbs around a wizard, a spark around an orb',
  game,
  seed: 1,
  ticks: 900,
}
