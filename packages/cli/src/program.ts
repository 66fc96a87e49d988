/** The commands and what they take, as commander declares them. */

import { Command, Option } from 'commander'
import { assignment, depthList, idPair, wholeNumber } from './arguments.ts'
import { readVariable } from './balance/plan.ts'
import { addCheck } from './commands/check.ts'
import { deploy } from './commands/deploy.ts'
import { dispute } from './commands/dispute.ts'
import { doctor } from './commands/doctor.ts'
import { engines } from './commands/engines.ts'
import { games } from './commands/games.ts'
import { load } from './commands/load.ts'
import { map } from './commands/map.ts'
import { run } from './commands/run.ts'
import { scenarios } from './commands/scenarios.ts'
import { serve } from './commands/serve.ts'
import { studio } from './commands/studio.ts'
import { synctest } from './commands/synctest.ts'
import { verify } from './commands/verify.ts'
import { why } from './commands/why.ts'
import { addGameCommands, extendRun, type RunExtension } from './game-commands.ts'
import { print, printError } from './output.ts'
import { processCount } from './processes.ts'

const MAX_TICKS = 100_000_000
const MAX_ID = 0xffffffff
const GAME = 'id of a game (see `hurtbox games`), or path of its module; default: the only game of the project'

const EXIT_CODES = `
Exit codes: 0 fine; 1 what was checked is not so, or the game failed; 2 used wrongly (unknown name, bad number, bad file).
HURTBOX_DEBUG=1 shows the stack of an error.`

const SERVE_ENVIRONMENT = `
Environment: HOST, PORT, DATA_DIR, ORIGINS, PROXIES, PUBLIC_ADDRESS, UDP, UDP_PORT, UDP_HOST and UDP_ADDRESSES stand for the options of
these names (several with commas), which go before them. REDIS_URL shares rooms with other processes (redis://host:port). HURTBOX_TOKEN is
the password of /monitor and /metrics; without it there is a new one for each start. ICE_SECRET is shared with TURN servers of --ice.`

const DOCTOR_ENVIRONMENT = `
Environment: this machine is looked at with the variables that \`serve\` reads, REDIS_URL among them, and with the \`.env\` of the project. For an
address HURTBOX_TOKEN is that of its server: with it the number of proxies is compared.`

type SetExitCode = (code: number) => void

/**
 * The program for these arguments, with what the games they concern add to it; `setExitCode` is called with what a command
 * found.
 */
export async function createProgram(
  version: string,
  setExitCode: SetExitCode,
  args: readonly string[],
): Promise<Command> {
  const program = new Command('hurtbox')
    .description('Plays, checks and explains matches of Hurtbox games.')
    .version(version)
    .enablePositionalOptions()
    .addHelpText('after', EXIT_CODES)
    .configureOutput({
      writeOut: (text) => print(text.trimEnd()),
      writeErr: (text) => printError(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, 'hurtbox: ')),
    })
    .exitOverride()

  let added: RunExtension | undefined
  const runCommand = withRunOptions(program.command('run'))
    .argument('[game]', GAME)
    .action(async (game, options) => setExitCode(await run(game, options, added)))
  // Which game it is decides which options there are. Options of a game come after its name.
  if (args[0] === 'run') added = await extendRun(runCommand, gameIn(args.slice(1)))

  // In the order of the list that `hurtbox --help` shows.
  addComparisons(program, setExitCode)
  addQuestions(program, setExitCode)
  addTrials(program, setExitCode)
  addServe(program, setExitCode)
  addDeploy(program, setExitCode)
  addOthers(program, setExitCode)

  const isOurs = program.commands.some((command) => command.name() === args[0])
  if (!isOurs && args[0] !== '--version' && args[0] !== '-V') await addGameCommands(program, setExitCode)
  return program
}

/** Whether a match is what it should be. */
function addComparisons(program: Command, setExitCode: SetExitCode): void {
  program
    .command('verify')
    .description('play a replay again and compare; names the first tick, phase, table, row and column that differ')
    .argument('<file>', 'replay file')
    .option('--game <game>', `${GAME}; default: what the replay says`)
    .addOption(json())
    .addOption(progress())
    .action(async (file, options) => setExitCode(await verify(file, options)))

  withMatchOptions(program.command('synctest'))
    .description('roll back on every tick and compare every byte with the match that never rolled back')
    .argument('[game]', GAME)
    .option('--depth <ticks>', 'how far to roll back: 8, 1,2,8 or 1-64', depthList, [1, 2, 4, 8])
    .option('--ticks <n>', "how long to play (default: the scene's length)", wholeTicks)
    .option('--fresh', 'restore into a new world each time')
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await synctest(game, options)))

  addCheck(program, setExitCode)
}

