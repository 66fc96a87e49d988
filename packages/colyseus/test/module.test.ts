/** The room of a game is run as the module of the game says. */

import { createHost, stepHost } from '@hurtbox/netcode/host'
import type { Bot } from 'hurtbox'
import { defineModule, readModule } from 'hurtbox/module'
import { expect, test } from 'vitest'
import { type declaration, tag } from '../../netcode/test/support.ts'
import { roomConfigOf } from '../src/room/config.ts'
import { readRoster, showRoster } from '../src/room/roster.ts'
import { MatchState } from '../src/room/state.ts'

const walker = (name: string, moveX: number): Bot<typeof declaration> => ({
  name,
  about: 'walks one way',
  think: () => ({ moveX }),
})

const module = readModule(
  {
    default: defineModule({
      game: tag,
      bots: [walker('left', -1), walker('right', 1)],
      seating: { seats: 3, teamOf: (seat) => seat + 1, botOf: (seat) => (seat === 1 ? 'left' : 'right') },
      room: {
        hide: ['things.hp'],
        show: ['globals.round'],
        derive: ['run'],
        modes: ['terminal'],
        entropyEvery: 4,
        spectators: 3,
      },
      meaning: { score: ({ presses, seat }, world) => presses + 10 * seat + world.tick },
    }),
  },
  'tag',
)

test('[RM31] seats, teams, bots, modes and what terminals are sent come from the module', () => {
  const config = roomConfigOf(module)
  expect(config).toMatchObject({
    fill: 3,
    modes: ['terminal'],
    entropyEvery: 4,
    spectators: 3,
    terminal: { hide: ['things.hp'], show: ['globals.round'], derive: ['run'] },
  })
  expect(roomConfigOf(readModule({ default: { game: tag } }, 'tag'))).not.toHaveProperty('terminal')

  const { game, bots = [], fill = 0, teamOf, botOf } = config
  const host = createHost(game, { seed: 1, bots, fill, teamOf: teamOf!, botOf: botOf!, replay: false })
  expect(host.controls).toEqual([0, 1, 2].map((seat) => ({ control: 'join', seat, team: seat + 1 })))
  for (let tick = 0; tick < 3; tick++) stepHost(host)
  const { players } = host.world.tables
  expect(players.count).toBe(3)
  expect([...players.moveX.subarray(0, 3)]).toEqual([1, -1, 1])
})

test('[RM31] the roster shows the score that the game counts, and none where it counts none', () => {
  const { game, bots = [], fill = 0, scoreOf } = roomConfigOf(module)
  const host = createHost(game, { seed: 1, bots, fill, replay: false })
  for (let tick = 0; tick < 2; tick++) stepHost(host)
  host.world.tables.players.score[0] = 99
  const scores = (of?: typeof scoreOf) => {
    const state = new MatchState()
    showRoster(state, readRoster(host, [], of))
    return [...state.roster.values()].map(({ score }) => score)
  }
  expect(scores(scoreOf)).toEqual([2, 12, 22])
  expect(scores()).toEqual([0, 0, 0])
})
