/** Who plays: accounts, what players bring along, private rooms. */

import { matchMaker } from '@colyseus/core'
import { Client } from '@colyseus/sdk'
import { helloOf } from '@hurtbox/netcode'
import { addPeer, bringAlong, createHost, finishHost, removePeer, stepHost, takeReplay } from '@hurtbox/netcode/host'
import { axis, choice, declareGame, defineGame, fixed, players, push, spawn } from 'hurtbox'
import { loadReplay, verifyReplay } from 'hurtbox/replay'
import { type AnyGame, readJoinData } from 'hurtbox/tools'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type GameConnection, type JoinChoices, joinGame } from '../src/client/index.ts'
import type { Auth, RoomConfig, RoomView } from '../src/index.ts'
import { drive, roomOf, startServer, type TestServer, until } from './server.ts'

const HATS = ['none', 'crown', 'cap'] as const
const declaration = declareGame({
  id: 'parade',
  tickRate: 30,
  seats: { min: 1, max: 4 },
  layers: { walker: [] },
  players: { hat: 'u8', level: 'f64', joins: 'u8' },
  input: { moveX: axis() },
  join: { hat: choice(HATS), level: fixed({ min: 1, max: 60, step: 1 }) },
})

const parade = defineGame(declaration, {
  onJoin(world, player, data) {
    player.thing = spawn(world, 'walker', { radius: 5, x: data?.level ?? 0 })
    player.hat = HATS.indexOf(data?.hat ?? 'none')
    player.level = data?.level ?? 0
  },
  phases: {
    walk(world) {
      for (const { thing: walker, moveX } of players(world)) if (walker !== undefined) push(walker, moveX, 0)
    },
  },
})
const bots = [{ name: 'still', about: 'stands', think: () => ({}) }]
const crown7 = { hat: 'crown', level: 7 }

describe('join data in the netcode', () => {
  test('[RM33] goes with the join: to onJoin, to mirrors and into the replay', () => {
    const host = createHost(parade, { seed: 1, bots, fill: 2, replay: {} })
    addPeer(host, 0, 'mirror')
    bringAlong(host, 0, crown7)
    stepHost(host)
    const { players: rows } = host.world.tables
    expect([rows.count, rows.hat[0], rows.level[0], rows.hat[1]]).toEqual([2, 1, 7, 0])
    for (let i = 0; i < 5; i++) stepHost(host)
    finishHost(host)
    const replay = loadReplay(parade, Buffer.concat(takeReplay(host)))
    expect(verifyReplay(parade, replay)).toMatchObject({ ok: true, ticks: 6 })
    expect(replay.log.controls[0].control).toEqual({ control: 'join', seat: 0, team: 0, data: crown7 })
  })

  test('[RM33] who takes over the place of a bot joins anew; who leaves before that leaves the bot in place', () => {
    const host = createHost(parade, { seed: 1, bots, fill: 4 })
    for (let i = 0; i < 3; i++) stepHost(host)
    const botThing = host.world.tables.players.thing[1]
    const early = addPeer(host, 1, 'mirror')
    bringAlong(host, 1, crown7)
    removePeer(host, early)
    stepHost(host)
    stepHost(host)
    const { players: rows } = host.world.tables
    expect([host.status, rows.count, rows.thing[1], host.seats[1].player]).toEqual(['running', 4, botThing, 'bot'])
    addPeer(host, 1, 'mirror')
    bringAlong(host, 1, crown7)
    stepHost(host)
    expect(rows.count).toBe(3)
    stepHost(host)
    const row = [...rows.seat.subarray(0, rows.count)].indexOf(1)
    expect([host.status, rows.count, rows.hat[row], rows.level[row]]).toEqual(['running', 4, 1, 7])
    // Its join is due when it leaves: both in one tick.
    const quick = addPeer(host, 2, 'mirror')
    bringAlong(host, 2, crown7)
    stepHost(host)
    removePeer(host, quick)
    for (let i = 0; i < 3; i++) stepHost(host)
    expect([host.status, host.seats[2].player]).toEqual(['running', 'bot'])
    expect(rows.count).toBe(4)
  })

  test('[RM32] readJoinData takes what is declared, rounds it, and refuses the rest in words', () => {
    expect(readJoinData(parade, { hat: 'cap', level: 6.7 })).toEqual({ hat: 'cap', level: 7 })
    expect(readJoinData(parade, {})).toEqual({ hat: 'none', level: 1 })
    expect(readJoinData(parade, { level: 99 })).toEqual({ hat: 'none', level: 60 })
    expect(() => readJoinData(parade, { hat: 'helmet' })).toThrow(/choice of input hat.*"helmet".*crown/)
    expect(() => readJoinData(parade, { sword: 1 })).toThrow(/sword/)
    expect(() => readJoinData(parade, { level: Number.NaN })).toThrow(/level/)
    for (const wrong of [null, 7, [1], 'x']) expect(() => readJoinData(parade, wrong)).toThrow(/must be an object/)
  })
})

