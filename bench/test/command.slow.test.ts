import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { parseArgs } from '../args.ts'
import { contenders, type Entry } from '../registry.ts'
import { runCase } from '../schedule.ts'
import { workloads } from '../workloads/index.ts'

describe('benchmark command', () => {
  test('[BE19] an unknown workload is a friendly error and exit code 2', () => {
    const run = spawnSync(process.execPath, ['bench/run.ts', '--only', 'pears'], { encoding: 'utf8' })
    expect(run.status).toBe(2)
    expect(run.stderr).toMatch(/^There is no workload "pears"\. There are: pairs, bullets, /)
    expect(run.stdout).toBe('')
  })

  test('[BE19] invalid options are reported', () => {
    expect(parseArgs(['--rounds', 'many'])).toBe('--rounds needs a whole number of at least 1.')
    expect(parseArgs(['--fast'])).toBe('Unknown option "--fast". Try --help.')
    expect(parseArgs(['--only='])).toMatch(/^--only needs at least one workload/)
  })

  test('[BE20] options are read with a space or an equals sign', () => {
    const wanted = { isQuick: true, isJson: true, only: ['pairs', 'rays'], rounds: 3 }
    expect(parseArgs(['--quick', '--json', '--only', 'pairs,rays', '--rounds', '3'])).toMatchObject(wanted)
    expect(parseArgs(['--quick', '--json', '--only=pairs,rays', '--rounds=3'])).toMatchObject(wanted)
  })

  test('[BE21] a case runs each contender in its own process and names those that cannot run it', async () => {
    const snapshot = workloads.find(({ name }) => name === 'rollback')
    const taking = ['hurtbox', 'kdbush'].map((name) => contenders.find((entry) => entry.name === name) as Entry)
    const plan = { waves: 1, ours: 2, rounds: 2, turnMs: 1, latencyMs: 5 }
    const [ours, kdbush] = await runCase(snapshot!, 100, taking, plan, () => true)
    expect(ours).toMatchObject({ status: 'ran', processes: 2, exactness: { missing: 0, extra: 0 } })
    expect(ours.ms).toBeGreaterThan(0)
    expect(ours.facts.bytes).toBeGreaterThan(100 * 40)
    expect(ours.latency?.p99).toBeGreaterThanOrEqual(ours.latency?.p50 ?? Number.NaN)
    expect(kdbush).toMatchObject({ status: 'no', processes: 0 })
  })
})
