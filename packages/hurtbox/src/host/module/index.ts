/**
 * The module of a game, as hosts load it: command line, server, studio, engine matrix.
 *
 * @module hurtbox/module
 */

export type { EventMeaning, SoundName } from '../picture/event-meaning.ts'
export type {
  CommandOption,
  CommandOutput,
  GameCommand,
  GameCommands,
  GivenOptions,
  RunChoice,
  RunCommand,
  RunRequest,
} from './commands.ts'
export {
  combatMeaning,
  defineModule,
  type FrameData,
  type FramePhase,
  type GameModule,
  kindsThatAre,
  type LoadedModule,
  type Meaning,
  meaningOfEvent,
  nameOfThing,
  type RoomMode,
  type RoomSettings,
  readModule,
  type Scenario,
  type Seating,
  scoreOf,
} from './module.ts'
