import { expect, test } from 'vitest'
import { DUEL, hurtbox, jsonLines } from '../../test/command.ts'

test('[CL1] run plays the first scene to its end, or until the match is over, and prints the result', async () => {
  const [scene, over] = await Promise.all([
    hurtbox(['run', 'skirmish', '--ticks', '30']),
    hurtbox(['run', DUEL, '--scene', 'slide']),
  ])
  expect(scene.code).toBe(0)
  expect(scene.stdout).toMatch(/^skirmish, scene skirmish, seed 7: /)
  expect(scene.stdout).toMatch(/\n {2}ticks +30, 0\.5 s of play at 60 a second\n/)
  expect(scene.stdout).toMatch(/\n {2}result +still going\n/)
  expect(scene.stdout).toMatch(/\n {2}hash +[0-9a-f]{16}\n$/)

  // The blade arrives in tick 8 and may hurt every 5 ticks; the third hit ends the match, long before tick 60.
  expect(over.code).toBe(0)
  expect(over.stdout).toMatch(/\n {2}ticks +19, /)
  expect(over.stdout).toMatch(/\n {2}result +over, blade wins \(the dummy fell\)\n/)
  expect(over.stdout).toMatch(/\n {2}events +hurt 3\n/)
  expect(over.stdout).toMatch(/\n {2}refused +marks 1 \(full\)\n/)
})

test('[CL2] without --json, too, the same run writes the same to stdout: how fast it was is told on stderr', async () => {
  const args = ['run', 'skirmish', '--ticks', '64', '--seed', '42']
  const [first, second] = await Promise.all([hurtbox(args), hurtbox(args)])
  expect(first.stdout).toBe(second.stdout)
  expect(first.stdout).not.toMatch(/speed/)
  expect(first.stderr).toMatch(/^ {2}speed +[\d,]+ ticks a second, [\d,]+ × real time\n$/)
})

test('[CL2] [CL3] the same run prints the same JSON, byte for byte; another seed ends elsewhere', async () => {
  const args = ['run', 'skirmish', '--ticks', '64', '--json', '--events', '--hash-every', '32']
  const [first, second, other] = await Promise.all([
    hurtbox(args),
    hurtbox([...args, '--progress']),
    hurtbox([...args, '--seed', '8']),
  ])
  expect(first).toEqual({ code: 0, stdout: second.stdout, stderr: '' })

  const lines = jsonLines(first)
  const summary = lines.at(-1)!
  expect(summary).toMatchObject({ line: 'summary', game: 'skirmish', scene: 'skirmish', seed: 7, ticks: 64 })
  expect(summary.hash).toMatch(/^[0-9a-f]{16}$/)
  expect(summary.stats).toMatchObject({ waves: expect.any(Number) })
  expect(lines.filter(({ line }) => line === 'hash')).toEqual([
    { line: 'hash', tick: 32, hash: expect.any(String) },
    { line: 'hash', tick: 64, hash: summary.hash },
  ])
  const hurts = lines.filter(({ line, kind }) => line === 'event' && kind === 'hurt')
  expect(hurts.length).toBe((summary.events as { hurt: number }).hurt)
  expect(hurts.length).toBeGreaterThan(0)
  expect(jsonLines(other).at(-1)!.hash).not.toBe(summary.hash)
})

test('[CL4] [CL8] scene, seed, ticks, tuning, options and bots of a user’s game', async () => {
  const outcome = await hurtbox(
    ['run', DUEL, '--scene', 'short', '--ticks', '60', '--seed', '12', '--bots', '2', '--json'].concat([
      '--tune',
      'speed=3.5',
      '--option',
      'fault=none',
    ]),
  )
  // With 3.5 m a tick the blade arrives in tick 2; bots shout from tick 1 on.
  expect(jsonLines(outcome)).toEqual([
    {
      line: 'summary',
      game: 'duel',
      rulesVersion: 1,
      scene: 'short',
      seed: 12,
      options: { fault: 'none' },
      tuning: { speed: 3.5 },
      ticks: 13,
      over: true,
      result: { over: true, winner: 'blade', summary: 'the dummy fell' },
      rows: { things: 3, players: 2, marks: 2 },
      events: { hurt: 3 },
      refused: { marks: 1 },
      stats: { presses: 24 },
      hash: expect.stringMatching(/^[0-9a-f]{16}$/),
    },
  ])
})

test('[CL6] [CL23] a game that throws, or lets a NaN into its state, is exit code 1 and says where', async () => {
  const [thrown, notFinite, debugged, notFiniteLate] = await Promise.all([
    hurtbox(['run', DUEL, '--option', 'fault=throw']),
    hurtbox(['run', DUEL, '--option', 'fault=nan', '--hash-every', '1', '--json']),
    hurtbox(['run', DUEL, '--option', 'fault=throw'], { env: { HURTBOX_DEBUG: '1' } }),
    hurtbox(['run', DUEL, '--option', 'fault=nan']),
  ])
  expect(thrown).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^hurtbox: phase slide failed in tick 5: the blade broke \(.*duel\.ts:\d+:\d+\)\n$/),
  })
  expect(notFinite.code).toBe(1)
  expect(notFinite.stderr).toMatch(/^hurtbox: things\.vx of row 0 \(id 1\) is NaN at tick 6\./)
  expect(notFinite.stderr).not.toContain('--hash-every')
  expect(jsonLines(notFinite)).toHaveLength(5)
  // Found by the last hash of the match, thirteen ticks after it came.
  expect(notFiniteLate).toMatchObject({ code: 1, stdout: '' })
  expect(notFiniteLate.stderr).toMatch(/is NaN at tick 19\..* --hash-every 1 finds the first tick\.\n$/)
  expect(debugged.code).toBe(1)
  expect(debugged.stderr).not.toContain('HURTBOX_DEBUG')
  expect(debugged.stderr).toMatch(/TypeError: the blade broke\n +at .*duel\.ts/)
})

test('[CL10] a reader that has seen enough ends a run quietly', async () => {
  // Played to the end this would take minutes.
  const args = ['run', 'skirmish', '--ticks', '10000000', '--hash-every', '1']
  const outcome = await hurtbox(args, { closeAfterBytes: 20 })
  expect(outcome.code).toBe(0)
  expect(outcome.stderr).toBe('')
  expect(outcome.stdout).toMatch(/^tick 1 {2}hash /)
})
