/** The document's engine: its rules on the engine's own `collide`. */

import { addCircle, type Boxes, collide, type Gate, type Phase, sweepBox, thing } from 'hurtbox'
import { torus } from 'hurtbox/space'
import { gridOf } from '../../../grid.ts'
import { DT, declaration, type VinylOptions, type VinylThing, type VinylWorld } from '../declaration.ts'
import { SIDE } from '../torus.ts'
import { dock, reflect, shipMeetsRock, shipMeetsShip } from './impacts.ts'
import { arrive, burnRock, burnShip } from './shots.ts'

type VinylGate = Gate<typeof declaration>

/** A ship that is dead or in a dock meets nothing. */
const PRESENT: readonly VinylGate[] = [
  { name: 'dead', refuses: (a, b) => a.dead + b.dead > 0 },
  { name: 'docked', refuses: (a, b) => a.docked + b.docked > 0 },
]

/** A beam hits what it was aimed at. The dead take no further part, but what they fired arrives. */
const AIMED: readonly VinylGate[] = [
  { name: 'not its target', refuses: (shooter, target) => shooter.aim !== target.id },
  { name: 'dead', refuses: (_shooter, target) => target.dead === 1 },
  { name: 'docked', refuses: (_shooter, target) => target.docked === 1 },
]

/**
 * The phase in which things meet. The order of the rules is the document's order of commands: docking comes first, so that
 * a ship that docks takes part in nothing else; then impacts by age; then lasers, which find what the impacts have left.
 */
export function hits(options: VinylOptions): Phase<typeof declaration> {
  const { swept } = options
  return collide(
    declaration,
    {
      'ship docks': { between: ['ship', 'station'], gates: PRESENT, decide: dock },

      'ship meets rock': { between: ['ship', 'asteroid'], gates: PRESENT, decide: shipMeetsRock },
      'ship meets ship': { between: ['ship', 'ship'], gates: PRESENT, decide: shipMeetsShip },
      'rock bounces off station': { between: ['asteroid', 'station'], decide: reflect },

      /** Stations are immune to lasers. */
      'beam hits station': {
        between: ['beam', 'station'],
        gates: AIMED,
        decide(shooter, station, { world }) {
          arrive(world, shooter, station)
        },
      },
      'beam hits ship': { between: ['beam', 'ship'], gates: AIMED, decide: burnShip },
      'beam hits rock': { between: ['beam', 'asteroid'], gates: AIMED, decide: burnRock },
    },
    {
      sharedOrder: [
        ['ship meets rock', 'ship meets ship', 'rock bounces off station'],
        ['beam hits station', 'beam hits ship', 'beam hits rock'],
      ],
      pose: {
        ship(ship, boxes, world) {
          addBody(ship, boxes, world)
          const target = thing(world, ship.aim)
          // A beam is a point in the middle of its target.
          if (target !== undefined) addCircle(boxes, { x: target.x, y: target.y, radius: 0 }, 'beam')
        },
        ...(swept && { station: addBody, asteroid: addBody }),
      },
      topology: torus(SIDE, SIDE),
      ...gridOf(options),
    },
  )
}

/** Everything is a circle; where contacts are swept, together with its motion in this tick. */
function addBody(body: VinylThing, boxes: Boxes, { options }: VinylWorld): void {
  addCircle(boxes, body)
  if (options.swept) sweepBox(boxes, body.vx * DT, body.vy * DT)
}
