/** The order of the code: what a file imports, types included, is of its own layer or of one before it. */

import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const PACKAGES = ['hurtbox', 'datagrams', 'netcode', 'view', 'colyseus', 'server', 'studio', 'cli']
const LAYERS =
  `base geometry/math geometry/shapes geometry/volumes geometry/space state world rules/collide rules/contacts rules/rewind
  kits/combat kits/motion kits/platformer kits/attach kits/match kits/status kits/zones kits/tiled kits/query kits/abilities record/session record/wire record/replay host/lint host/picture host/module
  host/tools index.ts`.split(/\s+/)
/** The studio's own; `ui` is what its panels and pages are made of. */
const STUDIO =
  'words.ts sim draw show model input ui timeline panels lab attach dispute replay-element node pages main.tsx'.split(
    ' ',
  )
const cwd = fileURLToPath(new URL('../../packages', import.meta.url))
const exclude = ['**/node_modules/**', '**/*.test.ts', '**/fixtures/**']
const sources = globSync('*/src/**/*.{ts,tsx}', { cwd, exclude }).map((file) => file.replaceAll('\\', '/'))
const imports = sources.flatMap((file) =>
  [...readFileSync(`${cwd}/${file}`, 'utf8').matchAll(/^(?! *[/*]).*\b(?:from|import\(?) ?'([^']+)'/gm)].map(
    ([, to]) => [file, to.startsWith('.') ? join(file, '..', to) : to.replace('@hurtbox/', '')] as const,
  ),
)

test.each([
  ['[LY1] no file of the engine imports from a layer above its own', 'hurtbox/src/', LAYERS, 700],
  ['[LY2] no package imports from a package above it', '', PACKAGES, 700],
  ['[LY3] no file of the studio imports from a folder above its own', 'studio/src/', STUDIO, 300],
] as const)('%s', (_, folder, order, least) => {
  const rank = (path: string) => order.findIndex((name) => `${path}/`.startsWith(`${folder}${name}/`))
  const inside = imports.filter(([file]) => file.startsWith(folder))
  expect(inside.length).toBeGreaterThan(least)
  expect(inside.filter(([file, to]) => rank(file) < Math.max(0, rank(to)))).toEqual([])
})
