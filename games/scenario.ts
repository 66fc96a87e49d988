/** A scenario of a seed document: how all five games write them. */

import type { Scenario } from 'hurtbox/module'
import type { Declaration } from 'hurtbox/tools'

export function scenario<D extends Declaration>(
  name: string,
  section: string,
  expected: string,
  play: Scenario<D>['play'],
): Scenario<D> {
  return { name, source: `seed document, ${section}`, expected, play }
}
