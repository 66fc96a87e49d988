/**
 * The module of a game: one value that says everything a host needs.
 *
 * The command line, the server, the studio and the engine matrix all load games by this contract and know nothing else of
 * them: no host guesses what an event means by its name, or who plays an empty seat. Everything but the game itself may be
 * left out. What only Node or only a browser can load stands behind a function.
 */

import { HurtboxError, requireFields, requireInteger, unknownName } from '../../base/errors.ts'
import type { AnyBot, Bot } from '../../record/session/bots.ts'
import type { Scene } from '../../record/session/scene.ts'
import type { Capacity } from '../../world/capacity.ts'
import type { EventKind } from '../../world/events.ts'
import type {
  AnyDeclaration,
  AnyGame,
  ColumnsOf,
  Declaration,
  Game,
  IsAny,
  JoinData,
  TableNames,
} from '../../world/game.ts'
import type { Player, Thing } from '../../world/handles/types.ts'
import type { AnyWorld, World } from '../../world/world.ts'
import type { EventMeaning } from '../picture/event-meaning.ts'
import type { GameCommands } from './commands.ts'

export type GameModule<D extends Declaration = AnyDeclaration> = {
  readonly game: Game<D>
  /** For people: `Slime Pit`. Default: the id of the game. */
  readonly title?: string
  /** One sentence for a card: what the game is. */
  readonly about?: string
  /** One sentence for a player: what to do to win. */
  readonly goal?: string
  /** Reproducible starts; the first is the match. Default: the game as it starts. */
  readonly scenes?: readonly Scene[]
  /**
   * Short scenes that every JavaScript engine must play to the same hash, for the engine matrix. Default: the scenes of the
   * game, each cut after 300 ticks.
   */
  readonly probes?: readonly Scene[]
  /** Small scenes with an expected outcome, for `hurtbox scenarios`. */
  readonly scenarios?: readonly Scenario<D>[]
  /** Players made of code, the one to meet first in front. */
  readonly bots?: readonly Bot<D>[]
  /** How a match is filled when nobody else comes. */
  readonly seating?: Seating
  /** How a room of it is run; `false` for a game that servers leave out, such as one for tests. */
  readonly room?: RoomSettings<D> | false
  /** What its numbers mean to people. */
  readonly meaning?: Meaning<D>
  /** What it adds to `npx hurtbox`: `() => import('./commands.ts')`, which default-exports `GameCommands`. Node only. */
  readonly commands?: () => Promise<{ readonly default: GameCommands }>
  /** How it is drawn and played by hand: `() => import('./view/index.ts')`, which exports `view`, a `View` of `@hurtbox/view`. Browser only. */
  readonly view?: () => Promise<{ readonly view: object }>
}

/** Who plays the seats that no person has taken: the same offline, in a room and on the command line. */
export type Seating = {
  /** How many seats a match has unless somebody asks for another number. Default: four, as far as the game allows. */
  readonly seats?: number
  /** The team of a seat. Default: none. */
  teamOf?(seat: number): number
  /** The name of the bot that plays a seat. Default: the bots take turns. */
  botOf?(seat: number): string
}

/** How clients follow a match: `mirror` steps it too and predicts, `terminal` is shown what its player may know. */
export type RoomMode = 'mirror' | 'terminal'

export type RoomSettings<D extends Declaration = AnyDeclaration> = {
  /** How many seats are taken at all times, by bots until players come. Default: the seats of `seating`, 0 without bots. */
  readonly fill?: number
  /** Ways to follow, the default first. Default: mirrors, and terminals where `visible` hides something. */
  readonly modes?: readonly RoomMode[]
  /** Columns and tables that terminals are never sent: `things.goalX`. */
  readonly hide?: readonly StateName<D>[]
  /** What terminals of a game with fog are sent besides things and players: `globals.wave`, `players.kills`, `marks`. */
  readonly show?: readonly StateName<D>[]
  /** Names of phases that terminals run themselves, to derive what need not travel. */
  readonly derive?: readonly string[]
  /**
   * Ticks between two draws of fresh bits for `world.entropy`, so that no client can know a roll before it is made. Default: none are
   * drawn, and the bits follow from the seed.
   */
  readonly entropyEvery?: number
  /**
   * What happens to a player who is away, whose tab is hidden or whose connection is lost: it stands idle, a bot plays for it, or it leaves
   * the match after 5 s and joins again when it is back. Its seat is kept in any case. Default 'idle'.
   */
  readonly whenAway?: 'idle' | 'bot' | 'leave'
  /** How long its seat is kept, seconds. Default 60, in private rooms and those for one player 120. */
  readonly seatSeconds?: number
  /** How many may watch a match. Default 16. */
  readonly spectators?: number
  /** Space for less than the game declares for its largest scene: what a room costs in memory. See `withCapacity` of `hurtbox/tools`. */
  readonly capacity?: Capacity
  /** Refuses what a player brings along, with a sentence. The fields of the declared `join` are checked already. */
  checkJoinData?(data: JoinData<D>, game: Game<D>): string | undefined
}

