import { Decoder, Encoder } from '@colyseus/schema'
import { expect, test } from 'vitest'
import { cleanName } from './roster.ts'
import { MatchState, RosterEntry } from './state.ts'

const LETTERS = 'abcdefghijklmnopqrstuvw'

test('[RM16] names are cut between characters, never within one', () => {
  expect(LETTERS).toHaveLength(23)
  expect(cleanName(`${LETTERS}😀`)).toBe(`${LETTERS}😀`)
  expect(cleanName(`${LETTERS}😀😀`)).toBe(`${LETTERS}😀`)
  expect([...cleanName('😀'.repeat(40))]).toHaveLength(24)
  expect(cleanName('x\ud83d')).toBe('x')
  expect(cleanName('\udc00\ud83dx')).toBe('x')
  for (let letters = 0; letters < 26; letters++) {
    const name = cleanName('a'.repeat(letters) + '𝒳'.repeat(3))
    expect(() => encodeURIComponent(name), `${letters} letters`).not.toThrow()
  }
  expect(cleanName(`  ${'a'.repeat(23)} b`), 'no blank is left at the end').toBe('a'.repeat(23))
})

test('[RM16] the roster with such a name is read by others as it was written', () => {
  const state = new MatchState()
  const decoded = new MatchState()
  const [encoder, decoder] = [new Encoder(state), new Decoder(decoded)]
  const names = [`${LETTERS}😀`, `${LETTERS}😀 and more`, 'Bob']
  names.forEach((name, seat) => {
    const entry = new RosterEntry()
    entry.seat = seat
    entry.name = cleanName(name)
    entry.score = 7
    state.roster.set(String(seat), entry)
  })
  decoder.decode(encoder.encode())
  expect([...decoded.roster.values()].map(({ seat, name, score }) => [seat, name, score])).toEqual([
    [0, `${LETTERS}😀`, 7],
    [1, `${LETTERS}😀`, 7],
    [2, 'Bob', 7],
  ])
})
