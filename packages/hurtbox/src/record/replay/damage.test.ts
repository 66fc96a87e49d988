import { describe, expect, test } from 'vitest'
import { advance, createSession, HurtboxError, type Session } from '../../index.ts'
import { createByteWriter, takeBytes, writeBytes, writeFloat } from '../wire/bytes.ts'
import { createArena } from './fixtures/arena.ts'
import { logOf } from './fixtures/support.ts'
import { CHUNK, openFile, readChunk, sealChunk } from './format.ts'
import { describeReplay, loadReplay, type Replay, readReplayHeader, saveReplay, verifyReplay } from './index.ts'
import { asciiBytes } from './json.ts'

const game = createArena()
// Small, but with all there is: blocks of several lengths, keyframes, every sort of control and input.
const intervals = { hashEvery: 4, keyframeEvery: 7 }
const bytes = saveReplay(playSmall(7), intervals)
const original = loadReplay(game, bytes)
const [header, ...chunks] = splitChunks(bytes)

describe('damage', () => {
  test('[RE20] a flip of any bit is found: an error, or the good part with a message', { timeout: 300_000 }, () => {
    expect(original).toMatchObject({ complete: true, problems: [], ticks: 7 })
    const damaged = bytes.slice()
    const outcomes = { error: 0, shorter: 0, 'without a keyframe': 0 }
    for (let bit = 0; bit < bytes.length * 8; bit++) {
      damaged[bit >>> 3] ^= 1 << (bit & 7)
      outcomes[judge(damaged, `bit ${bit}`)]++
      damaged[bit >>> 3] ^= 1 << (bit & 7)
    }
    expect(outcomes.error).toBeGreaterThan(8 * header.length)
    expect(outcomes.shorter).toBeGreaterThan(1000)
    expect(outcomes['without a keyframe']).toBeGreaterThan(1000)
  })

  test('[RE21] a file cut at any byte is an error, or gives the good part with a message', () => {
    for (let length = 0; length < bytes.length; length++) {
      const outcome = judge(bytes.slice(0, length), `cut at ${length}`)
      const firstBlockEnd = header.length + chunks[0].length
      expect(outcome, `cut at ${length}`).toBe(length < firstBlockEnd ? 'error' : 'shorter')
    }
  })

  test('[RE22] bytes after the end marker are reported and change nothing', () => {
    for (const extra of [[0], [0x54], [...bytes], [...chunks[1]]]) {
      const replay = loadReplay(game, Uint8Array.from([...bytes, ...extra]))
      expect(replay.complete).toBe(true)
      expect(replay.problems).toEqual([
        `${extra.length} bytes follow the end marker. They were ignored; the match itself is whole.`,
      ])
      expect(logOf(replay.log)).toEqual(logOf(original.log))
    }
  })

  test('[RE23] chunks that changed places, are missing or stand twice are found', () => {
    for (let a = 0; a < chunks.length; a++) {
      judge(join(chunks.toSpliced(a, 1, chunks[a], chunks[a])), `chunk ${a} twice`)
      if (!isKeyframe(chunks[a])) judge(join(chunks.toSpliced(a, 1)), `without chunk ${a}`)
      for (let b = a + 1; b < chunks.length; b++) {
        judge(join(chunks.with(a, chunks[b]).with(b, chunks[a])), `chunks ${a} and ${b} swapped`)
      }
    }
  })

  test('[RE24] a good chunk of another replay of the same game does not fit in', () => {
    const others = splitChunks(saveReplay(playSmall(8), intervals)).slice(1)
    for (let i = 0; i < chunks.length; i++) judge(join(chunks.with(i, others[i])), `chunk ${i} of another match`)
  })

  test('[RE25] a damaged keyframe is left out, and the match is whole', () => {
    const at = chunks.findLastIndex(isKeyframe)
    const damaged = chunks[at].with(40, chunks[at][40] ^ 1)
    const replay = loadReplay(game, join(chunks.with(at, damaged)))
    expect(replay).toMatchObject({ complete: true, ticks: 7 })
    expect(replay.keyframes.map(({ tick }) => tick)).toEqual([0])
    expect(replay.problems).toEqual([
      expect.stringMatching(
        /^the keyframe chunk at byte \d+: it is damaged\. It was left out; keyframes only save time\.$/,
      ),
    ])
    expect(verifyReplay(game, replay).ok).toBe(true)
  })

  test('[RE26] messages name the chunk, the byte and what is good', () => {
    const second = header.length + chunks[0].length + chunks[1].length
    expect(loadReplay(game, bytes.with(second + 20, bytes[second + 20] ^ 4)).problems).toEqual([
      `the ticks chunk at byte ${second}: it is damaged.`,
      'there is no end marker: the first 0 ticks are good, what came after is lost.',
    ])
    expect(loadReplay(game, bytes.slice(0, -3)).problems[0]).toMatch(
      /the end chunk at byte \d+: the file ends inside it/,
    )
    expect(() => loadReplay(game, bytes.slice(0, 100))).toThrow('the file ends inside the header chunk at byte 8')
    expect(() => loadReplay(game, bytes.with(99, 0))).toThrow('which should be its header, is damaged')
    expect(() => loadReplay(game, new Uint8Array())).toThrow('this is not a Hurtbox replay')
    expect(() => loadReplay(game, bytes.with(7, 9))).toThrow('format version 9; this build reads version 2')
    expect(() => loadReplay(game, 'text' as never)).toThrow('a replay is read from a Uint8Array')
  })

  test('[RE27] describing a damaged file reports the damage', () => {
    for (let at = header.length; at < bytes.length; at += 3) {
      const damaged = bytes.with(at, bytes[at] ^ 16)
      expect(describeReplay(damaged)).toMatch(/then the .* chunk at byte \d+ is (damaged|cut)/)
    }
  })
})

