/** Who met whom in an engine that is code without rules, kept for `why`. Not state: no rule reads it. */

import { findRow, type Id, type Phase, perWorld, thing } from 'hurtbox'
import type { declaration, VinylThing, VinylWorld } from './declaration.ts'
import { distance } from './torus.ts'

type Meeting = { readonly a: Id; readonly b: Id; readonly overlap: number }
const meetingsOf = perWorld((_: VinylWorld): Meeting[] => [])

/** Notes that one reacts to the other. */
export function noteMeeting(world: VinylWorld, a: VinylThing, b: VinylThing, overlap: number): void {
  meetingsOf(world).push({ a: a.id, b: b.id, overlap })
}

/** A phase that says of two things whether they met in it. */
export function tellingMeetings(run: (world: VinylWorld) => void): Phase<typeof declaration> {
  return {
    create: () => ({
      run(world) {
        meetingsOf(world).length = 0
        run(world)
      },
      explain,
    }),
  }
}

function explain(world: VinylWorld, a: Id, b: Id): string {
  const met = meetingsOf(world).filter((one) => (one.a === a && one.b === b) || (one.a === b && one.b === a))
  if (met.length > 0) {
    const times = met.length === 1 ? 'once' : `${met.length} times`
    return `they met ${times}: overlap ${met[0].overlap.toFixed(3)}`
  }
  const { things } = world.tables
  const gone = [a, b].find((id) => findRow(things, id) < 0)
  if (gone !== undefined) return `they did not meet: ${gone} is not there`
  const [one, other] = [thing(world, a)!, thing(world, b)!]
  const gap = distance(one, other) - one.radius - other.radius
  if (gap <= 0) return 'they did not meet: a ship in its dock takes no part'
  return `they did not meet: ${gap.toFixed(3)} apart at the end of this phase`
}
