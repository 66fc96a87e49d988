/** One classic script out of the probe and everything it imports, for runtimes that know no modules. */

import { fileURLToPath } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { findProject } from 'hurtbox/module/node'

/**
 * The games that a project lists, as one module. What a game loads on demand (its view, its commands) is left out: runtimes of
 * the matrix have neither pages nor files.
 */
function games(files: readonly string[]): Plugin {
  return {
    name: 'games',
    setup({ onResolve, onLoad }) {
      onResolve({ filter: /^hurtbox:games$/ }, () => ({ path: 'games', namespace: 'hurtbox' }))
      onResolve({ filter: /./ }, ({ kind }) =>
        kind === 'dynamic-import' ? { path: 'none', namespace: 'hurtbox' } : null,
      )
      onLoad({ filter: /^none$/, namespace: 'hurtbox' }, () => ({ contents: '' }))
      onLoad({ filter: /^games$/, namespace: 'hurtbox' }, () => {
        const imports = files.map((file, i) => `import game${i} from ${JSON.stringify(file)}`)
        const list = files.map((file, i) => `[${JSON.stringify(file)}, game${i}]`)
        return { contents: `${imports.join('\n')}\nexport default [${list.join(', ')}]`, resolveDir: process.cwd() }
      })
    },
  }
}

/** A script that leaves a `ProbeReport` as JSON in `globalThis.hurtboxReport`. */
export async function bundleProbe(options: { readonly control: boolean; readonly from?: string }): Promise<string> {
  const result = await build({
    entryPoints: [fileURLToPath(new URL('probe.ts', import.meta.url))],
    bundle: true,
    format: 'iife',
    target: 'es2022',
    platform: 'neutral',
    plugins: [games(findProject(options.from).files)],
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
