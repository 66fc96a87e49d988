/**
 * Hurtbox: the combat step of a multiplayer web game.
 *
 * In the order one meets things: declare a game, make a world, step it, read its events, ask about its space; then go
 * back in time, compare and ask why. Rules for things that meet come last, because everything else is there to serve them.
 *
 * @module hurtbox
 */

// Declaring a game.
export { alsoWhilePaused, declareGame, defineGame, untilOver } from './game.ts'
export type {
  AnyGame,
  ArraySpec,
  Behaviour,
  Content,
  Declaration,
  Game,
  Phase,
  Result,
  Stats,
  TableSpec,
} from './game.ts'
export { wide } from './columns.ts'
export type { ColumnSpec, ColumnSpecs, ColumnType, WideColumn } from './columns.ts'
export { seconds, toTicks, tune } from './tuning.ts'
export type { Tuning, TuningSpec, TuningSpecs } from './tuning.ts'
export { flag, oneOf, whole } from './options.ts'
export type { Options, OptionSpec, OptionSpecs } from './options.ts'
export { axis, button, choice, fixed, list, point, press, thing } from './input.ts'
export type { InputSpec, InputSpecs, PlayerInput } from './input.ts'
export { clampCodes, foldCodes } from './input-codes.ts'
export type { InputLayout } from './input-codes.ts'
export { defineLayers, layerNumbers, layersMeet, printLayers } from './layers.ts'
export type { Layers, LayerSpecs } from './layers.ts'

// A world and its rows.
export { createEmptyWorld, createWorld, setTime, worldBytes } from './world.ts'
export type { AnyWorld, World, WorldOptions } from './world.ts'
export { addRow, despawn, emptyTable, findRow, rowOf, spawn } from './table.ts'
export type { AnyTable, Id, Rows, RowsBase, RowValues, Table } from './table.ts'
export { playerOf, seatRow, takeAlong, thingOf } from './players.ts'

// Stepping it, and reading what happened.
export { createEncodedInputs, encodeInputs, step, stepEncoded } from './step.ts'
export type { Control, EncodedInputs, TickInputs } from './step.ts'
export { emit, listEvents } from './events.ts'
export type { EventRecord } from './events.ts'

// Asking about its space.
export {
  allOnRay,
  createSurroundings,
  firstOnRay,
  lookAround,
  lookFor,
  nearestOf,
  nearestTo,
  onTheWay,
  within,
  withinBox,
} from './surroundings.ts'
export type { Look, Surroundings } from './surroundings.ts'

// Going back, comparing, looking inside.
export { restore, sameSnapshot, snapshot, snapshotFromBytes, snapshotTick } from './snapshot.ts'
export type { Snapshot } from './snapshot.ts'
export { hashBytes, hashTables, hashWorld } from './hash.ts'
export { describeDifference, describeState, diffWorlds } from './inspect.ts'
export type { Difference } from './inspect.ts'
export { advance, advanceEncoded, cloneSession, createSession, forgetBefore, seek, why } from './session/session.ts'
export { inputsAt } from './session/log.ts'
export type { Session, Setup } from './session/session.ts'
export { playScene, runScene, startScene } from './session/scene.ts'
export type { Scene } from './session/scene.ts'
export { botInputs, playBots } from './session/bots.ts'
export type { AnyBot, Bot } from './session/bots.ts'
export { requireInSync, syncTest } from './session/sync-test.ts'
export type { SyncReport } from './session/sync-test.ts'
export type { Trace, TraceEntry } from './collide/trace.ts'

// Judging by what a player saw.
export { defineRewind, recordPoses, SEEN_AGO, seenPose } from './rewind.ts'
export type { Rewind, SeenPose } from './rewind.ts'

// Rules for things that meet.
export { rule } from './collide/rule.ts'
export type { Contact, Gate, Outcome, Rule, Verdict, View } from './collide/rule.ts'
export { collide } from './collide/collide.ts'
export type { CollideOptions, RuleList } from './collide/collide.ts'
export { FOREVER } from './collide/book.ts'
export { addCircle, addMovingCircle } from './collide/boxes.ts'
export type { Boxes } from './collide/boxes.ts'
export { addShape } from './collide/shape-boxes.ts'
export { addBody, addVolume } from './collide/volume-boxes.ts'
export { type Block, defineBlocks } from './collide/blocks.ts'
export { defineStatics, wayOut } from './collide/statics.ts'
export type { Rectangle, Statics } from './collide/statics.ts'
// Its five stages one by one, for phases that need what lies between them.
export { collisionsOf, commit, createCollision, decide, detect, order, pose, roleOf } from './collide/collide.ts'
export type { Collision } from './collide/collide.ts'

// When something is wrong.
export { HurtboxError } from './errors.ts'
export type { ErrorCode } from './errors.ts'
