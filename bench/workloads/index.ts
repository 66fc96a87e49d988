/** All workloads in the order of the table. */

import { bullets } from './bullets.ts'
import { crowd } from './crowd.ts'
import { restore, rollback, snapshot } from './history.ts'
import { clustered, mixed, pairs, pile, survivors } from './pairs.ts'
import { arcs, rays, regions, swings } from './queries.ts'
import { runners } from './runners.ts'
import { nearest, sight } from './walls.ts'
import type { Workload } from './workload.ts'

export const workloads: readonly Workload[] = [
  pairs,
  bullets,
  regions,
  rays,
  swings,
  arcs,
  nearest,
  sight,
  snapshot,
  restore,
  rollback,
  crowd,
  runners,
  mixed,
  clustered,
  pile,
  survivors,
]
