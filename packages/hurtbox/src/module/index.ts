/**
 * The module of a game, as hosts load it: command line, server, studio, engine matrix.
 *
 * @module hurtbox/module
 */

export {
  defineModule,
  type EventMeaning,
  type FrameData,
  type FramePhase,
  type GameModule,
  kindsThatAre,
  type LoadedModule,
  type Meaning,
  nameOfThing,
  type RoomMode,
  type RoomSettings,
  readModule,
  type Scenario,
  type Seating,
  type SoundName,
  scoreOf,
} from './module.ts'
