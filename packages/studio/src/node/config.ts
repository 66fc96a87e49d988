/**
 * What the studio takes from the Vite configuration of a project: how its files are resolved and compiled.
 *
 * How the project's own page is served and built (`root`, `base`, `server`, `build`) is another page's affair.
 */

import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { HurtboxError } from 'hurtbox'
import { type InlineConfig, loadConfigFromFile, type PluginOption } from 'vite'

const TAKEN = [
  'resolve',
  'define',
  'css',
  'json',
  'oxc',
  'esbuild',
  'assetsInclude',
  'envPrefix',
  'optimizeDeps',
] as const
const NAMES = ['ts', 'mts', 'js', 'mjs'].map((ending) => `vite.config.${ending}`)

export type ProjectConfig = InlineConfig & { readonly plugins: readonly PluginOption[] }

/** `file` is the configuration to take; default: the one in `root`, and nothing if there is none. */
export async function projectConfig(command: 'build' | 'serve', root: string, file?: string): Promise<ProjectConfig> {
  const found =
    file === undefined ? NAMES.map((name) => join(root, name)).find((path) => existsSync(path)) : resolve(file)
  if (found === undefined) return { plugins: [] }
  if (!existsSync(found)) throw new HurtboxError('bad-argument', `There is no Vite configuration ${file}.`)
  const mode = command === 'build' ? 'production' : 'development'
  const loaded = await loadConfigFromFile({ command, mode }, found, root, 'silent')
  const config = loaded?.config ?? {}
  const taken = TAKEN.filter((key) => config[key] !== undefined).map((key) => [key, config[key]])
  return { ...Object.fromEntries(taken), plugins: config.plugins ?? [] }
}
