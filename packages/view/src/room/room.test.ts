/** What a page says of a room, and what it takes for an invitation. */

import { afterEach, expect, test, vi } from 'vitest'
import { SPECTATOR } from '../../../netcode/src/index.ts'
import { giveLink, joinWords, linkTo, type RoomMatch, readInvitation, readRoom, roomWords } from './index.ts'

afterEach(() => vi.unstubAllGlobals())

const roster = [
  { seat: 1, name: 'Ada', isAway: true, score: 3 },
  { seat: 0, name: '<b>Bo</b>', pingMs: 40, wantsRematch: true },
  { seat: 2, name: 'striker', isBot: true },
]

function roomOf(changes: object, state: object = { phase: 'playing', roster }): RoomMatch {
  const room = { roomId: 'r00m', state }
  return { seat: 0, status: 'playing', rttMs: 41.4, ending: undefined, failure: undefined, room, ...changes } as never
}

const words = (changes: object, state?: object) => roomWords(readRoom(roomOf(changes, state)))

test('[VW41] the state of a room is read value by value, players by seat', () => {
  const reading = readRoom(roomOf({}, { phase: 'playing', spectators: 2, roster }))
  expect(reading.roster.map(({ seat, name }) => [seat, name])).toEqual([
    [0, '<b>Bo</b>'],
    [1, 'Ada'],
    [2, 'striker'],
  ])
  expect(reading.roster[1]).toEqual({
    ...{ seat: 1, name: 'Ada', isBot: false, isAway: true, score: 3, pingMs: 0, wantsRematch: false },
  })
  expect([reading.code, reading.watching, reading.rttMs, reading.ending]).toEqual(['r00m', 2, 41, ''])
  // A room whose state has not come yet.
  expect(readRoom({ ...roomOf({}), room: { roomId: 'r' } }).roster).toEqual([])
})

test('[VW41] [FM6] [AW13] how the match and its connection are is said in a sentence', () => {
  expect(words({})).toBe('online, seat 0, Ada is away')
  expect(words({ seat: SPECTATOR }, { phase: 'playing' })).toBe('watching')
  expect(words({ status: 'reconnecting' })).toBe('The connection is lost. Reconnecting …')
  expect(words({ status: 'moved' })).toBe('The match moves to another server. Reconnecting …')
  expect(words({}, { phase: 'over' })).toMatch(/^The match is over\./)
  expect(words({}, { phase: 'over', winner: 'the left', summary: '5 : 3' })).toMatch(
    /^The match is over, won by the left \(5 : 3\)\./,
  )
  expect(words({ status: 'failed', failure: { message: 'phase steer failed' } })).toBe(
    'The match has failed: phase steer failed',
  )
  const ended = (code: number, reason: string) => words({ status: 'ended', ending: { code, reason } })
  expect(ended(4001, 'x')).toBe('The server has been stopped.')
  expect(ended(4003, 'your seat is gone')).toBe('Your seat is gone.')
  expect(ended(4003, 'Reload the page.')).toBe('Reload the page.')
  expect(ended(1006, 'too slow')).toBe('The match has ended here: too slow.')
  expect(ended(1006, '')).toBe('The connection to the match has ended.')
})

test('[VW41] why one could not come in is said without numbers', () => {
  vi.stubGlobal('ProgressEvent', class {})
  expect(joinWords(Object.assign(new Error('x'), { code: 522 }))).toBe('This room is gone: everybody has left it.')
  for (const text of ['Failed to fetch', 'NetworkError when attempting to fetch', 'Load failed']) {
    expect(joinWords(new TypeError(text))).toBe('The server does not answer.')
  }
  expect(joinWords(new Error('other rules'))).toBe('other rules')
})

test('[VW42] a link leads into its room, to play or to watch; a code is enough; other words are none', () => {
  vi.stubGlobal('location', { href: 'https://play.example/games/pit/?studio#room=old' })
  for (const spectate of [false, true]) {
    const invitation = { roomId: 'Ab_-9xyz', spectate }
    expect(readInvitation(linkTo(invitation))).toEqual(invitation)
    expect(readInvitation(new URL(linkTo(invitation)).hash)).toEqual(invitation)
  }
  expect(linkTo({ roomId: 'a', spectate: true })).toBe('https://play.example/games/pit/?studio#watch=a')
  expect(readInvitation(' Ab_-9xyz ')).toEqual({ roomId: 'Ab_-9xyz', spectate: false })
  for (const text of ['', '#', '#room=', '#games', 'no code', 'https://play.example/', '#room=a/b']) {
    expect(readInvitation(text), text).toBeUndefined()
  }
})

test('[VW43] a link is said to be copied only where it is', async () => {
  let isCoarse = false
  const field = { style: {}, select() {}, remove() {}, append() {} }
  vi.stubGlobal('matchMedia', () => ({ matches: isCoarse }))
  vi.stubGlobal('document', { createElement: () => ({ ...field }), body: field, execCommand: () => false })
  const refuses = () => Promise.reject(new Error('denied'))
  vi.stubGlobal('navigator', { clipboard: { writeText: async () => {} } })
  expect(await giveLink('u', 't')).toBe('copied')
  vi.stubGlobal('navigator', { clipboard: { writeText: refuses } })
  expect(await giveLink('u', 't')).toBe('shown')
  // A page without https has no clipboard at all.
  vi.stubGlobal('navigator', {})
  expect(await giveLink('u', 't')).toBe('shown')
  vi.stubGlobal('document', { createElement: () => ({ ...field }), body: field, execCommand: () => true })
  expect(await giveLink('u', 't')).toBe('copied')
  isCoarse = true
  vi.stubGlobal('navigator', { share: async () => {} })
  expect(await giveLink('u', 't')).toBe('shared')
  // Closed without a choice.
  vi.stubGlobal('navigator', { share: refuses, clipboard: { writeText: async () => {} } })
  expect(await giveLink('u', 't')).toBe('copied')
})
