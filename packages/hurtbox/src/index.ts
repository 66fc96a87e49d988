/**
 * Hurtbox: the combat step of a multiplayer web game.
 *
 * In the order one meets things: declare a game, make a world, step it, work with its things, write rules for things that
 * meet, read events; then go back in time, compare and ask why. What tools need besides is in `hurtbox/tools`.
 *
 * @module hurtbox
 */

// Declaring a game.
export { declareGame, defineGame } from './world/game.ts'
export type { Game, Phase } from './world/game.ts'
export { wide } from './world/handles/wide.ts'
export { seconds, tune } from './world/tuning.ts'
export { flag, oneOf, whole } from './world/options.ts'
export { axis, button, choice, fixed, list, point, press, target } from './world/input.ts'

// A world, stepped tick by tick.
export { createWorld } from './world/world.ts'
export type { World } from './world/world.ts'
export { step } from './world/step.ts'

// Its things and players, for rules and phases.
export {
  despawn,
  each,
  exists,
  insert,
  moveTo,
  playerAt,
  playerOf,
  players,
  push,
  rows,
  spawn,
  thing,
  thingAt,
} from './world/handles/things.ts'
export type { Player, Row, RuleThing, RuleWorld, Thing } from './world/handles/types.ts'
export { perWorld } from './world/per-world.ts'
// The same in columns, for loops over thousands.
export { addRow, findRow, type Id } from './state/table.ts'
export { layerNumbers } from './world/layers.ts'

// What happened.
export { emit, eventsOf, listEvents } from './world/events.ts'
export type { EventRecord } from './world/events.ts'

// Rules for things that meet.
export { collide } from './rules/collide/collide.ts'
export { rememberHits } from './rules/collide/ledger.ts'
export type { Gate, Hit, Rule } from './rules/collide/rule.ts'
export { addCircle, type Boxes, sweepBox } from './rules/collide/boxes.ts'
export { addShape, turnBox } from './rules/collide/shape-boxes.ts'
export { addVolume } from './rules/collide/volume-boxes.ts'
export { type Blocks, defineBlocks, type StaticVolume } from './rules/collide/blocks.ts'
export { defineStatics, type MapPhase, type Statics, type StaticShape } from './rules/collide/statics.ts'
export { type Border, border, type TileGrid, tiles } from './rules/collide/tiles.ts'

// Going back, comparing, asking why.
export { restore, snapshot } from './world/snapshot.ts'
export { hashWorld } from './state/hash.ts'
export { advance, createSession, seek, why } from './record/session/session.ts'
export type { Session } from './record/session/session.ts'
export { type Scene, runScene } from './record/session/scene.ts'
export { type Bot, playBots } from './record/session/bots.ts'
export { syncTest } from './record/session/sync-test.ts'

// When something is wrong.
export { HurtboxError } from './base/errors.ts'
