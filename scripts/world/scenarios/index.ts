/** All scenarios, theme by theme. */

import type { Scenario } from '../world.ts'
import { addresses } from './addresses.ts'
import { aways } from './away.ts'
import { containers } from './containers.ts'
import { deploys } from './deploys.ts'
import { doctors } from './doctors.ts'
import { failures } from './failures.ts'
import { names } from './names.ts'
import { pages } from './pages.ts'
import { reaches } from './reach.ts'

export const scenarios: readonly Scenario[] = [
  ...names,
  ...addresses,
  ...reaches,
  ...doctors,
  ...containers,
  ...aways,
  ...pages,
  ...failures,
  ...deploys,
]