/** A table, a column of one, or a global: `marks`, `things.goalX`, `globals.wave`. */
type StateName<D extends Declaration> =
  IsAny<D> extends true
    ? string
    :
        | TableNames<D>
        | { [T in TableNames<D>]: `${T}.${keyof ColumnsOf<D, T> & string}` }[TableNames<D>]
        | `globals.${keyof D['globals'] & string}`

/** What the numbers of a game mean to people. */
export type Meaning<D extends Declaration = AnyDeclaration> = {
  /** The score of a player, for rosters and tables. */
  score?(player: Player<D>, world: World<D>): number
  /** What a thing is called: `bullet of Ada`. `playerName` gives the name of the player in a seat. */
  nameOf?(thing: Thing<D>, world: World<D>, playerName: (seat: number) => string): string
  /** What each kind of event is to people; kinds that are left out are not shown. */
  readonly events?: { readonly [K in EventKind<D>]?: EventMeaning<D, K> }
  /** Columns of the table at the end of a match: `{ kills: 3, deaths: 1 }`. Default: the score. */
  figures?(player: Player<D>, world: World<D>): Readonly<Record<string, number | string>>
  /** When a player who is out comes back, as a tick of the clock; 0 or a tick that has passed while it plays. */
  returnsAt?(player: Player<D>, world: World<D>): number
  /** The seats that have won, once the match is over; none in a draw. */
  winners?(world: World<D>): readonly number[]
  /** Tuning that does nothing while an option is off: `{ rammingDamage: 'ramming' }`. */
  readonly needs?: { readonly [K in keyof D['tuning'] & string]?: keyof D['options'] & string }
  /** How the match ended, as a headline. Default: the name of the winner and "wins". */
  ending?(world: World<D>): string
  /** Which part of an attack a player is in, for frame meters. */
  phaseOf?(player: Player<D>, world: World<D>): FramePhase
  /** What a player is doing, by the name of the move: `punch 2`; '' for nothing. For frame meters. */
  moveOf?(player: Player<D>, world: World<D>): string
  /** The moves of the game as a table, for frame data. */
  frameData?(): readonly FrameData[]
}

/** In the words of fighting games; `stun` is loss of control by a hit or a block. */
export type FramePhase = 'idle' | 'startup' | 'active' | 'recovery' | 'stun' | 'invulnerable'

/** One move, in ticks. */
export type FrameData = {
  readonly move: string
  readonly startup: number
  readonly active: number
  readonly recovery: number
  readonly onHit?: number
  readonly onBlock?: number
  readonly [column: string]: string | number | undefined
}

/** A small scene with an expected outcome. */
export type Scenario<D extends Declaration = AnyDeclaration> = {
  readonly name: string
  /** Where it is asked for: a section of a document, an issue. */
  readonly source: string
  readonly expected: string
  /** Plays it and says what came out, in the words of `expected`. */
  play(game: Game<D>): string
}

/** A module with everything filled in: what hosts work with. */
export type LoadedModule = {
  readonly id: string
  readonly game: AnyGame
  readonly title: string
  readonly about: string
  readonly goal: string
  readonly scenes: readonly Scene[]
  readonly probes: readonly Scene[]
  readonly scenarios: readonly Scenario[]
  readonly bots: readonly AnyBot[]
  readonly seats: number
  teamOf(seat: number): number
  /** The bot of a seat; `undefined` in a game without bots. */
  botOf(seat: number): AnyBot | undefined
  /** `undefined` for a game that is not served. */
  readonly room: (RoomSettings & { readonly fill: number }) | undefined
  readonly meaning: Meaning
  readonly commands: GameModule['commands']
  readonly view: GameModule['view']
}

/** Gives the module of a game its types: `export default defineModule({ game, bots, scenes, … })`. */
export function defineModule<D extends Declaration>(module: GameModule<D>): GameModule<D> {
  requireFields(module, 'the module of a game', FIELDS)
  return module
}

const FIELDS: readonly (keyof GameModule)[] = [
  'game',
  'title',
  'about',
  'goal',
  'scenes',
  'probes',
  'scenarios',
  'bots',
  'seating',
  'room',
  'meaning',
  'commands',
  'view',
]

/** In a match that says nothing of seats: enough for two sides. */
const DEFAULT_SEATS = 4
const PROBE_TICKS = 300

/**
 * What a file exports, as a module with everything filled in. Takes `export default defineModule(…)`; throws a sentence when
 * that is not what the file has. `name` is how people call the file.
 */
