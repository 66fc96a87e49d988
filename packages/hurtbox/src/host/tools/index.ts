/**
 * What hosts, inspectors, file formats and benchmarks need of the engine, and games do not.
 *
 * @module hurtbox/tools
 */

export type { ErrorCode } from '../../base/errors.ts'
export { calling, type FunctionPlace, failureOf, GameFailure } from '../../base/failure.ts'
export { type FailurePlace, placeOfFailure } from '../../base/stack.ts'
export { type AnyBot, botInput, botInputs } from '../../record/session/bots.ts'
export { type ColumnChange, changesByPhase, type PhaseChanges } from '../../record/session/changes.ts'
export { inputsAt } from '../../record/session/log.ts'
export { type PhasePlace, retrace, tellPhase } from '../../record/session/phases.ts'
export { playScene, startScene } from '../../record/session/scene.ts'
// Sessions, scenes and bots.
export {
  advanceEncoded,
  cloneSession,
  createTwin,
  forgetBefore,
  replayTo,
  type Setup,
  sessionFrom,
} from '../../record/session/session.ts'
export { requireInSync, type SyncMismatch, type SyncReport } from '../../record/session/sync-test.ts'
export { withoutHit } from '../../record/session/without.ts'
export { type Collision, collisionsOf, roleOf } from '../../rules/collide/collide.ts'
export { staticsOf } from '../../rules/collide/maps.ts'
// Pushes apart, for drawing.
export { type Push, recordPushes } from '../../rules/collide/pushes.ts'
export type { Piece } from '../../rules/collide/statics.ts'
export { readChange, splitIds, type TraceEntry } from '../../rules/collide/trace.ts'
export type { ColumnSpec, ColumnSpecs, ColumnType } from '../../state/columns.ts'
export { type Difference, describeCell, describeDifference, diffWorlds } from '../../state/difference.ts'
export { hashBytes, hashTables } from '../../state/hash.ts'
export type { TableSpec } from '../../state/layout.ts'
// States and their differences.
export { type Snapshot, sameButEntropy, sameSnapshot, snapshotFromBytes, snapshotTick } from '../../state/pack.ts'
export type { AnyTable, Rows, RowsBase, Table } from '../../state/table.ts'
export { emptyTable, lastId, rowOf } from '../../state/table.ts'
// What collide found, for drawing and `why`.
export { type Capacity, capacityOf, declaredGame, withCapacity } from '../../world/capacity.ts'
export type { Control } from '../../world/controls.ts'
export type {
  AnyDeclaration,
  AnyGame,
  AnyJoinData,
  Behaviour,
  Content,
  Declaration,
  JoinData,
  PhaseSpec,
  Result,
  Stats,
} from '../../world/game.ts'
export { refreshHandles } from '../../world/handles/pool.ts'
export { seatRow } from '../../world/handles/things.ts'
export type { AnyThing } from '../../world/handles/types.ts'
export type { InputSpec, InputSpecs } from '../../world/input.ts'
// Inputs as codes.
export { foldCodes, type InputLayout } from '../../world/input-codes.ts'
export type { PlayerInput } from '../../world/input-values.ts'
export { readJoinData } from '../../world/join-data.ts'
export type { LayerSpecs, Layers } from '../../world/layers.ts'
export { layersMeet, printLayers } from '../../world/layers.ts'
export type { OptionSpec, OptionSpecs, Options } from '../../world/options.ts'
export { resultOf, statsOf } from '../../world/outcome.ts'
export type { EncodedInputs, TickInputs } from '../../world/step.ts'
export { createEncodedInputs, encodeInputs, stepEncoded } from '../../world/step.ts'
export type { Tuning, TuningSpec, TuningSpecs } from '../../world/tuning.ts'
export type { AnyWorld, WorldOptions } from '../../world/world.ts'
// Worlds of any game.
export { createEmptyWorld, setTime, takeEntropy, worldBytes, wrapPhases } from '../../world/world.ts'
