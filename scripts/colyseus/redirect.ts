/**
 * Loads Colyseus and `ws` from another folder than this repository's node_modules: `node --import …/redirect.ts` with `HURTBOX_COLYSEUS`
 * naming the folder.
 *
 * Sources ask for a package by its name; Vitest has already found the file when it asks Node for it. Both are led to the folder.
 */

import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const ours = new URL('../../node_modules/', import.meta.url).href
const theirs = pathToFileURL(join(process.env.HURTBOX_COLYSEUS!, 'node_modules/')).href
const PACKAGES = /^(@colyseus\/|ws(\/|$))/

registerHooks({
  resolve(specifier, context, next) {
    const isInside = context.parentURL?.startsWith(theirs)
    if (PACKAGES.test(specifier) && !isInside) return next(specifier, { ...context, parentURL: theirs })
    const found = next(specifier, context)
    const isTheirs = found.url.startsWith(ours) && PACKAGES.test(found.url.slice(ours.length))
    return isTheirs ? next(fileURLToPath(theirs + found.url.slice(ours.length)), context) : found
  },
})