/** What happened in a match, and why. */
function addQuestions(program: Command, setExitCode: SetExitCode): void {
  withMatchOptions(program.command('why'))
    .description('say which gate or rule decided about two things in one tick, or what each phase did to one')
    .argument(
      '[game or replay]',
      'id of a game, path of its module, or a replay file; default: the only game of the project',
    )
    .requiredOption('--tick <n>', 'the tick, as events name it', wholeNumber(0, MAX_TICKS))
    .requiredOption('--a <id>', 'one thing', wholeNumber(1, MAX_ID))
    .option('--b <id>', 'the other thing; without it: what each phase did to the first', wholeNumber(1, MAX_ID))
    .option('--wall <place>', 'instead of --b: a wall, by its place in the static map', wholeNumber(0, MAX_ID))
    .option('--game <game>', 'for a replay: the game it is of; default: what the replay says')
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await why(game, options)))

  program
    .command('dispute')
    .description(
      'tell what two things did in one tick of a match, what each player saw, why it counted, and what if not',
    )
    .argument('<replay>', 'replay file, or its address on a server (HURTBOX_TOKEN for a match that still runs)')
    .requiredOption('--tick <n>', 'the tick, as events name it', wholeNumber(0, MAX_TICKS))
    .requiredOption('--ask <a,b>', 'the two things, by their ids', idPair)
    .option('--player <seat>', 'a seat whose screen is wanted besides those of the two', wholeNumber(0, 254))
    .option('--track <file>', "the match's track; default: the file beside the replay that ends in .hbt")
    .option('--html <file>', 'write the story with pictures into one file, to be sent or attached')
    .option('--game <game>', `${GAME}; default: what the replay says`)
    .addOption(json())
    .action(async (replay, options) => setExitCode(await dispute(replay, options)))
}

/** Matches that are played to see what comes out. */
function addTrials(program: Command, setExitCode: SetExitCode): void {
  program
    .command('scenarios')
    .description("play the game's scenarios and compare what comes out with what is expected")
    .argument('[game]', GAME)
    .option('--only <name>', 'one scenario')
    .addOption(json())
    .action(async (game, options) => setExitCode(await scenarios(game, options)))

  withMatchOptions(program.command('balance'))
    .description('play many matches of bots over worker threads and show what tuning does to them')
    .argument('[game]', GAME)
    .option('--matches <n>', 'how many in all, shared out evenly', wholeNumber(1, 10_000_000), 200)
    .option('--vary <name=from..to/steps...>', 'tuning to vary; several give all combinations', readVariable)
    .option('--ticks <n>', "when to cut a match off (default: the scene's length)", wholeTicks)
    .option('--workers <n>', 'threads (default: one per core); changes nothing but the time', wholeNumber(1, 256))
    .option('--queue <redis>', 'let `hurtbox worker` processes play them, over the Redis at this address')
    .option('--out <folder>', 'where matches and report go (default: balance/<game>); a stopped run goes on from there')
    .option('--fresh', 'forget the matches that are there')
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => {
      // Threads and queues are loaded by the commands that need them.
      const { balance } = await import('./commands/balance.ts')
      setExitCode(await balance(game, options))
    })

  program
    .command('worker')
    .description('play matches for `hurtbox balance --queue`, on this or another machine, until Ctrl+C')
    .argument('[game]', 'id of a game, or path of its module; default: all games of the project')
    .requiredOption('--queue <redis>', 'the Redis that the matches come from, like redis://127.0.0.1:6379')
    .option('--threads <n>', 'threads (default: one per core)', wholeNumber(1, 256))
    .option(
      '--silent-seconds <n>',
      'how long a worker may be silent before its matches go to another',
      wholeNumber(1, 3600),
      10,
    )
    .addOption(json())
    .action(async (game, options) => {
      const { worker } = await import('./commands/worker.ts')
      setExitCode(await worker(game, options))
    })
}

