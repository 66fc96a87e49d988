/**
 * What hosts, inspectors, file formats and benchmarks need of the engine, and games do not.
 *
 * @module hurtbox/tools
 */

// What collide found, for drawing and `why`.
export { type Capacity, capacityOf, declaredGame, withCapacity } from '../capacity.ts'
export { type Collision, collisionsOf, roleOf } from '../collide/collide.ts'
export { staticsOf } from '../collide/maps.ts'
export type { Piece } from '../collide/statics.ts'
export { readChange, splitIds, type TraceEntry } from '../collide/trace.ts'
export type { ColumnSpec, ColumnSpecs, ColumnType } from '../columns.ts'
export type { Control } from '../controls.ts'
export type { ErrorCode } from '../errors.ts'
export type { AnyGame, Behaviour, Content, Declaration, PhaseSpec, Result, Stats, TableSpec } from '../game.ts'
export { refreshHandles } from '../handles/pool.ts'
export { seatRow } from '../handles/things.ts'
export type { AnyThing } from '../handles/types.ts'
export { hashBytes, hashTables } from '../hash.ts'
export type { InputSpec, InputSpecs, PlayerInput } from '../input.ts'
// Inputs as codes.
export { clampCodes, foldCodes, type InputLayout } from '../input-codes.ts'
export { type Difference, describeCell, describeDifference, describeState, diffWorlds } from '../inspect.ts'
export { readJoinData } from '../join-data.ts'
export type { LayerSpecs, Layers } from '../layers.ts'
export { layersMeet, printLayers } from '../layers.ts'
// Pushes apart, for drawing.
export { type Push, recordPushes } from '../motion/separation/pushes.ts'
export type { OptionSpec, OptionSpecs, Options } from '../options.ts'
export { type AnyBot, botInput, botInputs } from '../session/bots.ts'
export { type ColumnChange, changesByPhase, type PhaseChanges } from '../session/changes.ts'
export { inputsAt } from '../session/log.ts'
export { type PhasePlace, retrace, tellPhase } from '../session/phases.ts'
export { playScene, startScene } from '../session/scene.ts'
// Sessions, scenes and bots.
export {
  advanceEncoded,
  cloneSession,
  createTwin,
  forgetBefore,
  replayTo,
  type Setup,
  sessionFrom,
} from '../session/session.ts'
export { requireInSync, type SyncMismatch, type SyncReport } from '../session/sync-test.ts'
export { withoutHit } from '../session/without.ts'
// States and their differences.
export { type Snapshot, sameSnapshot, snapshotFromBytes, snapshotTick } from '../snapshot.ts'
export type { EncodedInputs, TickInputs } from '../step.ts'
export { createEncodedInputs, encodeInputs, stepEncoded } from '../step.ts'
export type { AnyTable, Rows, RowsBase, Table } from '../table.ts'
export { emptyTable, lastId, rowOf } from '../table.ts'
export type { Tuning, TuningSpec, TuningSpecs } from '../tuning.ts'
export type { AnyWorld, WorldOptions } from '../world.ts'
// Worlds of any game.
export { createEmptyWorld, setTime, worldBytes, wrapPhases } from '../world.ts'
