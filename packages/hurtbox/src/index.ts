/**
 * Hurtbox: the combat step of a multiplayer web game.
 *
 * In the order one meets things: declare a game, make a world, step it, work with its things, write rules for things that
 * meet, read events; then go back in time, compare and ask why. What tools need besides is in `hurtbox/tools`.
 *
 * @module hurtbox
 */

// Declaring a game.
export { declareGame, defineGame } from './game.ts'
export type { Game, Phase } from './game.ts'
export { wide } from './handles/wide.ts'
export { seconds, toTicks, tune } from './tuning.ts'
export { flag, oneOf, whole } from './options.ts'
export { axis, button, choice, fixed, list, point, press, target } from './input.ts'

// A world, stepped tick by tick.
export { createWorld } from './world.ts'
export type { World } from './world.ts'
export { step } from './step.ts'

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
} from './handles/things.ts'
export type { Player, Row, RuleThing, RuleWorld, Thing } from './handles/types.ts'
export { perWorld } from './per-world.ts'
// The same in columns, for loops over thousands.
export { addRow, findRow, type Id } from './table.ts'
export { layerNumbers } from './layers.ts'

// What happened.
export { emit, eventsOf, listEvents } from './events.ts'
export type { EventRecord } from './events.ts'

// Rules for things that meet.
export { collide } from './collide/collide.ts'
export type { Gate, Hit, Rule } from './collide/rule.ts'
export { addCircle, type Boxes, sweepBox } from './collide/boxes.ts'
export { addShape, turnBox } from './collide/shape-boxes.ts'
export { addVolume } from './collide/volume-boxes.ts'
export { type Blocks, defineBlocks, type StaticVolume } from './collide/blocks.ts'
export { defineStatics, type MapPhase, type Statics, type StaticShape } from './collide/statics.ts'
export { type Border, border, type TileGrid, tiles } from './collide/tiles.ts'

// Going back, comparing, asking why.
export { restore, snapshot } from './snapshot.ts'
export { hashWorld } from './hash.ts'
export { advance, createSession, seek, why } from './session/session.ts'
export type { Session } from './session/session.ts'
export { type Scene, runScene } from './session/scene.ts'
export { type Bot, playBots } from './session/bots.ts'
export { syncTest } from './session/sync-test.ts'

// When something is wrong.
export { HurtboxError } from './errors.ts'