function addServe(program: Command, setExitCode: SetExitCode): void {
  program
    .command('serve')
    .description('serve games on one port, with limits, monitor, metrics and replays, until Ctrl+C')
    .argument('[game...]', 'ids of games, or paths of their modules; default: all games of the project')
    .option('--port <n>', 'port; 0 takes a free one (default: 2567, or a free one when that is taken)', wholePort)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for the whole network (default: 127.0.0.1)')
    .option('--data-dir <folder>', 'where replays and running matches are kept (default: .cache)')
    .option('--replays <folder>', 'where replays of matches are kept (default: replays in --data-dir)')
    .option('--track', 'keep what clients sent, and when, beside each replay')
    .option(
      '--matches <folder>',
      'where running matches are kept; with REDIS_URL in Redis (default: matches in --data-dir)',
    )
    .option('--no-matches', 'matches end with the process')
    .addOption(
      new Option(
        '--when-store-fails <what>',
        'what a match does while its log cannot be written (default: go-on)',
      ).choices(['go-on', 'freeze']),
    )
    .option(
      '--drain-seconds <n>',
      'how long SIGTERM waits for matches that no other process can go on with (default: 5)',
      wholeNumber(0, 86_400),
    )
    .option(
      '--seat-seconds <n>',
      'how long a seat is kept for a player who is away (default: as the game says, else 60, in private rooms 120)',
      wholeNumber(1, 86_400),
    )
    .option('--origin <origin...>', 'pages besides its own that may talk to the server, like https://play.example.org')
    .option('--proxies <n>', 'how many proxies of yours stand in front (default: 0)', wholeNumber(0, 16))
    .option('--processes <n>', 'processes that share the rooms through REDIS_URL; auto: one per core', processCount)
    .option(
      '--public-address <address>',
      'where clients reach this very process, with REDIS_URL or other addresses outside: play.example.org:2567, https://example.org/game/',
    )
    .option(
      '--udp-port <n>',
      'UDP port for datagrams beside the sockets (default: the number of --port; behind proxies none, but with one of the three below)',
      wholeNumber(1, 65535),
    )
    .addOption(
      new Option(
        '--udp <stack>',
        'whose WebRTC carries datagrams: our own, that of the package node-datachannel, or off (default: own)',
      ).choices(['own', 'native', 'off']),
    )
    .option(
      '--udp-host <address>',
      'address to listen on for datagrams (default: --host; behind proxies all of the machine)',
    )
    .option(
      '--udp-address <host:port...>',
      'where clients find the UDP port when that is not where it listens: mapped ports, clouds',
    )
    .option(
      '--ice <server...>',
      'ICE servers for datagrams, like stun:stun.example.org:3478, turn:turn.example.org:3478 (default: none)',
    )
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent (default: info; on a terminal warn)')
    .option('--load-test', 'no limits for one address; only on a loopback address')
    .option(
      '--page <folder>',
      'the built page of the game (default: the studio if it is installed, else a list of rooms)',
    )
    .option(
      '--policy <directive...>',
      'what the page may load or be framed by besides its own, like "frame-ancestors https://portal.example"',
    )
    .option('--no-studio', 'a list of rooms in place of the studio')
    .addHelpText('after', SERVE_ENVIRONMENT)
    .action(async (games, options) => setExitCode(await serve(games, options)))
}

function addDoctor(program: Command, setExitCode: SetExitCode): void {
  program
    .command('doctor')
    .description('say what keeps players from a server, on this machine or on the way to it, and what to do')
    .argument('[address]', 'what players type, https://play.example.org/game/; without it this machine is looked at')
    .option('--host <address>', 'of this machine: as `serve` would have them; also by HOST, PORT, PROXIES, DATA_DIR, …')
    .option('--port <n>', 'TCP port of the server', wholePort)
    .option('--udp-port <n>', 'UDP port of the server', wholeNumber(1, 65535))
    .option('--proxies <n>', 'how many proxies of yours stand in front', wholeNumber(0, 16))
    .option('--data-dir <folder>', 'where replays and running matches are kept')
    .option(
      '--game <game>',
      'of an address: id of a game, or path of its module (default: the first that the project serves)',
    )
    .option('--player-token <token>', 'of an address: whose seat to take, where players have accounts')
    .addOption(json())
    .addOption(progress())
    .addHelpText('after', DOCTOR_ENVIRONMENT)
    .action(async (address, options) => setExitCode(await doctor(address, options)))
}

function addDeploy(program: Command, setExitCode: SetExitCode): void {
  program
    .command('deploy')
    .description('write the files that put the project online at a place, and say what to type next')
    .argument('<place>', 'fly, systemd or kubernetes; for Docker the project has a compose.yaml already')
    .option('--domain <name>', 'the name that players type, like play.example.org (default for fly: <name>.fly.dev)')
    .option('--image <name>', 'what the image is called in a registry, like registry.example.org/my-game:1')
    .option('--force', 'replace files that are there with other text')
    .action((place, options) => setExitCode(deploy(place, options)))
}

