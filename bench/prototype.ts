/**
 * What would detection in WebAssembly bring? `node bench/prototype.ts` runs the kernels of prototypes/ beside the engine on the
 * same workloads, each in a process of its own, checked against the oracle before timing. Not part of `npm run bench`:
 * the kernels are a measurement, see docs/decisions/010-detection-stays-typescript.md.
 */

import { spawnSync } from 'node:child_process'
import { takeTurn } from './measure.ts'
import { hurtbox } from './peers/hurtbox.ts'
import { wasmSimd } from './prototypes/detection.ts'
import { median } from './statistics.ts'
import { workloads } from './workloads/index.ts'

const CASES = [
  'pairs 1000',
  'pairs 10000',
  'pairs 100000',
  'bullets 1000',
  'bullets 10000',
  'bullets 50000',
  'regions 10000',
]
const TURNS = 7

const [asked] = process.argv.slice(2)
if (asked === undefined) {
  for (const name of CASES) {
    const [ours, wasm] = ['hurtbox', 'wasm'].map((who) => Number(inProcess(`${who} ${name}`)))
    process.stdout.write(`${name.padEnd(14)} hurtbox ${ours.toFixed(3)} ms, wasm ${wasm.toFixed(3)} ms: `)
    process.stdout.write(`${(ours / wasm).toFixed(2)}x\n`)
  }
} else {
  const [who, name, n] = asked.split(' ')
  process.stdout.write(`${measure(who, name, Number(n))}`)
}

function inProcess(one: string): string {
  const { stdout, stderr, status } = spawnSync(process.execPath, [import.meta.filename, one], { encoding: 'utf8' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

/** Median ms of CPU time per step. */
function measure(who: string, name: string, n: number): number {
  const task = workloads.find((workload) => workload.name === name)?.prepare(who === 'wasm' ? wasmSimd : hurtbox, n)
  if (!task) throw new Error(`There is no workload ${name} for ${who}.`)
  const { missing, extra } = task.check()
  if (missing + extra > 0) throw new Error(`${who} has ${missing} missing and ${extra} extra answers in ${name} ${n}.`)
  takeTurn(task, 300)
  return median(Array.from({ length: TURNS }, () => takeTurn(task, 150)))
}
