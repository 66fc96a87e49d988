/** Motion in the plane without walls: things go on by their speed. With walls, `travel` of `hurtbox/contacts` does it. */

import { OPEN, requireTopology, type Topology, wrap } from '../../geometry/space/topology.ts'
import { type HasLayers, layerNumber } from '../../world/layers.ts'
import type { AnyWorld } from '../../world/world.ts'

export type MovePlaneOptions = {
  /** Whether `vx` and `vy` are per tick. Default: per second. */
  readonly perTick?: boolean
  /** On a torus things come back on the other side. Default: the plane is open. */
  readonly topology?: Topology
}

/** What is moved, and what says how long a tick is. */
type MovingWorld = Pick<AnyWorld, 'tables' | 'game'>

/** Makes a phase that moves the things of these layers by their speed (per second, unless `perTick`), in space with `vz` too. */
export function move<const L extends string>(
  layers: readonly L[],
  options: MovePlaneOptions = {},
): (world: { readonly game: { readonly declaration: HasLayers<L> } }) => void {
  const { perTick = false, topology = OPEN } = options
  requireTopology(topology)
  return (world) => {
    const { tables, game } = world as unknown as MovingWorld
    const { count, layer, leaving, x, y, z, vx, vy, vz } = tables.things
    const mask = layers.reduce((bits, name) => bits | (1 << layerNumber(game.layers, name)), 0)
    const seconds = perTick ? 1 : 1 / game.declaration.tickRate
    for (let row = 0; row < count; row++) {
      if (((mask >>> layer[row]) & 1) === 0 || leaving[row] !== 0) continue
      x[row] += vx[row] * seconds
      y[row] += vy[row] * seconds
      if (z !== undefined && vz !== undefined) z[row] += vz[row] * seconds
      x[row] = wrap(x[row], topology.width)
      y[row] = wrap(y[row], topology.height)
    }
  }
}