describe('another build', () => {
  test('[RE28] a replay of other rules is refused with what differs', () => {
    const other = createArena({ speed: 3, change: { rulesVersion: 2 } as never })
    expect(() => loadReplay(other, bytes)).toThrow(
      'the replay was made by another build of "arena" (here: this build, there: the replay): ' +
        'rulesVersion is 2 here and 1 there, probe differs (the rules behave differently), ' +
        'contacts differs (the rules behave differently). Use the build it came from.',
    )
    const foreign = createArena({ change: { id: 'circus' } as never })
    expect(() => loadReplay(foreign, bytes)).toThrow('the replay is of the game "arena", not "circus".')
  })

  test('[RE29] parts that agree with a hash that does not are refused, too', () => {
    const json = JSON.parse(String.fromCharCode(...payloadOf(header)))
    json.fingerprint.hash = '0'.repeat(16)
    expect(() => loadReplay(game, forge(JSON.stringify(json), []))).toThrow('made by another build')
  })
})

describe('hostile files', () => {
  const text = String.fromCharCode(...payloadOf(header))
  const json = () => JSON.parse(text)

  test('[RE30] lengths and counts that the file cannot hold are refused before anything is allocated', () => {
    const bombs: [what: string, payload: number[]][] = [
      ['the number of ticks is 4294967295, but can be 256 at most', [0xff, 0xff, 0xff, 0xff, 0x0f]],
      ['the number of ticks is 257', [0x81, 0x02, 0, 0]],
      ['the number of controls is 4294967295, but can be 2 at most', [8, 1, 0xff, 0xff, 0xff, 0xff, 0x0f]],
      ['a tick has 1073741823 inputs, but can have 5 at most', [8, 0xfc, 0xff, 0xff, 0xff, 0x0f]],
      ['a tick has 6 inputs, but can have 5 at most', [1, 6 * 4, ...new Array(60).fill(0)]],
      ['a number is not spelled as', [0xff, 0xff, 0xff, 0xff, 0xff, 0x01]],
      ['a number is not spelled as', [0xff, 0xff, 0xff, 0xff, 0x1f]],
      ['a number is not spelled as', [0x88, 0x00]],
      ['it cannot have 0 ticks', [...payloadOf(chunks[0])]],
    ]
    const before = process.memoryUsage().arrayBuffers
    for (const [what, payload] of bombs) {
      const replay = loadReplay(game, forge(text, [payloadOf(chunks[0]), Uint8Array.from(payload)]))
      expect(replay, what).toMatchObject({ ticks: 0, complete: false })
      expect(replay.problems[0]).toContain(what)
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16e6)
    const claims = Uint8Array.from([...bytes.subarray(0, 8), CHUNK.header, 0xff, 0xff, 0xff, 0xff, 0x0f, ...header])
    expect(() => loadReplay(game, claims)).toThrow('the file ends inside the header chunk')
    expect(() => loadReplay(game, forge(text, [payloadOf(chunks[2])]))).toThrow('it cannot have 4 ticks')
  })

  // One tick with one control, or with inputs; 16 fields have two bytes of bits.
  const nonsense: [what: string, tick: number[]][] = [
    ['there is no seat 5', [1, 1, 0, 5, 0]],
    ['there is no control of kind 9', [1, 1, 9, 0]],
    ['paused is 2', [1, 1, 2, 2]],
    ['the number of a tuning value is 2', [1, 1, 3, 2, ...floatBytes(1)]],
    ['a number is NaN', [1, 1, 3, 0, ...floatBytes(Number.NaN)]],
    ['tuning damage is 1e+308, but must lie between 0 and 100', [1, 1, 3, 0, ...floatBytes(1e308)]],
    ['there is no seat 200', [4, 200, 0, 0]],
    ['input walk is 255, but can be 254 at most', [4, 0, 1, 0, 0xff, 0x01]],
    ['seat 0 has two inputs in one tick', [8, 0, 0, 0, 0, 0, 0]],
    ['a tick has a hash of its own', [2, 1, 2, 3, 4, 5, 6, 7, 8]],
    ['it ends in the middle of a value', [4, 0, 1]],
  ]
  test.each(nonsense)('[RE31] sealed nonsense is refused: %s', (what, tick) => {
    const replay = loadReplay(game, forge(text, [payloadOf(chunks[0]), Uint8Array.from([1, ...tick])]))
    expect(replay).toMatchObject({ ticks: 0, complete: false })
    expect(replay.log).toMatchObject({ length: 0, count: 0, controls: [] })
    expect(replay.problems[0]).toContain(what)
  })

  test('[RE32] left-over bytes, unknown chunks and a wrong end are refused', () => {
    const first = payloadOf(chunks[0])
    const tooLong = loadReplay(game, forge(text, [first, Uint8Array.from([...payloadOf(chunks[2]), 0])]))
    expect(tooLong.problems[0]).toContain('1 bytes are left over')
    const unknown = loadReplay(
      game,
      forgeChunks(text, [
        [CHUNK.ticks, first],
        [0x58, first],
      ]),
    )
    expect(unknown.problems[0]).toMatch(/the unknown chunk at byte \d+: this build knows no such chunk/)
    const wrongEnd = loadReplay(
      game,
      forgeChunks(text, [
        [CHUNK.ticks, first],
        [CHUNK.end, Uint8Array.from([3])],
      ]),
    )
    expect(wrongEnd).toMatchObject({ complete: false, ticks: 0 })
    expect(wrongEnd.problems[0]).toContain('it speaks of 3 ticks')
  })

  test('[RE33] a sealed keyframe that is not the state of its tick is left out', () => {
    const [first, keyframe] = chunks.map(payloadOf)
    const notANumber = keyframe.slice()
    notANumber.fill(0xff, -8)
    const damaged: [what: string, keyframe: Uint8Array][] = [
      ['do not fit its row counts', keyframe.slice(0, -8)],
      ['do not fit its row counts', keyframe.slice(0, 9)],
      ['it is not the state that its hash belongs to', keyframe.with(-1, keyframe[keyframe.length - 1] ^ 1)],
      ['is NaN', notANumber],
      ['it is of another tick', keyframe.with(1, 5)],
      ['it does not stand where it belongs', keyframe.with(0, 5)],
    ]
    for (const [what, each] of damaged) {
      const replay = loadReplay(
        game,
        forgeChunks(text, [
          [CHUNK.ticks, first],
          [CHUNK.keyframe, each],
        ]),
      )
      expect(replay.keyframes).toEqual([])
      expect(replay.problems[0]).toContain(what)
    }
  })

  test('[RE34] a header that is too large, too deep, not JSON or not ASCII is refused', () => {
    const bad: [what: string, header: string][] = [
      ['at most 1048576 are read', `${text}${' '.repeat(1 << 20)}`],
      ['nested deeper than 16 levels', '['.repeat(200_000)],
      ['nested deeper than 16 levels', `${'{"a":'.repeat(17)}1${'}'.repeat(17)}`],
      ['its text is not JSON', text.slice(1)],
      ['its text is not JSON', ''],
      ['its text is not ASCII', text.replace('arena', 'ärena')],
      ['header must be a record', '[]'],
      ['setup must be a record', JSON.stringify({ ...json(), setup: null })],
      ['streams must be a list', JSON.stringify({ ...json(), layout: { ...json().layout, streams: {} } })],
      ['game must be a text', JSON.stringify({ ...json(), game: 1 })],
      ['tickRate must be a number', text.replace('"tickRate":30', '"tickRate":1e999')],
      [
        'options.mode must be a number',
        JSON.stringify({ ...json(), setup: { ...json().setup, options: { mode: [] } } }),
      ],
    ]
    for (const [what, each] of bad) {
      const attempt = () => readReplayHeader(forge(each, []))
      expect(attempt).toThrow(what)
      expect(attempt).toThrow(HurtboxError)
    }
    // Brackets inside of texts are no depth.
    const deepText = JSON.stringify({ ...json(), engine: `"\\${'['.repeat(100)}` })
    expect(readReplayHeader(forge(deepText, [])).engine).toHaveLength(102)
  })

  test('[RE35] the key __proto__ is refused where names are free, and has no effect elsewhere', () => {
    for (const key of ['__proto__', 'constructor', '\\u005f_proto__']) {
      for (const at of ['{"bouncy"', '{"damage"', '{"contacts"', '{"hash"', '{"options"', '{"engine"', '{"regions"']) {
        expect(text).toContain(at)
        const evil = text.replace(at, `{"${key}":{"polluted":1},${at.slice(1)}`)
        const file = forge(evil, chunks.slice(0, 1).map(payloadOf))
        const isFree = ['{"bouncy"', '{"damage"', '{"contacts"'].includes(at)
        if (isFree) expect(() => loadReplay(game, file)).toThrow(/(parts|options|tuning) has the key/)
        else expect(loadReplay(game, file).header).toEqual(original.header)
      }
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined()
  })

  test('[RE36] a setup that the game does not know is refused', () => {
    const setups: [what: string, setup: object][] = [
      ['There is no option "toStrings"', { options: { toStrings: 1 } }],
      ['option coins must be a whole number', { options: { coins: 1e9 } }],
      ['There is no tuning value "gravity"', { tuning: { gravity: 1 } }],
      ['seed must be a whole number', { seed: -1 }],
    ]
    for (const [what, setup] of setups) {
      const forged = forge(JSON.stringify({ ...json(), setup: { ...json().setup, ...setup } }), [])
      expect(() => loadReplay(game, forged)).toThrow(`the match in this replay cannot be set up: ${what}`)
    }
  })

  test('[RE37] what a file says about itself cannot steer a terminal', () => {
    const forged = forge(JSON.stringify({ ...json(), game: '\u001b[2J\u0007evil' }).replace(/\u2028/g, ''), [])
    expect(describeReplay(forged)).toContain('?[2J?evil')
  })
})

function playSmall(seed: number): Session {
  const session = createSession(game, { seed, options: { coins: 0 }, tuning: { damage: 25 } }) as Session
  const join = { control: 'join', seat: 4, team: 3 }
  const orders = [{ at: { x: 1, y: seed }, size: 'l' }]
  advance(session, { controls: [join], players: [{ seat: 4, fire: 1, aim: { x: -50, y: 20 }, orders }] } as never)
  advance(session, { controls: [{ control: 'tune', name: 'shotLife', value: 0.03125 }] } as never)
  advance(session, { players: [{ seat: 4, walk: -1, stance: 'high', target: 3, power: 1, block: true }] } as never)
  advance(session, { controls: [{ control: 'entropy', bits: 0xfedcba98 }], players: [{ seat: 4, fire: 1 }] } as never)
  advance(session, {
    controls: [
      { control: 'leave', seat: 4 },
      { ...join, seat: 2 },
    ],
  } as never)
  advance(session, { controls: [{ control: 'pause', paused: true }], players: [{ seat: 2, strafe: 1 }] } as never)
  advance(session, { controls: [{ control: 'leave', seat: 2 }] } as never)
  return session
}

/** Loads what may be damaged, and throws unless the reader reported exactly the damage. */
function judge(file: Uint8Array, name: string): 'error' | 'shorter' | 'without a keyframe' {
  let replay: Replay
  try {
    replay = loadReplay(game, file)
  } catch (error) {
    if (error instanceof HurtboxError && error.code === 'bad-replay' && error.message.length > 20) return 'error'
    throw new Error(`${name}: ${error}`)
  }
  const fail = (what: string) => {
    throw new Error(`${name}: ${what}; problems: ${replay.problems.join(' ')}`)
  }
  if (replay.problems.length === 0) fail('nothing was noticed')
  if (replay.complete && replay.ticks !== original.ticks) fail('called complete')
  for (const [i, checksum] of replay.checksums.entries()) {
    if (checksum.hash !== original.checksums[i].hash || checksum.tick !== original.checksums[i].tick)
      fail(`checksum ${i} is another`)
  }
  if (replay.ticks !== replay.checksums.at(-1)?.tick || replay.log.length !== replay.ticks) fail('ticks')
  for (const { tick, bytes: state } of replay.keyframes) {
    const recorded = original.keyframes.find((keyframe) => keyframe.tick === tick)
    if (recorded === undefined || Buffer.compare(recorded.bytes, state) !== 0) fail('a keyframe is another')
  }
  const { log } = replay
  const fields = game.input.fields.length
  for (let i = 0; i < log.count; i++) {
    if (log.tick[i] !== original.log.tick[i] || log.seat[i] !== original.log.seat[i]) fail(`input ${i} is another`)
    for (let f = i * fields; f < (i + 1) * fields; f++) {
      if (log.codes[f] !== original.log.codes[f]) fail(`input ${i} is another`)
    }
  }
  if (log.count !== original.log.tick.subarray(0, original.log.count).filter((tick) => tick < replay.ticks).length) {
    fail('inputs are missing')
  }
  const controls = original.log.controls.filter(({ tick }) => tick < replay.ticks)
  if (JSON.stringify(log.controls) !== JSON.stringify(controls)) fail('controls are others')
  return replay.complete ? 'without a keyframe' : 'shorter'
}

/** The preamble with the header, then each chunk. */
function splitChunks(file: Uint8Array): Uint8Array[] {
  const { at, chain } = openFile(file)
  const parts: Uint8Array[] = []
  for (let next = at; next < file.length; ) {
    const chunk = readChunk(file, next, chain)
    parts.push(file.slice(parts.length === 0 ? 0 : chunk.at, chunk.end))
    next = chunk.end
  }
  return parts
}

function join(parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat([header, ...parts]))
}

