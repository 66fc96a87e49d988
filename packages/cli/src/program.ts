/** The commands and what they take, as commander declares them. */

import { Command, Option } from 'commander'
import { assignment, depthList, wholeNumber } from './arguments.ts'
import { readVariable } from './balance/plan.ts'
import { balance } from './commands/balance.ts'
import { compare } from './commands/compare.ts'
import { engines } from './commands/engines.ts'
import { games } from './commands/games.ts'
import { load } from './commands/load.ts'
import { serve } from './commands/serve.ts'
import { synctest } from './commands/synctest.ts'
import { verify } from './commands/verify.ts'
import { why } from './commands/why.ts'
import { print, printError } from './output.ts'
import { runWithTeams, TEAM_ABOUT, TEAM_GAME, wholeTurns, withTeamOptions } from './teams.ts'

const MAX_TICKS = 100_000_000
const MAX_ID = 0xffffffff
const GAME = 'id of a game (see `hurtbox games`), or path of a module that exports `game`'

const EXIT_CODES = `
Exit codes: 0 fine; 1 what was checked is not so, or the game failed; 2 used wrongly (unknown name, bad number, bad file).
HURTBOX_DEBUG=1 shows where an error came from.`

const SERVE_ENVIRONMENT = `
REDIS_URL shares rooms with other processes (redis://host:port). HURTBOX_TOKEN is the password of /monitor and /metrics;
without it there is a new one for each start.`