describe('rooms', () => {
  const accounts: Readonly<Record<string, Awaited<ReturnType<Auth>>>> = {
    ada: { id: 'account-1', name: 'Ada', data: { hat: 'crown', level: 7 } },
    bob: { id: 'account-2' },
    eve: 'You are banned until Monday.',
    broken: { id: '' },
    cheat: { id: 'account-3', data: { hat: 'helmet' } },
  }
  const asked: unknown[] = []
  const auth: Auth = async (token, request) => {
    asked.push({ token, ...request })
    if (token === 'down') throw new Error('the secret of the house')
    return accounts[token]
  }
  const ended: { players: RoomView['players']; ticks: number }[] = []
  const open: RoomConfig = { game: parade, checkJoinData: ({ level }) => (level > 50 ? 'Level 50 is all.' : undefined) }
  const closed: RoomConfig = {
    ...open,
    bots,
    fill: 2,
    auth,
    hooks: { onMatchEnd: ({ players, world }) => ended.push({ players: [...players], ticks: world.tick }) },
  }
  const plain = defineGame(declareGame({ id: 'plain', tickRate: 30, seats: { min: 1, max: 2 } }), { phases: {} })
  let server: TestServer
  beforeAll(async () => {
    server = await startServer({ parade: open, closed, plain: { game: plain } })
  })
  afterAll(() => server.close())

  async function join(choices: JoinChoices): Promise<GameConnection> {
    const match = await joinGame(server.url, parade, choices)
    const driven = drive([match], bots)
    onTestFinished(() => driven.stop())
    await match.whenPlaying()
    return match
  }
  const rowOf = (match: GameConnection) => {
    const { players: rows } = roomOf(match).host.world.tables
    const row = [...rows.seat.subarray(0, rows.count)].indexOf(match.seat)
    return row < 0 ? undefined : { hat: HATS[rows.hat[row]], level: rows.level[row] }
  }

  test('[RM34] guests bring along what the game declares; what it does not, or refuses, is refused in words', async () => {
    const match = await join({ create: true, name: 'Guest', data: { hat: 'cap' } })
    await until('the guest has joined', () => rowOf(match)?.hat === 'cap')
    await until('its mirror knows it', () => match.mirror!.world.tables.players.hat[0] === 2)
    expect(match.desyncs).toEqual([])
    await expect(join({ create: true, data: { hat: 'helmet' } })).rejects.toThrow(/choice of input hat/)
    await expect(join({ create: true, data: { level: 51 } })).rejects.toThrow('Level 50 is all.')
    await expect(joinGame(server.url, plain as AnyGame, { data: { hat: 1 } })).rejects.toThrow(
      'plain takes nothing along',
    )
  })

  test('[RM35] auth says who it is, what it is called and what it brings; a player cannot say so itself', async () => {
    asked.length = 0
    const wish = { room: 'closed', name: 'Mallory', data: { hat: 'cap', level: 60 } }
    const ada = await join({ ...wish, create: true, token: 'ada' })
    await until('Ada joined with what is hers', () => rowOf(ada)?.hat === 'crown')
    expect(rowOf(ada)).toEqual(crown7)
    expect(asked[0]).toMatchObject({ token: 'ada', game: 'parade', data: wish.data, spectate: false })
    await until('the roster has her name', () => roomOf(ada).state.roster.get(String(ada.seat))?.name === 'Ada')
    expect(JSON.stringify(roomOf(ada).state.toJSON()), 'an id is nobody else’s business').not.toContain('account-1')
    const bob = await join({ room: 'closed', roomId: ada.room.roomId, name: 'Bob', token: 'bob' })
    expect(roomOf(bob)).toBe(roomOf(ada))
    await expect(join({ room: 'closed', roomId: ada.room.roomId, token: 'bob' })).rejects.toThrow(
      'in this match already',
    )
  })

  test('[RM35] a token that is missing or wrong, a player who is banned, accounts that fail: refused', async () => {
    const complaint = vi.spyOn(console, 'error').mockImplementation(() => {})
    onTestFinished(() => complaint.mockRestore())
    const closedTo = (token?: string) => join({ room: 'closed', ...(token && { token }) })
    await expect(closedTo()).rejects.toThrow('Sign in first')
    await expect(closedTo('nobody')).rejects.toThrow('Sign in first')
    await expect(closedTo('eve')).rejects.toThrow('You are banned until Monday.')
    await expect(closedTo('cheat')).rejects.toThrow(/choice of input hat/)
    for (const token of ['down', 'broken']) {
      const error = await closedTo(token).then(String, String)
      expect(error).toContain('It cannot be found out who you are now')
      expect(error).not.toContain('secret')
    }
    expect(complaint).toHaveBeenCalledTimes(2)
  })

  test('[RM71] a seat that was given without a look at the account is refused by a room with accounts', async () => {
    const ada = await join({ room: 'closed', create: true, token: 'ada' })
    // As a process gives it that does not have the game.
    const seat = await matchMaker.joinById(ada.room.roomId, { hello: helloOf(parade) })
    await expect(new Client(server.url).consumeSeatReservation(seat)).rejects.toMatchObject({ code: 503 })
  })

  test('[RM36] who comes back on another connection gets the lost seat back, as it was', async () => {
    const ada = await join({ room: 'closed', create: true, token: 'ada' })
    await until('Ada has joined', () => rowOf(ada)?.hat === 'crown')
    const room = roomOf(ada)
    const { thing } = room.host.world.tables.players
    const before = thing[ada.seat]
    // As when the page is closed: nothing of it looks for the room again.
    ada.room.reconnection.enabled = false
    ada.room.connection.close(4010)
    ada.leave().catch(() => {})
    await until('the connection is lost', () => room.clients.length === 0)
    const again = await join({ room: 'closed', roomId: room.roomId, token: 'ada' })
    expect(again.seat).toBe(ada.seat)
    const tick = room.host.world.tick
    await until('some ticks have passed', () => room.host.world.tick > tick + 5)
    expect([thing[again.seat], rowOf(again)]).toEqual([before, crown7])
  })

  test('[RM37] the end of a match tells who played, who left when, also when all have left', async () => {
    ended.length = 0
    const ada = await join({ room: 'closed', create: true, token: 'ada' })
    const bob = await join({ room: 'closed', roomId: ada.room.roomId, name: 'Bob', token: 'bob' })
    await until('both play', () => rowOf(ada)?.hat === 'crown' && roomOf(bob).host.world.tick > 5)
    await bob.leave()
    await ada.leave()
    await until('the match has ended', () => ended.length > 0)
    const [{ players: who, ticks }] = ended
    expect(who.map(({ id, name }) => [id, name])).toEqual([
      ['account-1', 'Ada'],
      ['account-2', 'Bob'],
    ])
    for (const { leftAt } of who) expect(leftAt).toBeLessThanOrEqual(ticks)
  })

  test('[RM38] a private room has a code, and is found by nothing else', async () => {
    const host = await join({ private: true })
    await until('the code is known', () => host.code !== '')
    expect(host.code).toMatch(/^[A-HJ-NP-Z2-9]{8}$/)
    const stranger = await join({})
    expect(roomOf(stranger)).not.toBe(roomOf(host))
    const typed = ` ${host.code.slice(0, 4).toLowerCase()}-${host.code.slice(4)} `
    const friend = await join({ code: typed })
    expect(roomOf(friend)).toBe(roomOf(host))
    const other = await join({ private: true })
    await until('the other code is known', () => other.code !== '')
    expect(other.code).not.toBe(host.code)
    await expect(join({ code: 'AAAA-AAAA' })).rejects.toThrow(/not found/)
  })
})
