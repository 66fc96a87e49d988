#!/usr/bin/env node
/**
 * The `hurtbox` command.
 *
 * Installed from npm it runs what was built; in the repository it runs the sources, so that nothing has to be built
 * between an edit and a run. The place of this file decides which of the two it is: Node itself loads no TypeScript from
 * below a `node_modules`.
 */

import { fileURLToPath } from 'node:url'
import { canLoadTypeScript } from './runtime.js'

const isInstalled = /[\\/]node_modules[\\/]/.test(fileURLToPath(import.meta.url))

if (isInstalled) await import('../dist/main.js')
else if (await canLoadTypeScript(import.meta.url)) await import('../src/main.ts')