/** The program; `setExitCode` is called with the exit code of a command. */
export function createProgram(version: string, setExitCode: (code: number) => void): Command {
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

  withTeamOptions(withMatchOptions(program.command('run')))
    .description('play a scene and print the result')
    .argument('<game>', GAME)
    .option('--ticks <n>', "how long to play (default: the scene's length, or until the match is over)", wholeTicks)
    .option('--events', 'print every event')
    .option('--hash-every <n>', 'print the hash of the state every n ticks, and keep it in the replay', wholeTicks)
    .option('--replay <file>', 'save the match as a replay')
    .option('--keyframe-every <n>', 'keep the whole state in the replay every n ticks', wholeNumber(0, 1 << 20))
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await runWithTeams(game, options)))

  program
    .command('verify')
    .description('play a replay again and compare; names the first tick, table, row and column that differ')
    .argument('<file>', 'replay file')
    .option('--game <game>', `${GAME}; default: what the replay says`)
    .addOption(json())
    .addOption(progress())
    .action(async (file, options) => setExitCode(await verify(file, options)))

  withMatchOptions(program.command('synctest'))
    .description('roll back on every tick and compare every byte with the match that never rolled back')
    .argument('<game>', GAME)
    .option('--depth <ticks>', 'how far to roll back: 8, 1,2,8 or 1-64', depthList, [1, 2, 4, 8])
    .option('--ticks <n>', "how long to play (default: the scene's length)", wholeTicks)
    .option('--fresh', 'restore into a new world each time')
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await synctest(game, options)))

  withMatchOptions(program.command('why'))
    .description('print which gate or rule decided about two things in one tick')
    .argument('<game or replay>', `${GAME}, or a replay file`)
    .requiredOption('--tick <n>', 'the tick, as events name it', wholeNumber(0, MAX_TICKS))
    .requiredOption('--a <id>', 'one thing', wholeNumber(1, MAX_ID))
    .requiredOption('--b <id>', 'the other thing', wholeNumber(1, MAX_ID))
    .option('--game <game>', 'for a replay: the game it is of; default: what the replay says')
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await why(game, options)))

  program
    .command('compare')
    .description(`play ${TEAM_GAME} in its new and its legacy collision engine and count (the document's table)`)
    .option('--scenario <file...>', 'order files instead of the five of the document; 20 turns each')
    .option('--team1 <team>', `${TEAM_ABOUT} (default: idle)`)
    .option('--team2 <team>', 'without --scenario: team against team, 300 turns')
    .option('--seed <n>', 'seed of the matches', wholeNumber(0, Number.MAX_SAFE_INTEGER), 42)
    .option('--turns <n>', 'how long to play', wholeTurns)
    .option('--preset <name>', 'document or original')
    .addOption(json())
    .action(async (options) => setExitCode(await compare(options)))

  withMatchOptions(program.command('balance'))
    .description('play many matches of bots over worker threads and show what tuning does to them')
    .argument('<game>', GAME)
    .option('--matches <n>', 'how many in all, shared out evenly', wholeNumber(1, 10_000_000), 200)
    .option('--vary <name=from..to/steps...>', 'tuning to vary; several give all combinations', readVariable)
    .option('--ticks <n>', "when to cut a match off (default: the scene's length)", wholeTicks)
    .option('--workers <n>', 'threads (default: one per core); changes nothing but the time', wholeNumber(1, 256))
    .option('--out <folder>', 'where matches and report go (default: balance/<game>); a stopped run goes on from there')
    .option('--fresh', 'forget the matches that are there')
    .addOption(json())
    .addOption(progress())
    .action(async (game, options) => setExitCode(await balance(game, options)))

  program
    .command('serve')
    .description('serve all games and the studio on one port, until Ctrl+C (in the repository)')
    .option('--port <n>', 'port; 0 takes a free one (default: 2567, or a free one when that is taken)', wholePort)
    .option('--host <address>', 'address to listen on; 0.0.0.0 for the whole network (default: 127.0.0.1)')
    .option('--replays <folder>', 'where replays of matches are kept (default: .cache/replays)')
    .option('--origin <origin...>', 'pages elsewhere that may talk to the server, like https://play.example.org')
    .option('--proxies <n>', 'how many proxies of yours stand in front (default: 0)', wholeNumber(0, 16))
    .option('--public-address <host:port>', 'with REDIS_URL: where clients reach this very process')
    .option('--log-level <level>', 'trace, debug, info, warn, error or silent (default: info; on a terminal warn)')
    .option('--load-test', 'no limits for one address; only on a loopback address')
    .option('--no-studio', 'games without the page')
    .addHelpText('after', SERVE_ENVIRONMENT)
    .action(async (options) => setExitCode(await serve(options)))

  program
    .command('load')
    .description('play many matches at once against a server on this machine and measure it (in the repository)')
    .option('--rooms <n>', 'how many rooms', wholeNumber(1, 500), 4)
    .option('--clients <n>', 'how many clients in each', wholeNumber(1, 64), 8)
    .option('--seconds <n>', 'for how long', wholeNumber(1, 3600), 10)
    .option('--game <game>', 'id of a game', 'jet-raiders')
    .addOption(new Option('--mode <mode>', "how clients follow (default: the game's)").choices(['terminal', 'mirror']))
    .option('--url <url>', 'a server on a loopback address, started with --load-test (default: start one)')
    .addOption(json())
    .addOption(progress())
    .action(async (options) => setExitCode(await load(options)))

  program
    .command('engines')
    .description('run every scene in every JavaScript engine there is and compare (in the repository)')
    .argument('[arguments...]', 'passed on; `hurtbox engines --help` lists them')
    .helpOption(false)
    .allowUnknownOption()
    .passThroughOptions()
    .action(async (args) => setExitCode(await engines(args)))

  program
    .command('games')
    .description('list games with their scenes, options and tuning')
    .argument('[game]', GAME)
    .option('--layers', 'also print which layers meet')
    .addOption(json())
    .action(async (game, options) => setExitCode(await games(game, options)))

  return program
}

const wholePort = wholeNumber(0, 65535)
const wholeTicks = wholeNumber(1, MAX_TICKS)

/** How a match is set up; the same for every command that plays one. */
function withMatchOptions(command: Command): Command {
  return command
    .option('--scene <name>', "scene to play (default: the game's first)")
    .option('--seed <n>', "seed of the match (default: the scene's)", wholeNumber(0, Number.MAX_SAFE_INTEGER))
    .option('--bots <n>', "put n of the game's bots on free seats", wholeNumber(0, 255))
    .option('--tune <name=value...>', 'change tuning values, in their unit', assignment)
    .option('--option <name=value...>', "change the match's options", assignment)
}

function json(): Option {
  return new Option('--json', 'one JSON object per line, nothing else on stdout')
}

function progress(): Option {
  return new Option('--progress', 'show progress on stderr even when it is no terminal')
}
