import { describe, expect, test } from 'vitest'
import { type Bot, createWorld, declareGame, defineGame, each, players, spawn, step } from '../../index.ts'
import type { AnyWorld } from '../tools/index.ts'
import { combatMeaning, defineModule, kindsThatAre, meaningOfEvent, nameOfThing, readModule, scoreOf } from './index.ts'

const declaration = declareGame({
  id: 'pit',
  tickRate: 50,
  seats: { min: 2, max: 3 },
  layers: { slime: [] },
  players: { points: 'u32' },
  events: { bite: { victim: 'id' }, fall: { victim: 'id' }, noise: {} },
})
const game = defineGame(declaration, {
  onJoin(world, player) {
    player.thing = spawn(world, 'slime')
    player.points = 7
  },
  phases: {},
})
const bot = (name: string): Bot<typeof declaration> => ({ name, about: 'waits', think: () => ({}) })
const bots = [bot('first'), bot('second')]
const read = (module: object) => readModule({ default: module }, 'pit.ts')

describe('a file as the module of a game', () => {
  test('[MD1] anything but `export default defineModule({ game })` is refused with a sentence', () => {
    for (const exported of [{}, { default: undefined }, { default: game }, { game }, { default: { game: {} } }]) {
      expect(() => readModule(exported, 'pit.ts')).toThrow(
        'pit.ts is not the module of a game. It must say: export default defineModule({ game, … })',
      )
    }
    expect(() => read({ game, titel: 'Pit' })).toThrow(/no field of the module pit\.ts "titel"\. Known: title, /)
    expect(() => defineModule({ game, seatings: {} } as never)).toThrow(/"seatings"\. Known: seating/)
    expect(() => read({ game, bots: bots[0] })).toThrow('bots of the module pit.ts must be an array.')
    expect(() => read({ game, seating: { seats: 4 } })).toThrow(/seats .* from 2 to 3, got 4/)
  })

  test('[MD2] what is left out is filled in', () => {
    const module = read(defineModule({ game }))
    expect(module).toMatchObject({
      id: 'pit',
      title: 'pit',
      about: '',
      goal: '',
      seats: 3,
      bots: [],
      room: { fill: 0 },
    })
    expect(module.scenes).toMatchObject([{ name: 'bare', seed: 1, ticks: 500 }])
    expect(module.probes).toMatchObject([{ name: 'bare', ticks: 300 }])
    expect(module.botOf(1)).toBeUndefined()
    expect(module.teamOf(1)).toBe(0)
    expect(read({ game, bots }).room?.fill).toBe(3)
    expect(read({ game, bots, seating: { seats: 2 } }).room?.fill).toBe(2)
    expect(read({ game, bots, room: { fill: 1 } }).room?.fill).toBe(1)
    expect(read({ game, room: false }).room).toBeUndefined()
    // Scenes of another game that the file happens to have are not its own.
    const other = { name: 'other', about: '', game: defineGame(declaration, { phases: {} }), seed: 1, ticks: 1 }
    expect(read({ game, scenes: [other] }).scenes[0].name).toBe('bare')
  })

  test('[MD3] the seating says which bot plays which seat, and in which team', () => {
    const names = (module: object) => [0, 1, 2].map((seat) => read(module).botOf(seat)?.name)
    expect(names({ game, bots })).toEqual(['first', 'second', 'first'])
    expect(names({ game, bots, seating: { botOf: () => 'second' } })).toEqual(['second', 'second', 'second'])
    expect([0, 1].map(read({ game, seating: { teamOf: (seat: number) => seat + 1 } }).teamOf)).toEqual([1, 2])
    const wrong = read({ game, bots, seating: { botOf: () => 'secnd' } })
    expect(() => wrong.botOf(0)).toThrow('There is no bot of pit "secnd". Known: second, first.')
  })
})

test('[MD4] scores, names and events mean what the game says, and nothing where it says nothing', () => {
  const silent = read({ game })
  const module = read(
    defineModule({
      game,
      meaning: {
        score: ({ points }, world) => points + world.tick,
        nameOf: ({ id, owner }, _world, playerName) => `slime ${id} of ${playerName(owner)}`,
        events: {
          bite: { is: 'hit', sentence: ({ victim }, name) => `${name(victim)} is bitten` },
          fall: { is: 'kill' },
        },
      },
    }),
  )
  const world = createWorld(game) as unknown as AnyWorld
  step(world, { controls: [{ control: 'join', seat: 2 }] })
  const [player] = players(world)
  const [slime] = each(world)
  expect([scoreOf(module, player, world), scoreOf(silent, player, world)]).toEqual([8, undefined])
  expect(nameOfThing(module, world, slime)).toBe('slime 1 of P1')
  expect(nameOfThing(module, world, slime, (seat) => `Ada ${seat}`)).toBe('slime 1 of Ada 0')
  expect(nameOfThing(silent, world, slime)).toBe('slime 1')
  expect([kindsThatAre(module, 'hit'), kindsThatAre(module, 'kill'), kindsThatAre(silent, 'hit')]).toEqual([
    ['bite'],
    ['fall'],
    [],
  ])
  expect(meaningOfEvent(module, 'bite')?.sentence?.({ victim: 3 }, (id) => `#${id}`)).toBe('#3 is bitten')
  expect([meaningOfEvent(module, 'noise'), meaningOfEvent(silent, 'bite')]).toEqual([undefined, undefined])
})

test('[MD4] the events of hurtbox/combat have a meaning to be spread', () => {
  const name = (id: number) => `#${id}`
  const { damage, kill } = combatMeaning
  expect(damage.sentence?.({ victim: 1, attacker: 2, taken: 12.345, hpAfter: 3 }, name)).toBe(
    '#2 hurts #1 for 12.35, 3 left',
  )
  expect([
    kill.sentence?.({ victim: 1, attacker: 2 }, name),
    kill.sentence?.({ victim: 1, attacker: 0 }, name),
  ]).toEqual(['#2 kills #1', '#1 dies'])
})
