/** A game as a user writes one, in a folder of its own, for the tests of the commands: made before the tests of a file, removed after them. */

import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { hurtbox, REPOSITORY } from './command.ts'

export const GAME = `
import { axis, collide, createWorld, declareGame, defineGame, players, rememberHits, spawn, step, tune } from 'hurtbox'
import { defineCombat, hurt } from 'hurtbox/combat'
import { combatMeaning, defineModule } from 'hurtbox/module'

const combat = defineCombat({ damageTypes: ['bump'] })
const declaration = declareGame({
  id: 'bumper',
  tickRate: 30,
  seats: { min: 1, max: 6 },
  layers: { car: ['car'] },
  things: combat.columns,
  players: { bumps: 'u32' },
  hits: rememberHits(64),
  input: { moveX: axis() },
  events: combat.events,
  tuning: { damage: tune(10, { unit: 'hp', min: 1, max: 50 }) },
})

const hits = collide(declaration, {
  'car bumps car': {
    between: ['car', 'car'],
    gates: ['team', 'dead'],
    once: 10,
    decide(first, second, { world }) {
      hurt(second, world.tuning.damage, first, combat.type.bump)
    },
  },
})

const game = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'car', { x: player.seat * 10, radius: 6, hp: 50, maxHp: 50, team: player.team })
  },
  phases: {
    drive(world) {
      for (const player of players(world)) if (player.thing !== undefined) player.thing.x += player.moveX * 0.1
    },
    hits,
  },
  result: (world) => {
    const alive = Array.from(players(world)).filter(({ thing }) => thing !== undefined && thing.hp > 0)
    return alive.length === 1 && world.tick > 1 ? { over: true, winner: \`seat \${alive[0].seat}\` } : { over: false }
  },
  stats: (world) => ({
    players: world.tables.players.count,
    teams: Array.from(players(world)).reduce((sum, { team }) => sum + team, 0),
  }),
})

const bot = (name, moveX) => ({ name, about: 'drives one way', think: () => ({ moveX }) })

const bumpOnce = {
  name: 'one bump',
  source: 'rules of the fair, 2',
  play(game) {
    const world = createWorld(game)
    step(world, { controls: [1, 2].map((team) => ({ control: 'join', seat: team - 1, team })) })
    step(world)
    return Array.from(players(world), ({ thing }) => thing.hp).join(' : ')
  },
}

export default defineModule({
  game,
  title: 'Bumper',
  goal: 'Be the last car that drives.',
  bots: [bot('left', -1), bot('right', 1)],
  seating: { seats: 2, teamOf: (seat) => seat + 1, botOf: (seat) => (seat === 0 ? 'right' : 'left') },
  scenarios: [
    { ...bumpOnce, expected: '50 : 40' },
    ...(process.env.WRONG ? [{ ...bumpOnce, name: 'two bumps', expected: '50 : 30' }] : []),
  ],
  meaning: { score: ({ bumps }) => bumps, events: combatMeaning },
  commands: () => import('./commands.js'),
})
`

const COMMANDS = `
export default {
  run: {
    options: [
      { flags: '--laps <n>', about: 'how long', read: (text) => { if (text !== '1') throw new Error('It must be 1.'); return 1 } },
      { flags: '--log', about: 'say where cars are' },
    ],
    choose: ({ given, scene }) =>
      Object.keys(given).length === 0
        ? undefined
        : {
            scene: { ...scene, ticks: given.laps === undefined ? 3 : given.laps },
            ...(given.log && { log: (world) => ['cars: ' + world.tables.things.count] }),
          },
  },
  commands: [
    {
      name: 'tracks',
      about: 'list the tracks',
      options: [{ flags: '--long', about: 'with their lengths' }],
      run: (given, { printTable, warn }) => {
        warn('one track only')
        printTable([['ring', ...(given.long ? ['400 m'] : [])]])
        return 3
      },
    },
    { name: 'games', about: 'a name that is taken', run: () => 0 },
  ],
}
`

export let folder = ''
export const run = (...args: string[]) => hurtbox(args, { cwd: folder })

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hurtbox-sixth-'))
  mkdirSync(join(folder, 'game'))
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'fair', type: 'module', hurtbox: { games: ['game/index.js'] } }),
  )
  writeFileSync(join(folder, 'game/index.js'), GAME)
  writeFileSync(join(folder, 'game/commands.js'), COMMANDS)
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(join(REPOSITORY, 'packages/hurtbox'), join(folder, 'node_modules/hurtbox'))
})
afterAll(() => rmSync(folder, { recursive: true }))
