/**
 * Sixty hits a tick, and nothing else: the price of a contact that a rule decides.
 *
 * The scene is written once for each API that a checkout may have. Each hit takes 1 hp and adds speed; nothing moves, so
 * every tick has the same sixty.
 */

import type { Engine, World } from './engine.ts'

export type HitScene = {
  readonly world: World
  /** Over all victims, to see that every hit of both sides was dealt. */
  hpLost(): number
}

export const HITS = 60
const HP = 1e9
/** px between two pairs, so that no pair meets another. */
const APART = 100

const LAYERS = { sword: ['slime'], slime: [] }
const COLUMNS = { hp: 'f64' }

export function createHits(engine: Engine): HitScene {
  // Rules made with `rule` write through an outcome; without it the engine has the API that came after.
  return engine.rule === undefined ? hitsOfThings(engine) : hitsOfRows(engine)
}

function hitsOfRows({ collide, createWorld, declareGame, defineGame, rule, spawn }: Engine): HitScene {
  const declaration = declareGame({
    id: 'hits',
    rulesVersion: 1,
    tickRate: 60,
    seats: { min: 0, max: 1 },
    layers: LAYERS,
    tables: { things: { capacity: 2 * HITS, columns: COLUMNS } },
  })
  const cut = rule(declaration, {
    name: 'cut',
    attacker: 'sword',
    victim: 'slime',
    // biome-ignore lint/suspicious/noExplicitAny: the types of an API that the working tree may no longer have.
    decide(view: any, { victim }: { victim: number }, outcome: any) {
      const { hp, vx } = view.tables.things
      outcome.add(hp, victim, -1)
      outcome.add(vx, victim, 0.5)
      return 'hit'
    },
  })
  const phases = () => ({ hits: collide([cut], { takes: { things: ['hp'] } }) })
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  const world: any = createWorld(defineGame(declaration, { phases }), {})
  const { things } = world.tables
  for (let i = 0; i < HITS; i++) {
    spawn(things, { layer: 0, x: i * APART, radius: 5 })
    spawn(things, { layer: 1, x: i * APART + 3, radius: 5, hp: HP })
  }
  const hpLost = () => {
    let lost = 0
    for (let row = 1; row < things.count; row += 2) lost += HP - things.hp[row]
    return lost
  }
  return { world, hpLost }
}

function hitsOfThings({ collide, createWorld, declareGame, defineGame, spawn }: Engine): HitScene {
  const declaration = declareGame({ id: 'hits', tickRate: 60, layers: LAYERS, things: COLUMNS, capacity: 2 * HITS })
  const hits = collide(declaration, {
    cut: {
      between: ['sword', 'slime'],
      decide(_sword: object, slime: { hp: number; vx: number }) {
        slime.hp -= 1
        slime.vx += 0.5
      },
    },
  })
  const world = createWorld(defineGame(declaration, { phases: { hits } }), {})
  const slimes: { readonly hp: number }[] = []
  for (let i = 0; i < HITS; i++) {
    spawn(world, 'sword', { x: i * APART, radius: 5 })
    slimes.push(spawn(world, 'slime', { x: i * APART + 3, radius: 5, hp: HP }))
  }
  return { world, hpLost: () => slimes.reduce((lost, { hp }) => lost + HP - hp, 0) }
}