function isKeyframe(chunk: Uint8Array): boolean {
  return chunk[0] === CHUNK.keyframe
}

/** The payload of a chunk (of the header with the preamble before it). */
function payloadOf(chunk: Uint8Array): Uint8Array {
  const start = chunk[0] === 0x89 ? 9 : 1
  let at = start
  while (chunk[at] >= 0x80) at++
  return chunk.slice(at + 1, -8)
}

/** A file with any header text and blocks, sealed as if it were true. */
function forge(headerText: string, blocks: readonly Uint8Array[]): Uint8Array {
  return forgeChunks(
    headerText,
    blocks.map((block) => [CHUNK.ticks, block]),
  )
}

function forgeChunks(headerText: string, parts: readonly (readonly [number, Uint8Array])[]): Uint8Array {
  const { chain } = openFile(bytes)
  const writer = createByteWriter()
  writeBytes(writer, bytes.subarray(0, 8))
  writeBytes(writer, sealChunk(chain, CHUNK.header, asciiBytes(headerText)))
  for (const [type, payload] of parts) writeBytes(writer, sealChunk(chain, type, payload))
  return takeBytes(writer)
}

function floatBytes(value: number): number[] {
  const writer = createByteWriter()
  writeFloat(writer, value)
  return [...takeBytes(writer)]
}