export function readModule(exported: { readonly default?: unknown }, name: string): LoadedModule {
  const module = exported?.default as GameModule | undefined
  if (!isGame(module?.game)) {
    throw new HurtboxError(
      'bad-argument',
      `${name} is not the module of a game. It must say: export default defineModule({ game, … })`,
    )
  }
  requireFields(module!, `the module ${name}`, FIELDS)
  for (const field of ['scenes', 'probes', 'scenarios', 'bots'] as const) {
    if (module![field] !== undefined && !Array.isArray(module![field])) {
      throw new HurtboxError('bad-argument', `${field} of the module ${name} must be an array.`)
    }
  }
  const { game, bots = [], seating = {}, room = {} } = module!
  const { id } = game.declaration
  const own = (module!.scenes ?? []).filter((scene) => scene.game === game)
  const scenes = own.length > 0 ? own : [bareScene(game)]
  const seats = seatsOf(game, seating, name)
  return {
    id,
    game,
    title: module!.title ?? id,
    about: module!.about ?? '',
    goal: module!.goal ?? '',
    scenes,
    probes: module!.probes ?? scenes.map((scene) => ({ ...scene, ticks: Math.min(scene.ticks, PROBE_TICKS) })),
    scenarios: module!.scenarios ?? [],
    bots,
    seats,
    teamOf: (seat) => seating.teamOf?.(seat) ?? 0,
    botOf: (seat) => {
      const wanted = seating.botOf?.(seat)
      if (wanted === undefined) return bots[seat % Math.max(1, bots.length)]
      const bot = bots.find((each) => each.name === wanted)
      if (bot !== undefined) return bot
      throw unknownName(
        `bot of ${id}`,
        wanted,
        bots.map((each) => each.name),
      )
    },
    room: room === false ? undefined : { ...room, fill: room.fill ?? (bots.length === 0 ? 0 : seats) },
    meaning: module!.meaning ?? {},
    commands: module!.commands,
    view: module!.view,
  }
}

function seatsOf(game: AnyGame, { seats }: Seating, name: string): number {
  const { min, max } = game.declaration.seats
  if (seats === undefined) return Math.max(min, Math.min(max, DEFAULT_SEATS))
  return requireInteger(seats, `seats of the seating in ${name}`, min, max)
}

/** A game without scenes still has a start: ten seconds of it. */
function bareScene(game: AnyGame): Scene {
  const ticks = Math.ceil(10 * game.declaration.tickRate)
  return { name: 'bare', about: 'the game as it starts, ten seconds', game, seed: 1, ticks }
}

function isGame(value: unknown): value is AnyGame {
  return typeof value === 'object' && value !== null && 'declaration' in value && 'behaviour' in value
}

/** The score of a player by the game's own count; `undefined` where it keeps none. */
export function scoreOf(
  { meaning }: Pick<LoadedModule, 'meaning'>,
  player: Player<AnyDeclaration>,
  world: AnyWorld,
): number | undefined {
  return meaning.score?.(player, world as never)
}

/** What a kind of event is to people; `undefined` for kinds that the game leaves out. */
export function meaningOfEvent(
  { meaning }: Pick<LoadedModule, 'meaning'>,
  kind: string,
): EventMeaning<AnyDeclaration, string> | undefined {
  return (meaning.events as Readonly<Record<string, EventMeaning<AnyDeclaration, string>>> | undefined)?.[kind]
}

/** The kinds of events that are a certain thing to people: hits, kills, the end. */
export function kindsThatAre(
  { meaning }: Pick<LoadedModule, 'meaning'>,
  what: EventMeaning<AnyDeclaration, string>['is'],
): readonly string[] {
  const events = (meaning.events ?? {}) as Readonly<Record<string, EventMeaning<AnyDeclaration, string>>>
  return Object.keys(events).filter((kind) => events[kind]?.is === what)
}

/** What the events of `hurtbox/combat` mean, to be spread into `meaning.events` of a game that has them. */
export const combatMeaning: {
  readonly damage: EventMeaning<AnyDeclaration, string>
  readonly kill: EventMeaning<AnyDeclaration, string>
} = {
  damage: {
    is: 'hit',
    show: 'taken-back',
    sound: 'hit',
    sentence: ({ victim, attacker, taken, hpAfter }, name) =>
      `${attacker === 0 ? 'something' : name(attacker)} hurts ${name(victim)} for ${short(taken)}, ${short(hpAfter)} left`,
  },
  kill: {
    is: 'kill',
    sound: 'death',
    sentence: ({ victim, attacker }, name) =>
      attacker === 0 ? `${name(victim)} dies` : `${name(attacker)} kills ${name(victim)}`,
  },
}

function short(value: number): string {
  return String(Math.round(value * 100) / 100)
}

/** What a thing is called in this match. */
export function nameOfThing(
  { meaning }: Pick<LoadedModule, 'meaning'>,
  world: AnyWorld,
  thing: Thing<AnyDeclaration>,
  playerName: (seat: number) => string = (seat) => `P${seat + 1}`,
): string {
  return meaning.nameOf?.(thing, world as never, playerName) ?? `${thing.layer} ${thing.id}`
}