/** A server tried out, the studio, other runtimes, and what there is to play. */
function addOthers(program: Command, setExitCode: SetExitCode): void {
  addDoctor(program, setExitCode)
  program
    .command('load')
    .description('play many matches at once against a server and measure it')
    .argument('[game]', 'id of a game, or path of its module; default: the first of the project that is served')
    .option('--rooms <n>', 'how many rooms', wholeNumber(1, 500), 4)
    .option(
      '--clients <n>',
      'how many clients in each (default: 8, or as many as a room has seats)',
      wholeNumber(1, 64),
    )
    .option('--seconds <n>', 'for how long', wholeNumber(1, 3600), 10)
    .addOption(new Option('--mode <mode>', "how clients follow (default: the game's)").choices(['terminal', 'mirror']))
    .option(
      '--url <url>',
      'a server with the same HURTBOX_TOKEN; on a loopback address with --load-test (default: start one)',
    )
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await load(game, options)))

  program
    .command('studio')
    .description('open games in the studio, reloading on every edit of their rules, until Ctrl+C')
    .argument('[game...]', 'paths of their modules, or ids of games; default: all games of the project')
    .option('--port <n>', 'port; 0 takes a free one (default: 5180, or the next that is free)', wholePort)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--server <url>', 'a server of yours, whose rooms the page offers: http://127.0.0.1:2567')
    .option('--config <file>', 'Vite configuration of the project (default: vite.config.* beside package.json)')
    .action(async (games, options) => setExitCode(await studio(games, options)))

  program
    .command('engines')
    .description('play the probes of games in every JavaScript runtime there is and compare every tick')
    .argument('[game...]', 'ids of games, or paths of their modules; default: all games of the project')
    .option('--min <n>', 'fail when fewer runtimes than this played, this one included', wholeNumber(1, 32), 2)
    .addOption(json())
    .addOption(progress())
    .action(async (games, options) => setExitCode(await engines(games, options)))

  program
    .command('map')
    .description('turn a level drawn in Tiled into a module of the game')
    .argument('<file>', 'the level, saved by Tiled as JSON (.tmj)')
    .option('--out <file>', 'the module (default: beside the level, with .ts)')
    .addOption(json())
    .action(async (file, options) => setExitCode(await map(file, options)))

  program
    .command('games')
    .description('list games with their scenes, options and tuning')
    .argument('[game]', 'id of a game, or path of its module; default: all games of the project')
    .option('--layers', 'also print which layers meet')
    .addOption(json())
    .action(async (game, options) => setExitCode(await games(game, options)))
}

/** The game among the arguments of `run`. */
function gameIn(args: readonly string[]): string | undefined {
  const reader = withRunOptions(new Command('run'))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  try {
    return reader.parseOptions([...args]).operands[0]
  } catch {
    // A bad value of an option: the program itself tells.
    return undefined
  }
}

const wholePort = wholeNumber(0, 65535)
const wholeTicks = wholeNumber(1, MAX_TICKS)

function withRunOptions(command: Command): Command {
  return withMatchOptions(command)
    .description('play a scene and say what came out')
    .option('--ticks <n>', "how long to play (default: the scene's length, or until the match is over)", wholeTicks)
    .option('--events', 'print every event')
    .option('--hash-every <n>', 'print the hash of the state every n ticks, and keep it in the replay', wholeTicks)
    .option('--replay <file>', 'save the match as a replay')
    .option('--keyframe-every <n>', 'keep the whole state in the replay every n ticks', wholeNumber(0, 1 << 20))
    .addOption(json())
    .addOption(progress())
}

/** How a match is set up; the same for every command that plays one. */
function withMatchOptions(command: Command): Command {
  return command
    .option('--scene <name>', "scene to play (default: the game's first)")
    .option('--seed <n>', "seed of the match (default: the scene's)", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option(
      '--bots <n>',
      "put n of the game's bots on free seats (default: those of its seating, where the scene has no players)",
      wholeNumber(0, 255),
    )
    .option('--tune <name=value...>', 'change tuning values, in their unit', assignment)
    .option('--option <name=value...>', "change the match's options", assignment)
}

function json(): Option {
  return new Option('--json', 'one JSON object per line, nothing else on stdout')
}

function progress(): Option {
  return new Option('--progress', 'show progress on stderr even when it is no terminal')
}
