/** What the tests of replays share. */

import type { Snapshot } from '../../src/host/tools/index.ts'
import { type Session, seek, snapshot } from '../../src/index.ts'
import { type InputLog, inputsAt } from '../../src/record/session/log.ts'
import type { createEncodedInputs } from '../../src/world/step.ts'

/** The inputs of every tick in plain data. A join without a team is a join of team 0. */
export function logOf(log: InputLog): unknown[] {
  const seats = log.game.declaration.seats.max
  const fields = log.game.input.fields.length
  const inputs = { controls: [], count: 0, seats: new Uint8Array(seats), codes: new Uint32Array(seats * fields) }
  const ticks: unknown[] = []
  for (let tick = 0; tick < log.length; tick++) {
    inputsAt(log, tick, inputs as ReturnType<typeof createEncodedInputs>)
    ticks.push([
      inputs.controls.map((control: object) => ('seat' in control ? { team: 0, ...control } : control)),
      [...inputs.seats.subarray(0, inputs.count)],
      [...inputs.codes.subarray(0, inputs.count * fields)],
    ])
  }
  return ticks
}

/** The states before every tick of a session, by linear play. */
export function statesOf(session: Session): Snapshot[] {
  const states: Snapshot[] = []
  for (let tick = 0; tick <= session.log.length; tick++) {
    seek(session, tick)
    states.push(snapshot(session.world))
  }
  return states
}
