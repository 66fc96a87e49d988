/** One classic script out of the probe and everything it imports, for runtimes that know no modules. */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

/** A script that leaves a `ProbeReport` as JSON in `globalThis.hurtboxReport`. */
export async function bundleProbe(options: { readonly control: boolean }): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('probe.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    platform: 'neutral',
    write: false,
    logLevel: 'silent',
  })
  return `${result.outputFiles[0]!.text}
globalThis.hurtboxReport = (() => {
  const started = Date.now()
  const { scenes } = JSON.parse(hurtboxProbe())
  const ms = Date.now() - started
  const cpu = typeof process === 'object' ? process.arch : undefined
  const control = ${options.control} ? JSON.parse(hurtboxControl()).scenes : undefined
  return JSON.stringify({ ms, cpu, scenes, control })
})()
`
}
